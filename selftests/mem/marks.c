// SPDX-License-Identifier: GPL-2.0
/*
 * What was in use at moments that have passed: the peak, a size, an OOM. A mark has what was in use
 * then, of all stacks at the same moment, whatever comes later. That the rows of a mark come to its
 * sum is checked of every image that any test takes (lib/invariants.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

#define KPROBES_ENABLED "/sys/kernel/debug/kprobes/enabled"

enum {
	/* Much more than what a guest with nothing to do allocates. */
	SIZE = 4096, COUNT = 4000, BYTES = SIZE * COUNT,
	SLOTS_OF_OTHER = 2 * COUNT,
	ONE = 3, OTHER = 4,
	STEP = 10,		/* less than 1/128 of what there is */
	LOOKS_US = 500000,	/* the module looks several times meanwhile */
	BURST_US = 1500000,	/* an OOM that comes later is another one */
	MOST_S = 60,
};

STORE_FIXTURE(marks, "heap_rate=1 " GUEST_ROOMY);

static int run(FIXTURE_DATA(marks) *self, unsigned int code, unsigned int chain,
	       unsigned int first, unsigned int count)
{
	struct kmprof_test_op op = {
		.op = code, .chain = chain, .cpu = KMPROF_TEST_CPU_ANY,
		.method = KMPROF_TEST_KMALLOC_VARIABLE, .size = SIZE,
		.first = chain == ONE ? first : SLOTS_OF_OTHER + first, .count = count,
	};

	return order_run(self->store, &op);
}

static int add(FIXTURE_DATA(marks) *self, unsigned int chain, unsigned int first,
	       unsigned int count)
{
	return run(self, KMPROF_TEST_ALLOC, chain, first, count);
}

static int drop(FIXTURE_DATA(marks) *self, unsigned int chain, unsigned int first,
		unsigned int count)
{
	return run(self, KMPROF_TEST_FREE, chain, first, count);
}

/**
 * struct seen - what an image says of a chain
 * @inuse: objects in use now
 * @peak: ... at the peak
 * @at: ... at the size
 * @oom: ... at the OOM
 */
struct seen {
	uint64_t inuse;
	uint64_t peak;
	uint64_t at;
	uint64_t oom;
};

/**
 * struct image - what is of interest in an image
 * @one: of the chain ONE
 * @other: of the chain OTHER
 * @inuse: bytes in use, of all
 * @peak: scalar mark.peak_bytes
 * @at: scalar mark.at_bytes
 * @at_time: scalar mark.at_time_ns
 * @oom: scalar mark.oom_bytes
 * @oom_time: scalar mark.oom_time_ns
 * @cycle: its cycle
 */
struct image {
	struct seen one;
	struct seen other;
	uint64_t inuse;
	uint64_t peak;
	uint64_t at;
	uint64_t at_time;
	uint64_t oom;
	uint64_t oom_time;
	uint64_t cycle;
};

static void add_row(struct image *image, int chain, const struct kmprof_image_sample *sample)
{
	struct seen *seen = chain == ONE ? &image->one : &image->other;
	uint64_t inuse = sample->allocs - sample->frees;

	/* All periods are 1. */
	image->inuse += inuse * sample->object_size;
	if (chain != ONE && chain != OTHER)
		return;
	seen->inuse += inuse;
	seen->peak += sample->peak;
	seen->at += sample->at;
	seen->oom += sample->oom;
}

static struct image look(struct __test_metadata *_metadata, FIXTURE_DATA(marks) *self)
{
	struct image image = { .cycle = 0 };
	struct snapshot snapshot;
	uint32_t i;

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);

		add_row(&image, symbols_chain(&self->symbols, &snapshot, sample), sample);
	}
	image.peak = snapshot_scalar(&snapshot, "mark.peak_bytes");
	image.at = snapshot_scalar(&snapshot, "mark.at_bytes");
	image.at_time = snapshot_scalar(&snapshot, "mark.at_time_ns");
	image.oom = snapshot_scalar(&snapshot, "mark.oom_bytes");
	image.oom_time = snapshot_scalar(&snapshot, "mark.oom_time_ns");
	image.cycle = snapshot.header->cycle;
	snapshot_free(&snapshot);
	return image;
}

static void wait_for_looks(void)
{
	usleep(LOOKS_US * guest_slow());
}

static uint64_t peak_of(const struct image *image)
{
	return image->peak;
}

static uint64_t at_time_of(const struct image *image)
{
	return image->at_time;
}

static uint64_t oom_time_of(const struct image *image)
{
	return image->oom_time;
}

/* Waits until a number is more than @least. */
static struct image until(struct __test_metadata *_metadata, FIXTURE_DATA(marks) *self,
			  uint64_t (*number)(const struct image *), uint64_t least)
{
	uint64_t end = guest_now_ns() + MOST_S * guest_slow() * 1000000000ULL;
	struct image image;

	for (;;) {
		image = look(_metadata, self);
		if (number(&image) > least)
			return image;
		ASSERT_GT(end, guest_now_ns())
			TH_LOG("it does not become more than %" PRIu64, least);
		usleep(20000);
	}
}

static struct image until_marked(struct __test_metadata *_metadata, FIXTURE_DATA(marks) *self,
				 uint64_t (*time)(const struct image *), const struct image *since)
{
	return until(_metadata, self, time, time(since));
}

/* The rows of the peak are those of one moment: what comes and goes later does not change them. */
TEST_F(marks, the_peak)
{
	struct image image;
	uint64_t most;

	ASSERT_EQ(0, add(self, ONE, 0, COUNT));
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_PEAK, 1));
	image = look(_metadata, self);
	EXPECT_LE(BYTES, image.peak);
	EXPECT_EQ(COUNT, image.one.peak);
	EXPECT_EQ(0, image.other.peak);

	/* There is less: the peak stays. */
	ASSERT_EQ(0, drop(self, ONE, 0, COUNT));
	ASSERT_EQ(0, add(self, OTHER, 0, COUNT / 2));
	wait_for_looks();
	image = look(_metadata, self);
	EXPECT_EQ(0, image.one.inuse);
	EXPECT_EQ(COUNT, image.one.peak);
	EXPECT_EQ(COUNT / 2, image.other.inuse);
	EXPECT_EQ(0, image.other.peak);
	EXPECT_LT(image.inuse, image.peak);

	/* There is more than ever: all rows are of the new peak, which is told to 1 % or better. */
	most = image.inuse + BYTES;
	ASSERT_EQ(0, add(self, OTHER, COUNT / 2, COUNT));
	until(_metadata, self, peak_of, most / 100 * 98);
	wait_for_looks();
	image = look(_metadata, self);
	EXPECT_EQ(0, image.one.peak);
	EXPECT_LE((COUNT + COUNT / 2) * 98 / 100, image.other.peak);
	EXPECT_GE(COUNT + COUNT / 2, image.other.peak);
	most = image.other.peak;

	/* Off: what there is stays. */
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_PEAK, 0));
	ASSERT_EQ(0, add(self, ONE, 0, COUNT));
	wait_for_looks();
	image = look(_metadata, self);
	EXPECT_EQ(COUNT, image.one.inuse);
	EXPECT_EQ(0, image.one.peak);
	EXPECT_EQ(most, image.other.peak);

	ASSERT_EQ(0, guest_reset(self->dev));
	image = look(_metadata, self);
	EXPECT_EQ(0, image.peak);
	EXPECT_EQ(0, image.other.peak);
}

/* The module does not look between these: memory grows in steps that are not worth a cycle. */
TEST_F(marks, no_snapshot_has_more_than_its_peak)
{
	struct image image;
	unsigned int i;

	ASSERT_EQ(0, add(self, ONE, 0, COUNT / 2));
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_PEAK, 1));
	for (i = COUNT / 2; i < COUNT; i += STEP) {
		ASSERT_EQ(0, add(self, ONE, i, STEP));
		image = look(_metadata, self);
		EXPECT_EQ(i + STEP, image.one.inuse);
		EXPECT_LE(image.inuse, image.peak);
	}
	EXPECT_EQ(COUNT, image.one.peak);
}

/* Once for each size, at the first look at which so much is in use. */
TEST_F(marks, a_size)
{
	struct image image = look(_metadata, self), marked;
	uint64_t at = image.inuse + BYTES / 2;

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_AT, at));
	wait_for_looks();
	image = look(_metadata, self);
	EXPECT_EQ(0, image.at_time);

	ASSERT_EQ(0, add(self, ONE, 0, COUNT));
	marked = until_marked(_metadata, self, at_time_of, &image);
	EXPECT_LE(at, marked.at);
	EXPECT_LT(0, marked.one.at);
	EXPECT_GE(COUNT, marked.one.at);

	/* More does not change it, nor does less and more again. */
	ASSERT_EQ(0, add(self, OTHER, 0, COUNT));
	wait_for_looks();
	ASSERT_EQ(0, drop(self, ONE, 0, COUNT));
	ASSERT_EQ(0, drop(self, OTHER, 0, COUNT));
	wait_for_looks();
	ASSERT_EQ(0, add(self, OTHER, 0, COUNT));
	wait_for_looks();
	image = look(_metadata, self);
	EXPECT_EQ(marked.at, image.at);
	EXPECT_EQ(marked.at_time, image.at_time);
	EXPECT_EQ(marked.one.at, image.one.at);
	EXPECT_EQ(0, image.other.at);

	/* Another size, which is in use already. */
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_AT, at - 1));
	image = look(_metadata, self);
	EXPECT_LT(marked.at_time, image.at_time);
	EXPECT_EQ(0, image.one.at);
	EXPECT_EQ(COUNT, image.other.at);

	/* Off, and the same size again. */
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_AT, 0));
	ASSERT_EQ(0, add(self, ONE, 0, COUNT));
	wait_for_looks();
	marked = look(_metadata, self);
	EXPECT_EQ(image.at_time, marked.at_time);
	EXPECT_EQ(0, marked.one.at);
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_AT, at - 1));
	image = look(_metadata, self);
	EXPECT_LT(marked.at_time, image.at_time);
	EXPECT_EQ(COUNT, image.one.at);

	/* And after a reset. */
	ASSERT_EQ(0, guest_reset(self->dev));
	image = look(_metadata, self);
	EXPECT_EQ(0, image.at_time);
	ASSERT_EQ(0, add(self, ONE, COUNT, COUNT));
	marked = until_marked(_metadata, self, at_time_of, &image);
	EXPECT_LT(0, marked.one.at);
	EXPECT_GE(COUNT, marked.one.at);
}

/* The size comes before what cannot be armed. */
TEST_F(marks, none_by_a_change_that_fails)
{
	const struct kmprof_setting_value settings[] = {
		{ .id = KMPROF_SETTING_HEAP_AT, .value = BYTES / 4 },
		{ .id = KMPROF_SETTING_MUTEX_FRACTION, .value = 1 },
	};
	struct image image, marked;
	int ret;

	ASSERT_EQ(0, add(self, ONE, 0, COUNT));
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_AT, BYTES / 2));
	marked = look(_metadata, self);
	ASSERT_LT(0, marked.at_time);
	ASSERT_EQ(0, add(self, OTHER, 0, COUNT));
	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "0"));
	ret = guest_set_settings(self->dev, settings, ARRAY_SIZE(settings));
	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "1"));
	EXPECT_EQ(-ENOENT, ret);
	wait_for_looks();
	image = look(_metadata, self);
	EXPECT_EQ(marked.at_time, image.at_time);
	EXPECT_EQ(0, image.other.at);
}

/* The kernel's list of those who want to know, from /proc/kallsyms. */
static uint64_t oom_notifiers(void)
{
	uint64_t address = 0;
	char *text, *name;

	if (guest_read_file("/proc/kallsyms", &text, NULL))
		return 0;
	name = strstr(text, " oom_notify_list\n");
	while (name && name > text && name[-1] != '\n')
		name--;
	if (name)
		address = strtoull(name, NULL, 16);
	free(text);
	return address;
}

/* No setting asks for it. Each replaces the one before. */
TEST_F(marks, out_of_memory)
{
	struct kmprof_test_oom oom = { .notifiers = oom_notifiers() };
	struct image image = look(_metadata, self), marked;

	ASSERT_NE(0, oom.notifiers);
	ASSERT_EQ(0, image.oom_time);
	ASSERT_EQ(0, add(self, ONE, 0, COUNT));
	ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_OOM, &oom));
	marked = until_marked(_metadata, self, oom_time_of, &image);
	EXPECT_LE(BYTES, marked.oom);
	EXPECT_EQ(COUNT, marked.one.oom);

	ASSERT_EQ(0, drop(self, ONE, 0, COUNT));
	ASSERT_EQ(0, add(self, OTHER, 0, COUNT));
	wait_for_looks();
	image = look(_metadata, self);
	EXPECT_EQ(marked.oom_time, image.oom_time);
	EXPECT_EQ(COUNT, image.one.oom);
	EXPECT_EQ(0, image.other.oom);

	usleep(BURST_US);
	ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_OOM, &oom));
	image = until_marked(_metadata, self, oom_time_of, &marked);
	EXPECT_EQ(0, image.one.oom);
	EXPECT_EQ(COUNT, image.other.oom);
}

/* Nobody closes cycles as long as nobody wants a mark, or while there is no new one. */
TEST_F(marks, cost_nothing_else)
{
	struct image before, after;

	before = look(_metadata, self);
	ASSERT_EQ(0, add(self, ONE, 0, COUNT));
	wait_for_looks();
	after = look(_metadata, self);
	EXPECT_EQ(before.cycle + 1, after.cycle);

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_PEAK, 1));
	before = until(_metadata, self, peak_of, BYTES);
	EXPECT_EQ(COUNT, before.one.peak);
	ASSERT_EQ(0, drop(self, ONE, 0, COUNT / 2));
	wait_for_looks();
	after = look(_metadata, self);
	EXPECT_EQ(before.cycle + 1, after.cycle);
}

TEST_HARNESS_MAIN
