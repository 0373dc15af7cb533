// SPDX-License-Identifier: GPL-2.0
/*
 * With the smallest limits nothing breaks: what does not fit is in the ledger,
 * and what was counted is given back.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/hammer.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/tally.h"

enum {
	MAX_BUCKETS = 16, MAX_LIVE = 64, RING_BYTES = 4096,
	ROUNDS = 8, ROUNDS_FEW = 2,
	ATTEMPTS = 200,		/* of an allocation, to find a bucket */
};

/* The first of them finds everything empty. */
static unsigned int rounds(void)
{
	return guest_effort(ROUNDS) < ROUNDS_FEW ? ROUNDS_FEW : guest_effort(ROUNDS);
}

STORE_FIXTURE(limits, "heap_rate=1 max_buckets=16 max_live=64 ring_bytes=4096");

static void expect_bounded(struct __test_metadata *_metadata, int dev)
{
	struct kmprof_info info = { .size = sizeof(info) };
	struct kmprof_profile_info profile = { .size = sizeof(profile) };

	ASSERT_EQ(0, ioctl(dev, KMPROF_IOC_INFO, &info));
	EXPECT_EQ(MAX_BUCKETS, info.max_buckets);
	EXPECT_EQ(MAX_LIVE, info.max_live);
	EXPECT_EQ(RING_BYTES, info.ring_bytes);
	/* More may fit than were asked for: a line has seven entries for every four. */
	EXPECT_GE(MAX_LIVE / 4 * 7, info.live);
	/* Each profile has a quota of its own. */
	for (; !ioctl(dev, KMPROF_IOC_PROFILE, &profile); profile.index++)
		EXPECT_GE(MAX_BUCKETS, profile.buckets)
			TH_LOG("%s", profile.name);
	EXPECT_EQ(ENOENT, errno);
	EXPECT_LE(4, profile.index);
}

/* 20 chains x 3 sizes are more stacks than buckets, 300 objects too many. */
static int alloc_all(int store)
{
	static const unsigned int sizes[] = { 64, 512, 4096 };
	unsigned int chain, i;
	int ret;

	for (chain = 0; chain < KMPROF_TEST_CHAINS; chain++) {
		for (i = 0; i < ARRAY_SIZE(sizes); i++) {
			struct kmprof_test_op op = {
				.op = KMPROF_TEST_ALLOC, .chain = chain, .size = sizes[i],
				.first = (chain * ARRAY_SIZE(sizes) + i) * 5, .count = 5,
				.context = (chain + i) % order_contexts(), .cpu = i % 2,
			};

			ret = order_run(store, &op);
			if (ret)
				return ret;
		}
	}
	return 0;
}

static int free_all(int store)
{
	struct kmprof_test_op op = { .op = KMPROF_TEST_FREE, .count = 300, .cpu = 1 };

	return order_run(store, &op);
}

TEST_F(limits, losses_are_in_the_ledger)
{
	unsigned int round, shown = 0, least = rounds();
	struct snapshot snapshot;
	struct tally tally;
	struct cell total;

	for (round = 0; round < least || (round < ROUNDS && !shown); round++) {
		ASSERT_EQ(0, guest_reset(self->dev));
		ASSERT_EQ(0, alloc_all(self->store));
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		/* Everything seen is counted, or lost by name. */
		EXPECT_EQ(snapshot_scalar(&snapshot, "total.alloc_calls"),
			  snapshot_scalar(&snapshot, "sampled"));
		EXPECT_LT(0, snapshot_lost(&snapshot, "heap"));
		EXPECT_GE(MAX_BUCKETS, snapshot_rows(&snapshot, "heap"));
		ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
		shown += tally_total(&tally).allocs != 0;
		if (round == least - 1)
			snapshot_print_losses(&snapshot);
		tally_free(&tally);
		snapshot_free(&snapshot);
		expect_bounded(_metadata, self->dev);

		ASSERT_EQ(0, free_all(self->store));
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
		total = tally_total(&tally);
		EXPECT_EQ(total.allocs, total.frees);
		tally_free(&tally);
		snapshot_free(&snapshot);
	}
	/* In some rounds the chains were among the few that fitted in. */
	EXPECT_LT(0, shown);
	TH_LOG("test chains got buckets in %u of %u rounds", shown, round);
}

TEST_F(limits, under_load)
{
	static const char *const hackbench[] = { "hackbench", "-g", "2", "-l", "100000000", NULL };
	struct snapshot snapshot;
	unsigned int round;
	int load;

	load = guest_spawn(hackbench);
	ASSERT_LT(0, load);
	for (round = 0; round < 2 * rounds(); round++) {
		ASSERT_EQ(0, alloc_all(self->store));
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		EXPECT_EQ(snapshot_scalar(&snapshot, "total.alloc_calls"),
			  snapshot_scalar(&snapshot, "sampled"));
		snapshot_free(&snapshot);
		ASSERT_EQ(0, free_all(self->store));
		expect_bounded(_metadata, self->dev);
		if (round % 4 == 1)
			ASSERT_EQ(0, guest_reset(self->dev));
	}
	EXPECT_EQ(0, guest_stop(load));
}

/*
 * Allocates when a bucket is free: what else the machine allocates may have been faster. Returns 0;
 * -EBUSY: it always was.
 */
static int alloc_with_bucket(struct __test_metadata *_metadata, FIXTURE_DATA(limits) *self,
			     struct kmprof_test_op *op)
{
	struct snapshot snapshot;
	unsigned int attempt;
	struct tally tally;
	struct cell cell;

	for (attempt = 0; attempt < ATTEMPTS; attempt++) {
		ASSERT_EQ(0, guest_reset(self->dev));
		op->op = KMPROF_TEST_ALLOC;
		ASSERT_EQ(0, order_run(self->store, op));
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
		cell = tally_cell(&tally, op->chain, op->size);
		tally_free(&tally);
		snapshot_free(&snapshot);
		if (cell.allocs)
			return 0;
		op->op = KMPROF_TEST_FREE;
		ASSERT_EQ(0, order_run(self->store, op));
	}
	return -EBUSY;
}

/* More live objects of one stack than the table holds. */
TEST_F(limits, live_table_is_full)
{
	/* Called directly: a worker has two ways to call its work, and two stacks. */
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = 5, .size = 256, .count = 300,
		.cpu = KMPROF_TEST_CPU_ANY,
	};
	struct snapshot snapshot;
	struct tally tally;
	struct cell cell;

	/* After the first one the stack has its bucket: the ring is left out. */
	op.count = 1;
	ASSERT_EQ(0, alloc_with_bucket(_metadata, self, &op));
	op.first = 1;
	op.count = 299;
	ASSERT_EQ(0, order_run(self->store, &op));
	op.first = 0;
	op.count = 300;
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	cell = tally_cell(&tally, 5, 256);
	/* Each of the 300 is counted or lost, and most are lost here. */
	EXPECT_LT(0, cell.allocs);
	EXPECT_GT(2 * MAX_LIVE, cell.allocs);
	EXPECT_LT(0, snapshot_loss(&snapshot, "live_full"))
		snapshot_print_losses(&snapshot);
	EXPECT_LE(300 - cell.allocs, snapshot_loss(&snapshot, "live_full"));
	EXPECT_EQ(0, cell.frees);
	tally_free(&tally);
	snapshot_free(&snapshot);

	op.op = KMPROF_TEST_FREE;
	op.cpu = 1;
	ASSERT_EQ(0, order_run(self->store, &op));
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	EXPECT_EQ(cell.allocs, tally_cell(&tally, 5, 256).allocs);
	EXPECT_EQ(cell.allocs, tally_cell(&tally, 5, 256).frees);
	tally_free(&tally);
	snapshot_free(&snapshot);
}

/* Once the load is over, what it held is given back. */
TEST_F(limits, in_use_returns_to_zero)
{
	struct snapshot snapshot;
	struct tally tally;
	struct cell total;
	unsigned int round;

	for (round = 0; round < rounds(); round++) {
		ASSERT_EQ(0, alloc_all(self->store));
		ASSERT_EQ(0, free_all(self->store));
	}
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	total = tally_total(&tally);
	EXPECT_EQ(total.allocs, total.frees);
	tally_free(&tally);
	snapshot_free(&snapshot);
}

TEST(bad_parameters_are_refused)
{
	static const char *const bad[] = {
		"source=nonsense", "heap_rate=1073741825", "heap_rate=-1", "heap_rate=often",
		"max_buckets=0", "max_buckets=4294967295", "max_live=0", "max_live=4294967295",
		"stack_depth=0", "stack_depth=129", "ring_bytes=0", "ring_bytes=4095",
		"ring_bytes=4294967295", "max_snapshots=0", "max_snapshots=4294967295",
		"max_waits=15", "max_waits=4294967295", "block_rate=68719476737",
		"block_rate=-1", "block_rate=1ms", "mutex_fraction=65537",
		"mutex_fraction=-1", "mutex_fraction=half",
	};
	unsigned int i;

	ASSERT_EQ(0, guest_unload());
	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, guest_insmod("kmprof", bad[i]))
			TH_LOG("%s", bad[i]);
		EXPECT_EQ(-ENOENT, guest_rmmod("kmprof"));
	}
}

TEST(parameters_are_rounded)
{
	char text[64];

	ASSERT_EQ(0, guest_load_anew("kprobe", "heap_rate=1073741824 max_buckets=16 "
				     "max_live=1000 ring_bytes=5000 stack_depth=128"));
	ASSERT_EQ(0, guest_param("max_live", text, sizeof(text)));
	EXPECT_STREQ("1024", text);
	ASSERT_EQ(0, guest_param("ring_bytes", text, sizeof(text)));
	EXPECT_STREQ("8192", text);
	ASSERT_EQ(0, guest_param("stack_depth", text, sizeof(text)));
	EXPECT_STREQ("128", text);
	ASSERT_EQ(0, guest_param("heap_rate", text, sizeof(text)));
	EXPECT_STREQ("1073741824", text);
	EXPECT_EQ(0, guest_unload());
}

/* A value that is refused changes nothing. */
TEST(parameters_are_written)
{
	static const struct {
		const char *name;
		const char *good;
		const char *bad[3];
	} knobs[] = {
		{ "heap_rate", "65536", { "1073741825", "-1", "often" } },
		{ "block_rate", "68719476736", { "68719476737", "-1", "1ms" } },
		{ "mutex_fraction", "65536", { "65537", "-1", "half" } },
	};
	unsigned int i, k;
	char path[128], text[64];

	ASSERT_EQ(0, guest_load_anew("kprobe", "heap_rate=0"));
	for (i = 0; i < ARRAY_SIZE(knobs); i++) {
		snprintf(path, sizeof(path), "/sys/module/kmprof/parameters/%s", knobs[i].name);
		ASSERT_EQ(0, guest_param(knobs[i].name, text, sizeof(text)));
		EXPECT_STREQ("0", text);
		EXPECT_EQ(0, guest_write_file(path, knobs[i].good));
		for (k = 0; k < ARRAY_SIZE(knobs[i].bad); k++) {
			EXPECT_GT(0, guest_write_file(path, knobs[i].bad[k]))
				TH_LOG("%s=%s", knobs[i].name, knobs[i].bad[k]);
			ASSERT_EQ(0, guest_param(knobs[i].name, text, sizeof(text)));
			EXPECT_STREQ(knobs[i].good, text);
		}
		EXPECT_EQ(0, guest_write_file(path, "0"));
	}
	EXPECT_EQ(0, guest_unload());
}

/* More waits, locks and stacks than there is room for. */
TEST(waits_beyond_the_limits)
{
	static const unsigned int kinds[] = {
		KMPROF_TEST_LOCK_MUTEX, KMPROF_TEST_LOCK_RWSEM, KMPROF_TEST_LOCK_SEMAPHORE,
		KMPROF_TEST_LOCK_RTMUTEX, KMPROF_TEST_LOCK_PERCPU_RWSEM,
	};
	static struct hammer hammer = {
		.kinds = kinds, .nr_kinds = ARRAY_SIZE(kinds), .threads = HAMMER_THREADS,
		.count = 100, .busy_percent = 50, .busy_us = 100, .sleep_least_us = 50,
		.sleep_most_us = 200, .interrupt_us = 3000,
	};
	struct snapshot snapshot;
	unsigned int round;
	int dev, store;

	ASSERT_EQ(0, guest_load_anew("kprobe", "heap_rate=0 block_rate=1 mutex_fraction=1 "
				     "max_waits=16 max_buckets=16 ring_bytes=4096"));
	dev = guest_open();
	ASSERT_LE(0, dev);
	store = order_open();
	ASSERT_LE(0, store);
	for (round = 0; round < rounds(); round++) {
		ASSERT_EQ(0, hammer_start(&hammer, store));
		ASSERT_EQ(0, hammer_join(&hammer));
		ASSERT_EQ(0, snapshot_take(dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		EXPECT_GE(MAX_BUCKETS, snapshot_rows(&snapshot, "block"));
		EXPECT_GE(MAX_BUCKETS, snapshot_rows(&snapshot, "mutex"));
		/* Everything that was seen is counted, or lost by name. */
		EXPECT_EQ(snapshot_scalar(&snapshot, "total.waits"),
			  snapshot_scalar(&snapshot, "waits_sampled"));
		EXPECT_LT(0, snapshot_lost(&snapshot, "block"));
		EXPECT_LT(0, snapshot_lost(&snapshot, "mutex"));
		if (round + 1 == rounds())
			snapshot_print_losses(&snapshot);
		snapshot_free(&snapshot);
		if (round % 4 == 1)
			ASSERT_EQ(0, guest_reset(dev));
	}
	close(store);
	close(dev);
	EXPECT_EQ(0, guest_unload());
}

TEST_HARNESS_MAIN
