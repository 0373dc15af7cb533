// SPDX-License-Identifier: GPL-2.0
/*
 * Waiters against a model that keeps each of them: what releases are blamed for,
 * and what ends of waits leave over, are the same to the nanosecond; and on several
 * CPUs at once what waits have taken is the sum of both. So it is from each reset on,
 * although other CPUs' events do not know of it at once.
 */
#include <kunit/test.h>
#include <linux/bits.h>
#include <linux/completion.h>
#include <linux/hash.h>
#include <linux/irq_work.h>
#include <linux/kthread.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "lock/growing.h"
#include "chance.h"
#include "rig.h"

/* What another CPU does once, after state_read() has read one half and before the other. */
static void (*between_halves)(void);

static void read_barrier(void)
{
	void (*others)(void) = between_halves;

	smp_rmb(); /* as in state_read() */
	if (!others)
		return;
	between_halves = NULL;
	others();
}

/* Only that of state_read(): the headers of contended.c are included above. */
#undef smp_rmb
#define smp_rmb read_barrier

#include "lock/contended.c"

static bool join_at(struct kmprof_waiter *waiter, const void *lock, u64 now)
{
	unsigned int slot = kmprof_slot();

	return kmprof_contended_join(waiter, lock, now, &slot);
}

static u64 took_at(struct kmprof_waiter *waiter, u64 now)
{
	unsigned int slot = kmprof_slot();

	return kmprof_contended_took(waiter, now, &slot);
}

static u64 acquired_at(struct kmprof_waiter *waiter, u64 now)
{
	unsigned int slot = kmprof_slot();

	return kmprof_contended_acquired(waiter, now, &slot);
}

static u64 gave_up_at(struct kmprof_waiter *waiter, u64 now)
{
	unsigned int slot = kmprof_slot();

	return kmprof_contended_gave_up(waiter, now, &slot);
}

static u64 blame_at(const void *lock, u64 now)
{
	unsigned int slot = kmprof_slot();

	return kmprof_contended_blame(lock, now, &slot);
}

/* As a reset does it. Events that read the slot before go on with it until all have ended. */
static void begin_era(u64 now)
{
	unsigned int next = kmprof_slot_next(kmprof_slot_current);

	kmprof_slot_eras[next].number = kmprof_era(kmprof_slot_current)->number + 1;
	kmprof_slot_eras[next].start_ns = now;
	/* As in slot_close(), for the other threads of a suite. */
	smp_store_release(&kmprof_slot_current, next);
}

enum {
	LOCKS		= 4,
	WAITERS		= 24,
	STEPS		= 200000,
	PLACES		= 64,
	MANY		= 20000,
	THREADS		= 4,
	ROUNDS		= 30000,
};

/**
 * struct model - a wait
 * @waiter: the wait itself
 * @lock: what for; NULL: none
 * @since: when it began
 * @blamed: what it has suffered until then, somebody was blamed for
 */
struct model {
	struct kmprof_waiter waiter;
	const void *lock;
	u64 since;
	u64 blamed;
};

static int waiters_test_init(struct kunit *test)
{
	return kmprof_contended_init(PLACES);
}

/* Other suites have another clock, which is behind: their waits began after the last reset. */
static void waiters_test_exit(struct kunit *test)
{
	kmprof_slot_eras[kmprof_slot_current].start_ns = 0;
	rig_holds_growth = false;
	kmprof_contended_exit();
}

static void expect_empty(struct kunit *test)
{
	unsigned int part, i;

	for (part = 0; part < kmprof_growing_nr(&entries); part++)
		for (i = 0; i < kmprof_growing_size(&entries, part); i++)
			KUNIT_ASSERT_FALSE(test,
					   is_taken(kmprof_growing_entry(&entries, part, i)));
}

static const void *lock_of(u32 i)
{
	return (void *)(PAGE_OFFSET + 0x12340 + i * 64UL);
}

static unsigned int waiting(const struct model *models, const void *lock)
{
	unsigned int i, n = 0;

	for (i = 0; i < WAITERS; i++)
		n += models[i].lock == lock;
	return n;
}

/* What all that wait for a lock have suffered without anybody being blamed. */
static u64 blame(struct model *models, const void *lock, u64 now, u64 *owed)
{
	u64 sum = *owed;
	unsigned int i;

	*owed = 0;
	for (i = 0; i < WAITERS; i++) {
		if (models[i].lock != lock)
			continue;
		sum += now - models[i].blamed;
		models[i].blamed = now;
	}
	return sum;
}

/* Everything begins anew. */
static void forget_all(struct model *models, u64 now, u64 *owed)
{
	unsigned int i;

	memset(owed, 0, LOCKS * sizeof(*owed));
	for (i = 0; i < WAITERS; i++) {
		models[i].since = now;
		models[i].blamed = now;
	}
}

/*
 * Resets come between all events. For some time after each, events of CPUs that have not seen it
 * yet come in between: those that reach a lock before the others belong to what is discarded.
 */
static void follow_over_resets(struct kunit *test, u64 start, u32 seed)
{
	struct model *models = kunit_kcalloc(test, WAITERS, sizeof(*models), GFP_KERNEL);
	u64 now = start, waits = 0, told = 0, owed[LOCKS] = {}, reset = 0;
	unsigned int i, late = 0, nr_late = 0, discarded = 0;
	bool racing = false;
	struct rnd_state r;

	KUNIT_ASSERT_NOT_NULL(test, models);
	prandom_seed_state(&r, seed);
	for (i = 0; i < STEPS; i++) {
		u32 l = chance_below(&r, LOCKS), what = chance_below(&r, 8);
		struct model *m = &models[chance_below(&r, WAITERS)];
		unsigned int slot = kmprof_slot();
		u64 rest, expected;

		now += chance_below(&r, 1 << chance_below(&r, 20));
		if (!racing && chance_below(&r, 64) == 0) {
			late = slot;
			begin_era(now);
			slot = kmprof_slot();
			forget_all(models, now, owed);
			waits = 0;
			told = 0;
			reset = now;
			racing = true;
			continue;
		}
		if (racing && chance_below(&r, 32) == 0) {
			/* The grace period is over. */
			kmprof_contended_enter_era();
			racing = false;
		}
		if (racing && chance_below(&r, 2)) {
			slot = late;
			nr_late++;
		}
		if (!what) {
			rest = kmprof_contended_blame(lock_of(l), now, &slot);
			if (slot != kmprof_slot()) {
				discarded++;
				continue;
			}
			expected = blame(models, lock_of(l), now, &owed[l]);
			KUNIT_ASSERT_EQ(test, rest, expected);
			told += rest;
			continue;
		}
		if (!m->lock) {
			*m = (struct model) { .lock = lock_of(l), .since = now, .blamed = now };
			KUNIT_ASSERT_TRUE(test, kmprof_contended_join(&m->waiter, m->lock, now,
								      &slot));
			if (slot != kmprof_slot()) {
				m->since = reset;
				m->blamed = reset;
				discarded++;
			}
			continue;
		}
		for (l = 0; lock_of(l) != m->lock; l++)
			;
		if (what == 1)
			rest = kmprof_contended_took(&m->waiter, now, &slot);
		else if (what & 1)
			rest = kmprof_contended_acquired(&m->waiter, now, &slot);
		else
			rest = kmprof_contended_gave_up(&m->waiter, now, &slot);
		m->lock = NULL;
		if (slot != kmprof_slot()) {
			discarded++;
			continue;
		}
		expected = now - m->blamed;
		if (what == 1) {
			expected += blame(models, lock_of(l), now, &owed[l]);
		} else if (!(what & 1)) {
			owed[l] += expected;
			expected = 0;
		}
		if (!waiting(models, lock_of(l))) {
			expected += owed[l];
			owed[l] = 0;
		}
		KUNIT_ASSERT_EQ(test, rest, expected);
		KUNIT_ASSERT_EQ(test, kmprof_waiter_ns(&m->waiter), now - m->since);
		waits += now - m->since;
		told += rest;
	}
	kmprof_contended_enter_era();
	for (i = 0; i < WAITERS; i++) {
		if (!models[i].lock)
			continue;
		told += acquired_at(&models[i].waiter, now);
		waits += now - models[i].since;
	}
	KUNIT_EXPECT_EQ(test, told, waits);
	/* Some events that came late found an entry that had seen the reset, others did not. */
	KUNIT_EXPECT_GT(test, discarded, 1000);
	KUNIT_EXPECT_GT(test, nr_late, 2 * discarded);
	expect_empty(test);
}

static void follow(struct kunit *test, u64 start, u32 seed)
{
	struct model *models = kunit_kcalloc(test, WAITERS, sizeof(*models), GFP_KERNEL);
	u64 now = start, waits = 0, told = 0, owed[LOCKS] = {};
	struct rnd_state r;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, models);
	prandom_seed_state(&r, seed);
	for (i = 0; i < STEPS; i++) {
		u32 l = chance_below(&r, LOCKS), what = chance_below(&r, 8);
		struct model *m = &models[chance_below(&r, WAITERS)];
		u64 rest, expected;

		now += chance_below(&r, 1 << chance_below(&r, 20));
		if (!what) {
			expected = blame(models, lock_of(l), now, &owed[l]);
			rest = blame_at(lock_of(l), now);
			KUNIT_ASSERT_EQ(test, rest, expected);
			told += rest;
			continue;
		}
		if (!m->lock) {
			*m = (struct model) { .lock = lock_of(l), .since = now, .blamed = now };
			KUNIT_ASSERT_TRUE(test, join_at(&m->waiter, m->lock, now));
			continue;
		}
		for (l = 0; lock_of(l) != m->lock; l++)
			;
		expected = now - m->blamed;
		if (what == 1) {
			expected = blame(models, lock_of(l), now, &owed[l]);
			rest = took_at(&m->waiter, now);
		} else if (what & 1) {
			rest = acquired_at(&m->waiter, now);
			KUNIT_ASSERT_EQ(test, m->waiter.is_released, m->blamed != m->since);
			KUNIT_ASSERT_EQ(test, m->waiter.left, rest - expected);
		} else {
			rest = gave_up_at(&m->waiter, now);
			owed[l] += expected;
			expected = 0;
		}
		m->lock = NULL;
		if (!waiting(models, lock_of(l))) {
			expected += owed[l];
			owed[l] = 0;
		}
		KUNIT_ASSERT_EQ(test, rest, expected);
		KUNIT_ASSERT_EQ(test, kmprof_waiter_ns(&m->waiter), now - m->since);
		waits += now - m->since;
		told += rest;
	}
	for (i = 0; i < WAITERS; i++) {
		if (!models[i].lock)
			continue;
		told += acquired_at(&models[i].waiter, now);
		waits += now - models[i].since;
	}
	KUNIT_EXPECT_EQ(test, told, waits);
	expect_empty(test);
}

static void as_the_model(struct kunit *test)
{
	follow(test, 1000, 1);
	follow(test, 1ULL << 40, 2);
}

/* The clock's upper bits are not kept. */
static void times_wrap(struct kunit *test)
{
	follow(test, BIT_ULL(TIME_BITS) - 100000, 3);
	follow(test, BIT_ULL(TIME_BITS - 1) - 100000, 4);
	follow(test, 0 - 100000ULL, 5);
}

static void as_the_model_over_resets(struct kunit *test)
{
	follow_over_resets(test, 1000, 6);
	follow_over_resets(test, BIT_ULL(TIME_BITS) - 100000, 7);
	follow_over_resets(test, BIT_ULL(TIME_BITS - 1) - 100000, 8);
}

/*
 * A lock can have two entries, of which one has seen the reset. What the release took from the
 * other one before is of the era that is discarded, and does not count in the new one.
 */
static void a_release_is_of_one_era(struct kunit *test)
{
	/* All that one entry can count, and two in the other. */
	const unsigned int last = CLAIMED;
	struct kmprof_waiter *waiters = kvcalloc(last + 1, sizeof(*waiters), GFP_KERNEL);
	unsigned int i, k, slot, late;
	u64 told;

	KUNIT_ASSERT_NOT_NULL(test, waiters);
	for (k = 0; k < 2; k++) {
		for (i = 0; i <= last; i++)
			if (!join_at(&waiters[i], lock_of(1), 1000))
				break;
		KUNIT_EXPECT_EQ(test, i, last + 1);
		KUNIT_EXPECT_EQ(test, waiters[last].entry, waiters[last - 1].entry);
		KUNIT_EXPECT_NE(test, waiters[last].entry, waiters[0].entry);
		late = kmprof_slot();
		begin_era(2000);
		/* One waiter of either entry leaves, and with it the entry has seen the reset. */
		KUNIT_EXPECT_EQ(test, acquired_at(&waiters[k ? last : 0], 2010), 10);
		slot = late;
		told = kmprof_contended_blame(lock_of(1), 2100, &slot);
		KUNIT_EXPECT_EQ(test, slot, kmprof_slot());
		for (i = k ? 0 : 1; i <= last - k; i++) {
			told += gave_up_at(&waiters[i], 2100);
			KUNIT_EXPECT_EQ(test, kmprof_waiter_ns(&waiters[i]), 100);
		}
		/* Whichever of the entries the release came to first. */
		KUNIT_EXPECT_EQ(test, told, (u64)last * 100);
		kmprof_contended_enter_era();
		expect_empty(test);
	}
	kvfree(waiters);
}

/* Another CPU's clock may be a little behind: nothing is negative, nothing is lost. */
static void clock_goes_back(struct kunit *test)
{
	struct kmprof_waiter one, two;
	const void *lock = lock_of(0);
	u64 told = 0;

	KUNIT_ASSERT_TRUE(test, join_at(&one, lock, 1000));
	told += blame_at(lock, 2000);
	KUNIT_EXPECT_EQ(test, told, 1000);
	KUNIT_ASSERT_TRUE(test, join_at(&two, lock, 1990));
	KUNIT_EXPECT_EQ(test, blame_at(lock, 1980), 0);
	KUNIT_EXPECT_EQ(test, acquired_at(&one, 1999), 0);
	told += acquired_at(&two, 1995);
	KUNIT_EXPECT_EQ(test, kmprof_waiter_ns(&one) + kmprof_waiter_ns(&two), told);

	KUNIT_ASSERT_TRUE(test, join_at(&one, lock, 1000));
	KUNIT_EXPECT_EQ(test, blame_at(lock, 2000), 1000);
	KUNIT_EXPECT_EQ(test, took_at(&one, 1990), 0);
	KUNIT_EXPECT_EQ(test, kmprof_waiter_ns(&one), 1000);
}

/* Who comes with a clock that is behind all that has been waited is told nothing. */
static void nothing_is_negative(struct kunit *test)
{
	struct kmprof_waiter one, two;
	const void *lock = lock_of(0);
	u64 told;

	KUNIT_ASSERT_TRUE(test, join_at(&one, lock, 3000));
	KUNIT_ASSERT_TRUE(test, join_at(&two, lock, 3010));
	KUNIT_EXPECT_EQ(test, blame_at(lock, 3003), 0);
	told = blame_at(lock, 3020);
	KUNIT_EXPECT_EQ(test, told, 30);
	told += acquired_at(&one, 3030);
	told += acquired_at(&two, 3040);
	KUNIT_EXPECT_EQ(test, told, kmprof_waiter_ns(&one) + kmprof_waiter_ns(&two));

	KUNIT_ASSERT_TRUE(test, join_at(&one, lock, 4000));
	KUNIT_ASSERT_TRUE(test, join_at(&two, lock, 4010));
	told = took_at(&one, 4003);
	KUNIT_EXPECT_EQ(test, told, 3);
	told += took_at(&two, 4020);
	KUNIT_EXPECT_EQ(test, told, 13);
	KUNIT_EXPECT_EQ(test, told, kmprof_waiter_ns(&one) + kmprof_waiter_ns(&two));
}

/* Two more waiters, which come between the two halves of a read. */
static struct kmprof_waiter late_waiters[2];
static unsigned int nr_late;

static void join_late(void)
{
	for (nr_late = 0; nr_late < ARRAY_SIZE(late_waiters); nr_late++)
		if (!join_at(&late_waiters[nr_late], lock_of(0), 1900))
			break;
}

/*
 * n of one waiter with the sum of three: 1 * (2000 - 1000) - 2 * 900 is negative, although
 * no clock is behind. The three have waited 1000 + 2 * 100 ns.
 */
static void halves_of_two_states_decide_nothing(struct kunit *test)
{
	const void *lock = lock_of(0);
	struct kmprof_waiter first;
	bool took;
	u64 told;

	for (took = false;; took = true) {
		KUNIT_ASSERT_TRUE(test, join_at(&first, lock, 1000));
		between_halves = join_late;
		told = took ? took_at(&first, 2000) :
			      blame_at(lock, 2000);
		KUNIT_EXPECT_PTR_EQ(test, between_halves, NULL);
		KUNIT_ASSERT_EQ(test, nr_late, ARRAY_SIZE(late_waiters));
		KUNIT_EXPECT_EQ(test, told, 1000 + 2 * 100);

		/* From then on, nothing is left of it. */
		KUNIT_EXPECT_EQ(test, blame_at(lock, 2010), took ? 2 * 10 : 3 * 10);
		if (!took)
			KUNIT_EXPECT_EQ(test, acquired_at(&first, 2010), 0);
		KUNIT_EXPECT_EQ(test, acquired_at(&late_waiters[0], 2010), 0);
		KUNIT_EXPECT_EQ(test, acquired_at(&late_waiters[1], 2010), 0);
		if (took)
			break;
	}
}

/* A clock that is behind all waiters is no reason to wait for the others for ever. */
static void a_clock_behind_is_told_from_halves(struct kunit *test)
{
	const void *lock = lock_of(0);
	struct kmprof_waiter first;

	KUNIT_ASSERT_TRUE(test, join_at(&first, lock, 1000));
	between_halves = join_late;
	KUNIT_EXPECT_EQ(test, blame_at(lock, 1010), 0);
	KUNIT_EXPECT_EQ(test, blame_at(lock, 2000), 1000 + 2 * 100);
	KUNIT_EXPECT_EQ(test, acquired_at(&first, 2000), 0);
	KUNIT_EXPECT_EQ(test, acquired_at(&late_waiters[0], 2000), 0);
	KUNIT_EXPECT_EQ(test, acquired_at(&late_waiters[1], 2000), 0);
}

static void full(struct kunit *test)
{
	struct kmprof_waiter *waiters = kunit_kcalloc(test, 2 * PLACES, sizeof(*waiters),
						      GFP_KERNEL), more;
	unsigned int i, n = 0;

	KUNIT_ASSERT_NOT_NULL(test, waiters);
	rig_holds_growth = true;
	for (i = 0; i < 2 * PLACES; i++) {
		if (!join_at(&waiters[n], lock_of(i), 100))
			continue;
		n++;
		/* Each has its own. */
		KUNIT_EXPECT_EQ(test, blame_at(lock_of(i), 150), 50);
	}
	KUNIT_EXPECT_GT(test, n, PLACES / 2);
	KUNIT_EXPECT_LE(test, n, PLACES);
	for (i = 0; i < n; i++)
		KUNIT_EXPECT_EQ(test, acquired_at(&waiters[i], 250), 100);
	/* The entries are anybody's again, and know nothing of who was there. */
	for (i = 0; i < 2 * PLACES; i++) {
		KUNIT_ASSERT_TRUE(test, join_at(&more, lock_of(1000 + i), 300));
		KUNIT_EXPECT_EQ(test, blame_at(lock_of(i), 400), 0);
		KUNIT_EXPECT_EQ(test, acquired_at(&more, 500), 200);
	}
}

/* A waiter at last, when the table has grown if need be. */
static bool join_at_last(struct kmprof_waiter *waiter, u32 lock)
{
	unsigned int tries;

	for (tries = 0; tries < 1000; tries++) {
		if (join_at(waiter, lock_of(lock), 100))
			return true;
		irq_work_sync(&entries.worker.irq);
		flush_work(&entries.worker.work);
	}
	return false;
}

/* However small the table is at first. Some locks get a second waiter when it has grown. */
static void there_is_room_for_all_locks(struct kunit *test)
{
	struct kmprof_waiter *waiters = kvcalloc(MANY, sizeof(*waiters), GFP_KERNEL);
	struct kmprof_waiter second;
	unsigned int i;
	bool ok = true;

	KUNIT_ASSERT_NOT_NULL(test, waiters);
	for (i = 0; ok && i < MANY; i++)
		ok = join_at_last(&waiters[i], i);
	KUNIT_EXPECT_TRUE_MSG(test, ok, "no room for lock %u", i);
	KUNIT_EXPECT_GT(test, kmprof_growing_nr(&entries), 1);
	KUNIT_EXPECT_LE(test, kmprof_growing_size(&entries, kmprof_growing_nr(&entries) - 1),
			8 * MANY);
	for (i = 0; ok && i < MANY; i++) {
		ok = join_at(&second, lock_of(i), 150) &&
		     second.entry == waiters[i].entry &&
		     blame_at(lock_of(i), 200) == 150 &&
		     acquired_at(&second, 203) == 3 &&
		     acquired_at(&waiters[i], 207) == 7;
	}
	KUNIT_EXPECT_TRUE_MSG(test, ok, "the waiters of lock %u are not as they were", i);
	expect_empty(test);
	kmprof_contended_forget();
	KUNIT_EXPECT_EQ(test, kmprof_growing_nr(&entries), 1);
	kvfree(waiters);
}

/* Who has waited then must not end: nobody is left whom a release is blamed for. */
static void forgotten(struct kunit *test)
{
	struct kmprof_waiter waiter;
	unsigned int i;

	for (i = 0; i < WINDOW; i++)
		KUNIT_ASSERT_TRUE(test, join_at(&waiter, lock_of(i), 100));
	kmprof_contended_forget();
	for (i = 0; i < WINDOW; i++)
		KUNIT_EXPECT_EQ(test, blame_at(lock_of(i), 200), 0);
	KUNIT_ASSERT_TRUE(test, join_at(&waiter, lock_of(0), 300));
	KUNIT_EXPECT_EQ(test, blame_at(lock_of(0), 400), 100);
	KUNIT_EXPECT_EQ(test, acquired_at(&waiter, 500), 100);
}

static void as_many_as_can_be_counted(struct kunit *test)
{
	const unsigned int most = CLAIMED - 1;
	struct kmprof_waiter *waiters = kvcalloc(most + 1, sizeof(*waiters), GFP_KERNEL);
	unsigned int i;
	u64 told;

	KUNIT_ASSERT_NOT_NULL(test, waiters);
	for (i = 0; i <= most; i++)
		if (!join_at(&waiters[i], lock_of(1), 1000 + i))
			break;
	/* One more has got an entry of its own, of the same lock. */
	KUNIT_EXPECT_EQ(test, i, most + 1);
	KUNIT_EXPECT_NE(test, waiters[most].entry, waiters[0].entry);
	told = blame_at(lock_of(1), 1000 + most);
	KUNIT_EXPECT_EQ(test, told, (u64)most * (most + 1) / 2);
	for (i = 0; i <= most; i++)
		told += gave_up_at(&waiters[i], 1000 + most);
	KUNIT_EXPECT_EQ(test, told, (u64)most * (most + 1) / 2);
	kvfree(waiters);
}

/**
 * struct crowd - threads that wait and release
 * @left: of them
 * @done: when none is left
 * @waits: ns that waits have taken
 * @told: ns that somebody was blamed for, or nobody
 * @refused: waits that there was no room for
 */
struct crowd {
	atomic_t left;
	struct completion done;
	atomic64_t waits;
	atomic64_t told;
	atomic64_t refused;
};

static int wait_and_release(void *data)
{
	static u64 (* const leave_by[])(struct kmprof_waiter *waiter, u64 now) = {
		acquired_at, acquired_at, took_at,
		gave_up_at,
	};
	struct kmprof_waiter waiters[3];
	struct crowd *crowd = data;
	struct rnd_state r;
	u64 waits = 0, told = 0;
	unsigned int i, k;

	prandom_seed_state(&r, (long)current);
	for (i = 0; i < ROUNDS; i++) {
		bool in[ARRAY_SIZE(waiters)];

		/* Many locks for few entries: they change hands all the time. */
		preempt_disable();
		for (k = 0; k < ARRAY_SIZE(waiters); k++) {
			in[k] = join_at(&waiters[k], lock_of(chance_below(&r, 2 * PLACES)),
					ktime_get_ns());
			if (!in[k])
				atomic64_inc(&crowd->refused);
		}
		preempt_enable();
		if (chance_below(&r, 16) == 0)
			cond_resched();
		preempt_disable();
		told += blame_at(lock_of(chance_below(&r, 2 * PLACES)), ktime_get_ns());
		for (k = 0; k < ARRAY_SIZE(waiters); k++) {
			if (!in[k])
				continue;
			told += leave_by[chance_below(&r, 4)](&waiters[k], ktime_get_ns());
			waits += kmprof_waiter_ns(&waiters[k]);
		}
		preempt_enable();
	}
	atomic64_add(waits, &crowd->waits);
	atomic64_add(told, &crowd->told);
	if (atomic_dec_and_test(&crowd->left))
		complete(&crowd->done);
	return 0;
}

static void nothing_is_lost_between_cpus(struct kunit *test)
{
	struct crowd *crowd = kunit_kzalloc(test, sizeof(*crowd), GFP_KERNEL);
	struct task_struct *task;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, crowd);
	init_completion(&crowd->done);
	atomic_set(&crowd->left, THREADS);
	for (i = 0; i < THREADS; i++) {
		task = kthread_create(wait_and_release, crowd, "kmprof-crowd");
		if (IS_ERR(task)) {
			KUNIT_FAIL(test, "no thread");
			if (atomic_dec_and_test(&crowd->left))
				complete(&crowd->done);
			continue;
		}
		kthread_bind(task, i % num_online_cpus());
		wake_up_process(task);
	}
	wait_for_completion(&crowd->done);
	KUNIT_EXPECT_EQ(test, atomic64_read(&crowd->told), atomic64_read(&crowd->waits));
	KUNIT_EXPECT_GT(test, atomic64_read(&crowd->waits), 0);
	KUNIT_EXPECT_LT(test, atomic64_read(&crowd->refused), THREADS * ROUNDS);
	expect_empty(test);
}

static struct kunit_case waiters_cases[] = {
	KUNIT_CASE(as_the_model),
	KUNIT_CASE(times_wrap),
	KUNIT_CASE(as_the_model_over_resets),
	KUNIT_CASE(a_release_is_of_one_era),
	KUNIT_CASE(clock_goes_back),
	KUNIT_CASE(nothing_is_negative),
	KUNIT_CASE(halves_of_two_states_decide_nothing),
	KUNIT_CASE(a_clock_behind_is_told_from_halves),
	KUNIT_CASE(full),
	KUNIT_CASE(there_is_room_for_all_locks),
	KUNIT_CASE(forgotten),
	KUNIT_CASE(as_many_as_can_be_counted),
	KUNIT_CASE(nothing_is_lost_between_cpus),
	{}
};

static struct kunit_suite waiters_suite = {
	.name		= "kmprof_contended",
	.init		= waiters_test_init,
	.exit		= waiters_test_exit,
	.test_cases	= waiters_cases,
};

kunit_test_suite(waiters_suite);
