// SPDX-License-Identifier: GPL-2.0
/*
 * With block_rate=1 a wait is counted once also if the waiter spins, for a lock that
 * lets nobody sleep or because the holder is running, and if it goes to sleep later.
 * With mutex_fraction=1 nobody is blamed for waits for a lock that lets nobody sleep.
 */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/contention.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/waited.h"
#include "lib/watch.h"

enum {
	HOLDER = KMPROF_TEST_WAITERS - 1,	/* the function that the holders use */
	ATTEMPTS = HOLDER,	/* each with functions of its own */
	ATTEMPTS_USUAL = 7,
	MAX_WAITERS = 2,
	ENOUGH = 4,		/* attempts that have come off */
};

WATCH_FIXTURE_BY_SOURCE(block_spin, "block_rate=1 mutex_fraction=1")

/**
 * struct duel - attempts to let the holder of a lock and its waiters run at a time
 * @hold: what the holder does
 * @access: enum kmprof_test_lock_access of the waiters
 * @nr_waiters: how many
 * @may: KMPROF_WAIT_* that the profile may show as well
 * @shown: how the profile has to show the waits
 * @waited: by attempt, what came of it
 * @nr_attempts: how many were made
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
	unsigned int nr_attempts;
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
 * free again. Such an attempt shows nothing, and is made once more, as long as there
 * are functions.
 */
static void duel_run(struct __test_metadata *_metadata, FIXTURE_DATA(block_spin) *self,
		     struct duel *duel)
{
	unsigned int i, k;

	duel->hold.chain = HOLDER;
	duel->hold.waiters = duel->nr_waiters;
	ASSERT_EQ(0, waited_shown(self->watch.fd, duel->hold.kind, duel->hold.index, duel->access,
				  duel->hold.access, &duel->shown));
	for (i = 0; (i < guest_effort(ATTEMPTS_USUAL) || duel->nr_good < ENOUGH) &&
	     (i + 1) * duel->nr_waiters <= HOLDER; i++) {
		struct kmprof_test_lock hold = duel->hold;

		for (k = 0; k < duel->nr_waiters; k++)
			duel->waited[i][k] = (struct kmprof_test_lock){
				.kind = hold.kind, .index = hold.index, .access = duel->access,
				.chain = i * duel->nr_waiters + k,
				.flags = KMPROF_TEST_AFTER_HELD,
			};
		ASSERT_EQ(0, locker_contend(self->watch.fd, &hold, duel->waited[i],
					    duel->nr_waiters, 1));
		for (k = 0, duel->good[i] = 1; k < duel->nr_waiters; k++) {
			ASSERT_EQ(0, duel->waited[i][k].result);
			duel->good[i] &= came_off(duel, &duel->waited[i][k]);
		}
		duel->nr_good += duel->good[i];
	}
	duel->nr_attempts = i;
	EXPECT_LE(ENOUGH, duel->nr_good)
		TH_LOG("kind %u: %u of %u attempts came off", duel->hold.kind, duel->nr_good, i);
}

/*
 * Attempts that seem to have come off, and have not: the waiter's clock ran, but by
 * the time that its CPU came to the lock, that was free.
 */
enum { UNSEEN_MAX = 2 };

/* In a run that a busy host must not decide, one that is seen is enough. */
static unsigned int unseen_max(unsigned int count)
{
	return count && guest_is_quick("that most waits are seen") ? count - 1 : UNSEEN_MAX;
}

/**
 * struct verdict - what a snapshot says about a duel
 * @waits: waiters that are shown to have waited, in the attempts that came off
 * @with_may: of these, the ones that are shown with a flag that they may have
 * @is_short: of these, the ones that are shown for less than half as long as they must have
 *	taken
 */
struct verdict {
	unsigned int waits;
	unsigned int with_may;
	unsigned int is_short;
};

/*
 * How long a waiter that came off must have waited. The test module's clock also runs while an
 * emulator makes itself familiar with a function that is called for the first time, or the host has
 * taken the CPU away before the wait or behind it: no longer than the holder keeps the lock.
 */
static uint64_t least_wait(const struct duel *duel, const struct kmprof_test_lock *waited)
{
	uint64_t held_ns = (duel->hold.busy_us + duel->hold.sleep_us) * 1000ULL;

	return waited->wait_ns < held_ns ? waited->wait_ns : held_ns;
}

/* Of a lock that lets nobody sleep, no release is seen. */
static void expect_blame(struct __test_metadata *_metadata, FIXTURE_DATA(block_spin) *self,
			 const struct snapshot *snapshot, const struct duel *duel)
{
	struct contention_balance balance = contention_balance(snapshot, &self->watch.symbols,
							       duel->shown.lock);

	EXPECT_TRUE(contention_is_balanced(&balance))
		TH_LOG("kind %u: waited %llu ns, %llu of it blamed, %llu unblamed",
		       duel->hold.kind, (unsigned long long)balance.waits.delay_ns,
		       (unsigned long long)balance.blamed.delay_ns,
		       (unsigned long long)balance.unblamed.delay_ns);
	if (duel->shown.kind == KMPROF_LOCK_SPINLOCK || duel->shown.kind == KMPROF_LOCK_RWLOCK)
		EXPECT_EQ(0, balance.blamed.count);
}

/* Expects at most one wait of each waiter, and all that is shown of it to be right. */
static struct verdict judge(struct __test_metadata *_metadata, FIXTURE_DATA(block_spin) *self,
			    const struct snapshot *snapshot, const struct duel *duel)
{
	struct verdict verdict = { 0 };
	unsigned int i, k;

	for (i = 0; i < duel->nr_attempts; i++) {
		for (k = 0; k < duel->nr_waiters; k++) {
			const struct kmprof_test_lock *order = &duel->waited[i][k];
			struct waits waits = { .count = 0 };
			struct shown shown = duel->shown;
			struct contention wait = contention_sum(snapshot, &self->watch.symbols,
						contention_waits(shown.lock, order->chain));
			const char *what;

			EXPECT_GE(WAITED_ONE, wait.count);
			if (!duel->good[i] || !wait.count)
				continue;
			shown.flags |= wait.flags & duel->may;
			waited_add(&waits, &shown, order, 0);
			what = waits_wrong(&waits, snapshot, &self->watch.symbols);
			EXPECT_EQ(NULL, what)
				TH_LOG("%s", what);
			verdict.waits++;
			verdict.with_may += !!(wait.flags & duel->may);
			verdict.is_short += wait.delay_ns < least_wait(duel, order) / 2;
		}
	}
	if (!guest_is_quick("that most waits are as long as they seem"))
		EXPECT_GE(verdict.waits / 2, verdict.is_short);
	expect_blame(_metadata, self, snapshot, duel);
	TH_LOG("kind %u: %u attempts came off, %u waits, %u of them too short", duel->hold.kind,
	       duel->nr_good, verdict.waits, verdict.is_short);
	return verdict;
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(block_spin) *self,
		   struct snapshot *snapshot)
{
	if (!_metadata->passed) {
		contention_print(snapshot, &self->watch.symbols);
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
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < ARRAY_SIZE(duels); i++) {
		struct verdict verdict = judge(_metadata, self, &snapshot, &duels[i]);

		EXPECT_LE(duels[i].nr_good, verdict.waits + unseen_max(duels[i].nr_good));
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
	int all_tell = watch_is_by_kprobe(&self->watch) ||
		       (guest_is_rt() && kind == KMPROF_TEST_LOCK_SPINLOCK);
	struct snapshot snapshot;
	struct verdict verdict;
	unsigned int telling;

	ASSERT_EQ(0, guest_reset(self->watch.dev));
	duel_run(_metadata, self, &duel);
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	verdict = judge(_metadata, self, &snapshot, &duel);
	/* The first waiter does not join the queue, and tells the tracepoints nothing. */
	telling = all_tell ? nr_waiters : nr_waiters - 1;
	if (all_tell || queues(_metadata))
		EXPECT_LE(telling * duel.nr_good,
			  verdict.waits + unseen_max(telling * duel.nr_good));
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

/* A mutex and a ww_mutex, whose waiters may spin. */
static struct verdict duel_for_mutexes(struct __test_metadata *_metadata,
				       FIXTURE_DATA(block_spin) *self, unsigned int busy_us,
				       unsigned int sleep_us)
{
	static const unsigned int kinds[] = { KMPROF_TEST_LOCK_MUTEX, KMPROF_TEST_LOCK_WW_MUTEX };
	struct duel duels[ARRAY_SIZE(kinds)];
	struct verdict all = { 0 };
	struct snapshot snapshot;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		duels[i] = (struct duel){
			.hold = { .kind = kinds[i], .busy_us = busy_us, .sleep_us = sleep_us },
			.nr_waiters = 1, .may = guest_is_rt() ? 0 : KMPROF_WAIT_SPUN,
		};
		duel_run(_metadata, self, &duels[i]);
	}
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		struct verdict verdict = judge(_metadata, self, &snapshot, &duels[i]);

		EXPECT_LE(duels[i].nr_good, verdict.waits + unseen_max(duels[i].nr_good));
		all.waits += verdict.waits;
		all.with_may += verdict.with_may;
	}
	TH_LOG("%u of %u waits without sleep", all.with_may, all.waits);
	finish(_metadata, self, &snapshot);
	return all;
}

/*
 * The holder does not let go of its CPU. A waiter that somebody else wants the CPU of
 * goes to sleep at last; on a busy host, all of a round may.
 */
TEST_F(block_spin, released_while_spun_for)
{
	enum { ROUNDS = 20 };
	struct verdict verdict = duel_for_mutexes(_metadata, self, 5000, 0);
	unsigned int round;

	for (round = 1; round < ROUNDS && !verdict.with_may && !guest_is_rt(); round++) {
		ASSERT_EQ(0, guest_reset(self->watch.dev));
		verdict = duel_for_mutexes(_metadata, self, 5000, 0);
	}
	if (!guest_is_rt())
		EXPECT_LT(0, verdict.with_may);
}

/*
 * The waiter spins until the holder goes to sleep, and then sleeps, too. One that the
 * host stops while it spins can have the lock before it sleeps.
 */
TEST_F(block_spin, spins_and_sleeps)
{
	struct verdict verdict = duel_for_mutexes(_metadata, self, 3000, 20000);

	EXPECT_GT(verdict.waits, verdict.with_may);
}

TEST_HARNESS_MAIN
