// SPDX-License-Identifier: GPL-2.0
/*
 * A wait's way: every one that ends is in the totals, every sampled one is booked
 * once, as what became of it; and what one wait is, of several begins.
 */
#include <kunit/test.h>
#include <linux/interrupt.h>

#include "events.h"

#include "lock/contention.c"
#include "chance.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "lock/contended.h"
#include "rig.h"

static int contention_test_init(struct kunit *test)
{
	kmprof_contention_set_rate(1);
	return rig_create(test, &rig_wide_limits) ?: rig_pin();
}

static void contention_test_exit(struct kunit *test)
{
	kmprof_contention_set_rate(0);
	kmprof_blame_set_fraction(0);
	rig_holds_growth = false;
}

enum {
	WAIT_NS = 100,
};

/* For a mutex, first without and then with sleep. */
static void wait_for(const void *lock, unsigned long site)
{
	event_wait_begin(lock, KMPROF_LOCK_MUTEX, KMPROF_WAIT_SPUN);
	event_pass(WAIT_NS / 4);
	event_wait_begin(lock, KMPROF_LOCK_MUTEX, 0);
	event_pass(WAIT_NS - WAIT_NS / 4);
	event_wait_end(lock, 0, site);
}

/* The ledger has moved by one sampled wait, which became @what. */
static void expect_booked(struct kunit *test, struct kmprof_stats *stats, u64 ns,
			  enum kmprof_counter what)
{
	stats->counter[KMPROF_WAITS]++;
	stats->counter[KMPROF_WAIT_NS] += ns;
	stats->counter[KMPROF_WAITS_SAMPLED]++;
	stats->counter[what]++;
	kmprof_drain_stop();
	rig_expect_stats(test, stats);
}

static void a_wait_is_booked_once(struct kunit *test)
{
	struct kmprof_scratch *scratch;
	struct kmprof_stats stats;
	unsigned int i;

	rig_stats(&stats);
	/* New, and then known. */
	for (i = 0; i < 2; i++) {
		wait_for(rig_lock(0), event_site(1));
		expect_booked(test, &stats, WAIT_NS, KMPROF_WAITS_COUNTED);
	}
	KUNIT_EXPECT_EQ(test, rig_nr_buckets(), 1);

	wait_for(rig_lock(0), event_site(1) | SITE_OWN);
	expect_booked(test, &stats, WAIT_NS, KMPROF_LOSS_WAIT_OWN);

	preempt_disable();
	scratch = kmprof_guard_enter();
	wait_for(rig_lock(0), event_site(1));
	if (scratch)
		kmprof_guard_leave(scratch);
	preempt_enable();
	KUNIT_EXPECT_NOT_NULL(test, scratch);
	expect_booked(test, &stats, WAIT_NS, KMPROF_LOSS_WAIT_NESTED);

	/* The scratch is free again. */
	wait_for(rig_lock(0), event_site(1));
	expect_booked(test, &stats, WAIT_NS, KMPROF_WAITS_COUNTED);
}

/* Also when the clock has not moved, or another CPU's is behind. */
static void a_wait_takes_time(struct kunit *test)
{
	struct kmprof_stats stats;
	int ns;

	rig_stats(&stats);
	for (ns = -10; ns <= 10; ns += 10) {
		event_wait_begin(rig_lock(0), KMPROF_LOCK_RWSEM, 0);
		event_pass(ns);
		event_wait_end(rig_lock(0), 0, event_site(1));
		expect_booked(test, &stats, max(ns, 1), KMPROF_WAITS_COUNTED);
	}
}

static void an_end_needs_a_begin(struct kunit *test)
{
	struct kmprof_stats stats;

	rig_stats(&stats);
	event_wait_end(rig_lock(0), 0, event_site(1));
	stats.counter[KMPROF_LOSS_WAIT_UNPAIRED]++;
	rig_expect_stats(test, &stats);
}

static bool cancel(const void *lock)
{
	bool done;

	preempt_disable();
	done = kmprof_contention_cancel(lock);
	preempt_enable();
	return done;
}

/*
 * A wait whose begin finds no room is in the totals when it ends, and told as lost, once, however
 * many begins it has; no release is blamed for it.
 */
static void a_full_table_is_told(struct kunit *test)
{
	const u32 kinds[] = { KMPROF_LOCK_RWSEM, KMPROF_LOCK_MUTEX };
	struct kmprof_stats stats;
	unsigned int i, k;

	rig_holds_growth = true;
	kmprof_blame_set_fraction(1);
	rig_stats(&stats);
	/* A task's waits are in few places. */
	for (i = 0; i < kmprof_limits.max_waits; i++)
		event_wait_begin(rig_lock(i), KMPROF_LOCK_RWSEM, 0);
	rig_expect_stats(test, &stats);
	for (k = 0; k < ARRAY_SIZE(kinds); k++) {
		event_wait_begin(rig_lock(i), kinds[k], KMPROF_WAIT_SPUN);
		event_wait_begin(rig_lock(i), kinds[k], 0);
		event_pass(10);
		event_release(rig_lock(i), kinds[k], 0, event_site(1));
		event_wait_end(rig_lock(i), 0, event_site(1));
		stats.counter[KMPROF_WAITS]++;
		stats.counter[KMPROF_WAITS_SAMPLED]++;
		stats.counter[KMPROF_LOSS_WAIT_TABLE_FULL]++;
		rig_expect_stats(test, &stats);
		/* What turns out to be no wait is none there, too. */
		event_wait_begin(rig_lock(i), kinds[k], 0);
		KUNIT_EXPECT_TRUE(test, cancel(rig_lock(i)));
		rig_expect_stats(test, &stats);
	}
}

/* An end without a begin is none without room, also when there was such a wait before. */
static void a_full_table_is_no_excuse(struct kunit *test)
{
	struct kmprof_stats stats;
	unsigned int i;

	rig_holds_growth = true;
	for (i = 0; i <= kmprof_limits.max_waits; i++)
		event_wait_begin(rig_lock(i), KMPROF_LOCK_RWSEM, 0);
	event_pass(WAIT_NS);
	for (i = 0; i <= kmprof_limits.max_waits; i++)
		event_wait_end(rig_lock(i), 0, event_site(1));
	kmprof_drain_stop();
	rig_stats(&stats);
	KUNIT_EXPECT_EQ(test, stats.counter[KMPROF_WAITS], i);
	KUNIT_EXPECT_GT(test, stats.counter[KMPROF_LOSS_WAIT_TABLE_FULL], 0);
	KUNIT_EXPECT_EQ(test, stats.counter[KMPROF_LOSS_WAIT_UNPAIRED], 0);

	event_wait_end(rig_lock(0), 0, event_site(1));
	stats.counter[KMPROF_LOSS_WAIT_UNPAIRED]++;
	rig_expect_stats(test, &stats);
	KUNIT_EXPECT_FALSE(test, cancel(rig_lock(0)));
}

/* The stack is where the lock's function returns to. */
static void an_end_can_be_a_return(struct kunit *test)
{
	struct kmprof_stats stats;
	struct kmprof_bucket *b;

	rig_stats(&stats);
	event_wait_begin(rig_lock(0), KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE);
	event_pass(WAIT_NS);
	event_wait_return(rig_lock(0), KMPROF_WAIT_SPUN, event_site(7));
	expect_booked(test, &stats, WAIT_NS, KMPROF_WAITS_COUNTED);
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b) {
		KUNIT_EXPECT_EQ(test, b->frames[0], event_site(7));
		KUNIT_EXPECT_EQ(test, kmprof_bucket_flags(&b->key),
				KMPROF_WAIT_WRITE | KMPROF_WAIT_SPUN);
	}
	mutex_unlock(&kmprof_cycle_lock);
}

/* What was no wait is none in the totals; a release finds nobody there. */
static void a_cancelled_wait_is_none(struct kunit *test)
{
	struct kmprof_stats stats;
	unsigned int i;

	for (i = 0; i < 4; i++) {
		kmprof_blame_set_fraction(i % 2);
		rig_stats(&stats);
		event_wait_begin(rig_lock(0), KMPROF_LOCK_MUTEX, 0);
		event_pass(WAIT_NS);
		KUNIT_EXPECT_TRUE(test, cancel(rig_lock(0)));
		/* Nor was there another one. */
		KUNIT_EXPECT_FALSE(test, cancel(rig_lock(0)));
		preempt_disable();
		KUNIT_EXPECT_FALSE(test, kmprof_inflight_has(rig_lock(0)));
		preempt_enable();
		event_release(rig_lock(0), KMPROF_LOCK_MUTEX, 0, event_site(1));
		rig_expect_stats(test, &stats);
	}
}

/* Somebody has been blamed for it: it was one. */
static void a_blamed_wait_cannot_be_cancelled(struct kunit *test)
{
	struct kmprof_stats stats;

	kmprof_blame_set_fraction(1);
	event_wait_begin(rig_lock(0), KMPROF_LOCK_RWSEM, 0);
	event_pass(WAIT_NS);
	event_release(rig_lock(0), KMPROF_LOCK_RWSEM, 0, event_site(1));
	kmprof_drain_stop();
	rig_stats(&stats);
	KUNIT_EXPECT_FALSE(test, cancel(rig_lock(0)));
	event_wait_return(rig_lock(0), 0, event_site(2));
	expect_booked(test, &stats, WAIT_NS, KMPROF_WAITS_COUNTED);
}

/* What another task does, which waits in the table of contended locks only. */
static bool other_joins(struct kmprof_waiter *other, const void *lock)
{
	unsigned int slot = kmprof_slot();

	return kmprof_contended_join(other, lock, event_now(), &slot);
}

static u64 other_acquired(struct kmprof_waiter *other)
{
	unsigned int slot = kmprof_slot();

	return kmprof_contended_acquired(other, event_now(), &slot);
}

static u64 other_gave_up(struct kmprof_waiter *other)
{
	unsigned int slot = kmprof_slot();

	return kmprof_contended_gave_up(other, event_now(), &slot);
}

/* Who has it before the others that queue leaves them to the release. */
static void who_jumps_the_queue_is_told_apart(struct kunit *test)
{
	struct kmprof_waiter other;
	u64 blamed;

	kmprof_blame_set_fraction(1);
	preempt_disable();
	KUNIT_EXPECT_TRUE(test, other_joins(&other, rig_lock(0)));
	event_pass(1000);
	event_wait_begin(rig_lock(0), KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE);
	event_pass(WAIT_NS);
	kmprof_contention_jumped_queue(rig_lock(0));
	event_wait_return(rig_lock(0), KMPROF_WAIT_SPUN, event_site(2));
	event_release(rig_lock(0), KMPROF_LOCK_RWSEM, 0, event_site(1));
	blamed = rig_counter(KMPROF_BLAMED_NS);
	other_acquired(&other);
	/* Whose it is not: then there is nothing to be told. */
	kmprof_contention_jumped_queue(rig_lock(0));
	preempt_enable();
	KUNIT_EXPECT_EQ(test, blamed, 1000 + WAIT_NS);
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_UNBLAMED_NS), WAIT_NS);
}

/* What others have left there, is told by who goes last, and has not waited itself. */
static void who_cancels_tells_what_others_left(struct kunit *test)
{
	struct kmprof_waiter other;
	struct kmprof_stats stats;
	u64 left;

	kmprof_blame_set_fraction(1);
	preempt_disable();
	KUNIT_EXPECT_TRUE(test, other_joins(&other, rig_lock(0)));
	event_pass(1000);
	event_wait_begin(rig_lock(0), KMPROF_LOCK_RWSEM, 0);
	left = other_gave_up(&other);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, left, 0);
	event_pass(WAIT_NS);
	rig_stats(&stats);
	KUNIT_EXPECT_TRUE(test, cancel(rig_lock(0)));
	kmprof_drain_stop();
	stats.counter[KMPROF_UNBLAMED_NS] += 1000;
	stats.counter[KMPROF_DELAYS_SAMPLED]++;
	stats.counter[KMPROF_DELAYS_COUNTED]++;
	rig_expect_stats(test, &stats);
}

static void exit_task(void)
{
	preempt_disable();
	kmprof_contention_exit();
	preempt_enable();
}

/*
 * A task that exits while it waits leaves no waiter behind: its wait is in the totals, and told
 * as lost. Of two, the first one was blamed on a release in part.
 */
static void who_exits_waits_no_more(struct kunit *test)
{
	struct kmprof_stats stats;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		kmprof_blame_set_fraction(i);
		rig_stats(&stats);
		event_wait_begin(rig_lock(0), KMPROF_LOCK_SEMAPHORE, 0);
		event_wait_begin(rig_lock(1), KMPROF_LOCK_RWSEM, KMPROF_WAIT_READ);
		event_pass(WAIT_NS);
		event_release(rig_lock(0), KMPROF_LOCK_SEMAPHORE, 0, event_site(1));
		event_pass(WAIT_NS);
		exit_task();
		kmprof_drain_stop();
		stats.counter[KMPROF_WAITS] += 2;
		stats.counter[KMPROF_WAIT_NS] += 4 * WAIT_NS;
		stats.counter[KMPROF_WAITS_SAMPLED] += 2;
		stats.counter[KMPROF_LOSS_WAIT_DIED] += 2;
		stats.counter[KMPROF_RELEASES] += i;
		stats.counter[KMPROF_BLAMED_NS] += i * WAIT_NS;
		stats.counter[KMPROF_UNBLAMED_NS] += i * 3 * WAIT_NS;
		stats.counter[KMPROF_DELAYS_SAMPLED] += i * 3;
		stats.counter[KMPROF_DELAYS_COUNTED] += i * 3;
		rig_expect_stats(test, &stats);

		/* Nobody waits there. */
		event_pass(WAIT_NS);
		event_release(rig_lock(0), KMPROF_LOCK_SEMAPHORE, 0, event_site(1));
		event_release(rig_lock(1), KMPROF_LOCK_RWSEM, 0, event_site(1));
		exit_task();
		rig_expect_stats(test, &stats);
	}
}

static void expect_wait(const void *lock)
{
	preempt_disable();
	kmprof_contention_expect(lock, KMPROF_LOCK_PERCPU_RWSEM, KMPROF_WAIT_WRITE);
	preempt_enable();
}

static void begin_expected(const void *lock)
{
	preempt_disable();
	kmprof_contention_expected(lock);
	preempt_enable();
}

/* Only from then on: what is released before makes nobody wait. */
static void an_expected_wait_begins_later(struct kunit *test)
{
	struct kmprof_stats stats;

	kmprof_blame_set_fraction(1);
	rig_stats(&stats);
	/* Of nothing. */
	begin_expected(rig_lock(0));
	expect_wait(rig_lock(0));
	event_pass(1000);
	event_release(rig_lock(0), KMPROF_LOCK_PERCPU_RWSEM, 0, event_site(1));
	begin_expected(rig_lock(0));
	event_pass(WAIT_NS);
	/* It has begun. */
	begin_expected(rig_lock(0));
	event_wait_return(rig_lock(0), 0, event_site(2));
	stats.counter[KMPROF_UNBLAMED_NS] += WAIT_NS;
	stats.counter[KMPROF_DELAYS_SAMPLED]++;
	stats.counter[KMPROF_DELAYS_COUNTED]++;
	expect_booked(test, &stats, WAIT_NS, KMPROF_WAITS_COUNTED);

	/* And if it does not, it was none. */
	expect_wait(rig_lock(0));
	event_pass(1000);
	event_wait_return(rig_lock(0), 0, event_site(2));
	rig_expect_stats(test, &stats);
	preempt_disable();
	KUNIT_EXPECT_FALSE(test, kmprof_inflight_has(rig_lock(0)));
	preempt_enable();

	/* Nor if the task exits first. */
	expect_wait(rig_lock(0));
	exit_task();
	rig_expect_stats(test, &stats);
}

/* A rwlock's queue is a part of it. */
static void a_rwlock_is_one_wait(struct kunit *test)
{
	const void *part = rig_lock(0) + offsetof(struct qrwlock, wait_lock);
	struct kmprof_stats stats;

	rig_stats(&stats);
	preempt_disable();
	event_wait_begin(rig_lock(0), KMPROF_LOCK_RWLOCK, KMPROF_WAIT_WRITE);
	event_wait_begin(part, KMPROF_LOCK_SPINLOCK, 0);
	event_pass(WAIT_NS);
	event_wait_end(part, 0, event_site(3));
	event_wait_end(rig_lock(0), 0, event_site(3));
	preempt_enable();
	expect_booked(test, &stats, WAIT_NS, KMPROF_WAITS_COUNTED);
}

/* With PREEMPT_RT a softirq sleeps for locks. */
static void wait_in_softirq(struct tasklet_struct *unused)
{
	wait_for(rig_lock(1), event_site(4));
}

static void a_softirq_waits_as_a_task(struct kunit *test)
{
	struct tasklet_struct tasklet;
	struct kmprof_stats stats;

	rig_stats(&stats);
	tasklet_setup(&tasklet, wait_in_softirq);
	tasklet_schedule(&tasklet);
	tasklet_unlock_wait(&tasklet);
	tasklet_kill(&tasklet);
	expect_booked(test, &stats, WAIT_NS, KMPROF_WAITS_COUNTED);
	preempt_disable();
	KUNIT_EXPECT_FALSE(test, kmprof_inflight_has(rig_lock(1)));
	preempt_enable();
}

/* Neither begins anything, nor ends what it has interrupted. */
static void an_nmi_touches_nothing(struct kunit *test)
{
	const void *lock = rig_lock(0);
	struct kmprof_stats stats;
	unsigned int i;

	kmprof_blame_set_fraction(1);
	rig_stats(&stats);
	for (i = 0; i < 2; i++) {
		event_interrupt_begin(NMI_OFFSET);
		event_wait_begin(lock, KMPROF_LOCK_RWSEM, 0);
		event_wait_begin(lock, KMPROF_LOCK_SPINLOCK, 0);
		event_wait_end(lock, 0, event_site(1));
		event_interrupt_end(NMI_OFFSET);
		stats.counter[KMPROF_LOSS_WAIT_UNPAIRED]++;
		rig_expect_stats(test, &stats);
		preempt_disable();
		KUNIT_EXPECT_EQ(test, kmprof_inflight_has(lock), i);
		preempt_enable();
		if (i)
			break;
		event_wait_begin(lock, KMPROF_LOCK_RWSEM, 0);
		event_pass(WAIT_NS);
	}
	event_wait_end(lock, 0, event_site(1));
	stats.counter[KMPROF_UNBLAMED_NS] += WAIT_NS;
	stats.counter[KMPROF_DELAYS_SAMPLED]++;
	stats.counter[KMPROF_DELAYS_COUNTED]++;
	expect_booked(test, &stats, WAIT_NS, KMPROF_WAITS_COUNTED);
}

/**
 * struct twice - a wait that begins twice
 * @kind: of the lock, as both say
 * @flags: of both
 */
struct twice {
	u32 kind[2];
	u32 flags[2];
};

enum {
	SLEEPING_KINDS	= KMPROF_LOCK_PERCPU_RWSEM,
	NR_TWICE	= SLEEPING_KINDS * SLEEPING_KINDS * 4,
};

/* Every one of NR_TWICE. */
static struct twice twice_of(unsigned int n)
{
	return (struct twice) {
		.kind[0] = 1 + n / 4 / SLEEPING_KINDS,
		.kind[1] = 1 + n / 4 % SLEEPING_KINDS,
		.flags[0] = KMPROF_WAIT_READ | (n & 1 ? KMPROF_WAIT_SPUN : 0),
		.flags[1] = KMPROF_WAIT_READ | (n & 2 ? KMPROF_WAIT_SPUN : 0),
	};
}

static bool is_once(const struct twice *t)
{
	return t->kind[0] == KMPROF_LOCK_MUTEX && t->kind[1] == KMPROF_LOCK_MUTEX;
}

/* Of whatever else begins anew, the end was missed: it counts from then on. */
static void only_a_mutex_goes_on(struct kunit *test)
{
	unsigned int n, buckets = 0;
	struct kmprof_stats stats;
	struct kmprof_bucket *b;
	struct twice t;

	rig_stats(&stats);
	for (n = 0; n < NR_TWICE; n++) {
		t = twice_of(n);
		event_wait_begin(rig_lock(0), t.kind[0], t.flags[0]);
		event_pass(30);
		event_wait_begin(rig_lock(0), t.kind[1], t.flags[1]);
		event_pass(70);
		event_wait_end(rig_lock(0), KMPROF_WAIT_FAILED, event_site(n));
		expect_booked(test, &stats, is_once(&t) ? 100 : 70, KMPROF_WAITS_COUNTED);
	}
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_advance();
	kmprof_cycle_for_each_bucket(b) {
		t = twice_of(event_site_number(b->frames[0]));
		KUNIT_EXPECT_EQ(test, kmprof_bucket_kind(&b->key), t.kind[1]);
		KUNIT_EXPECT_EQ(test, kmprof_bucket_flags(&b->key), KMPROF_WAIT_FAILED |
				(is_once(&t) ? t.flags[0] & t.flags[1] : t.flags[1]));
		KUNIT_EXPECT_EQ(test, b->active.delay, is_once(&t) ? 100 : 70);
		buckets++;
	}
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_EXPECT_EQ(test, buckets, NR_TWICE);
}

/* Begun, begun again, and ended by a release; returns what that was blamed for. */
static u64 wait_again(const void *lock, u32 kind, u64 first, u64 second)
{
	u64 blamed = rig_counter(KMPROF_BLAMED_NS);

	event_wait_begin(lock, kind, 0);
	event_pass(first);
	event_wait_begin(lock, kind, 0);
	event_pass(second);
	event_release(lock, kind, 0, event_site(1));
	event_wait_end(lock, 0, event_site(1));
	return rig_counter(KMPROF_BLAMED_NS) - blamed;
}

/* A release wakes those that wait: none whose end was missed, and a mutex's once. */
static void a_missed_end_leaves_no_waiter(struct kunit *test)
{
	static const u32 kinds[] = { KMPROF_LOCK_RWSEM, KMPROF_LOCK_MUTEX };
	unsigned int slot = kmprof_slot(), i;
	struct kmprof_waiter other;

	kmprof_blame_set_fraction(1);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		u64 blamed, unblamed = rig_counter(KMPROF_UNBLAMED_NS);
		bool on = kinds[i] == KMPROF_LOCK_MUTEX;
		const void *lock = rig_lock(i);

		KUNIT_EXPECT_EQ(test, wait_again(lock, kinds[i], 100, 10), on ? 110 : 10);
		KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_UNBLAMED_NS) - unblamed, on ? 0 : 100);
		event_pass(1000);
		KUNIT_EXPECT_EQ(test, kmprof_contended_blame(lock, event_now(), &slot), 0);

		/* It has waited until then, if the release of another one comes to know. */
		preempt_disable();
		KUNIT_EXPECT_TRUE(test, other_joins(&other, lock));
		blamed = wait_again(lock, kinds[i], 100, 10);
		KUNIT_EXPECT_EQ(test, blamed, 110 + 110);
		event_pass(1000);
		KUNIT_EXPECT_EQ(test, other_acquired(&other), 1000);
		preempt_enable();
	}
}

/*
 * Of a wait in flight at a reset, the totals and the rows have what comes after it, whether or
 * not its releases are followed.
 */
static void a_wait_counts_from_the_reset_on(struct kunit *test)
{
	static const u32 kinds[] = { KMPROF_LOCK_MUTEX, KMPROF_LOCK_SPINLOCK };
	struct kmprof_stats stats;
	struct kmprof_bucket *b;
	unsigned int i;

	for (i = 0; i < 2 * ARRAY_SIZE(kinds); i++) {
		kmprof_blame_set_fraction(i / 2);
		event_wait_begin(rig_lock(0), kinds[i % 2], 0);
		event_pass(1000);
		rig_reset();
		rig_stats(&stats);
		event_pass(WAIT_NS);
		event_wait_end(rig_lock(0), 0, event_site(1));
		stats.counter[KMPROF_UNBLAMED_NS] += i / 2 * WAIT_NS;
		stats.counter[KMPROF_DELAYS_SAMPLED] += i / 2;
		stats.counter[KMPROF_DELAYS_COUNTED] += i / 2;
		expect_booked(test, &stats, WAIT_NS, KMPROF_WAITS_COUNTED);
		mutex_lock(&kmprof_cycle_lock);
		kmprof_cycle_advance();
		kmprof_cycle_for_each_bucket(b)
			KUNIT_EXPECT_EQ(test, b->active.delay, WAIT_NS);
		mutex_unlock(&kmprof_cycle_lock);
	}
}

/* A part of it was blamed, but not since the reset: the sums know nothing of it. */
static void what_was_blamed_before_a_reset_can_be_cancelled(struct kunit *test)
{
	struct kmprof_stats stats;

	kmprof_blame_set_fraction(1);
	event_wait_begin(rig_lock(0), KMPROF_LOCK_RWSEM, 0);
	event_pass(WAIT_NS);
	event_release(rig_lock(0), KMPROF_LOCK_RWSEM, 0, event_site(1));
	rig_reset();
	rig_stats(&stats);
	event_pass(WAIT_NS);
	KUNIT_EXPECT_TRUE(test, cancel(rig_lock(0)));
	rig_expect_stats(test, &stats);
}

/* Who spins is woken by nobody. */
static void a_release_does_not_end_a_spin(struct kunit *test)
{
	static const u32 kinds[] = { KMPROF_LOCK_SPINLOCK, KMPROF_LOCK_RWLOCK };
	struct kmprof_stats stats;
	unsigned int i;

	kmprof_blame_set_fraction(1);
	rig_stats(&stats);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		preempt_disable();
		event_wait_begin(rig_lock(i), kinds[i], 0);
		event_pass(WAIT_NS / 2);
		event_release(rig_lock(i), kinds[i], 0, event_site(1));
		event_pass(WAIT_NS / 2);
		event_wait_end(rig_lock(i), 0, event_site(2));
		preempt_enable();
		stats.counter[KMPROF_UNBLAMED_NS] += WAIT_NS;
		stats.counter[KMPROF_DELAYS_SAMPLED]++;
		stats.counter[KMPROF_DELAYS_COUNTED]++;
		expect_booked(test, &stats, WAIT_NS, KMPROF_WAITS_COUNTED);
	}
}

/* With all sampled, both profiles' sums are the totals, cycle by cycle. */
static void buckets_add_up_to_the_totals(struct kunit *test)
{
	const u64 *counter = kmprof_published.stats.counter;
	struct kmprof_bucket *b;
	struct rnd_state r;
	const unsigned int block = kmprof_block_profile.profile.index;
	const unsigned int mutex = kmprof_mutex_profile.profile.index;
	unsigned int i, k;

	kmprof_blame_set_fraction(1);
	prandom_seed_state(&r, 1);
	for (i = 0; i < 10; i++) {
		u64 waits[KMPROF_PROFILES_MAX] = {}, delay[KMPROF_PROFILES_MAX] = {};

		for (k = chance_below(&r, 300); k; k--) {
			u32 site = chance_below(&r, 10), kind = 1 + chance_below(&r, 7);
			const void *lock = rig_lock(kind);

			preempt_disable();
			event_wait_begin(lock, kind, 0);
			event_pass(1 + chance_below(&r, 1000));
			if (chance_below(&r, 4)) {
				event_release(lock, kind, 0, event_site(20 + site));
				event_pass(chance_below(&r, 100));
			}
			event_wait_end(lock, chance_below(&r, 4) ? 0 : KMPROF_WAIT_FAILED,
				       event_site(site));
			preempt_enable();
			if (chance_below(&r, 2))
				kmprof_drain();
		}
		mutex_lock(&kmprof_cycle_lock);
		kmprof_cycle_advance();
		kmprof_cycle_for_each_bucket(b) {
			waits[b->key.profile->index] += b->active.waits;
			delay[b->key.profile->index] += b->active.delay;
		}
		mutex_unlock(&kmprof_cycle_lock);
		KUNIT_EXPECT_EQ(test, counter[KMPROF_WAITS_SAMPLED], counter[KMPROF_WAITS]);
		KUNIT_EXPECT_EQ(test, counter[KMPROF_WAITS_COUNTED], counter[KMPROF_WAITS]);
		KUNIT_EXPECT_EQ(test, waits[block],
				counter[KMPROF_WAITS] << KMPROF_WAIT_COUNT_SHIFT);
		KUNIT_EXPECT_EQ(test, delay[block], counter[KMPROF_WAIT_NS]);

		KUNIT_EXPECT_EQ(test, counter[KMPROF_DELAYS_COUNTED],
				counter[KMPROF_DELAYS_SAMPLED]);
		KUNIT_EXPECT_EQ(test, waits[mutex],
				counter[KMPROF_DELAYS_SAMPLED] << KMPROF_WAIT_COUNT_SHIFT);
		KUNIT_EXPECT_EQ(test, delay[mutex], counter[KMPROF_WAIT_NS]);
		KUNIT_EXPECT_EQ(test, counter[KMPROF_BLAMED_NS] + counter[KMPROF_UNBLAMED_NS],
				counter[KMPROF_WAIT_NS]);
	}
	KUNIT_EXPECT_GT(test, counter[KMPROF_WAITS], 500);
	KUNIT_EXPECT_GT(test, counter[KMPROF_RELEASES], 200);
}

static struct kunit_case contention_cases[] = {
	KUNIT_CASE(a_wait_is_booked_once),
	KUNIT_CASE(a_wait_takes_time),
	KUNIT_CASE(an_end_needs_a_begin),
	KUNIT_CASE(a_full_table_is_told),
	KUNIT_CASE(a_full_table_is_no_excuse),
	KUNIT_CASE(a_rwlock_is_one_wait),
	KUNIT_CASE(an_end_can_be_a_return),
	KUNIT_CASE(a_cancelled_wait_is_none),
	KUNIT_CASE(a_blamed_wait_cannot_be_cancelled),
	KUNIT_CASE(who_jumps_the_queue_is_told_apart),
	KUNIT_CASE(who_cancels_tells_what_others_left),
	KUNIT_CASE(who_exits_waits_no_more),
	KUNIT_CASE(an_expected_wait_begins_later),
	KUNIT_CASE(a_softirq_waits_as_a_task),
	KUNIT_CASE(an_nmi_touches_nothing),
	KUNIT_CASE(only_a_mutex_goes_on),
	KUNIT_CASE(a_missed_end_leaves_no_waiter),
	KUNIT_CASE(a_wait_counts_from_the_reset_on),
	KUNIT_CASE(what_was_blamed_before_a_reset_can_be_cancelled),
	KUNIT_CASE(a_release_does_not_end_a_spin),
	KUNIT_CASE(buckets_add_up_to_the_totals),
	{}
};

static struct kunit_suite contention_suite = {
	.name		= "kmprof_contention",
	.init		= contention_test_init,
	.exit		= contention_test_exit,
	.test_cases	= contention_cases,
};

kunit_test_suite(contention_suite);
