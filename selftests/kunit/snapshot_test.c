// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots: while a reader's memory is allocated, nobody waits for the reader; what others do
 * meanwhile is in the image or not, but the image is whole; and a snapshot that fails has not
 * closed the cycle.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/kthread.h>
#include <linux/sched/signal.h>

#include "out/pages.h"

static int alloc_meanwhile(struct kmprof_pages *pages, size_t bytes);

#define kmprof_pages_alloc alloc_meanwhile
#include "out/snapshot.c"
#undef kmprof_pages_alloc

#include "core/bucket.h"
#include "core/drain.h"
#include "events.h"
#include "rig.h"
#include "show/table.h"

enum {
	PERIOD		= 4096,
	/* Stacks that take more than there is to spare at first, and less than what is then. */
	MANY		= 800,
	MAX_BUCKETS	= 4096,
};

static const struct kmprof_limits snapshot_limits = {
	.max_buckets	= MAX_BUCKETS,
	.max_live	= 4 * MAX_BUCKETS,
	.stack_depth	= KMPROF_STACK_DEPTH_MAX,
	.ring_bytes	= 256 * 1024,
	.max_snapshots	= 2,
	.max_waits	= KMPROF_WAITS_MIN,
	.max_objects	= KMPROF_OBJECTS_MIN,
};

/* What snapshots ask control/ for. */
void kmprof_control_check(void)
{
}

void kmprof_control_missed(u64 missed[KMPROF_NR_COUNTERS])
{
	memset(missed, 0, sizeof(*missed) * KMPROF_NR_COUNTERS);
}

u64 kmprof_control_get(enum kmprof_setting_id id, char text[KMPROF_TEXT_LEN])
{
	return id == KMPROF_SETTING_HEAP_RATE ? PERIOD : 0;
}

/**
 * struct reader - what happens while a snapshot's memory is allocated
 * @others: called by each allocation; NULL: nothing happens
 * @err: what the allocation returns then; 0: it succeeds
 * @allocations: how many there were
 * @locked: of these, those with the cycle lock held
 */
static struct reader {
	void (*others)(void);
	int err;
	unsigned int allocations;
	unsigned int locked;
} reader;

/* Stacks so far, each with an object. */
static unsigned int nr_stacks;

static int alloc_meanwhile(struct kmprof_pages *pages, size_t bytes)
{
	reader.allocations++;
	if (mutex_is_locked(&kmprof_cycle_lock))
		reader.locked++;
	else if (reader.others)
		reader.others();
	return reader.err ?: kmprof_pages_alloc(pages, bytes);
}

static int snapshot_test_init(struct kunit *test)
{
	reader = (struct reader) {};
	nr_stacks = 0;
	return rig_create(test, &snapshot_limits) ?: rig_pin();
}

static void add_stacks(unsigned int nr)
{
	for (; nr; nr--) {
		event_alloc(rig_object(nr_stacks), 64, PERIOD, event_site(nr_stacks));
		if (++nr_stacks % 64 == 0)
			kmprof_drain();
		rig_let_others_run();
	}
	kmprof_drain();
}

static void destroy(void *image)
{
	kmprof_snapshot_destroy(image);
}

static const struct kmprof_image_header *take_snapshot(struct kunit *test, u32 flags)
{
	struct kmprof_snapshot_image *image = kmprof_snapshot_create(flags, true);

	KUNIT_ASSERT_FALSE(test, IS_ERR(image));
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, destroy, image), 0);
	KUNIT_EXPECT_EQ(test, image->pages.used, PFN_UP(image->header->image_size));
	KUNIT_EXPECT_LE(test, image->pages.used, image->pages.count);
	KUNIT_EXPECT_EQ(test, reader.locked, 0);
	return image->header;
}

/* Each of @rows stacks has a row, with all its frames. */
static void expect_stacks(struct kunit *test, const struct kmprof_image_header *h, u32 rows)
{
	struct kmprof_text_table t;
	u64 frames = 0;
	u32 i;

	KUNIT_ASSERT_TRUE(test, kmprof_text_table_find(&t, h, "heap"));
	KUNIT_EXPECT_EQ(test, t.count, rows);
	for (i = 0; i < t.count; i++) {
		const struct kmprof_image_row *row = kmprof_text_row(&t, i);
		unsigned int site = event_site_number(t.frames[row->first_frame]);

		KUNIT_ASSERT_EQ(test, row->first_frame, frames);
		KUNIT_ASSERT_EQ(test, row->nr_frames, 1 + site % SITE_FRAMES_MAX);
		frames += row->nr_frames;
	}
	KUNIT_EXPECT_EQ(test, h->frames.count, frames);
}

/* The size that a cycle will have once it is closed is known before. */
static void one_allocation_is_enough(struct kunit *test)
{
	const struct kmprof_image_header *h;

	add_stacks(3 * MANY / 2);
	h = take_snapshot(test, 0);
	KUNIT_EXPECT_EQ(test, reader.allocations, 1);
	expect_stacks(test, h, nr_stacks);
}

static void others_advance_and_reset(void)
{
	rig_advance();
	rig_reset();
}

static void nobody_waits_for_a_readers_memory(struct kunit *test)
{
	const struct kmprof_image_header *h;
	u64 cycle;

	add_stacks(10);
	reader.others = others_advance_and_reset;
	cycle = kmprof_cycle_number();
	h = take_snapshot(test, 0);
	/* Theirs, and its own. */
	KUNIT_EXPECT_EQ(test, h->cycle, cycle + 3);
	expect_stacks(test, h, 0);

	add_stacks(10);
	rig_advance();
	cycle = kmprof_cycle_number();
	h = take_snapshot(test, KMPROF_SNAPSHOT_PUBLISHED);
	KUNIT_EXPECT_EQ(test, h->cycle, cycle + 2);
	expect_stacks(test, h, 0);
	KUNIT_EXPECT_EQ(test, reader.allocations, 2);
}

static void others_add_stacks(void)
{
	if (reader.allocations <= 2)
		add_stacks(MANY);
}

static void others_add_and_advance(void)
{
	others_add_stacks();
	rig_advance();
}

/* It takes another try, with more to spare, and then the image has everything. */
static void an_image_that_grows_is_measured_again(struct kunit *test)
{
	const struct kmprof_image_header *h;

	add_stacks(1);
	reader.others = others_add_stacks;
	h = take_snapshot(test, 0);
	KUNIT_EXPECT_EQ(test, reader.allocations, 2);
	expect_stacks(test, h, 1 + 2 * MANY);

	rig_reset();
	reader.allocations = 0;
	reader.others = others_add_and_advance;
	nr_stacks = 0;
	h = take_snapshot(test, KMPROF_SNAPSHOT_PUBLISHED);
	KUNIT_EXPECT_EQ(test, reader.allocations, 2);
	expect_stacks(test, h, 2 * MANY);
}

/* No cycle is closed, no image is left, and the next snapshot has everything. */
static void a_failure_changes_nothing(struct kunit *test)
{
	const struct kmprof_image_header *h;
	struct kmprof_snapshot_image *image;
	struct file *file;
	u64 cycle;

	rig_advance();
	cycle = kmprof_cycle_number();
	add_stacks(10);
	reader.err = -ENOMEM;
	image = kmprof_snapshot_create(0, true);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(image), -ENOMEM);
	KUNIT_EXPECT_EQ(test, kmprof_snapshot_count(), 0);
	file = kmprof_snapshot_open(0, true);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(file), -ENOMEM);
	KUNIT_EXPECT_EQ(test, kmprof_cycle_number(), cycle);

	/* The file's image goes with the file, which the kernel closes later. */
	flush_delayed_fput();
	KUNIT_EXPECT_EQ(test, kmprof_snapshot_count(), 0);

	reader.err = 0;
	h = take_snapshot(test, 0);
	KUNIT_EXPECT_EQ(test, h->cycle, cycle + 1);
	expect_stacks(test, h, 10);
	take_snapshot(test, KMPROF_SNAPSHOT_PUBLISHED);
	image = kmprof_snapshot_create(0, true);
	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(image), -ENOSPC);
	KUNIT_EXPECT_EQ(test, kmprof_cycle_number(), cycle + 1);
}

static DECLARE_COMPLETION(holder_holds);
static DECLARE_COMPLETION(holder_may_go);

static int hold_cycle_lock(void *unused)
{
	mutex_lock(&kmprof_cycle_lock);
	complete(&holder_holds);
	wait_for_completion(&holder_may_go);
	mutex_unlock(&kmprof_cycle_lock);
	return 0;
}

static struct task_struct *holder;

/* Somebody takes the cycle lock, and a signal comes. */
static void others_hold_the_lock(void)
{
	holder = kthread_run(hold_cycle_lock, NULL, "holder");
	if (IS_ERR(holder))
		return;
	get_task_struct(holder);
	wait_for_completion(&holder_holds);
	send_sig(SIGUSR1, current, 1);
}

static void a_signal_ends_the_wait(struct kunit *test)
{
	struct kmprof_snapshot_image *image;
	u64 cycle = kmprof_cycle_number();

	reader.others = others_hold_the_lock;
	allow_signal(SIGUSR1);
	image = kmprof_snapshot_create(0, true);
	flush_signals(current);
	disallow_signal(SIGUSR1);
	KUNIT_ASSERT_FALSE(test, IS_ERR_OR_NULL(holder));
	complete(&holder_may_go);
	kthread_stop(holder);
	put_task_struct(holder);

	KUNIT_EXPECT_EQ(test, PTR_ERR_OR_ZERO(image), -EINTR);
	KUNIT_EXPECT_EQ(test, kmprof_cycle_number(), cycle);
	KUNIT_EXPECT_EQ(test, kmprof_snapshot_count(), 0);
}

/* The suite of texts takes snapshots, too. */
static void snapshot_test_exit(struct kunit *test)
{
	reader = (struct reader) {};
}

static struct kunit_case snapshot_cases[] = {
	KUNIT_CASE(one_allocation_is_enough),
	KUNIT_CASE(nobody_waits_for_a_readers_memory),
	KUNIT_CASE(an_image_that_grows_is_measured_again),
	KUNIT_CASE(a_failure_changes_nothing),
	KUNIT_CASE(a_signal_ends_the_wait),
	{}
};

static struct kunit_suite snapshot_suite = {
	.name		= "kmprof_snapshot",
	.init		= snapshot_test_init,
	.exit		= snapshot_test_exit,
	.test_cases	= snapshot_cases,
};

kunit_test_suite(snapshot_suite);
