// SPDX-License-Identifier: GPL-2.0
/*
 * Each kind of lock under mixed load, on 1, 2 and 4 CPUs, as far as the guest has them:
 * what waiters report is what holders are blamed for and what nobody can be, and where
 * sleepers wait, that is little.
 */
#include <unistd.h>

#include "lib/balance.h"
#include "lib/contention.h"
#include "lib/cpus.h"
#include "lib/hammer.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/waited.h"
#include "lib/watch.h"

WATCH_FIXTURE_BY_SOURCE(conserved, "block_rate=1 mutex_fraction=1")

/*
 * With PREEMPT_RT a writer waits here for readers only, of whom nothing tells; whoever
 * waits meanwhile for this writer does so because of them. Returns what that was.
 */
static uint64_t unseen_ns(struct __test_metadata *_metadata, const struct watch *watch,
			  const struct snapshot *snapshot, uint64_t lock)
{
	struct contention_which waits = contention_waits(lock, CONTENTION_ANY_CHAIN);
	struct contention_which unblamed = contention_unblamed(lock);
	struct contention writers, nobodys;

	waits.with |= KMPROF_WAIT_WRITE;
	unblamed.with |= KMPROF_WAIT_WRITE;
	writers = contention_sum(snapshot, &watch->symbols, waits);
	nobodys = contention_sum(snapshot, &watch->symbols, unblamed);
	if (!guest_is_rt() || writers.kind != KMPROF_LOCK_RWSEM)
		return 0;
	EXPECT_LE(0.99 * writers.delay_ns, nobodys.delay_ns);
	return nobodys.delay_ns;
}

/**
 * struct sums - what a snapshot says about the lock that was hammered
 * @waits_ns: for it, or for the lock inside of it
 * @blamed_ns: of that, what releases are blamed for
 * @unseen_ns: and what they cannot be
 */
struct sums {
	uint64_t waits_ns;
	uint64_t blamed_ns;
	uint64_t unseen_ns;
};

static void sums_add(struct __test_metadata *_metadata, const struct watch *watch,
		     const struct snapshot *snapshot, uint64_t lock, struct sums *sums)
{
	struct contention_balance balance = contention_balance(snapshot, &watch->symbols, lock);

	if (!lock)
		return;
	expect_balance(_metadata, watch, snapshot, lock);
	sums->waits_ns += balance.waits.delay_ns;
	sums->blamed_ns += balance.blamed.delay_ns;
	sums->unseen_ns += unseen_ns(_metadata, watch, snapshot, lock);
}

static void hammer_one(struct __test_metadata *_metadata, const struct watch *watch,
		       struct hammer *hammer, unsigned int kind, unsigned int least_percent)
{
	struct kmprof_test_lock_state state;
	struct sums sums = { 0 };
	struct snapshot snapshot;
	struct shown shown;
	double to_blame_ns, least_ns;

	hammer->kinds = &kind;
	hammer->nr_kinds = 1;
	ASSERT_EQ(0, locker_state(watch->fd, kind, 0, &state));
	ASSERT_EQ(0, released_shown(watch->fd, kind, 0, KMPROF_TEST_WRITE, KMPROF_TEST_WRITE,
				    &shown));
	ASSERT_EQ(0, guest_reset(watch->dev));
	ASSERT_EQ(0, hammer_start(hammer, watch->fd));
	ASSERT_EQ(0, hammer_join(hammer));
	ASSERT_EQ(0, take_balanced(watch->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	sums_add(_metadata, watch, &snapshot, state.address, &sums);
	sums_add(_metadata, watch, &snapshot, state.queue_address, &sums);
	expect_balanced_totals(_metadata, &snapshot);

	to_blame_ns = (double)hammer_held_ns(hammer) - sums.unseen_ns;
	/*
	 * What is held while a grace period goes by, a writer does not wait for yet; after
	 * v6.1, the tracepoints do not tell of one who waits for nothing but readers, either.
	 */
	if (kind == KMPROF_TEST_LOCK_PERCPU_RWSEM && to_blame_ns > sums.waits_ns)
		to_blame_ns = sums.waits_ns;
	TH_LOG("kind %u: %u times %u holds, %u waits of %.3f s interrupted", kind,
	       hammer->threads, hammer->count, hammer->interrupted, sums.waits_ns / 1e9);
	TH_LOG("  for unseen readers %.3f s, of %.3f s while it was held %.2f %% blamed",
	       sums.unseen_ns / 1e9, to_blame_ns / 1e9, 100 * sums.blamed_ns / to_blame_ns);
	least_ns = shown.kind ? least_percent / 100.0 * to_blame_ns : 0;
	EXPECT_LE(least_ns, sums.blamed_ns);
	EXPECT_EQ(!shown.kind, !sums.blamed_ns);
	EXPECT_GE(1.01 * (sums.waits_ns - sums.unseen_ns), sums.blamed_ns);
	finish(_metadata, watch, &snapshot);
}

/* Each lock by itself, on 1, 2 and 4 CPUs, as far as the guest has them. */
static void hammer_all(struct __test_metadata *_metadata, const struct watch *watch,
		       struct hammer *hammer, unsigned int least_percent)
{
	static const unsigned int kinds[] = {
		KMPROF_TEST_LOCK_MUTEX, KMPROF_TEST_LOCK_RWSEM, KMPROF_TEST_LOCK_SEMAPHORE,
		KMPROF_TEST_LOCK_RTMUTEX, KMPROF_TEST_LOCK_PERCPU_RWSEM,
		KMPROF_TEST_LOCK_WW_MUTEX,
	};
	unsigned int cpus, all = sysconf(_SC_NPROCESSORS_CONF), i;

	for (cpus = 1; cpus <= all && cpus <= 4; cpus *= 2) {
		TH_LOG("on %u of %u CPUs", cpus, all);
		ASSERT_EQ(0, cpus_use(cpus));
		for (i = 0; i < ARRAY_SIZE(kinds); i++)
			hammer_one(_metadata, watch, hammer, kinds[i], least_percent);
	}
	ASSERT_EQ(0, cpus_use(all));
}

/* Holds of all kinds, so that some waiters sleep and others spin. */
TEST_F_TIMEOUT(conserved, under_mixed_load, 600)
{
	static struct hammer hammer = {
		.threads = HAMMER_THREADS, .busy_percent = 50, .busy_us = 1000,
		.sleep_least_us = 100, .sleep_most_us = 5000, .interrupt_us = 3000,
	};

	/* With fewer, it can be that nobody has to wait. */
	hammer.count = guest_effort(100) < 20 ? 20 : guest_effort(100);
	hammer_all(_metadata, &self->watch, &hammer, 0);
}

/*
 * Whose holder sleeps, has waiters that sleep, and who is to blame is known; but if all
 * who wait give up, nobody is.
 */
TEST_F_TIMEOUT(conserved, and_attributed, 600)
{
	static struct hammer hammer = {
		.threads = HAMMER_THREADS, .sleep_least_us = 10000, .sleep_most_us = 15000,
		.interrupt_us = 20000,
	};
	unsigned int least_percent = 95;

	/* With few holds, it counts if the host takes one holder's CPU away. */
	if (guest_is_quick("that 95 % are blamed, and not only the half")) {
		least_percent = 50;
		hammer.threads = HAMMER_THREADS / 2;
	}
	hammer.count = guest_effort(16) < 5 ? 5 : guest_effort(16);
	hammer_all(_metadata, &self->watch, &hammer, least_percent);
}

/* Whether a thread has done three of four parts of what it shall. */
static int is_nearly_through(const struct hammer *hammer, unsigned int thread)
{
	const struct kmprof_test_lock *order = &hammer->orders[thread][hammer->count * 3 / 4];

	return __atomic_load_n(&order->end_ns, __ATOMIC_RELAXED) != 0;
}

/*
 * Resets come while others wait and release locks, and know nothing of it. From the last one on,
 * both sides are the same to the nanosecond: nothing makes good for what one of them would lack.
 */
TEST_F_TIMEOUT(conserved, over_resets, 600)
{
	static struct hammer hammer = {
		.threads = HAMMER_THREADS, .busy_percent = 50, .busy_us = 1000,
		.sleep_least_us = 100, .sleep_most_us = 3000,
	};
	static const unsigned int kinds[] = {
		KMPROF_TEST_LOCK_MUTEX, KMPROF_TEST_LOCK_RWSEM, KMPROF_TEST_LOCK_SEMAPHORE,
		KMPROF_TEST_LOCK_RTMUTEX, KMPROF_TEST_LOCK_PERCPU_RWSEM,
		KMPROF_TEST_LOCK_WW_MUTEX,
	};
	struct kmprof_test_lock_state state;
	struct snapshot snapshot;
	unsigned int i, resets;

	hammer.count = guest_effort(400) < 40 ? 40 : guest_effort(400);
	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		hammer.kinds = &kinds[i];
		hammer.nr_kinds = 1;
		ASSERT_EQ(0, locker_state(self->watch.fd, kinds[i], 0, &state));
		ASSERT_EQ(0, hammer_start(&hammer, self->watch.fd));
		for (resets = 0; !is_nearly_through(&hammer, 0); resets++)
			ASSERT_EQ(0, guest_reset(self->watch.dev));
		ASSERT_EQ(0, hammer_join(&hammer));
		ASSERT_EQ(0, take_exact(self->watch.dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		EXPECT_TRUE(is_exact(&snapshot));
		expect_balanced_totals(_metadata, &snapshot);
		expect_balance(_metadata, &self->watch, &snapshot, state.address);
		EXPECT_LT(0, snapshot_scalar(&snapshot, "total.waits"));
		TH_LOG("kind %u: %u resets, then %llu ns waited, %llu blamed, %llu unblamed",
		       kinds[i], resets,
		       (unsigned long long)snapshot_scalar(&snapshot, "total.wait_ns"),
		       (unsigned long long)snapshot_scalar(&snapshot, "total.blamed_ns"),
		       (unsigned long long)snapshot_scalar(&snapshot, "total.unblamed_ns"));
		finish(_metadata, &self->watch, &snapshot);
	}
}

TEST_HARNESS_MAIN
