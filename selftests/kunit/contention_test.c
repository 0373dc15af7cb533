// SPDX-License-Identifier: GPL-2.0
/*
 * A wait's way: every one that ends is in the totals, every sampled one is booked
 * once, as what became of it.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/interrupt.h>

#include "../../module/contention.c"
#include "chance.h"
#include "cycle.h"
#include "events.h"
#include "rig.h"

static const struct kmprof_limits contention_limits = {
	.max_buckets	= KMPROF_BUCKETS_MIN,
	.max_live	= 1,
	.stack_depth	= KMPROF_STACK_DEPTH_MAX,
	.ring_bytes	= KMPROF_RING_MIN,
	.max_snapshots	= 1,
	.max_waits	= KMPROF_WAITS_MIN,
};

/* What the next stack is made of: see event_site(). */
static unsigned long next_site;

static int contention_test_init(struct kunit *test)
{
	int err = rig_create(test, &contention_limits);

	if (!err)
		err = kmprof_waits_init();
	if (!err)
		err = set_cpus_allowed_ptr(current, cpumask_of(raw_smp_processor_id()));
	kmprof_contention_set_rate(1);
	return err;
}

static void contention_test_exit(struct kunit *test)
{
	kmprof_waits_exit();
}

/* In place of the one that walks the stack. */
void kmprof_stack_capture_wait(struct kmprof_scratch *scratch, bool sleeps,
			       struct kmprof_stack *stack)
{
	unsigned int i;

	stack->nr = 1 + event_site_number(next_site) % 20;
	stack->own = next_site & SITE_OWN;
	stack->truncated = next_site & SITE_TRUNCATED;
	stack->frames = scratch->frames;
	for (i = 0; i < stack->nr; i++)
		scratch->frames[i] = next_site + i * 0x100;
}

static const void *lock_of(unsigned long i)
{
	return (void *)(PAGE_OFFSET + 0x1000 + i * 64);
}

/* In place of the one that looks at the lock. */
u64 kmprof_lock_class(const void *lock)
{
	return (unsigned long)lock & U32_MAX;
}

static void wait_for(const void *lock, unsigned long site)
{
	next_site = site;
	preempt_disable();
	kmprof_contention_begin(lock, KMPROF_LOCK_MUTEX, KMPROF_WAIT_SPUN);
	ndelay(100);
	kmprof_contention_begin(lock, KMPROF_LOCK_MUTEX, 0);
	kmprof_contention_end(lock, 0);
	preempt_enable();
}

/* The ledger moved by one sampled wait, which became @what. */
static void expect_booked(struct kunit *test, const struct kmprof_stats *before,
			  enum kmprof_counter what)
{
	struct kmprof_stats after;
	int i;

	rig_stats(&after);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_WAITS] - before->counter[KMPROF_WAITS], 1);
	KUNIT_EXPECT_GE(test, after.counter[KMPROF_WAIT_NS] - before->counter[KMPROF_WAIT_NS],
			100);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_WAITS_SAMPLED] -
			before->counter[KMPROF_WAITS_SAMPLED], 1);
	for (i = KMPROF_WAITS_COUNTED; i < KMPROF_NR_COUNTERS; i++)
		if (i != KMPROF_LOSS_STACK_TRUNCATED)
			KUNIT_EXPECT_EQ_MSG(test, after.counter[i] - before->counter[i], i == what,
					    "counter %d", i);
}

static void a_wait_is_booked_once(struct kunit *test)
{
	struct kmprof_scratch *scratch;
	struct kmprof_stats before;
	unsigned int i;

	/* New, and then known. */
	for (i = 0; i < 2; i++) {
		rig_stats(&before);
		wait_for(lock_of(0), event_site(1));
		kmprof_drain_stop();
		expect_booked(test, &before, KMPROF_WAITS_COUNTED);
	}
	KUNIT_EXPECT_EQ(test, kmprof_bucket_count(), 1);

	rig_stats(&before);
	wait_for(lock_of(0), event_site(1) | SITE_OWN);
	expect_booked(test, &before, KMPROF_LOSS_WAIT_OWN);

	rig_stats(&before);
	preempt_disable();
	scratch = kmprof_guard_enter();
	wait_for(lock_of(0), event_site(1));
	kmprof_guard_leave(scratch);
	preempt_enable();
	expect_booked(test, &before, KMPROF_LOSS_WAIT_NESTED);

	for (i = 1; i < KMPROF_BUCKETS_MIN; i++) {
		wait_for(lock_of(0), event_site(1 + i));
		kmprof_drain_stop();
	}
	rig_stats(&before);
	wait_for(lock_of(0), event_site(1 + i));
	kmprof_drain_stop();
	expect_booked(test, &before, KMPROF_LOSS_WAIT_BUCKET_FULL);

	/* Nobody drains while the lock is held. */
	mutex_lock(&kmprof_drain_lock);
	for (i = 0; i < KMPROF_RING_MIN / KMPROF_RECORD_ALIGN; i++)
		wait_for(lock_of(0), event_site(119));
	rig_stats(&before);
	wait_for(lock_of(0), event_site(119));
	expect_booked(test, &before, KMPROF_LOSS_WAIT_RING_FULL);
	mutex_unlock(&kmprof_drain_lock);
}

static void an_end_needs_a_begin(struct kunit *test)
{
	struct kmprof_stats before, after;

	rig_stats(&before);
	preempt_disable();
	kmprof_contention_end(lock_of(0), 0);
	preempt_enable();
	rig_stats(&after);
	before.counter[KMPROF_LOSS_WAIT_UNPAIRED]++;
	KUNIT_EXPECT_MEMEQ(test, &before, &after, sizeof(after));
}

/* With all sampled, the buckets' sums are the totals, cycle by cycle. */
static void buckets_add_up_to_the_totals(struct kunit *test)
{
	const u64 *counter = kmprof_published.stats.counter;
	struct kmprof_bucket *b;
	struct rnd_state r;
	unsigned int i, k;

	prandom_seed_state(&r, 1);
	for (i = 0; i < 10; i++) {
		u64 waits = 0, delay = 0;

		for (k = chance_below(&r, 300); k; k--) {
			u32 site = chance_below(&r, 10);

			wait_for(lock_of(site % 3), event_site(site));
			if (chance_below(&r, 2))
				kmprof_drain();
		}
		mutex_lock(&kmprof_cycle_lock);
		kmprof_cycle_advance();
		kmprof_cycle_for_each_bucket(b) {
			waits += b->active.waits;
			delay += b->active.delay;
		}
		mutex_unlock(&kmprof_cycle_lock);
		KUNIT_EXPECT_EQ(test, counter[KMPROF_WAITS_SAMPLED], counter[KMPROF_WAITS]);
		KUNIT_EXPECT_EQ(test, counter[KMPROF_WAITS_COUNTED], counter[KMPROF_WAITS]);
		KUNIT_EXPECT_EQ(test, waits, counter[KMPROF_WAITS] << KMPROF_WAIT_COUNT_SHIFT);
		KUNIT_EXPECT_EQ(test, delay, counter[KMPROF_WAIT_NS]);
	}
	KUNIT_EXPECT_GT(test, counter[KMPROF_WAITS], 500);
}

/* A rwlock's queue is a part of it. */
static void a_rwlock_is_one_wait(struct kunit *test)
{
	struct kmprof_stats before;

	next_site = event_site(3);
	rig_stats(&before);
	preempt_disable();
	kmprof_contention_begin(lock_of(0), KMPROF_LOCK_RWLOCK, KMPROF_WAIT_WRITE);
	kmprof_contention_begin(lock_of(0) + offsetof(struct qrwlock, wait_lock),
				KMPROF_LOCK_SPINLOCK, 0);
	ndelay(100);
	kmprof_contention_end(lock_of(0) + offsetof(struct qrwlock, wait_lock), 0);
	kmprof_contention_end(lock_of(0), 0);
	preempt_enable();
	kmprof_drain_stop();
	expect_booked(test, &before, KMPROF_WAITS_COUNTED);
}

/* With PREEMPT_RT a softirq sleeps for locks. */
static void wait_in_softirq(struct tasklet_struct *unused)
{
	wait_for(lock_of(1), event_site(4));
}

static void a_softirq_waits_as_a_task(struct kunit *test)
{
	struct tasklet_struct tasklet;
	struct kmprof_stats before;

	rig_stats(&before);
	tasklet_setup(&tasklet, wait_in_softirq);
	tasklet_schedule(&tasklet);
	tasklet_unlock_wait(&tasklet);
	tasklet_kill(&tasklet);
	kmprof_drain_stop();
	expect_booked(test, &before, KMPROF_WAITS_COUNTED);
	preempt_disable();
	KUNIT_EXPECT_FALSE(test, kmprof_waits_has(lock_of(1)));
	preempt_enable();
}

static struct kunit_case contention_cases[] = {
	KUNIT_CASE(a_wait_is_booked_once),
	KUNIT_CASE(an_end_needs_a_begin),
	KUNIT_CASE(a_rwlock_is_one_wait),
	KUNIT_CASE(a_softirq_waits_as_a_task),
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
