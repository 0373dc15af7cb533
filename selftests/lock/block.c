// SPDX-License-Identifier: GPL-2.0
/*
 * With block_rate=1 each wait for a lock is counted once, for the right function,
 * lock and kind, with the time that it took, and nothing else is.
 */
#include <errno.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/contention.h"
#include "lib/hammer.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/scene.h"
#include "lib/settings.h"
#include "lib/waited.h"
#include "lib/watch.h"

WATCH_FIXTURE_BY_SOURCE(block, "block_rate=1")

/* Takes a snapshot and expects it to show the waits. */
static void expect_waits(struct __test_metadata *_metadata, FIXTURE_DATA(block) *self,
			 const struct waits *waits)
{
	struct snapshot snapshot;

	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_WAITS(waits, &snapshot, &self->watch.symbols);
	if (!_metadata->passed)
		snapshot_print_losses(&snapshot);
	snapshot_free(&snapshot);
}

/* Expects that a function was never shown to wait for a lock. */
static void expect_none(struct __test_metadata *_metadata, FIXTURE_DATA(block) *self,
			const struct snapshot *snapshot, uint64_t lock, unsigned int chain)
{
	struct contention wait = contention_sum(snapshot, &self->watch.symbols,
						contention_waits(lock, chain));

	EXPECT_EQ(0, wait.count)
		TH_LOG("lock %#llx function %u", (unsigned long long)lock, chain);
}

static void add_waits(struct waits *waits, const struct shown *shown, const struct play *play,
		      uint64_t least_ns)
{
	unsigned int i;

	for (i = 0; i < play->count; i++)
		waited_add(waits, shown, &play->waiters[i], least_ns);
}

/* Plays a scene with waiters that fall asleep before the holder does so for @us. */
static void play(struct __test_metadata *_metadata, FIXTURE_DATA(block) *self,
		 const struct scene *scene, unsigned int first_chain, unsigned int count,
		 unsigned int us, struct waits *waits)
{
	struct shown shown;
	struct play played;

	ASSERT_EQ(0, scene_shown(self->watch.fd, scene, &shown));
	ASSERT_EQ(0, scene_play(self->watch.fd, scene, first_chain, count, us, &played));
	add_waits(waits, &shown, &played, us * 1000ULL);
}

TEST_F_TIMEOUT(block, known_truth, 300)
{
	static const struct {
		unsigned int waiters;
		unsigned int us;
	} rounds[] = { { 1, 200000 }, { SCENE_WAITERS, 1000 }, { 3, 20000 } };
	unsigned int first = guest_is_quick("waits of 200 ms");
	unsigned int round, i;

	for (round = first; round < ARRAY_SIZE(rounds); round++) {
		struct waits waits = { .count = 0 };

		ASSERT_EQ(0, guest_reset(self->watch.dev));
		for (i = 0; i < SCENES; i++)
			play(_metadata, self, &scenes[i], 0, rounds[round].waiters,
			     rounds[round].us, &waits);
		expect_waits(_metadata, self, &waits);
	}
}

/* The table as a whole is what was counted. */
TEST_F(block, totals_are_exact)
{
	enum { ROUNDS = SCENES };
	struct kmprof_test_lock_state state;
	struct waits waits = { .count = 0 };
	unsigned int round, whole = 0;

	ASSERT_EQ(0, locker_state(self->watch.fd, KMPROF_TEST_LOCK_MUTEX, 0, &state));

	for (round = 0; round < ROUNDS && !whole; round++) {
		uint64_t waits_seen, wait_ns;
		struct snapshot snapshot;
		struct contention sum;

		ASSERT_EQ(0, watch_reset(&self->watch, 1));
		play(_metadata, self, &scenes[round], 0, 5, 2000, &waits);
		ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		sum = contention_sum(&snapshot, &self->watch.symbols,
				     contention_waits(CONTENTION_ANY_LOCK, CONTENTION_ANY_CHAIN));
		waits_seen = snapshot_scalar(&snapshot, "total.waits");
		wait_ns = snapshot_scalar(&snapshot, "total.wait_ns");
		EXPECT_EQ(1, snapshot_scalar(&snapshot, "block_rate"));
		EXPECT_LE(5, waits_seen);
		EXPECT_EQ(waits_seen, snapshot_scalar(&snapshot, "waits_sampled"));
		EXPECT_EQ(snapshot_scalar(&snapshot, "waits_counted") * WAITED_ONE, sum.count);
		EXPECT_GE(wait_ns, sum.delay_ns);
		if (!snapshot_lost(&snapshot, "block")) {
			EXPECT_EQ(waits_seen * WAITED_ONE, sum.count);
			EXPECT_EQ(wait_ns, sum.delay_ns);
			whole = 1;
		}
		snapshot_print_losses(&snapshot);
		snapshot_free(&snapshot);
	}
	/*
	 * In one of them nothing was lost, not even waits of kmprof's own; unless each
	 * mutex that it takes tells of a wait, although it is free.
	 */
	EXPECT_LE(!state.always_traced, whole);
}

/* Every way to take a lock that is free. */
TEST_F(block, uncontended)
{
	enum { INDEX = 1, WAYS = 39 };
	unsigned int locked[KMPROF_TEST_NR_LOCK_KINDS] = { 0 };
	unsigned int kind, access, how, ways = 0;
	struct snapshot snapshot;

	for (kind = 0; kind < KMPROF_TEST_NR_LOCK_KINDS; kind++) {
		for (access = 0; access < KMPROF_TEST_NR_ACCESSES; access++) {
			for (how = 0; how < KMPROF_TEST_NR_HOWS; how++) {
				struct kmprof_test_lock order = {
					.kind = kind, .index = INDEX, .access = access,
					.how = how, .chain = kind,
				};
				int ret = locker_order(self->watch.fd, &order);

				if (ret == -EINVAL)
					continue;
				ASSERT_EQ(0, ret);
				ASSERT_EQ(0, order.result);
				ASSERT_EQ(0, order.contended);
				ways++;
				locked[kind] += how != KMPROF_TEST_TRYLOCK;
			}
		}
	}
	ASSERT_EQ(WAYS, ways);

	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (kind = 0; kind < KMPROF_TEST_NR_LOCK_KINDS; kind++) {
		uint64_t expected = 0, lock;
		struct kmprof_test_lock_state state;
		struct contention wait;

		ASSERT_EQ(0, locker_state(self->watch.fd, kind, INDEX, &state));
		lock = kind == KMPROF_TEST_LOCK_SLAB_MUTEX ? 0 : state.address;
		wait = contention_sum(&snapshot, &self->watch.symbols,
				      contention_waits(lock, kind));
		if (state.always_traced)
			expected = (uint64_t)locked[kind] * WAITED_ONE;
		/* A writer of v6.1 says that it waits for readers, though none is there. */
		if (kind == KMPROF_TEST_LOCK_PERCPU_RWSEM && wait.flags & KMPROF_WAIT_WRITE)
			expected = WAITED_ONE;
		EXPECT_EQ(expected, wait.count)
			TH_LOG("kind %u", kind);
		if (expected && kind != KMPROF_TEST_LOCK_PERCPU_RWSEM)
			EXPECT_EQ(KMPROF_WAIT_SPUN, wait.flags);
		if (state.queue_address)
			expect_none(_metadata, self, &snapshot, state.queue_address, kind);
	}
	if (!_metadata->passed)
		contention_print(&snapshot, &self->watch.symbols);
	snapshot_free(&snapshot);
}

static int has_readers(unsigned int kind)
{
	return kind == KMPROF_TEST_LOCK_RWSEM || kind == KMPROF_TEST_LOCK_PERCPU_RWSEM ||
	       kind == KMPROF_TEST_LOCK_RWLOCK;
}

static int spins(unsigned int kind)
{
	return kind == KMPROF_TEST_LOCK_SPINLOCK || kind == KMPROF_TEST_LOCK_RAW_SPINLOCK ||
	       kind == KMPROF_TEST_LOCK_RWLOCK;
}

static void try_in_vain(struct __test_metadata *_metadata, FIXTURE_DATA(block) *self,
			struct kmprof_test_lock *holder, struct kmprof_test_lock *trier)
{
	enum { TRIES = 50 };
	struct locker keeper;
	unsigned int tries;

	if (!spins(holder->kind)) {
		ASSERT_EQ(0, locker_keep(&keeper, self->watch.fd, holder));
		ASSERT_EQ(0, locker_order(self->watch.fd, trier));
		ASSERT_EQ(0, locker_let_go(&keeper));
		EXPECT_EQ(-EBUSY, trier->result);
		return;
	}
	/* The host may let the trier come too late. */
	for (tries = 0, trier->result = 0; tries < TRIES && !trier->result; tries++)
		ASSERT_EQ(0, locker_contend(self->watch.fd, holder, trier, 1, 1));
	EXPECT_EQ(-EBUSY, trier->result);
}

TEST_F(block, trylock_in_vain)
{
	enum { INDEX = 2, CHAIN = 1, WAYS = 12 };
	unsigned int kind, access, ways = 0;
	struct snapshot snapshot;

	for (kind = 0; kind < KMPROF_TEST_NR_LOCK_KINDS; kind++) {
		for (access = 0; access < KMPROF_TEST_NR_ACCESSES; access++) {
			struct kmprof_test_lock holder = {
				.kind = kind, .index = INDEX, .chain = SCENE_HOLDER,
				.waiters = spins(kind),
				.busy_us = spins(kind) ? KMPROF_TEST_MAX_BUSY_US : 0,
			};
			struct kmprof_test_lock trier = {
				.kind = kind, .index = INDEX, .access = access,
				.how = KMPROF_TEST_TRYLOCK, .chain = CHAIN,
				.flags = KMPROF_TEST_AFTER_HELD,
			};

			if (access == KMPROF_TEST_READ && !has_readers(kind))
				continue;
			/* There is no such function. */
			if (access == KMPROF_TEST_WRITE && kind == KMPROF_TEST_LOCK_PERCPU_RWSEM)
				continue;
			try_in_vain(_metadata, self, &holder, &trier);
			ways++;
		}
	}
	ASSERT_EQ(WAYS, ways);

	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (kind = 0; kind < KMPROF_TEST_NR_LOCK_KINDS; kind++) {
		struct kmprof_test_lock_state state;

		ASSERT_EQ(0, locker_state(self->watch.fd, kind, INDEX, &state));
		expect_none(_metadata, self, &snapshot,
			    kind == KMPROF_TEST_LOCK_SLAB_MUTEX ? 0 : state.address, CHAIN);
		if (state.queue_address)
			expect_none(_metadata, self, &snapshot, state.queue_address, CHAIN);
	}
	if (!_metadata->passed)
		contention_print(&snapshot, &self->watch.symbols);
	snapshot_free(&snapshot);
}

/* Lets a waiter give up. */
static void give_up(struct __test_metadata *_metadata, FIXTURE_DATA(block) *self,
		    const struct scene *scene, enum scene_signal signal, struct waits *waits)
{
	enum { CHAIN = 2, WAIT_US = 5000 };
	struct shown shown;
	struct play played;

	ASSERT_EQ(0, scene_shown(self->watch.fd, scene, &shown));
	shown.flags |= KMPROF_WAIT_FAILED;
	ASSERT_EQ(0, scene_give_up(self->watch.fd, scene, signal, CHAIN, 1, WAIT_US, &played));
	EXPECT_EQ(-EINTR, played.waiters[0].result);
	add_waits(waits, &shown, &played, WAIT_US * 1000);
}

TEST_F(block, interrupted)
{
	static const struct scene interruptible[] = {
		{ .kind = KMPROF_TEST_LOCK_MUTEX },
		{ .kind = KMPROF_TEST_LOCK_SLAB_MUTEX },
		{ .kind = KMPROF_TEST_LOCK_RWSEM, .access = KMPROF_TEST_READ },
		{ .kind = KMPROF_TEST_LOCK_SEMAPHORE },
		{ .kind = KMPROF_TEST_LOCK_RTMUTEX },
		{ .kind = KMPROF_TEST_LOCK_WW_MUTEX },
		{ .kind = KMPROF_TEST_LOCK_WW_MUTEX, .index = 1, .flags = KMPROF_TEST_CONTEXT },
	};
	struct waits waits = { .count = 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(interruptible); i++)
		give_up(_metadata, self, &interruptible[i], SCENE_INTERRUPT, &waits);
	expect_waits(_metadata, self, &waits);
}

TEST_F(block, killed)
{
	static const struct scene killable[] = {
		{ .kind = KMPROF_TEST_LOCK_MUTEX },
		{ .kind = KMPROF_TEST_LOCK_RWSEM },
		{ .kind = KMPROF_TEST_LOCK_RWSEM, .index = 1, .access = KMPROF_TEST_READ },
		{ .kind = KMPROF_TEST_LOCK_SEMAPHORE },
		{ .kind = KMPROF_TEST_LOCK_RTMUTEX },
	};
	struct waits waits = { .count = 0 };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(killable); i++)
		give_up(_metadata, self, &killable[i], SCENE_KILL, &waits);
	expect_waits(_metadata, self, &waits);
}

/* Who came later and has a lock already must not wait for who was first. */
TEST_F(block, ww_mutex_dies)
{
	enum { CHAIN = 4 };
	static const struct scene scene = { .kind = KMPROF_TEST_LOCK_WW_MUTEX,
					    .flags = KMPROF_TEST_CONTEXT };
	struct kmprof_test_lock older = scene_order(&scene, SCENE_HOLDER);
	struct kmprof_test_lock younger = scene_order(&scene, CHAIN);
	struct contention wait;
	struct snapshot snapshot;
	struct locker keeper;
	struct shown shown;

	ASSERT_EQ(0, scene_shown(self->watch.fd, &scene, &shown));
	younger.flags |= KMPROF_TEST_SECOND;
	ASSERT_EQ(0, locker_keep(&keeper, self->watch.fd, &older));
	ASSERT_EQ(0, locker_order(self->watch.fd, &younger));
	EXPECT_EQ(-EDEADLK, younger.result);
	ASSERT_EQ(0, locker_let_go(&keeper));

	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	wait = contention_sum(&snapshot, &self->watch.symbols,
			      contention_waits(shown.lock, CHAIN));
	EXPECT_EQ(1, wait.buckets);
	EXPECT_EQ(WAITED_ONE, wait.count);
	EXPECT_EQ(shown.kind, wait.kind);
	/* It may find out before it would sleep, or when it is about to. */
	EXPECT_EQ(KMPROF_WAIT_FAILED, wait.flags & ~KMPROF_WAIT_SPUN);
	EXPECT_GE(younger.wait_ns + waited_tolerance(younger.wait_ns), wait.delay_ns);
	if (!_metadata->passed)
		contention_print(&snapshot, &self->watch.symbols);
	snapshot_free(&snapshot);
}

/* A wait belongs to the cycle in which it ends, as a whole. */
TEST_F(block, in_flight_over_a_snapshot)
{
	enum { CHAIN = 5, SNAPSHOTS = 3 };
	static const struct scene flights[] = {
		{ .kind = KMPROF_TEST_LOCK_MUTEX },
		{ .kind = KMPROF_TEST_LOCK_RWSEM, .access = KMPROF_TEST_READ },
		{ .kind = KMPROF_TEST_LOCK_SEMAPHORE },
		{ .kind = KMPROF_TEST_LOCK_RTMUTEX },
	};
	struct flight {
		struct kmprof_test_lock holder;
		struct kmprof_test_lock waiter;
		struct locker keeper;
		struct locker locker;
		struct shown shown;
		uint64_t asleep_ns;
	} all[ARRAY_SIZE(flights)], *flight;
	struct waits waits = { .count = 0 };
	struct snapshot snapshot;
	uint64_t cycle = 0;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(flights); i++) {
		flight = &all[i];
		flight->holder = scene_order(&flights[i], SCENE_HOLDER);
		flight->waiter = scene_order(&flights[i], CHAIN);
		ASSERT_EQ(0, scene_shown(self->watch.fd, &flights[i], &flight->shown));
		ASSERT_EQ(0, locker_keep(&flight->keeper, self->watch.fd, &flight->holder));
		ASSERT_EQ(0, locker_wait(&flight->locker, self->watch.fd, &flight->waiter));
		flight->asleep_ns = guest_now_ns();
	}
	for (k = 0; k < SNAPSHOTS; k++) {
		ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		EXPECT_LT(cycle, snapshot.header->cycle);
		cycle = snapshot.header->cycle;
		for (i = 0; i < ARRAY_SIZE(flights); i++)
			expect_none(_metadata, self, &snapshot, all[i].shown.lock, CHAIN);
		snapshot_free(&snapshot);
	}
	for (flight = all; flight < all + ARRAY_SIZE(flights); flight++) {
		uint64_t least_ns = guest_now_ns() - flight->asleep_ns;

		ASSERT_EQ(0, locker_let_go(&flight->keeper));
		ASSERT_EQ(0, locker_join(&flight->locker));
		ASSERT_EQ(0, flight->waiter.result);
		waited_add(&waits, &flight->shown, &flight->waiter, least_ns);
	}
	/* There, and no more in the cycle after that. */
	expect_waits(_metadata, self, &waits);
	expect_waits(_metadata, self, &waits);
}

static void expect_block_rate(struct __test_metadata *_metadata, FIXTURE_DATA(block) *self,
			      uint64_t rate)
{
	struct kmprof_info info = { .size = sizeof(info) };

	ASSERT_EQ(0, ioctl(self->watch.dev, KMPROF_IOC_INFO, &info));
	EXPECT_FALSE(is_attached(_metadata, self->watch.dev, KMPROF_SETTING_HEAP_RATE));
	EXPECT_LT(0, info.max_waits);
	EXPECT_EQ(0, info.lacks & KMPROF_LACKS_CONTENTION);
	expect_rate(_metadata, self->watch.dev, KMPROF_SETTING_BLOCK_RATE, "block_rate", rate);
}

TEST_F(block, rate_zero)
{
	struct waits unseen = { .count = 0 }, seen = { .count = 0 };
	struct snapshot before, after;
	unsigned int i;

	expect_block_rate(_metadata, self, 1);
	ASSERT_EQ(0, guest_set_block_rate(self->watch.dev, 0));
	expect_block_rate(_metadata, self, 0);
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &before));
	for (i = 0; i < SCENES; i += 4)
		play(_metadata, self, &scenes[i], 0, 2, 1000, &unseen);
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &after));
	EXPECT_IMAGE(&after);
	EXPECT_EQ(0, snapshot_scalar(&after, "block_rate"));
	EXPECT_SAME_SCALAR(&before, &after, "total.waits");
	EXPECT_SAME_SCALAR(&before, &after, "total.wait_ns");
	EXPECT_SAME_SCALAR(&before, &after, "waits_sampled");
	for (i = 0; i < unseen.count; i++)
		expect_none(_metadata, self, &after, unseen.all[i].shown.lock,
			    unseen.all[i].chain);
	snapshot_free(&after);
	snapshot_free(&before);

	ASSERT_EQ(0, guest_set_block_rate(self->watch.dev, 1));
	expect_block_rate(_metadata, self, 1);
	for (i = 0; i < SCENES; i += 4)
		play(_metadata, self, &scenes[i], 2, 2, 1000, &seen);
	expect_waits(_metadata, self, &seen);
}

/* Who has not seen the whole of a wait does not know how long it was. */
TEST_F(block, rate_changes_in_flight)
{
	enum { ENDED = 6, BEGUN, LATER };
	static const struct scene scene = { .kind = KMPROF_TEST_LOCK_SEMAPHORE };
	static const struct scene scene2 = { .kind = KMPROF_TEST_LOCK_SEMAPHORE, .index = 1 };
	struct kmprof_test_lock holder = scene_order(&scene, SCENE_HOLDER);
	struct kmprof_test_lock holder2 = scene_order(&scene2, SCENE_HOLDER);
	struct kmprof_test_lock begun = scene_order(&scene, BEGUN);
	struct kmprof_test_lock ended = scene_order(&scene2, ENDED);
	struct locker keeper, keeper2, locker, locker2;
	struct waits waits = { .count = 0 };
	struct shown shown, shown2;
	struct snapshot snapshot;

	ASSERT_EQ(0, scene_shown(self->watch.fd, &scene, &shown));
	ASSERT_EQ(0, scene_shown(self->watch.fd, &scene2, &shown2));

	/* Of one, begin and end are seen, but not what was between; of the other, the end. */
	ASSERT_EQ(0, locker_keep(&keeper, self->watch.fd, &holder));
	ASSERT_EQ(0, locker_wait(&locker, self->watch.fd, &begun));
	ASSERT_EQ(0, guest_set_block_rate(self->watch.dev, 0));
	ASSERT_EQ(0, locker_keep(&keeper2, self->watch.fd, &holder2));
	ASSERT_EQ(0, locker_wait(&locker2, self->watch.fd, &ended));
	ASSERT_EQ(0, guest_set_block_rate(self->watch.dev, 1));
	ASSERT_EQ(0, locker_let_go(&keeper));
	ASSERT_EQ(0, locker_join(&locker));
	ASSERT_EQ(0, locker_let_go(&keeper2));
	ASSERT_EQ(0, locker_join(&locker2));

	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	expect_none(_metadata, self, &snapshot, shown.lock, BEGUN);
	expect_none(_metadata, self, &snapshot, shown2.lock, ENDED);
	/* Who returns to a kretprobe that was not there has nothing to tell. */
	EXPECT_LE(watch_is_by_kprobe(&self->watch) ? 0 : 2,
		  snapshot_loss(&snapshot, "wait_unpaired"));
	snapshot_print_losses(&snapshot);
	snapshot_free(&snapshot);

	play(_metadata, self, &scene, LATER, 3, 2000, &waits);
	expect_waits(_metadata, self, &waits);
}

/* Probes come and go while waits begin and end. */
TEST_F_TIMEOUT(block, rate_changes_under_load, 300)
{
	enum { THREADS = 4, CHANGES = 30, ROUNDS = 5 };
	static const unsigned int kinds[] = {
		KMPROF_TEST_LOCK_MUTEX, KMPROF_TEST_LOCK_RWSEM, KMPROF_TEST_LOCK_SEMAPHORE,
		KMPROF_TEST_LOCK_RTMUTEX, KMPROF_TEST_LOCK_RWLOCK,
	};
	static struct hammer hammer = {
		.kinds = kinds, .nr_kinds = ARRAY_SIZE(kinds), .threads = THREADS,
		.busy_percent = 100, .busy_us = 200,
	};
	static const uint64_t rates[] = { 0, 1, 100000, 0, 5000, 1 };
	unsigned int i, round, off = 1, changes = guest_effort(CHANGES);
	unsigned int rounds = guest_effort(100) < 20 ? 1 : ROUNDS;
	struct waits waits = { .count = 0 };
	struct snapshot snapshot;

	hammer.count = guest_effort(HAMMER_ORDERS);
	ASSERT_EQ(0, hammer_start(&hammer, self->watch.fd));
	for (i = 0; i < changes; i++) {
		ASSERT_EQ(0, guest_set_block_rate(self->watch.dev, rates[i % ARRAY_SIZE(rates)]));
		usleep(2000);
		ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		if (i + 1 == changes)
			snapshot_print_losses(&snapshot);
		snapshot_free(&snapshot);
	}
	ASSERT_EQ(0, hammer_join(&hammer));

	ASSERT_EQ(0, guest_set_block_rate(self->watch.dev, 1));
	/* They take a moment, and all that time the host may have something else to do. */
	for (round = 0; round < rounds && off > waits.count / 2; round++) {
		waits.count = 0;
		ASSERT_EQ(0, guest_reset(self->watch.dev));
		for (i = 0; i < SCENES; i += 3)
			play(_metadata, self, &scenes[i], 0, 3, 1000, &waits);
		ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		EXPECT_SHOWN(&waits, &snapshot, &self->watch.symbols);
		off = waits_off(&waits, &snapshot, &self->watch.symbols);
		TH_LOG("%u of %u are not as long as they were", off, waits.count);
		snapshot_free(&snapshot);
	}
	if (!guest_is_quick("that most waits are as long as the test module has them"))
		EXPECT_GE(waits.count / 2, off);
}

TEST_HARNESS_MAIN
