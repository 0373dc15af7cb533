// SPDX-License-Identifier: GPL-2.0
/*
 * Kernels that cannot be probed everywhere: what is missing is told in one line
 * and by INFO, and the rest works. build/lacks/kmprof.ko is kmprof made for a
 * kernel without the entry point of large kmallocs.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <linux/kmprof.h>

#include "lib/harness.h"
#include "lib/klog.h"
#include "lib/kmprof_guest.h"
#include "lib/livepatch.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/settings.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"
#include "lib/tally.h"

#define KPROBES_ENABLED "/sys/kernel/debug/kprobes/enabled"

enum { IN_CACHE = 200, SMALL = 512, LARGE = 65536, COUNT = 50 };

FIXTURE(lacks) {
	int log;
	int dev;
};

FIXTURE_SETUP(lacks)
{
	ASSERT_EQ(0, guest_unload());
	self->dev = -1;
	self->log = klog_open();
	ASSERT_LE(0, self->log);
}

FIXTURE_TEARDOWN(lacks)
{
	EXPECT_EQ(0, guest_write_file(KPROBES_ENABLED, "1"));
	close(self->log);
	if (self->dev >= 0)
		close(self->dev);
	EXPECT_EQ(0, guest_unload());
}

static uint64_t lacks(struct __test_metadata *_metadata, int dev)
{
	struct kmprof_info info = { .size = sizeof(info) };

	ASSERT_EQ(0, ioctl(dev, KMPROF_IOC_INFO, &info));
	EXPECT_EQ(1, is_attached(_metadata, dev, KMPROF_SETTING_HEAP_RATE));
	return info.lacks;
}

/* Churns COUNT objects and expects @expected of them in the profile. */
static void expect_seen(struct __test_metadata *_metadata, int dev, unsigned int method,
			unsigned int size, uint64_t expected)
{
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_CHURN, .chain = method, .method = method, .size = size,
		.free = method == KMPROF_TEST_CACHE || method == KMPROF_TEST_CACHE_BULK ?
			KMPROF_TEST_CACHE_FREE_BULK : KMPROF_TEST_KFREE,
		.cpu = KMPROF_TEST_CPU_ANY, .count = COUNT,
	};
	struct snapshot snapshot;
	struct symbols symbols;
	struct tally tally;
	int store = order_open();

	ASSERT_LE(0, store);
	ASSERT_EQ(0, symbols_load(&symbols));
	ASSERT_EQ(0, order_run(store, &op));
	ASSERT_EQ(0, snapshot_take(dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &symbols));
	EXPECT_EQ(expected, tally_cell(&tally, method, size).allocs);
	EXPECT_EQ(expected, tally_cell(&tally, method, size).frees);
	tally_free(&tally);
	snapshot_free(&snapshot);
	symbols_free(&symbols);
	close(store);
}

/* Does kmprof status say so? Programs run in the top directory of the tree. */
static int status_says(const char *text)
{
	FILE *status = popen("tools/kmprof status", "r");
	char line[256];
	int found = 0;

	if (!status)
		return -errno;
	while (fgets(line, sizeof(line), status))
		found |= !!strstr(line, text);
	return pclose(status) ? -EIO : found;
}

TEST_F(lacks, nothing)
{
	ASSERT_EQ(0, guest_load_anew("kprobe", "heap_rate=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	EXPECT_EQ(0, klog_lines(self->log, "cannot probe"));
	EXPECT_EQ(0, status_says("Not seen"));
	expect_seen(_metadata, self->dev, KMPROF_TEST_KMALLOC, LARGE, COUNT);
}

TEST_F(lacks, an_entry_point)
{
	ASSERT_EQ(0, guest_insmod("kmprof_lacks", "source=kprobe heap_rate=1 " GUEST_ROOMY));
	ASSERT_EQ(0, guest_insmod("kmprof_test", ""));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	EXPECT_EQ(KMPROF_LACKS_ALLOC, lacks(_metadata, self->dev));
	EXPECT_EQ(1, klog_lines(self->log, "kmprof: cannot probe "));
	EXPECT_EQ(1, status_says("Not seen   some allocators' entry points"));
	expect_seen(_metadata, self->dev, KMPROF_TEST_KMALLOC, LARGE, 0);
	expect_seen(_metadata, self->dev, KMPROF_TEST_KMALLOC, SMALL, COUNT);
	expect_seen(_metadata, self->dev, KMPROF_TEST_CACHE_BULK, IN_CACHE, COUNT);

	/* It stays so when everything is detached and attached again. */
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	EXPECT_EQ(KMPROF_LACKS_ALLOC, lacks(_metadata, self->dev));
}

/* An allocator that is live patched is left alone, and is there again when it is not. */
TEST_F(lacks, live_patched)
{
	if (!livepatch_is_there())
		SKIP(return, "this kernel has no live patches");
	ASSERT_EQ(0, livepatch_load(LIVEPATCH_ALLOC));
	ASSERT_EQ(0, guest_load_anew("kprobe", "heap_rate=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	EXPECT_EQ(KMPROF_LACKS_ALLOC, lacks(_metadata, self->dev));
	EXPECT_EQ(1, klog_lines_with(self->log, "kmprof: cannot probe kmem_cache_alloc",
				     ": a live patch"));
	EXPECT_EQ(1, status_says("Not seen   some allocators' entry points"));
	expect_seen(_metadata, self->dev, KMPROF_TEST_CACHE, IN_CACHE, 0);
	expect_seen(_metadata, self->dev, KMPROF_TEST_CACHE_BULK, IN_CACHE, COUNT);
	expect_seen(_metadata, self->dev, KMPROF_TEST_KMALLOC, LARGE, COUNT);

	ASSERT_EQ(0, livepatch_unload(LIVEPATCH_ALLOC));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	expect_seen(_metadata, self->dev, KMPROF_TEST_CACHE, IN_CACHE, COUNT);
}

TEST_F(lacks, kprobes)
{
	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "0"));
	EXPECT_EQ(-EOPNOTSUPP, guest_insmod("kmprof", "source=kprobe"));
	EXPECT_EQ(1, klog_lines(self->log, "try source=tracepoint"));
	EXPECT_EQ(-ENOENT, guest_rmmod("kmprof"));

	ASSERT_EQ(0, guest_load_anew("tracepoint", "heap_rate=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	EXPECT_EQ(KMPROF_LACKS_BULK_ALLOC | KMPROF_LACKS_KPROBES, lacks(_metadata, self->dev));
	EXPECT_EQ(1, klog_lines(self->log, "kmprof: cannot probe kmem_cache_alloc_bulk"));
	EXPECT_EQ(1, status_says("Not seen   bulk allocations"));
	expect_seen(_metadata, self->dev, KMPROF_TEST_CACHE_BULK, IN_CACHE, 0);
	expect_seen(_metadata, self->dev, KMPROF_TEST_KMALLOC, LARGE, COUNT);

	/* With kprobes back, the next attach has them. */
	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "1"));
	EXPECT_EQ(KMPROF_LACKS_BULK_ALLOC, lacks(_metadata, self->dev));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	expect_seen(_metadata, self->dev, KMPROF_TEST_CACHE_BULK, IN_CACHE, COUNT);
}

/* Somebody switches kprobes off: that is told, and it ends when they are on again. */
TEST_F(lacks, kprobes_go_and_come_back)
{
	struct snapshot snapshot;
	uint64_t off;

	ASSERT_EQ(0, guest_load_anew("kprobe", "heap_rate=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	expect_seen(_metadata, self->dev, KMPROF_TEST_KMALLOC, SMALL, COUNT);
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_EQ(0, snapshot_loss(&snapshot, "probes_off"));
	snapshot_free(&snapshot);

	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "0"));
	EXPECT_EQ(KMPROF_LACKS_KPROBES, lacks(_metadata, self->dev));
	EXPECT_EQ(1, status_says("Not seen   what only kprobes see"));
	expect_seen(_metadata, self->dev, KMPROF_TEST_KMALLOC, SMALL, COUNT);
	/* That was at least one snapshot; each more is one more. */
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	off = snapshot_loss(&snapshot, "probes_off");
	EXPECT_LE(2, off);
	snapshot_free(&snapshot);
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_EQ(off + 1, snapshot_loss(&snapshot, "probes_off"));
	snapshot_free(&snapshot);
	EXPECT_EQ(1, klog_lines(self->log, "kmprof: kprobes are switched off"));

	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "1"));
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	expect_seen(_metadata, self->dev, KMPROF_TEST_KMALLOC, SMALL, 2 * COUNT);
	EXPECT_EQ(1, klog_lines(self->log, "kmprof: kprobes are on again"));

	/* A reset forgets that, as it forgets all losses. */
	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_EQ(0, snapshot_loss(&snapshot, "probes_off"));
	snapshot_free(&snapshot);
}

static uint64_t lacks_release(struct __test_metadata *_metadata, int dev)
{
	struct kmprof_info info = { .size = sizeof(info) };

	ASSERT_EQ(0, ioctl(dev, KMPROF_IOC_INFO, &info));
	EXPECT_EQ(1, is_attached(_metadata, dev, KMPROF_SETTING_BLOCK_RATE));
	return info.lacks & KMPROF_LACKS_RELEASE;
}

static uint64_t lacks_wait(struct __test_metadata *_metadata, int dev, int attached)
{
	struct kmprof_info info = { .size = sizeof(info) };
	struct snapshot snapshot;

	ASSERT_EQ(0, ioctl(dev, KMPROF_IOC_INFO, &info));
	ASSERT_EQ(0, snapshot_take(dev, &snapshot));
	EXPECT_EQ(KMPROF_SOURCE_KPROBE, snapshot_scalar(&snapshot, "wait_source"));
	snapshot_free(&snapshot);
	EXPECT_EQ(attached, is_attached(_metadata, dev, KMPROF_SETTING_BLOCK_RATE));
	return info.lacks & KMPROF_LACKS_CONTENTION;
}

/* Waits are seen by kprobes on slow paths, where there are such. */
TEST_F(lacks, waits)
{
	ASSERT_EQ(0, guest_load_anew("tracepoint", "heap_rate=0 wait_source=kprobe " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	if (!guest_is_rt()) {
		ASSERT_EQ(0, guest_set_block_rate(self->dev, 1));
		EXPECT_EQ(0, lacks_wait(_metadata, self->dev, 1));
		EXPECT_EQ(0, klog_lines(self->log, "this kernel does not show who waits"));
		ASSERT_EQ(0, guest_set_block_rate(self->dev, 0));
	}
	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "0"));
	EXPECT_EQ(-ENOENT, guest_set_block_rate(self->dev, 1));
	EXPECT_EQ(KMPROF_LACKS_CONTENTION, lacks_wait(_metadata, self->dev, 0));
	EXPECT_EQ(1, klog_lines(self->log, guest_is_rt() ? "give wait_source=tracepoint" :
			       "wait_source=kprobe: no kprobe shows who waits"));
	EXPECT_EQ(1, status_says("waits for some kind of lock, or all"));

	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "1"));
	EXPECT_EQ(guest_is_rt() ? -ENOENT : 0, guest_set_block_rate(self->dev, 1));
	EXPECT_EQ(guest_is_rt() ? KMPROF_LACKS_CONTENTION : 0,
		  lacks_wait(_metadata, self->dev, !guest_is_rt()));
}

/* Who releases is seen by kprobes only; who waits is seen without. */
TEST_F(lacks, releases)
{
	/* Readers of a rwsem with PREEMPT_RT. */
	const uint64_t usual = guest_is_rt() ? KMPROF_LACKS_RELEASE : 0;
	static const char said[] = "this kernel does not show who releases: ";

	ASSERT_EQ(0, guest_load_anew("tracepoint", "heap_rate=0 block_rate=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	EXPECT_EQ(0, lacks_release(_metadata, self->dev));
	ASSERT_EQ(0, guest_set_mutex_fraction(self->dev, 1));
	EXPECT_EQ(usual, lacks_release(_metadata, self->dev));
	EXPECT_EQ(!!usual, klog_lines(self->log, said));
	EXPECT_EQ(!!usual, status_says("the release of some kind of lock"));
	ASSERT_EQ(0, guest_set_mutex_fraction(self->dev, 0));

	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "0"));
	EXPECT_EQ(-ENOENT, guest_set_mutex_fraction(self->dev, 1));
	EXPECT_EQ(1, klog_lines(self->log, "mutex_fraction: no kprobe shows who releases"));
	EXPECT_EQ(KMPROF_LACKS_RELEASE, lacks_release(_metadata, self->dev));
	EXPECT_EQ(0, value_of_setting(_metadata, self->dev, KMPROF_SETTING_MUTEX_FRACTION));
	EXPECT_EQ(1, value_of_setting(_metadata, self->dev, KMPROF_SETTING_BLOCK_RATE));

	ASSERT_EQ(0, guest_write_file(KPROBES_ENABLED, "1"));
	ASSERT_EQ(0, guest_set_mutex_fraction(self->dev, 1));
	EXPECT_EQ(usual, lacks_release(_metadata, self->dev));
}

TEST_HARNESS_MAIN
