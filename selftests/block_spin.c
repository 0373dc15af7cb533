// SPDX-License-Identifier: GPL-2.0
/*
 * With block_rate=1 a wait is counted once also if the waiter spins, for a lock that
 * lets nobody sleep or because the holder is running, and if it goes to sleep later.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "contention.h"
#include "harness.h"
#include "kmprof_guest.h"
#include "locker.h"
#include "order.h"
#include "waited.h"

enum {
	HOLDER = KMPROF_TEST_WAITERS - 1,	/* the function that the holders use */
	ATTEMPTS = 7,		/* each with functions of its own */
	MAX_WAITERS = 2,
};

static_assert(ATTEMPTS * MAX_WAITERS <= HOLDER, "a function for each waiter");

FIXTURE(block_spin) {
	int dev;
	int fd;
	struct symbols symbols;
};

FIXTURE_SETUP(block_spin)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0 block_rate=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->fd = order_open();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, symbols_load(&self->symbols));
}

FIXTURE_TEARDOWN(block_spin)
{
	symbols_free(&self->symbols);
	close(self->fd);
	close(self->dev);
	EXPECT_EQ(0, guest_unload());
}

/**
 * struct duel - attempts to let the holder of a lock and its waiters run at a time
 * @hold: what the holder does
 * @access: enum kmprof_test_lock_access of the waiters
 * @nr_waiters: how many
 * @may: KMPROF_WAIT_* that the profile may show as well
 * @shown: how the profile has to show the waits
 * @waited: by attempt, what came of it
 * @good: by attempt, it came off
 * @nr_good: how many did
 */
struct duel {
	struct kmprof_test_lock hold;
	unsigned int access;
	unsigned int nr_waiters;
	uint32_t may;
	struct shown shown;
	struct kmprof_test_lock waited[ATTEMPTS][MAX_WAITERS];
	int good[ATTEMPTS];
	unsigned int nr_good;
};

static int came_off(const struct duel *duel, const struct kmprof_test_lock *waited)
{
	uint64_t least_ns = (duel->hold.busy_us / 2 + duel->hold.sleep_us) * 1000ULL;

	return waited->contended && waited->wait_ns >= least_ns;
}

/*
 * The host may take the CPU away from a waiter on its way to the lock, until that is
 * free again. Such an attempt shows nothing, but half of them have to come off.
 */
static void duel_run(struct __test_metadata *_metadata, FIXTURE_DATA(block_spin) *self,
		     struct duel *duel)
{
	unsigned int i, k;

	duel->hold.chain = HOLDER;
	duel->hold.waiters = duel->nr_waiters;
	ASSERT_EQ(0, waited_shown(self->fd, duel->hold.kind, duel->hold.index, duel->access,
				  duel->hold.access, &duel->shown));
	for (i = 0; i < ATTEMPTS; i++) {
		struct kmprof_test_lock hold = duel->hold;

		for (k = 0; k < duel->nr_waiters; k++)
			duel->waited[i][k] = (struct kmprof_test_lock){
				.kind = hold.kind, .index = hold.index, .access = duel->access,
				.chain = i * duel->nr_waiters + k,
				.flags = KMPROF_TEST_AFTER_HELD,
			};
		ASSERT_EQ(0, locker_contend(self->fd, &hold, duel->waited[i], duel->nr_waiters,
					    1));
		for (k = 0, duel->good[i] = 1; k < duel->nr_waiters; k++) {
			ASSERT_EQ(0, duel->waited[i][k].result);
			duel->good[i] &= came_off(duel, &duel->waited[i][k]);
		}
		duel->nr_good += duel->good[i];
	}
	EXPECT_LE(ATTEMPTS / 2, duel->nr_good)
		TH_LOG("kind %u: %u of %u attempts came off", duel->hold.kind, duel->nr_good,
		       ATTEMPTS);
}

/*
 * Attempts that seem to have come off, and have not: the waiter's clock ran, but by
 * the time that its CPU came to the lock, that was free.
 */
enum { UNSEEN_MAX = 2 };

/**
 * struct verdict - what a snapshot says about a duel
 * @waits: waiters that are shown to have waited, in the attempts that came off
 * @with_may: of these, the ones that are shown with a flag that they may have
 * @is_short: of these, the ones that are shown for less than half as long as they seem
 *	to have taken
 */
struct verdict {
	unsigned int waits;
	unsigned int with_may;
	unsigned int is_short;
};

/* Expects at most one wait of each waiter, and all that is shown of it to be right. */
static struct verdict judge(struct __test_metadata *_metadata, FIXTURE_DATA(block_spin) *self,
			    const struct snapshot *snapshot, const struct duel *duel)
{
	struct verdict verdict = { 0 };
	unsigned int i, k;

	for (i = 0; i < ATTEMPTS; i++) {
		for (k = 0; k < duel->nr_waiters; k++) {
			const struct kmprof_test_lock *order = &duel->waited[i][k];
			struct waited waited = {
				.shown = duel->shown, .chain = order->chain,
				.wait_ns = order->wait_ns,
			};
			struct contention wait = contention_sum(snapshot, &self->symbols,
								waited.shown.lock, waited.chain);
			const char *what;

			EXPECT_GE(WAITED_ONE, wait.count);
			if (!duel->good[i] || !wait.count)
				continue;
			waited.shown.flags |= wait.flags & duel->may;
			what = waited_wrong(&waited, snapshot, &self->symbols);
			EXPECT_EQ(NULL, what)
				TH_LOG("%s", what);
			verdict.waits++;
			verdict.with_may += !!(wait.flags & duel->may);
			verdict.is_short += wait.delay_ns < waited.wait_ns / 2;
		}
	}
	/*
	 * The test module's clock runs while an emulator makes itself familiar with a
	 * function that is called for the first time, or the host has taken the CPU away.
	 */
	EXPECT_GE(verdict.waits / 2, verdict.is_short);
	TH_LOG("kind %u: %u attempts came off, %u waits, %u of them too short", duel->hold.kind,
	       duel->nr_good, verdict.waits, verdict.is_short);
	return verdict;
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(block_spin) *self,
		   struct snapshot *snapshot)
{
	if (!_metadata->passed) {
		contention_print(snapshot, &self->symbols);
		snapshot_print_losses(snapshot);
	}
	snapshot_free(snapshot);
}

TEST_F(block_spin, rwlock)
{
	struct duel duels[] = {
		{ .hold = { .kind = KMPROF_TEST_LOCK_RWLOCK, .busy_us = 3000 },
		  .access = KMPROF_TEST_READ, .nr_waiters = 1 },
		{ .hold = { .kind = KMPROF_TEST_LOCK_RWLOCK, .index = 1, .busy_us = 5000 },
		  .access = KMPROF_TEST_WRITE, .nr_waiters = 1 },
		{ .hold = { .kind = KMPROF_TEST_LOCK_RWLOCK, .index = 2, .busy_us = 4000,
			    .access = KMPROF_TEST_READ },
		  .access = KMPROF_TEST_WRITE, .nr_waiters = 1 },
	};
	struct snapshot snapshot;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(duels); i++)
		duel_run(_metadata, self, &duels[i]);
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < ARRAY_SIZE(duels); i++) {
		struct verdict verdict = judge(_metadata, self, &snapshot, &duels[i]);

		EXPECT_LE(duels[i].nr_good, verdict.waits + UNSEEN_MAX);
	}
	finish(_metadata, self, &snapshot);
}

/*
 * Does a spinlock tell of its second waiter? Not in a guest, where the kernel may do
 * without the queue (virt_spin_lock()), or have another one, which the first waiter
 * joins, too.
 */
static int queues(struct __test_metadata *_metadata)
{
	char *text;
	int queue;

	ASSERT_EQ(0, guest_read_file("/proc/cpuinfo", &text, NULL));
	queue = !strstr(text, " hypervisor");
	free(text);
	return queue;
}

static void spin(struct __test_metadata *_metadata, FIXTURE_DATA(block_spin) *self,
		 unsigned int kind, unsigned int nr_waiters)
{
	struct duel duel = {
		.hold = { .kind = kind, .index = nr_waiters, .busy_us = 3000 },
		.nr_waiters = nr_waiters,
	};
	int is_rtmutex = guest_is_rt() && kind == KMPROF_TEST_LOCK_SPINLOCK;
	struct snapshot snapshot;
	struct verdict verdict;
	unsigned int telling;

	ASSERT_EQ(0, guest_reset(self->dev));
	duel_run(_metadata, self, &duel);
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	verdict = judge(_metadata, self, &snapshot, &duel);
	/* The first waiter does not join the queue, and tells nothing. */
	telling = is_rtmutex ? nr_waiters : nr_waiters - 1;
	if (is_rtmutex || queues(_metadata))
		EXPECT_LE(telling * duel.nr_good, verdict.waits + UNSEEN_MAX);
	finish(_metadata, self, &snapshot);
}

TEST_F(block_spin, spinlock)
{
	spin(_metadata, self, KMPROF_TEST_LOCK_SPINLOCK, 1);
	spin(_metadata, self, KMPROF_TEST_LOCK_RAW_SPINLOCK, 1);
	if (sysconf(_SC_NPROCESSORS_ONLN) <= MAX_WAITERS)
		return;
	spin(_metadata, self, KMPROF_TEST_LOCK_SPINLOCK, 2);
	spin(_metadata, self, KMPROF_TEST_LOCK_RAW_SPINLOCK, 2);
}

/* The holder does not let go of its CPU. */
TEST_F(block_spin, released_while_spun_for)
{
	/* A waiter that somebody else wants the CPU of goes to sleep at last. */
	uint32_t may = guest_is_rt() ? 0 : KMPROF_WAIT_SPUN;
	struct duel duels[] = {
		{ .hold = { .kind = KMPROF_TEST_LOCK_MUTEX, .busy_us = 5000 },
		  .nr_waiters = 1, .may = may },
		{ .hold = { .kind = KMPROF_TEST_LOCK_WW_MUTEX, .busy_us = 5000 },
		  .nr_waiters = 1, .may = may },
	};
	unsigned int i, spun = 0;
	struct snapshot snapshot;

	for (i = 0; i < ARRAY_SIZE(duels); i++)
		duel_run(_metadata, self, &duels[i]);
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < ARRAY_SIZE(duels); i++) {
		struct verdict verdict = judge(_metadata, self, &snapshot, &duels[i]);

		EXPECT_LE(duels[i].nr_good, verdict.waits + UNSEEN_MAX);
		TH_LOG("%u waits without sleep", verdict.with_may);
		spun += verdict.with_may;
	}
	if (may)
		EXPECT_LT(0, spun);
	finish(_metadata, self, &snapshot);
}

/* The waiter spins until the holder goes to sleep, and then sleeps, too. */
TEST_F(block_spin, spins_and_sleeps)
{
	/* One that the host stops while it spins can have the lock before it sleeps. */
	uint32_t may = guest_is_rt() ? 0 : KMPROF_WAIT_SPUN;
	struct duel duels[] = {
		{ .hold = { .kind = KMPROF_TEST_LOCK_MUTEX, .busy_us = 3000,
			    .sleep_us = 20000 }, .nr_waiters = 1, .may = may },
		{ .hold = { .kind = KMPROF_TEST_LOCK_WW_MUTEX, .busy_us = 3000,
			    .sleep_us = 20000 }, .nr_waiters = 1, .may = may },
	};
	unsigned int i, slept = 0;
	struct snapshot snapshot;

	for (i = 0; i < ARRAY_SIZE(duels); i++)
		duel_run(_metadata, self, &duels[i]);
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < ARRAY_SIZE(duels); i++) {
		struct verdict verdict = judge(_metadata, self, &snapshot, &duels[i]);

		EXPECT_LE(duels[i].nr_good, verdict.waits + UNSEEN_MAX);
		slept += verdict.waits - verdict.with_may;
	}
	EXPECT_LT(0, slept);
	finish(_metadata, self, &snapshot);
}

TEST_HARNESS_MAIN
