// SPDX-License-Identifier: GPL-2.0
/*
 * With mutex_fraction=1 each release for which others have waited is counted once, for
 * the function that has released the lock, with all that they have waited until then.
 * What a wait has taken is blamed on releases or told to be nobody's fault, no part of
 * it twice.
 */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/balance.h"
#include "lib/contention.h"
#include "lib/hammer.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/scene.h"
#include "lib/settings.h"
#include "lib/waited.h"
#include "lib/watch.h"

WATCH_FIXTURE_BY_SOURCE(mutex, "block_rate=1 mutex_fraction=1")

/* Expects that nobody was ever blamed for waits for a lock. */
static void expect_no_blame(struct __test_metadata *_metadata, const struct watch *watch,
			    const struct snapshot *snapshot, uint64_t lock)
{
	struct contention blamed = contention_sum(snapshot, &watch->symbols,
						  contention_blamed(lock, CONTENTION_ANY_CHAIN));

	EXPECT_EQ(0, blamed.count)
		TH_LOG("lock %#llx: %llu ns", (unsigned long long)lock,
		       (unsigned long long)blamed.delay_ns);
}

static void expect_unblamed(struct __test_metadata *_metadata, const struct watch *watch,
			    const struct snapshot *snapshot, uint64_t lock, uint64_t least_ns,
			    uint32_t flags)
{
	struct contention_balance balance = contention_balance(snapshot, &watch->symbols, lock);

	EXPECT_EQ(0, balance.blamed.count);
	EXPECT_TRUE(contention_is_balanced(&balance));
	EXPECT_LE(least_ns, balance.unblamed.delay_ns);
	EXPECT_EQ(flags | KMPROF_WAIT_UNBLAMED, balance.unblamed.flags & (flags |
		  KMPROF_WAIT_UNBLAMED))
		TH_LOG("lock %#llx: flags %#x", (unsigned long long)lock,
		       balance.unblamed.flags);
}

/* Remembers how the holder of a scene is to blame, if that can be told. */
static void add_release(struct __test_metadata *_metadata, const struct watch *watch,
			const struct scene *scene, const struct play *play, const char *part,
			uint64_t least_ns, struct waits *releases)
{
	struct shown shown;

	ASSERT_EQ(0, scene_released(watch->fd, scene, &shown));
	if (shown.kind)
		released_add(releases, &shown, part, &play->holder, play->waiters, play->count,
			     least_ns);
}

/* Plays scenes with waiters that fall asleep before the holder does so for @us. */
static void play_all(struct __test_metadata *_metadata, const struct watch *watch,
		     unsigned int step, unsigned int first_chain, unsigned int count,
		     unsigned int us, struct waits *releases)
{
	struct play play;
	unsigned int i;

	for (i = 0; i < SCENES; i += step) {
		ASSERT_EQ(0, scene_play(watch->fd, &scenes[i], first_chain, count, us, &play));
		add_release(_metadata, watch, &scenes[i], &play, "unlock",
			    play.count * us * 1000ULL, releases);
	}
}

static void expect_scenes(struct __test_metadata *_metadata, const struct watch *watch,
			  unsigned int step, const struct waits *releases)
{
	struct snapshot snapshot;
	struct shown shown;
	unsigned int i;

	ASSERT_EQ(0, take_balanced(watch->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_WAITS(releases, &snapshot, &watch->symbols);
	for (i = 0; i < SCENES; i += step) {
		ASSERT_EQ(0, scene_released(watch->fd, &scenes[i], &shown));
		expect_balance(_metadata, watch, &snapshot, shown.lock);
		/* Of what nobody can tell, nobody is told. */
		if (!shown.kind)
			expect_no_blame(_metadata, watch, &snapshot, shown.lock);
	}
	expect_balanced_totals(_metadata, &snapshot);
	finish(_metadata, watch, &snapshot);
}

TEST_F_TIMEOUT(mutex, known_truth, 300)
{
	static const struct {
		unsigned int waiters;
		unsigned int us;
	} rounds[] = { { 1, 200000 }, { SCENE_WAITERS, 1000 }, { 3, 20000 } };
	unsigned int first = guest_is_quick("waits of 200 ms");
	unsigned int round;

	for (round = first; round < ARRAY_SIZE(rounds); round++) {
		struct waits releases = { .count = 0 };

		ASSERT_EQ(0, guest_reset(self->watch.dev));
		play_all(_metadata, &self->watch, 1, 0, rounds[round].waiters, rounds[round].us,
			 &releases);
		expect_scenes(_metadata, &self->watch, 1, &releases);
	}
}

/* Who goes on as a reader lets readers in, and makes writers wait a second time. */
TEST_F(mutex, downgraded)
{
	enum { WAITERS = 3, US = 10000 };
	static const struct scene downgraded[] = {
		{ .kind = KMPROF_TEST_LOCK_RWSEM, .access = KMPROF_TEST_READ,
		  .holder_flags = KMPROF_TEST_DOWNGRADE },
		{ .kind = KMPROF_TEST_LOCK_RWSEM, .index = 1,
		  .holder_flags = KMPROF_TEST_DOWNGRADE },
	};
	struct waits releases = { .count = 0 };
	const uint64_t least_ns = WAITERS * US * 1000ULL;
	const struct scene *scene;
	struct snapshot snapshot;
	struct play play;

	for (scene = downgraded; scene < downgraded + ARRAY_SIZE(downgraded); scene++) {
		struct scene again = *scene;

		ASSERT_EQ(0, scene_play(self->watch.fd, scene, 0, WAITERS, US, &play));
		add_release(_metadata, &self->watch, scene, &play, "downgrade", least_ns,
			    &releases);
		again.holder = KMPROF_TEST_READ;
		if (scene->access == KMPROF_TEST_WRITE)
			add_release(_metadata, &self->watch, &again, &play, "unlock", least_ns,
				    &releases);
	}
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_WAITS(&releases, &snapshot, &self->watch.symbols);
	EXPECT_LE(2, releases.count);
	for (scene = downgraded; scene < downgraded + ARRAY_SIZE(downgraded); scene++) {
		struct kmprof_test_lock_state state;

		ASSERT_EQ(0, locker_state(self->watch.fd, scene->kind, scene->index, &state));
		expect_balance(_metadata, &self->watch, &snapshot, state.address);
		expect_balance(_metadata, &self->watch, &snapshot, state.queue_address);
	}
	finish(_metadata, &self->watch, &snapshot);
}

/*
 * A writer of a percpu_rwsem that waits for readers says so in v6.1, but no more since
 * it says that it waits for another writer only.
 */
TEST_F(mutex, percpu_reader)
{
	enum { US = 100000, TRIES = 10 };
	static const struct scene scene = {
		.kind = KMPROF_TEST_LOCK_PERCPU_RWSEM, .holder = KMPROF_TEST_READ,
	};
	struct waits releases = { .count = 0 };
	struct contention_balance balance;
	uint64_t grace_ns = US * 1000ULL;
	struct snapshot snapshot;
	struct shown shown;
	struct play play;
	unsigned int try;

	ASSERT_EQ(0, scene_released(self->watch.fd, &scene, &shown));
	/*
	 * As long as a grace period lasts, a writer does not wait for readers, and no release is
	 * blamed. The writer's wait begins before it or after it; there is none if another writer
	 * was there just before. On a busy host it can last longer than the reader has the lock.
	 */
	for (try = 0; try < TRIES && grace_ns > US * 900ULL; try++) {
		if (try)
			snapshot_free(&snapshot);
		ASSERT_EQ(0, guest_reset(self->watch.dev));
		ASSERT_EQ(0, scene_play(self->watch.fd, &scene, 0, 1, US, &play));
		ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
		grace_ns = snapshot_scalar(&snapshot, "total.unblamed.grace_period_ns");
	}
	EXPECT_GE(US * 900ULL, grace_ns);
	add_release(_metadata, &self->watch, &scene, &play, "unlock", US * 100, &releases);
	EXPECT_IMAGE(&snapshot);
	expect_balance(_metadata, &self->watch, &snapshot, shown.lock);
	balance = contention_balance(&snapshot, &self->watch.symbols, shown.lock);
	TH_LOG("writers tell of %.0f waits for readers", (double)balance.waits.count / WAITED_ONE);
	if (watch_is_by_kprobe(&self->watch))
		EXPECT_EQ(WAITED_ONE, balance.waits.count);
	if (balance.waits.count)
		EXPECT_WAITS(&releases, &snapshot, &self->watch.symbols);
	EXPECT_EQ(!balance.waits.count, !balance.blamed.count);
	finish(_metadata, &self->watch, &snapshot);
}

/**
 * struct passer - a thread that takes and releases a lock all the time
 * @fd: the test module's device
 * @stop: the thread shall end
 * @order: what it does, and what came of it
 * @ret: out: of the first order that failed
 * @thread: the thread
 */
struct passer {
	int fd;
	int stop;
	struct kmprof_test_lock order;
	int ret;
	pthread_t thread;
};

static void *pass(void *arg)
{
	struct passer *passer = arg;

	while (!passer->ret && !__atomic_load_n(&passer->stop, __ATOMIC_RELAXED))
		passer->ret = locker_order(passer->fd, &passer->order);
	return NULL;
}

/*
 * Readers that come and go while a writer of a percpu_rwsem waits for a grace period are not
 * to blame for it: nobody waits for them. After that, a writer lets no more readers in, so each
 * of them makes it wait once at most. In v6.1 a wait begins before the grace period.
 */
TEST_F(mutex, percpu_grace_period)
{
	enum { WRITES = 20, READERS = 2, PAUSE_US = 100000 };
	static const struct scene read = {
		.kind = KMPROF_TEST_LOCK_PERCPU_RWSEM, .access = KMPROF_TEST_READ,
	};
	static const struct scene write = { .kind = KMPROF_TEST_LOCK_PERCPU_RWSEM };
	struct passer passers[READERS] = {};
	struct contention blamed;
	struct snapshot snapshot;
	struct shown shown;
	unsigned int i;
	int expedited;

	ASSERT_EQ(0, scene_released(self->watch.fd, &read, &shown));
	/* Grace periods of full length, with room for many readers. */
	expedited = guest_expedite(0);
	ASSERT_LE(0, expedited);
	for (i = 0; i < READERS; i++) {
		passers[i].fd = self->watch.fd;
		passers[i].order = scene_order(&read, i);
		ASSERT_EQ(0, pthread_create(&passers[i].thread, NULL, pass, &passers[i]));
	}
	for (i = 0; i < WRITES; i++) {
		struct kmprof_test_lock order = scene_order(&write, READERS);

		/* Until the grace period after the last write has passed: the next has its own. */
		usleep(PAUSE_US);
		EXPECT_EQ(0, locker_order(self->watch.fd, &order));
		EXPECT_EQ(0, order.result);
	}
	for (i = 0; i < READERS; i++) {
		__atomic_store_n(&passers[i].stop, 1, __ATOMIC_RELAXED);
		EXPECT_EQ(0, pthread_join(passers[i].thread, NULL));
		EXPECT_EQ(0, passers[i].ret);
	}
	EXPECT_EQ(0, guest_expedite(expedited));
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	expect_balance(_metadata, &self->watch, &snapshot, shown.lock);
	blamed = contention_sum(&snapshot, &self->watch.symbols,
				contention_blamed(shown.lock, CONTENTION_ANY_CHAIN));
	TH_LOG("%u writes: %llu releases blamed for %llu ns", WRITES,
	       (unsigned long long)(blamed.count / WAITED_ONE),
	       (unsigned long long)blamed.delay_ns);
	/* A reader makes a writer wait, and a writer the readers. */
	EXPECT_GE(WRITES * (READERS + 1) * WAITED_ONE, blamed.count);
	finish(_metadata, &self->watch, &snapshot);
}

static const struct scene gives_up[] = {
	{ .kind = KMPROF_TEST_LOCK_MUTEX },
	{ .kind = KMPROF_TEST_LOCK_RWSEM, .access = KMPROF_TEST_READ },
	{ .kind = KMPROF_TEST_LOCK_SEMAPHORE },
	{ .kind = KMPROF_TEST_LOCK_RTMUTEX },
};

enum { GIVE_UP_US = 5000 };

/* What a task has waited in vain is blamed on who makes the others wait. */
static void give_up(struct __test_metadata *_metadata, const struct watch *watch,
		    enum scene_signal signal)
{
	enum { WAITERS = 3 };
	struct waits releases = { .count = 0 };
	struct snapshot snapshot;
	struct shown shown;
	struct play play;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(gives_up); i++) {
		ASSERT_EQ(0, scene_give_up(watch->fd, &gives_up[i], signal, 0, WAITERS,
					   GIVE_UP_US, &play));
		add_release(_metadata, watch, &gives_up[i], &play, "unlock",
			    (1 + 2 * (WAITERS - 1)) * GIVE_UP_US * 500ULL, &releases);
	}
	ASSERT_EQ(0, snapshot_take(watch->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_WAITS(&releases, &snapshot, &watch->symbols);
	for (i = 0; i < ARRAY_SIZE(gives_up); i++) {
		struct contention_which in_vain;

		ASSERT_EQ(0, scene_released(watch->fd, &gives_up[i], &shown));
		expect_balance(_metadata, watch, &snapshot, shown.lock);
		in_vain = contention_unblamed(shown.lock);
		in_vain.with |= KMPROF_WAIT_FAILED;
		EXPECT_EQ(0, contention_sum(&snapshot, &watch->symbols, in_vain).count);
	}
	finish(_metadata, watch, &snapshot);
}

TEST_F(mutex, interrupted)
{
	give_up(_metadata, &self->watch, SCENE_INTERRUPT);
}

TEST_F(mutex, killed)
{
	give_up(_metadata, &self->watch, SCENE_KILL);
}

/* If nobody else waits, nobody will tell of the release. */
TEST_F(mutex, gave_up_alone)
{
	enum scene_signal signal;
	struct snapshot snapshot;
	struct shown shown;
	struct play play;
	unsigned int i;

	for (signal = SCENE_INTERRUPT; signal <= SCENE_KILL; signal++) {
		ASSERT_EQ(0, guest_reset(self->watch.dev));
		for (i = 0; i < ARRAY_SIZE(gives_up); i++)
			ASSERT_EQ(0, scene_give_up(self->watch.fd, &gives_up[i], signal, 0, 1,
						   GIVE_UP_US, &play));
		ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		for (i = 0; i < ARRAY_SIZE(gives_up); i++) {
			ASSERT_EQ(0, scene_released(self->watch.fd, &gives_up[i], &shown));
			expect_unblamed(_metadata, &self->watch, &snapshot, shown.lock,
					GIVE_UP_US * 900ULL, KMPROF_WAIT_FAILED);
		}
		EXPECT_LE(ARRAY_SIZE(gives_up) * GIVE_UP_US * 900ULL,
			  snapshot_scalar(&snapshot, "total.unblamed.failed_ns"));
		finish(_metadata, &self->watch, &snapshot);
	}
}

static const struct scene flown[] = {
	{ .kind = KMPROF_TEST_LOCK_MUTEX },
	{ .kind = KMPROF_TEST_LOCK_RWSEM },
	{ .kind = KMPROF_TEST_LOCK_RWSEM, .index = 1, .access = KMPROF_TEST_READ },
	{ .kind = KMPROF_TEST_LOCK_SEMAPHORE },
	{ .kind = KMPROF_TEST_LOCK_RTMUTEX },
	{ .kind = KMPROF_TEST_LOCK_PERCPU_RWSEM, .access = KMPROF_TEST_READ },
};

enum { FLIGHT_US = 50000 };

/**
 * struct flight - waits that are going on while something else happens, one a lock
 * @holders: who has the lock
 * @waiters: who waits for it
 * @keepers: the threads of the first
 * @lockers: and of the others
 */
struct flight {
	struct kmprof_test_lock holders[ARRAY_SIZE(flown)];
	struct kmprof_test_lock waiters[ARRAY_SIZE(flown)];
	struct locker keepers[ARRAY_SIZE(flown)];
	struct locker lockers[ARRAY_SIZE(flown)];
};

static void flight_begin(struct __test_metadata *_metadata, const struct watch *watch,
			 struct flight *flight)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flown); i++) {
		flight->holders[i] = scene_order(&flown[i], SCENE_HOLDER);
		flight->waiters[i] = scene_order(&flown[i], 0);
		ASSERT_EQ(0, locker_keep(&flight->keepers[i], watch->fd, &flight->holders[i]));
		ASSERT_EQ(0, locker_wait(&flight->lockers[i], watch->fd, &flight->waiters[i]));
	}
	/* A holder may have waited as well. The others count from here on. */
	ASSERT_EQ(0, guest_reset(watch->dev));
	usleep(FLIGHT_US);
}

static void flight_end(struct __test_metadata *_metadata, struct flight *flight)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(flown); i++) {
		ASSERT_EQ(0, locker_let_go(&flight->keepers[i]));
		ASSERT_EQ(0, locker_join(&flight->lockers[i]));
		ASSERT_EQ(0, flight->waiters[i].result);
	}
}

/* What of the waits in flight is to be shown. */
enum landing {
	BLAMED,		/* all of it, on who has released the lock */
	UNBLAMED,	/* all of it, as nobody's fault */
	UNSEEN,
};

static void flight_expect(struct __test_metadata *_metadata, const struct watch *watch,
			  const struct flight *flight, enum landing landing)
{
	struct waits releases = { .count = 0 };
	struct snapshot snapshot;
	unsigned int i;

	ASSERT_EQ(0, snapshot_take(watch->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < ARRAY_SIZE(flown); i++) {
		struct contention_balance balance;
		struct shown shown;

		ASSERT_EQ(0, scene_released(watch->fd, &flown[i], &shown));
		balance = contention_balance(&snapshot, &watch->symbols, shown.lock);
		if (landing == BLAMED)
			released_add(&releases, &shown, "unlock", &flight->holders[i],
				     &flight->waiters[i], 1, FLIGHT_US * 1000);
		else
			expect_no_blame(_metadata, watch, &snapshot, shown.lock);
		if (landing == UNBLAMED)
			EXPECT_LE(FLIGHT_US * 1000, balance.unblamed.delay_ns);
		if (landing == UNSEEN)
			EXPECT_EQ(0, balance.unblamed.count);
	}
	if (landing == UNBLAMED)
		EXPECT_LE(ARRAY_SIZE(flown) * FLIGHT_US * 1000ULL,
			  snapshot_scalar(&snapshot, "total.unblamed.not_followed_ns"));
	if (landing == BLAMED)
		EXPECT_WAITS(&releases, &snapshot, &watch->symbols);
	finish(_metadata, watch, &snapshot);
}

/* Whatever has been turned off and on: what comes now is seen as ever. */
static void expect_as_ever(struct __test_metadata *_metadata, const struct watch *watch)
{
	enum { STEP = 3 };
	struct waits releases = { .count = 0 };

	ASSERT_EQ(0, guest_set_block_rate(watch->dev, 1));
	ASSERT_EQ(0, guest_set_mutex_fraction(watch->dev, 1));
	ASSERT_EQ(0, guest_reset(watch->dev));
	play_all(_metadata, watch, STEP, 2, 3, 2000, &releases);
	expect_scenes(_metadata, watch, STEP, &releases);
}

static void expect_fraction(struct __test_metadata *_metadata, const struct watch *watch,
			    uint64_t fraction)
{
	expect_rate(_metadata, watch->dev, KMPROF_SETTING_MUTEX_FRACTION, "mutex_fraction",
		    fraction);
}

TEST_F(mutex, fraction_zero)
{
	struct waits unseen = { .count = 0 };
	struct snapshot before, after;
	struct shown shown;
	unsigned int i;

	expect_fraction(_metadata, &self->watch, 1);
	ASSERT_EQ(0, guest_set_mutex_fraction(self->watch.dev, 0));
	expect_fraction(_metadata, &self->watch, 0);
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &before));
	play_all(_metadata, &self->watch, 1, 0, 2, 1000, &unseen);
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &after));
	EXPECT_IMAGE(&after);
	EXPECT_EQ(0, snapshot_scalar(&after, "mutex_fraction"));
	EXPECT_LT(snapshot_scalar(&before, "total.waits"), snapshot_scalar(&after, "total.waits"));
	EXPECT_SAME_SCALAR(&before, &after, "total.releases");
	EXPECT_SAME_SCALAR(&before, &after, "total.blamed_ns");
	EXPECT_SAME_SCALAR(&before, &after, "delays_sampled");
	for (i = 0; i < SCENES; i++) {
		ASSERT_EQ(0, scene_released(self->watch.fd, &scenes[i], &shown));
		if (shown.lock)
			expect_no_blame(_metadata, &self->watch, &after, shown.lock);
	}
	snapshot_free(&after);
	snapshot_free(&before);
	expect_as_ever(_metadata, &self->watch);
	expect_fraction(_metadata, &self->watch, 1);
}

/* The release goes by unseen. */
TEST_F(mutex, fraction_off_in_flight)
{
	static struct flight flight;

	flight_begin(_metadata, &self->watch, &flight);
	ASSERT_EQ(0, guest_set_mutex_fraction(self->watch.dev, 0));
	flight_end(_metadata, &flight);
	flight_expect(_metadata, &self->watch, &flight, UNSEEN);
	expect_as_ever(_metadata, &self->watch);
}

/* The wait began when nobody was looking who would be to blame for it. */
TEST_F(mutex, fraction_on_in_flight)
{
	static struct flight flight;

	ASSERT_EQ(0, guest_set_mutex_fraction(self->watch.dev, 0));
	flight_begin(_metadata, &self->watch, &flight);
	ASSERT_EQ(0, guest_set_mutex_fraction(self->watch.dev, 1));
	flight_end(_metadata, &flight);
	flight_expect(_metadata, &self->watch, &flight, UNBLAMED);
	expect_as_ever(_metadata, &self->watch);
}

/*
 * One task after the other has the lock. Between the first and the second is a release, which is
 * blamed for the third, and then comes a reset: what counts of the third one's wait is what comes
 * after it, in both profiles.
 */
static void reset_in_flight(struct __test_metadata *_metadata, const struct watch *watch,
			    const struct scene *scene)
{
	enum { TRIES = 10, BEFORE_US = 50000, HOLD_US = 100000 };
	struct kmprof_test_lock holder, waiters[2];
	struct locker keeper, lockers[2];
	struct contention_balance balance;
	struct snapshot snapshot;
	struct shown shown;
	unsigned int i, try;
	uint64_t reset;

	ASSERT_EQ(0, scene_shown(watch->fd, scene, &shown));
	for (try = 0; try < TRIES; try++) {
		holder = scene_order(scene, SCENE_HOLDER);
		ASSERT_EQ(0, locker_keep(&keeper, watch->fd, &holder));
		for (i = 0; i < 2; i++) {
			waiters[i] = scene_order(scene, i);
			waiters[i].sleep_us = HOLD_US;
			ASSERT_EQ(0, locker_start_one(&lockers[i], watch->fd, &waiters[i]));
		}
		ASSERT_EQ(0, locker_until(watch->fd, scene->kind, scene->index, 1, 2));
		usleep(BEFORE_US);
		ASSERT_EQ(0, locker_let_go(&keeper));
		/* The first one has the lock, and waits no more. */
		ASSERT_EQ(0, locker_until(watch->fd, scene->kind, scene->index, 1, 1));
		reset = guest_now_ns();
		ASSERT_EQ(0, guest_reset(watch->dev));
		for (i = 0; i < 2; i++) {
			ASSERT_EQ(0, locker_join(&lockers[i]));
			ASSERT_EQ(0, waiters[i].result);
		}
		reset = guest_now_ns() - reset;
		ASSERT_EQ(0, take_balanced(watch->dev, &snapshot));
		balance = contention_balance(&snapshot, &watch->symbols, shown.lock);
		/* On a busy host, the reset can come when nobody waits any more. */
		if (balance.waits.count == WAITED_ONE)
			break;
		snapshot_free(&snapshot);
	}
	ASSERT_GT(TRIES, try);
	EXPECT_IMAGE(&snapshot);
	expect_balance(_metadata, watch, &snapshot, shown.lock);
	expect_balanced_totals(_metadata, &snapshot);
	EXPECT_GE(reset, balance.waits.delay_ns);
	TH_LOG("kind %u: waited %llu ns after the reset, of which %llu are blamed", scene->kind,
	       (unsigned long long)balance.waits.delay_ns,
	       (unsigned long long)balance.blamed.delay_ns);
	finish(_metadata, watch, &snapshot);
}

TEST_F_TIMEOUT(mutex, reset_in_flight, 120)
{
	/* Of which a release lets in one at a time. */
	static const struct scene scenes[] = {
		{ .kind = KMPROF_TEST_LOCK_MUTEX }, { .kind = KMPROF_TEST_LOCK_RWSEM },
		{ .kind = KMPROF_TEST_LOCK_SEMAPHORE }, { .kind = KMPROF_TEST_LOCK_RTMUTEX },
		{ .kind = KMPROF_TEST_LOCK_PERCPU_RWSEM }, { .kind = KMPROF_TEST_LOCK_WW_MUTEX },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(scenes); i++)
		reset_in_flight(_metadata, &self->watch, &scenes[i]);
}

/* Waits are still seen for the mutex profile's sake. */
TEST_F(mutex, block_rate_off_in_flight)
{
	static struct flight flight;

	flight_begin(_metadata, &self->watch, &flight);
	ASSERT_EQ(0, guest_set_block_rate(self->watch.dev, 0));
	flight_end(_metadata, &flight);
	flight_expect(_metadata, &self->watch, &flight, BLAMED);
	expect_as_ever(_metadata, &self->watch);
}

/* Begins that have been forgotten, and ends of which nothing is known. */
TEST_F(mutex, both_off_and_on_in_flight)
{
	static struct flight flight;
	struct snapshot snapshot;

	flight_begin(_metadata, &self->watch, &flight);
	ASSERT_EQ(0, guest_set_mutex_fraction(self->watch.dev, 0));
	ASSERT_EQ(0, guest_set_block_rate(self->watch.dev, 0));
	ASSERT_EQ(0, guest_set_mutex_fraction(self->watch.dev, 1));
	ASSERT_EQ(0, guest_set_block_rate(self->watch.dev, 1));
	flight_end(_metadata, &flight);
	flight_expect(_metadata, &self->watch, &flight, UNSEEN);
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	/* Who returns to a kretprobe that is gone has nothing to tell. */
	EXPECT_LE(watch_is_by_kprobe(&self->watch) ? 0 : ARRAY_SIZE(flown),
		  snapshot_loss(&snapshot, "wait_unpaired"));
	snapshot_free(&snapshot);
	expect_as_ever(_metadata, &self->watch);
}

TEST_F(mutex, unloaded_in_flight)
{
	static struct flight flight;

	/* Gone when they end. */
	flight_begin(_metadata, &self->watch, &flight);
	ASSERT_EQ(0, watch_unload(&self->watch));
	flight_end(_metadata, &flight);
	ASSERT_EQ(0, watch_load(&self->watch));
	expect_as_ever(_metadata, &self->watch);

	/* And there again. */
	flight_begin(_metadata, &self->watch, &flight);
	ASSERT_EQ(0, watch_unload(&self->watch));
	ASSERT_EQ(0, watch_load(&self->watch));
	flight_end(_metadata, &flight);
	flight_expect(_metadata, &self->watch, &flight, UNSEEN);
	expect_as_ever(_metadata, &self->watch);
}

/* Nobody is blamed for what was waited because of somebody who was not seen. */
TEST_F(mutex, released_while_off)
{
	enum { FIRST = 0, SECOND, UNSEEN_US = 100000, SEEN_US = 10000 };
	static const struct scene scene = { .kind = KMPROF_TEST_LOCK_SEMAPHORE };
	struct kmprof_test_lock holder = scene_order(&scene, SCENE_HOLDER);
	struct kmprof_test_lock first = scene_order(&scene, FIRST);
	struct kmprof_test_lock second = scene_order(&scene, SECOND);
	struct locker keeper, first_locker, second_locker;
	struct contention_balance balance;
	struct snapshot snapshot;
	struct shown shown;

	ASSERT_EQ(0, scene_released(self->watch.fd, &scene, &shown));
	first.flags |= KMPROF_TEST_KEEP;
	ASSERT_EQ(0, locker_keep(&keeper, self->watch.fd, &holder));
	ASSERT_EQ(0, locker_wait(&first_locker, self->watch.fd, &first));
	ASSERT_EQ(0, locker_start_one(&second_locker, self->watch.fd, &second));
	ASSERT_EQ(0, locker_until(self->watch.fd, scene.kind, scene.index, 1, 2));
	usleep(UNSEEN_US);
	ASSERT_EQ(0, guest_set_mutex_fraction(self->watch.dev, 0));
	ASSERT_EQ(0, locker_let_go(&keeper));
	ASSERT_EQ(0, locker_until(self->watch.fd, scene.kind, scene.index, 1, 1));
	ASSERT_EQ(0, guest_set_mutex_fraction(self->watch.dev, 1));
	usleep(SEEN_US);
	ASSERT_EQ(0, locker_let_go(&first_locker));
	ASSERT_EQ(0, locker_join(&second_locker));

	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	balance = contention_balance(&snapshot, &self->watch.symbols, shown.lock);
	EXPECT_GE(first.held_ns + waited_tolerance(first.held_ns), balance.blamed.delay_ns);
	EXPECT_GE(second.wait_ns + waited_tolerance(second.wait_ns),
		  balance.blamed.delay_ns + balance.unblamed.delay_ns);
	finish(_metadata, &self->watch, &snapshot);
	expect_as_ever(_metadata, &self->watch);
}

/*
 * Tasks die while they wait for a semaphore: their waits are in the totals and in the ledger,
 * and no later release is blamed for them.
 */
TEST_F(mutex, died_in_flight)
{
	enum { DEAD = 20, DEAD_US = 5000, SEEN_US = 10000 };
	static const struct scene scene = { .kind = KMPROF_TEST_LOCK_SEMAPHORE };
	struct kmprof_test_death death = { .index = scene.index, .sleep_us = DEAD_US };
	struct waits releases = { .count = 0 };
	struct contention_balance balance;
	struct snapshot snapshot;
	struct shown shown;
	struct play play;
	unsigned int i;

	ASSERT_EQ(0, scene_released(self->watch.fd, &scene, &shown));
	for (i = 0; i < DEAD; i++)
		ASSERT_EQ(0, ioctl(self->watch.fd, KMPROF_TEST_IOC_DIE, &death));
	ASSERT_EQ(0, take_balanced(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_EQ(DEAD, snapshot_loss(&snapshot, "wait_died"));
	EXPECT_LE(DEAD * DEAD_US * 1000ULL, snapshot_scalar(&snapshot, "total.wait_ns"));
	expect_balanced_totals(_metadata, &snapshot);
	expect_no_blame(_metadata, &self->watch, &snapshot, shown.lock);
	snapshot_free(&snapshot);

	ASSERT_EQ(0, scene_play(self->watch.fd, &scene, 0, 1, SEEN_US, &play));
	add_release(_metadata, &self->watch, &scene, &play, "unlock", SEEN_US * 1000ULL, &releases);
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_WAITS(&releases, &snapshot, &self->watch.symbols);
	balance = contention_balance(&snapshot, &self->watch.symbols, shown.lock);
	EXPECT_EQ(WAITED_ONE, balance.blamed.count);
	EXPECT_TRUE(contention_is_balanced(&balance));
	finish(_metadata, &self->watch, &snapshot);
	expect_as_ever(_metadata, &self->watch);
}

/*
 * Many tasks that sleep leave room for everybody else, however small the table is at first: when
 * it has grown, all waits are followed. What came too early is in the totals, and is lost.
 */
TEST_F_TIMEOUT(mutex, a_crowd_leaves_room, 120)
{
	enum { CROWD = 1000, WAITERS = 3, US = 5000, TRIES = 100 };
	static const struct scene scene = { .kind = KMPROF_TEST_LOCK_MUTEX };
	struct kmprof_test_crowd crowd = { .count = CROWD };
	struct waits releases = { .count = 0 };
	struct snapshot before, after;
	uint64_t refused = 1;
	struct shown shown;
	struct play play;
	unsigned int i;

	ASSERT_EQ(0, watch_unload(&self->watch));
	self->watch.params = "block_rate=1 mutex_fraction=1 max_waits=64";
	ASSERT_EQ(0, watch_load(&self->watch));
	ASSERT_EQ(0, scene_released(self->watch.fd, &scene, &shown));
	ASSERT_EQ(0, ioctl(self->watch.fd, KMPROF_TEST_IOC_CROWD, &crowd));
	for (i = 0; i < TRIES && refused; i++) {
		ASSERT_EQ(0, snapshot_take(self->watch.dev, &before));
		releases.count = 0;
		ASSERT_EQ(0, scene_play(self->watch.fd, &scene, 0, WAITERS, US, &play));
		add_release(_metadata, &self->watch, &scene, &play, "unlock",
			    WAITERS * US * 1000ULL, &releases);
		ASSERT_EQ(0, snapshot_take(self->watch.dev, &after));
		refused = snapshot_loss(&after, "wait_table_full") -
			  snapshot_loss(&before, "wait_table_full");
		snapshot_free(&after);
		snapshot_free(&before);
		/* One play is to be seen by itself. */
		if (refused) {
			usleep(20000);
			ASSERT_EQ(0, guest_reset(self->watch.dev));
		}
	}
	EXPECT_EQ(0, refused);
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &after));
	EXPECT_IMAGE(&after);
	EXPECT_WAITS(&releases, &after, &self->watch.symbols);
	expect_balance(_metadata, &self->watch, &after, shown.lock);
	snapshot_free(&after);

	/* When they have gone, each one is in the totals; or it had no kretprobe instance. */
	crowd.count = 0;
	ASSERT_EQ(0, ioctl(self->watch.fd, KMPROF_TEST_IOC_CROWD, &crowd));
	ASSERT_EQ(0, snapshot_take(self->watch.dev, &after));
	EXPECT_IMAGE(&after);
	EXPECT_LE(CROWD, snapshot_scalar(&after, "total.waits") +
		  snapshot_loss(&after, "missed_wait"));
	EXPECT_EQ(snapshot_scalar(&after, "total.waits"),
		  snapshot_scalar(&after, "waits_sampled"));
	finish(_metadata, &self->watch, &after);
}

/* Probes on releases come and go while locks are waited for. */
TEST_F_TIMEOUT(mutex, changes_under_load, 300)
{
	enum { CHANGES = 40, ORDERS = 2000 };
	static const struct {
		uint64_t block_rate;
		uint64_t fraction;
	} settings[] = {
		{ 1, 0 }, { 1, 1 }, { 0, 10 }, { 0, 0 }, { 0, 1 }, { 1000, 1000 }, { 0, 0 },
		{ 1, 1 },
	};
	static const unsigned int kinds[] = {
		KMPROF_TEST_LOCK_MUTEX, KMPROF_TEST_LOCK_RWSEM, KMPROF_TEST_LOCK_SEMAPHORE,
		KMPROF_TEST_LOCK_RTMUTEX, KMPROF_TEST_LOCK_PERCPU_RWSEM,
	};
	static struct hammer hammer = {
		.kinds = kinds, .nr_kinds = ARRAY_SIZE(kinds), .threads = HAMMER_THREADS,
		.busy_percent = 50, .busy_us = 100, .sleep_least_us = 50, .sleep_most_us = 200,
		.interrupt_us = 3000,
	};
	unsigned int i, changes = guest_effort(CHANGES);
	struct snapshot snapshot;

	hammer.count = guest_effort(ORDERS);
	ASSERT_EQ(0, hammer_start(&hammer, self->watch.fd));
	for (i = 0; i < changes; i++) {
		unsigned int k = i % ARRAY_SIZE(settings);

		ASSERT_EQ(0, guest_set_block_rate(self->watch.dev, settings[k].block_rate));
		ASSERT_EQ(0, guest_set_mutex_fraction(self->watch.dev, settings[k].fraction));
		usleep(2000);
		ASSERT_EQ(0, snapshot_take(self->watch.dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		snapshot_free(&snapshot);
	}
	ASSERT_EQ(0, hammer_join(&hammer));
	expect_as_ever(_metadata, &self->watch);
}

TEST_HARNESS_MAIN
