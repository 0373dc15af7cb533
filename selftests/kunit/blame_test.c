// SPDX-License-Identifier: GPL-2.0
/*
 * Blame: of what waits have taken, each ns is some release's fault or nobody's, in
 * any history; a sample of both stands for all of it; and who has waited is
 * followed no longer than that.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/limits.h>
#include <linux/spinlock.h>

#include "events.h"

#include "lock/blame.c"
#include "lock/lock_profile.h"
#include "chance.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "rig.h"

enum {
	LOCKS	= 4,
	WAITERS	= 24,
	STEPS	= 100000,
};

static int blame_test_init(struct kunit *test)
{
	int err = rig_create(test, &rig_wide_limits) ?: rig_pin();

	rig_seed(1);
	kmprof_blame_set_fraction(1);
	return err;
}

static void blame_test_exit(struct kunit *test)
{
	kmprof_blame_set_fraction(0);
	rig_holds_growth = false;
}

static void begin(struct kmprof_wait *wait, const void *lock, u32 kind, u32 flags)
{
	*wait = (struct kmprof_wait) {
		.lock = lock, .since = event_now(), .kind = kind, .flags = flags,
	};
	preempt_disable();
	kmprof_blame_begin(wait);
	preempt_enable();
}

/* Returns ns; @wait has the era in which they count. */
static u64 end_at(struct kmprof_wait *wait, u64 now)
{
	unsigned int slot;
	u64 ns;

	preempt_disable();
	slot = kmprof_slot();
	ns = kmprof_blame_end(wait, now, &slot);
	wait->era = kmprof_era(slot)->number;
	preempt_enable();
	wait->lock = NULL;
	return ns;
}

static u64 end(struct kmprof_wait *wait, u32 flags)
{
	wait->flags |= flags;
	return end_at(wait, event_now());
}

static void give_up(struct kmprof_wait *wait)
{
	preempt_disable();
	kmprof_blame_give_up(wait, event_now());
	preempt_enable();
}

/* Of a lock whose waiters are followed; who spins is not. */
static u64 spin(const void *lock, u64 ns)
{
	struct kmprof_wait wait = {
		.lock = lock, .since = event_now(), .kind = KMPROF_LOCK_SPINLOCK,
	};

	event_pass(ns);
	return end(&wait, 0);
}

/* A release at @site has waited for nobody: nothing moves. */
static void expect_nothing(struct kunit *test, const void *lock)
{
	struct kmprof_stats before;

	kmprof_drain_stop();
	rig_stats(&before);
	event_release(lock, KMPROF_LOCK_RWSEM, 0, event_site(99));
	kmprof_drain_stop();
	rig_expect_stats(test, &before);
}

/* The sums of the buckets with a site, or, with 0, of those of nobody's. */
static struct kmprof_bucket_counts sums_of(unsigned long site)
{
	struct kmprof_bucket_counts sum = {};
	struct kmprof_bucket *b;

	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b) {
		if (site ? !b->key.nr_words || b->frames[0] != site : b->key.nr_words)
			continue;
		sum.waits += b->active.waits;
		sum.delay += b->active.delay;
		sum.longest = max(sum.longest, b->active.longest);
	}
	mutex_unlock(&kmprof_cycle_lock);
	return sum;
}

static void expect_sums(struct kunit *test, unsigned long site, u64 number, u64 ns, u64 longest)
{
	struct kmprof_bucket_counts sum = sums_of(site);

	KUNIT_EXPECT_EQ(test, sum.waits, number << KMPROF_WAIT_COUNT_SHIFT);
	KUNIT_EXPECT_EQ(test, sum.delay, ns);
	KUNIT_EXPECT_EQ(test, sum.longest, longest);
}

/* Of all that wait, by who releases; what comes after that is nobody's fault. */
static void a_release_is_blamed_for_its_waiters(struct kunit *test)
{
	struct kmprof_wait first, second, other;
	const void *lock = rig_lock(1);
	struct kmprof_bucket *b;

	begin(&other, rig_lock(2), KMPROF_LOCK_MUTEX, 0);
	begin(&first, lock, KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE);
	event_pass(30);
	begin(&second, lock, KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE);
	event_pass(70);
	event_release(lock, KMPROF_LOCK_RWSEM, KMPROF_WAIT_READ, event_site(1));
	event_pass(5);
	end(&first, 0);
	event_pass(95);
	event_release(lock, KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE, event_site(2));
	event_pass(3);
	end(&second, 0);
	rig_advance();
	expect_sums(test, event_site(1), 1, 100 + 70, 100 + 70);
	expect_sums(test, event_site(2), 1, 100, 100);
	expect_sums(test, 0, 2, 5 + 3, 5);

	/* Blame has the flags of the release, and the rest those of the wait. */
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b) {
		u32 flags = kmprof_bucket_flags(&b->key);

		KUNIT_EXPECT_PTR_EQ(test, b->key.profile, &kmprof_mutex_profile.profile);
		KUNIT_EXPECT_EQ(test, kmprof_bucket_kind(&b->key), KMPROF_LOCK_RWSEM);
		KUNIT_EXPECT_EQ(test, b->key.period, 1);
		if (!b->key.nr_words)
			KUNIT_EXPECT_EQ(test, flags, KMPROF_WAIT_UNBLAMED | KMPROF_WAIT_WRITE);
		else if (b->frames[0] == event_site(1))
			KUNIT_EXPECT_EQ(test, flags, KMPROF_WAIT_READ);
	}
	mutex_unlock(&kmprof_cycle_lock);
	end(&other, 0);
}

/* What another one goes on waiting for, while the first ends its wait. */
static void who_goes_on_waiting_has_a_release_to_blame(struct kunit *test)
{
	static const struct {
		u32 kind, begin, end;
		bool goes_on, jumps_queue;
	} ways[] = {
		{ KMPROF_LOCK_MUTEX, 0, 0, true },
		{ KMPROF_LOCK_MUTEX, 0, KMPROF_WAIT_FAILED, true },
		{ KMPROF_LOCK_RWSEM, KMPROF_WAIT_READ, 0, true },
		{ KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE, 0, true },
		/* Until then, it has not been waited for who has got it. */
		{ KMPROF_LOCK_MUTEX, KMPROF_WAIT_SPUN, 0, false },
		{ KMPROF_LOCK_MUTEX, KMPROF_WAIT_SPUN, KMPROF_WAIT_FAILED, true },
		{ KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE, KMPROF_WAIT_SPUN, false },
		{ KMPROF_LOCK_RWSEM, KMPROF_WAIT_READ, KMPROF_WAIT_SPUN, false },
		/* Before who has had it gets to wake others. */
		{ KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE, KMPROF_WAIT_SPUN, true, true },
		/* Who waits for one of these has to be woken. */
		{ KMPROF_LOCK_SEMAPHORE, 0, KMPROF_WAIT_SPUN, true },
		{ KMPROF_LOCK_RTMUTEX, 0, KMPROF_WAIT_SPUN, true },
		{ KMPROF_LOCK_PERCPU_RWSEM, KMPROF_WAIT_WRITE, KMPROF_WAIT_SPUN, true },
	};
	struct kmprof_wait first, second;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		bool failed = ways[i].end & KMPROF_WAIT_FAILED;
		const void *lock = rig_lock(i);
		u64 blamed = rig_counter(KMPROF_BLAMED_NS);
		u64 unblamed = rig_counter(KMPROF_UNBLAMED_NS);

		begin(&first, lock, ways[i].kind, ways[i].begin);
		event_pass(10);
		begin(&second, lock, ways[i].kind, ways[i].begin);
		event_pass(100);
		first.jumped_queue = ways[i].jumps_queue;
		end(&first, ways[i].end);
		event_pass(1000);
		event_release(lock, ways[i].kind, 0, event_site(1));
		end(&second, 0);
		/* Who gives up leaves what he has waited to the release, too. */
		blamed = rig_counter(KMPROF_BLAMED_NS) - blamed;
		KUNIT_EXPECT_EQ_MSG(test, blamed, 1000 + (ways[i].goes_on ? 100 : 0) +
				    (failed ? 110 : 0), "way %u", i);
		unblamed = rig_counter(KMPROF_UNBLAMED_NS) - unblamed;
		KUNIT_EXPECT_EQ_MSG(test, blamed + unblamed, 110 + 1100, "way %u", i);
		expect_nothing(test, lock);
	}
}

/*
 * What comes before is nobody's fault, whoever waited: with the end of the wait, it is a part of
 * what is unblamed. What comes after has a release to blame.
 */
static void what_is_excused_is_not_blamed(struct kunit *test)
{
	struct kmprof_wait first, second;
	const void *lock = rig_lock(1);
	struct kmprof_stats want;
	bool given_up;

	for (given_up = false;; given_up = true) {
		rig_stats(&want);
		begin(&first, lock, KMPROF_LOCK_PERCPU_RWSEM, KMPROF_WAIT_WRITE);
		event_pass(1000);
		begin(&second, lock, KMPROF_LOCK_PERCPU_RWSEM, KMPROF_WAIT_WRITE);
		event_pass(500);
		preempt_disable();
		kmprof_blame_excuse(&first);
		preempt_enable();
		rig_expect_stats(test, &want);
		expect_nothing(test, lock);
		event_pass(10);
		event_release(lock, KMPROF_LOCK_PERCPU_RWSEM, KMPROF_WAIT_READ, event_site(1));
		event_pass(3);
		if (given_up)
			give_up(&first);
		else
			end(&first, 0);
		event_pass(4);
		end(&second, 0);
		kmprof_drain_stop();
		want.counter[KMPROF_RELEASES]++;
		want.counter[KMPROF_BLAMED_NS] += 2 * 10;
		want.counter[KMPROF_UNBLAMED_NS] += 1500 + 500 + 3 + 7;
		/* The wait whose end was missed is in no row. */
		want.counter[KMPROF_DELAYS_SAMPLED] += given_up ? 2 : 3;
		want.counter[KMPROF_DELAYS_COUNTED] += given_up ? 2 : 3;
		rig_expect_stats(test, &want);
		if (given_up)
			break;
	}
}

/* What has been counted since the reset, by reason; all of it is what is unblamed. */
static void expect_reasons(struct kunit *test, const struct kmprof_stats *want)
{
	struct kmprof_stats now;
	int i;

	rig_stats(&now);
	for (i = KMPROF_UNBLAMED_SPINNING; i <= KMPROF_UNBLAMED_NOT_FOLLOWED; i++)
		KUNIT_EXPECT_EQ_MSG(test, now.counter[i], want->counter[i], "reason %d",
				    i - KMPROF_UNBLAMED_SPINNING);
	KUNIT_EXPECT_EQ(test, rig_unblamed(&now), now.counter[KMPROF_UNBLAMED_NS]);
	rig_reset();
}

/* One history for each reason, and those in which two come together. */
static void what_is_unblamed_has_a_reason(struct kunit *test)
{
	const struct kmprof_stats nothing = {};
	struct kmprof_wait first, second;
	const void *lock = rig_lock(1);
	struct kmprof_stats want;

	spin(lock, 500);
	want = nothing;
	want.counter[KMPROF_UNBLAMED_SPINNING] = 500;
	expect_reasons(test, &want);

	/* All that others have waited until then, too. */
	begin(&second, lock, KMPROF_LOCK_MUTEX, 0);
	event_pass(1000);
	begin(&first, lock, KMPROF_LOCK_MUTEX, KMPROF_WAIT_SPUN);
	event_pass(100);
	end(&first, 0);
	want = nothing;
	want.counter[KMPROF_UNBLAMED_SPUN] = 1100 + 100;
	expect_reasons(test, &want);

	event_pass(10);
	event_release(lock, KMPROF_LOCK_MUTEX, 0, event_site(1));
	event_pass(3);
	end(&second, 0);
	want = nothing;
	want.counter[KMPROF_UNBLAMED_HAND_OVER] = 3;
	expect_reasons(test, &want);

	begin(&first, lock, KMPROF_LOCK_MUTEX, 0);
	event_pass(100);
	end(&first, 0);
	want = nothing;
	want.counter[KMPROF_UNBLAMED_UNSEEN] = 100;
	expect_reasons(test, &want);

	/* The release came before the second one did. */
	begin(&first, lock, KMPROF_LOCK_RWSEM, 0);
	event_pass(50);
	event_release(lock, KMPROF_LOCK_RWSEM, 0, event_site(1));
	begin(&second, lock, KMPROF_LOCK_RWSEM, 0);
	event_pass(7);
	end(&first, 0);
	end(&second, 0);
	want = nothing;
	want.counter[KMPROF_UNBLAMED_HAND_OVER] = 7;
	want.counter[KMPROF_UNBLAMED_UNSEEN] = 7;
	expect_reasons(test, &want);

	begin(&first, lock, KMPROF_LOCK_MUTEX, 0);
	event_pass(100);
	end(&first, KMPROF_WAIT_FAILED);
	want = nothing;
	want.counter[KMPROF_UNBLAMED_FAILED] = 100;
	expect_reasons(test, &want);

	/* What the first one leaves comes up when the second one has the lock. */
	begin(&first, lock, KMPROF_LOCK_MUTEX, 0);
	begin(&second, lock, KMPROF_LOCK_MUTEX, 0);
	event_pass(100);
	event_release(lock, KMPROF_LOCK_MUTEX, 0, event_site(1));
	event_pass(20);
	end(&first, KMPROF_WAIT_FAILED);
	event_pass(3);
	end(&second, 0);
	want = nothing;
	want.counter[KMPROF_UNBLAMED_FAILED] = 20;
	want.counter[KMPROF_UNBLAMED_HAND_OVER] = 23;
	expect_reasons(test, &want);

	begin(&first, lock, KMPROF_LOCK_MUTEX, 0);
	event_pass(100);
	give_up(&first);
	want = nothing;
	want.counter[KMPROF_UNBLAMED_FAILED] = 100;
	expect_reasons(test, &want);

	begin(&first, lock, KMPROF_LOCK_PERCPU_RWSEM, KMPROF_WAIT_WRITE);
	event_pass(1000);
	preempt_disable();
	kmprof_blame_excuse(&first);
	preempt_enable();
	event_pass(2);
	end(&first, 0);
	want = nothing;
	want.counter[KMPROF_UNBLAMED_GRACE] = 1000;
	want.counter[KMPROF_UNBLAMED_HAND_OVER] = 2;
	expect_reasons(test, &want);

	kmprof_blame_set_fraction(0);
	begin(&first, lock, KMPROF_LOCK_MUTEX, 0);
	kmprof_blame_set_fraction(1);
	event_pass(100);
	end(&first, 0);
	want = nothing;
	want.counter[KMPROF_UNBLAMED_NOT_FOLLOWED] = 100;
	expect_reasons(test, &want);
}

/* Clocks are read before the table is asked: releases can come in between. */
static void a_wait_is_what_releases_go_by(struct kunit *test)
{
	const void *lock = rig_lock(1);
	struct kmprof_wait first, late = { .lock = lock, .kind = KMPROF_LOCK_RWSEM };
	u64 now;

	begin(&first, lock, KMPROF_LOCK_RWSEM, 0);
	event_pass(100);
	late.since = event_now();
	event_pass(50);
	event_release(lock, KMPROF_LOCK_RWSEM, 0, event_site(1));
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_BLAMED_NS), 150);
	preempt_disable();
	kmprof_blame_begin(&late);
	KUNIT_EXPECT_TRUE(test, kmprof_blame_can_cancel(&late));
	preempt_enable();

	event_pass(10);
	now = event_now();
	event_pass(5);
	event_release(lock, KMPROF_LOCK_RWSEM, 0, event_site(1));
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_BLAMED_NS), 150 + 2 * 15);
	KUNIT_EXPECT_EQ(test, end_at(&late, now), 15);
	KUNIT_EXPECT_EQ(test, end_at(&first, now), 150 + 15);
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_UNBLAMED_NS), 0);
}

/* Also one in which the clock has not moved. */
static void a_wait_takes_time(struct kunit *test)
{
	struct kmprof_wait wait;

	begin(&wait, rig_lock(1), KMPROF_LOCK_RWSEM, 0);
	KUNIT_EXPECT_EQ(test, end(&wait, 0), 1);
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_UNBLAMED_NS), 1);
}

static void nobody_is_blamed_for_spinning(struct kunit *test)
{
	struct kmprof_stats want;

	rig_stats(&want);
	spin(rig_lock(1), 500);
	expect_nothing(test, rig_lock(1));
	kmprof_drain_stop();
	want.counter[KMPROF_UNBLAMED_NS] += 500;
	want.counter[KMPROF_DELAYS_SAMPLED]++;
	want.counter[KMPROF_DELAYS_COUNTED]++;
	rig_expect_stats(test, &want);
}

static void a_release_without_waiters_is_nothing(struct kunit *test)
{
	const void *lock = rig_lock(1);
	struct kmprof_wait wait;
	struct kmprof_stats want;

	expect_nothing(test, lock);
	begin(&wait, lock, KMPROF_LOCK_MUTEX, 0);
	/* Who has waited for no time yet is no waiter. */
	expect_nothing(test, lock);
	event_pass(100);
	expect_nothing(test, rig_lock(2));

	rig_stats(&want);
	event_release(lock, KMPROF_LOCK_MUTEX, 0, event_site(1));
	want.counter[KMPROF_RELEASES]++;
	want.counter[KMPROF_BLAMED_NS] += 100;
	want.counter[KMPROF_DELAYS_SAMPLED]++;
	want.counter[KMPROF_DELAYS_COUNTED]++;
	kmprof_drain_stop();
	rig_expect_stats(test, &want);
	/* For the same time there is one to blame. */
	expect_nothing(test, lock);

	/* Ended when it was released: there is no rest. */
	end(&wait, 0);
	rig_expect_stats(test, &want);
	event_pass(100);
	expect_nothing(test, lock);

	begin(&wait, lock, KMPROF_LOCK_MUTEX, 0);
	event_pass(100);
	give_up(&wait);
	want.counter[KMPROF_UNBLAMED_NS] += 100;
	rig_expect_stats(test, &want);
	expect_nothing(test, lock);
}

/* The lock may be in the middle of anything. */
static void an_nmi_blames_nobody(struct kunit *test)
{
	struct kmprof_stats want;
	struct kmprof_wait wait;

	begin(&wait, rig_lock(1), KMPROF_LOCK_MUTEX, 0);
	event_pass(100);
	rig_stats(&want);
	event_interrupt_begin(NMI_OFFSET);
	event_release(rig_lock(1), KMPROF_LOCK_MUTEX, 0, event_site(1));
	event_interrupt_end(NMI_OFFSET);
	kmprof_drain_stop();
	want.counter[KMPROF_LOSS_MISSED_RELEASE]++;
	rig_expect_stats(test, &want);
	event_release(rig_lock(1), KMPROF_LOCK_MUTEX, 0, event_site(1));
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_BLAMED_NS), 100);
}

static void what_is_not_counted_is_told(struct kunit *test)
{
	struct kmprof_scratch *scratch;
	struct kmprof_stats want;
	struct kmprof_wait wait;

	rig_stats(&want);
	begin(&wait, rig_lock(1), KMPROF_LOCK_MUTEX, 0);
	event_pass(100);
	event_release(rig_lock(1), KMPROF_LOCK_MUTEX, 0, event_site(1) | SITE_OWN);
	want.counter[KMPROF_LOSS_DELAY_OWN]++;
	event_pass(100);
	preempt_disable();
	scratch = kmprof_guard_enter();
	event_release(rig_lock(1), KMPROF_LOCK_MUTEX, 0, event_site(1));
	if (scratch)
		kmprof_guard_leave(scratch);
	preempt_enable();
	KUNIT_EXPECT_NOT_NULL(test, scratch);
	want.counter[KMPROF_LOSS_DELAY_NESTED]++;
	want.counter[KMPROF_RELEASES] += 2;
	want.counter[KMPROF_BLAMED_NS] += 200;
	want.counter[KMPROF_DELAYS_SAMPLED] += 2;
	rig_expect_stats(test, &want);

	/* The scratch is free again. */
	event_pass(100);
	event_release(rig_lock(1), KMPROF_LOCK_MUTEX, 0, event_site(1));
	kmprof_drain_stop();
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_DELAYS_COUNTED), 1);
}

static void a_full_table_blames_nobody(struct kunit *test)
{
	struct kmprof_wait *waits = kunit_kcalloc(test, kmprof_limits.max_waits + 1,
						  sizeof(*waits), GFP_KERNEL);
	unsigned int i, known = 0;
	struct kmprof_stats want;

	KUNIT_ASSERT_NOT_NULL(test, waits);
	rig_holds_growth = true;
	rig_stats(&want);
	for (i = 0; i <= kmprof_limits.max_waits; i++) {
		begin(&waits[i], rig_lock(i), KMPROF_LOCK_MUTEX, 0);
		known += !!waits[i].waiter;
	}
	KUNIT_EXPECT_GT(test, known, kmprof_limits.max_waits / 2);
	KUNIT_EXPECT_LE(test, known, kmprof_limits.max_waits);
	want.counter[KMPROF_LOSS_DELAY_TABLE_FULL] += i - known;
	rig_expect_stats(test, &want);

	event_pass(100);
	for (i = 0; i <= kmprof_limits.max_waits; i++)
		event_release(rig_lock(i), KMPROF_LOCK_MUTEX, 0, event_site(1));
	event_pass(10);
	for (i = 0; i <= kmprof_limits.max_waits; i++) {
		/* Given up or not, there is nobody to leave it to. */
		end(&waits[i], i & 1 ? KMPROF_WAIT_FAILED : 0);
		kmprof_drain();
	}
	kmprof_drain_stop();
	want.counter[KMPROF_RELEASES] += known;
	want.counter[KMPROF_BLAMED_NS] += known * 100;
	want.counter[KMPROF_UNBLAMED_NS] += known * 10 + (i - known) * 110;
	want.counter[KMPROF_DELAYS_SAMPLED] += known + i;
	want.counter[KMPROF_DELAYS_COUNTED] += known + i;
	rig_expect_stats(test, &want);
}

/* No release is blamed, nobody is followed anew; who is, to his end, without a sample. */
static void fraction_zero_lets_waits_go(struct kunit *test)
{
	struct kmprof_wait old, new, late;
	const void *lock = rig_lock(1);
	struct kmprof_stats want;

	begin(&old, lock, KMPROF_LOCK_MUTEX, 0);
	kmprof_blame_set_fraction(0);
	begin(&new, lock, KMPROF_LOCK_MUTEX, 0);
	begin(&late, lock, KMPROF_LOCK_MUTEX, 0);
	KUNIT_EXPECT_NE(test, old.waiter, 0);
	KUNIT_EXPECT_EQ(test, new.waiter, 0);
	event_pass(100);
	expect_nothing(test, lock);
	rig_stats(&want);
	give_up(&new);
	end(&new, 0);
	spin(lock, 1);
	event_interrupt_begin(NMI_OFFSET);
	event_release(lock, KMPROF_LOCK_MUTEX, 0, event_site(1));
	event_interrupt_end(NMI_OFFSET);
	rig_expect_stats(test, &want);
	end(&old, 0);
	want.counter[KMPROF_UNBLAMED_NS] += 101;
	rig_expect_stats(test, &want);

	kmprof_blame_set_fraction(1);
	event_pass(10);
	expect_nothing(test, lock);
	/* It ends when nobody can have been seen to be to blame. */
	end(&late, 0);
	kmprof_drain_stop();
	want.counter[KMPROF_UNBLAMED_NS] += 111;
	want.counter[KMPROF_DELAYS_SAMPLED]++;
	want.counter[KMPROF_DELAYS_COUNTED]++;
	rig_expect_stats(test, &want);
}

/* Who has waited since before that is nobody's waiter, and disturbs none. */
static void nobody_is_blamed_for_what_is_forgotten(struct kunit *test)
{
	struct kmprof_wait old[3], new;
	const void *lock = rig_lock(1);
	struct kmprof_stats want;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(old); i++)
		begin(&old[i], lock, KMPROF_LOCK_MUTEX, 0);
	kmprof_blame_set_fraction(0);
	kmprof_blame_forget();
	rig_stats(&want);
	end(&old[0], 0);
	rig_expect_stats(test, &want);

	kmprof_blame_set_fraction(1);
	event_pass(100);
	expect_nothing(test, lock);
	begin(&new, lock, KMPROF_LOCK_MUTEX, 0);
	event_pass(10);
	give_up(&old[1]);
	rig_expect_stats(test, &want);
	end(&old[2], KMPROF_WAIT_FAILED);
	event_release(lock, KMPROF_LOCK_MUTEX, 0, event_site(1));
	end(&new, 0);
	kmprof_drain_stop();
	want.counter[KMPROF_RELEASES]++;
	want.counter[KMPROF_BLAMED_NS] += 10;
	want.counter[KMPROF_UNBLAMED_NS] += 110;
	want.counter[KMPROF_DELAYS_SAMPLED] += 2;
	want.counter[KMPROF_DELAYS_COUNTED] += 2;
	rig_expect_stats(test, &want);
	expect_nothing(test, lock);
}

/* What has been counted since the reset: one release, and @waits ends of waits. */
static void expect_since_reset(struct kunit *test, u64 blamed, u64 unblamed, unsigned int waits)
{
	struct kmprof_stats want = {};

	kmprof_drain_stop();
	want.counter[KMPROF_RELEASES] = 1;
	want.counter[KMPROF_BLAMED_NS] = blamed;
	want.counter[KMPROF_UNBLAMED_NS] = unblamed;
	want.counter[KMPROF_DELAYS_SAMPLED] = 1 + waits;
	want.counter[KMPROF_DELAYS_COUNTED] = 1 + waits;
	rig_expect_stats(test, &want);
}

/*
 * Waits go on over a reset, and have their release to blame after it. What a release was blamed
 * for before, and what was waited before, counts in no sum; an even and an odd number of resets.
 */
static void waits_count_from_the_reset_on(struct kunit *test)
{
	struct kmprof_wait first, second, third;
	const void *lock = rig_lock(1);
	unsigned int i, k;

	for (i = 1; i <= 4; i++) {
		begin(&first, lock, KMPROF_LOCK_RWSEM, KMPROF_WAIT_READ);
		event_pass(1000);
		begin(&second, lock, KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE);
		event_pass(500);
		event_release(lock, KMPROF_LOCK_RWSEM, 0, event_site(1));
		event_pass(100);
		for (k = 0; k < i; k++) {
			rig_reset();
			event_pass(7);
		}
		begin(&third, lock, KMPROF_LOCK_RWSEM, KMPROF_WAIT_WRITE);
		event_pass(20);
		event_release(lock, KMPROF_LOCK_RWSEM, 0, event_site(1));
		event_pass(3);
		KUNIT_EXPECT_EQ(test, end(&first, 0), 7 + 20 + 3);
		event_pass(4);
		KUNIT_EXPECT_EQ(test, end(&second, 0), 7 + 20 + 3 + 4);
		KUNIT_EXPECT_EQ(test, end(&third, 0), 20 + 3 + 4);
		expect_since_reset(test, 2 * (7 + 20) + 20, 3 + 2 * (3 + 4), 3);
		expect_nothing(test, lock);
		rig_reset();
	}
}

/* What waiters that gave up have left, and what was excused, is gone with the waits before. */
static void a_reset_discards_what_is_left(struct kunit *test)
{
	struct kmprof_wait first, second;
	const void *lock = rig_lock(1);

	begin(&first, lock, KMPROF_LOCK_MUTEX, 0);
	begin(&second, lock, KMPROF_LOCK_MUTEX, 0);
	event_pass(1000);
	end(&first, KMPROF_WAIT_FAILED);
	rig_reset();
	event_pass(10);
	event_release(lock, KMPROF_LOCK_MUTEX, 0, event_site(1));
	event_pass(3);
	KUNIT_EXPECT_EQ(test, end(&second, 0), 13);
	expect_since_reset(test, 10, 3, 1);

	begin(&first, lock, KMPROF_LOCK_PERCPU_RWSEM, KMPROF_WAIT_WRITE);
	event_pass(1000);
	preempt_disable();
	kmprof_blame_excuse(&first);
	preempt_enable();
	rig_reset();
	event_pass(10);
	preempt_disable();
	kmprof_blame_excuse(&first);
	preempt_enable();
	event_pass(100);
	event_release(lock, KMPROF_LOCK_PERCPU_RWSEM, 0, event_site(1));
	event_pass(3);
	KUNIT_EXPECT_EQ(test, end(&first, 0), 113);
	expect_since_reset(test, 100, 13, 1);
}

/* The sum of all is what waits have taken of which kmprof was to know. */
static void expect_whole(struct kunit *test, u64 taken)
{
	const u64 *counter = kmprof_published.stats.counter;
	u64 losses;
	int i;

	rig_advance();
	KUNIT_EXPECT_EQ(test, counter[KMPROF_BLAMED_NS] + counter[KMPROF_UNBLAMED_NS], taken);
	KUNIT_EXPECT_EQ(test, rig_unblamed(&kmprof_published.stats), counter[KMPROF_UNBLAMED_NS]);
	losses = rig_sum(&kmprof_mutex_profile.profile, KMPROF_SCALAR_LOST,
			 &kmprof_published.stats);
	KUNIT_EXPECT_EQ(test, counter[KMPROF_DELAYS_SAMPLED],
			counter[KMPROF_DELAYS_COUNTED] + losses);
	for (i = 0; i < LOCKS; i++)
		expect_nothing(test, rig_lock(i));
}

/*
 * Many wait for few locks; @fractions are in force by turns. @resets: there are some. Returns
 * what the waits took, since the last reset.
 */
static u64 follow(struct kunit *test, const u64 *fractions, unsigned int nr_fractions, bool resets)
{
	struct kmprof_wait *waits = kunit_kcalloc(test, WAITERS, sizeof(*waits), GFP_KERNEL), *w;
	u64 taken = 0, fraction = fractions[0], ns;
	struct rnd_state r;
	unsigned int i, k;

	KUNIT_ASSERT_NOT_NULL(test, waits);
	kmprof_blame_set_fraction(fraction);
	prandom_seed_state(&r, nr_fractions);
	for (i = 1; i <= STEPS; i++) {
		u32 l = chance_below(&r, LOCKS), what = chance_below(&r, 8);
		u32 flags = chance_below(&r, 2) ? KMPROF_WAIT_WRITE : KMPROF_WAIT_SPUN;

		event_pass(chance_below(&r, 1 << chance_below(&r, 20)));
		w = &waits[chance_below(&r, WAITERS)];
		if (what == 0) {
			event_release(rig_lock(l), KMPROF_LOCK_RWSEM, flags, event_site(1 + l));
		} else if (what == 1) {
			ns = spin(rig_lock(l), chance_below(&r, 1000));
			taken += fraction ? ns : 0;
		} else if (!w->lock) {
			begin(w, rig_lock(l), KMPROF_LOCK_RWSEM, flags);
		} else {
			ns = end(w, what & 1 ? KMPROF_WAIT_FAILED : 0);
			taken += fraction || w->waiter ? ns : 0;
		}
		if (nr_fractions > 1 && chance_below(&r, 64) == 0) {
			fraction = fractions[chance_below(&r, nr_fractions)];
			kmprof_blame_set_fraction(fraction);
		}
		if (resets && chance_below(&r, 256) == 0) {
			rig_reset();
			taken = 0;
		}
		if (i % 100 == 0)
			kmprof_drain();
		if (i % (STEPS / 8))
			continue;
		for (k = 0; k < WAITERS; k++) {
			if (!waits[k].lock)
				continue;
			ns = end(&waits[k], 0);
			taken += fraction || waits[k].waiter ? ns : 0;
		}
		expect_whole(test, taken);
	}
	return taken;
}

static void blamed_and_unblamed_are_all_that_was_waited(struct kunit *test)
{
	const u64 *counter = kmprof_published.stats.counter;
	static const u64 all[] = { 1 };
	u64 number = 0, ns = 0, taken;
	struct kmprof_bucket_counts sum;
	unsigned int l;

	taken = follow(test, all, ARRAY_SIZE(all), false);
	KUNIT_EXPECT_EQ(test, counter[KMPROF_DELAYS_COUNTED], counter[KMPROF_DELAYS_SAMPLED]);
	for (l = 0; l < LOCKS; l++) {
		sum = sums_of(event_site(1 + l));
		number += sum.waits >> KMPROF_WAIT_COUNT_SHIFT;
		ns += sum.delay;
	}
	KUNIT_EXPECT_GT(test, number, STEPS / 10);
	KUNIT_EXPECT_EQ(test, number, counter[KMPROF_RELEASES]);
	KUNIT_EXPECT_EQ(test, ns, counter[KMPROF_BLAMED_NS]);
	sum = sums_of(0);
	number += sum.waits >> KMPROF_WAIT_COUNT_SHIFT;
	KUNIT_EXPECT_EQ(test, sum.delay, counter[KMPROF_UNBLAMED_NS]);
	KUNIT_EXPECT_EQ(test, ns + sum.delay, taken);
	KUNIT_EXPECT_EQ(test, number, counter[KMPROF_DELAYS_SAMPLED]);
}

static void so_they_are_while_the_fraction_changes(struct kunit *test)
{
	static const u64 some[] = { 1, 0, 5, 0, 100 };

	follow(test, some, ARRAY_SIZE(some), false);
}

static void so_they_are_over_resets(struct kunit *test)
{
	static const u64 some[] = { 1, 0, 5 };

	follow(test, some, 1, true);
	follow(test, some, ARRAY_SIZE(some), true);
}

/**
 * struct drawn - of what samples are drawn
 * @number: how many
 * @ns: their sum
 * @squares: the sum of their squares
 */
struct drawn {
	u64 number;
	u64 ns;
	u64 squares;
};

/*
 * Each is drawn by itself, with probability 1 / N, and stands for N: the sum of N * ns
 * has the variance (N - 1) * sum of ns^2. Within four standard deviations.
 */
static void expect_unbiased(struct kunit *test, const struct kmprof_bucket_counts *sum,
			    const struct drawn *drawn, u64 fraction)
{
	u64 hits = (sum->waits >> KMPROF_WAIT_COUNT_SHIFT) / fraction;

	KUNIT_EXPECT_EQ(test, sum->waits, hits * fraction << KMPROF_WAIT_COUNT_SHIFT);
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(hits, drawn->number,
						       KMPROF_PROB_ONE / fraction),
			      "%llu of %llu with one of %llu", hits, drawn->number, fraction);
	KUNIT_EXPECT_LE_MSG(test, abs_diff(sum->delay, drawn->ns),
			    4 * int_sqrt64((fraction - 1) * drawn->squares),
			    "%llu ns of %llu with one of %llu", sum->delay, drawn->ns, fraction);
}

static void a_fraction_is_without_bias(struct kunit *test)
{
	static const u64 fractions[] = { 1, 2, 64, 1000 };
	const u64 *counter = kmprof_published.stats.counter;
	struct kmprof_bucket_counts sum[2], before[2] = {};
	unsigned int i, k;
	struct rnd_state r;

	prandom_seed_state(&r, 9);
	for (k = 0; k < ARRAY_SIZE(fractions); k++) {
		struct drawn drawn[2] = {};
		u64 sampled = counter[KMPROF_DELAYS_SAMPLED], hits = 0;

		kmprof_blame_set_fraction(fractions[k]);
		for (i = 0; i < STEPS; i++) {
			u64 ns = 1 + (chance_magnitude(&r) & U16_MAX);
			bool blamed = chance_below(&r, 2);
			struct kmprof_wait wait;

			begin(&wait, rig_lock(1), KMPROF_LOCK_RWSEM, 0);
			event_pass(ns);
			if (blamed)
				event_release(rig_lock(1), KMPROF_LOCK_RWSEM, 0, event_site(1));
			end(&wait, 0);
			drawn[blamed].number++;
			drawn[blamed].ns += ns;
			drawn[blamed].squares += ns * ns;
			/* Before the ring can be full of what has no bucket yet. */
			if (i % 500 == 0)
				kmprof_drain();
		}
		rig_advance();
		for (i = 0; i < 2; i++) {
			sum[i] = sums_of(i ? event_site(1) : 0);
			sum[i].waits -= before[i].waits;
			sum[i].delay -= before[i].delay;
			before[i].waits += sum[i].waits;
			before[i].delay += sum[i].delay;
			expect_unbiased(test, &sum[i], &drawn[i], fractions[k]);
			hits += (sum[i].waits >> KMPROF_WAIT_COUNT_SHIFT) / fractions[k];
		}
		KUNIT_EXPECT_EQ(test, counter[KMPROF_DELAYS_SAMPLED] - sampled, hits);
	}
	KUNIT_EXPECT_EQ(test, counter[KMPROF_DELAYS_SAMPLED], counter[KMPROF_DELAYS_COUNTED]);
}

/**
 * struct crowd - waits and releases on several CPUs; the clock goes on at any time
 * @random: of each worker
 * @taken: what its waits have, in ns, since the last reset that it has seen
 * @era: number of the era since then
 */
struct crowd {
	struct rnd_state random[RIG_WORKERS];
	u64 taken[RIG_WORKERS];
	u32 era[RIG_WORKERS];
};

static void wait_and_release(void *data, unsigned int worker)
{
	struct crowd *crowd = data;
	struct rnd_state *r = &crowd->random[worker];
	struct kmprof_wait waits[3];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(waits); i++) {
		begin(&waits[i], rig_lock(chance_below(r, LOCKS)), KMPROF_LOCK_RWSEM,
		      chance_below(r, 2) ? KMPROF_WAIT_WRITE : KMPROF_WAIT_SPUN);
		event_pass(chance_below(r, 100));
	}
	i = chance_below(r, LOCKS);
	event_release(rig_lock(i), KMPROF_LOCK_RWSEM, 0, event_site(1 + i));
	for (i = 0; i < ARRAY_SIZE(waits); i++) {
		u64 ns;

		event_pass(chance_below(r, 100));
		ns = end(&waits[i], chance_below(r, 4) ? 0 : KMPROF_WAIT_FAILED);
		if (crowd->era[worker] != waits[i].era)
			crowd->taken[worker] = 0;
		crowd->era[worker] = waits[i].era;
		crowd->taken[worker] += ns;
	}
}

static void watch(struct kunit *test, void *data)
{
	unsigned int i;

	for (i = 0; i < 20; i++) {
		msleep(20);
		rig_advance();
	}
}

static void watch_and_reset(struct kunit *test, void *data)
{
	unsigned int i;

	for (i = 0; i < 8; i++) {
		if (i % 4)
			rig_reset();
		else
			rig_advance();
		msleep(20);
	}
}

static void expect_crowd(struct kunit *test, void (*meanwhile)(struct kunit *test, void *data),
			 unsigned int seed)
{
	struct crowd *crowd = kunit_kzalloc(test, sizeof(*crowd), GFP_KERNEL);
	u64 taken = 0;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, crowd);
	for (i = 0; i < RIG_WORKERS; i++) {
		prandom_seed_state(&crowd->random[i], seed + i);
		crowd->era[i] = kmprof_era(kmprof_slot_current)->number;
	}
	rig_run(test, wait_and_release, meanwhile, crowd);
	for (i = 0; i < RIG_WORKERS; i++)
		if (crowd->era[i] == kmprof_era(kmprof_slot_current)->number)
			taken += crowd->taken[i];
	expect_whole(test, taken);
}

static void nothing_is_lost_in_the_crowd(struct kunit *test)
{
	expect_crowd(test, watch, 1);
	KUNIT_EXPECT_GT(test, kmprof_published.stats.counter[KMPROF_RELEASES], 1000);
}

static void nor_over_resets(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < 10; i++) {
		/* All that the crowd before has counted is discarded. */
		rig_reset();
		expect_crowd(test, watch_and_reset, 10 * i);
		KUNIT_EXPECT_GT(test, kmprof_published.stats.counter[KMPROF_RELEASES], 0);
	}
}

static struct kunit_case blame_cases[] = {
	KUNIT_CASE(a_release_is_blamed_for_its_waiters),
	KUNIT_CASE(who_goes_on_waiting_has_a_release_to_blame),
	KUNIT_CASE(what_is_excused_is_not_blamed),
	KUNIT_CASE(what_is_unblamed_has_a_reason),
	KUNIT_CASE(a_wait_is_what_releases_go_by),
	KUNIT_CASE(a_wait_takes_time),
	KUNIT_CASE(nobody_is_blamed_for_spinning),
	KUNIT_CASE(a_release_without_waiters_is_nothing),
	KUNIT_CASE(an_nmi_blames_nobody),
	KUNIT_CASE(what_is_not_counted_is_told),
	KUNIT_CASE(a_full_table_blames_nobody),
	KUNIT_CASE(fraction_zero_lets_waits_go),
	KUNIT_CASE(nobody_is_blamed_for_what_is_forgotten),
	KUNIT_CASE(waits_count_from_the_reset_on),
	KUNIT_CASE(a_reset_discards_what_is_left),
	KUNIT_CASE(blamed_and_unblamed_are_all_that_was_waited),
	KUNIT_CASE(so_they_are_while_the_fraction_changes),
	KUNIT_CASE(so_they_are_over_resets),
	KUNIT_CASE(a_fraction_is_without_bias),
	KUNIT_CASE_SLOW(nothing_is_lost_in_the_crowd),
	KUNIT_CASE_SLOW(nor_over_resets),
	{}
};

static struct kunit_suite blame_suite = {
	.name		= "kmprof_blame",
	.init		= blame_test_init,
	.exit		= blame_test_exit,
	.test_cases	= blame_cases,
};

kunit_test_suite(blame_suite);
