// SPDX-License-Identifier: GPL-2.0
/*
 * Waits in flight: what ends is what began, once, whatever else the task or others
 * wait for.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/preempt.h>

#include "lock/inflight.c"
#include "chance.h"
#include "events.h"
#include "rig.h"
#include <uapi/linux/kmprof.h>

enum {
	LOCKS	= 6,
	STEPS	= 20000,
};

static int waits_test_init(struct kunit *test)
{
	return rig_create(test, &rig_narrow_limits);
}

static struct kmprof_wait wait_of(const void *lock, u64 since, u32 kind, u32 flags)
{
	return (struct kmprof_wait) {
		.lock = lock, .since = since, .kind = kind, .flags = flags,
		.generation = since, .waiter = ~since, .excused = 3 * since,
	};
}

static bool begin(const void *lock, u64 since, u32 kind, u32 flags)
{
	struct kmprof_wait *wait;

	preempt_disable();
	wait = kmprof_inflight_find(lock) ?: kmprof_inflight_claim();
	if (wait)
		*wait = wait_of(lock, since, kind, flags);
	preempt_enable();
	return wait;
}

static void spin(const void *lock, u64 since)
{
	preempt_disable();
	*kmprof_inflight_spin(lock) = wait_of(lock, since, KMPROF_LOCK_SPINLOCK, 0);
	preempt_enable();
}

static bool end(const void *lock, struct kmprof_wait *wait)
{
	bool known;

	preempt_disable();
	known = kmprof_inflight_end(lock, wait);
	preempt_enable();
	return known;
}

static bool has(const void *lock)
{
	bool has;

	preempt_disable();
	has = kmprof_inflight_has(lock);
	preempt_enable();
	return has;
}

static void expect_wait(struct kunit *test, const struct kmprof_wait *wait,
			const struct kmprof_wait *want)
{
	KUNIT_ASSERT_PTR_EQ(test, wait->lock, want->lock);
	KUNIT_ASSERT_EQ(test, wait->since, want->since);
	KUNIT_ASSERT_EQ(test, wait->kind, want->kind);
	KUNIT_ASSERT_EQ(test, wait->flags, want->flags);
	KUNIT_ASSERT_EQ(test, wait->generation, want->generation);
	KUNIT_ASSERT_EQ(test, wait->waiter, want->waiter);
	KUNIT_ASSERT_EQ(test, wait->excused, want->excused);
}

/* Against a model, in any order. What is found can be changed until its end. */
static void what_ends_is_what_began(struct kunit *test)
{
	struct kmprof_wait known[LOCKS] = {}, wait, *found;
	struct rnd_state r;
	unsigned int i;

	prandom_seed_state(&r, 1);
	for (i = 1; i <= STEPS; i++) {
		u32 l = chance_below(&r, LOCKS), kind = chance_below(&r, 8);
		struct kmprof_wait *k = &known[l];

		KUNIT_ASSERT_EQ(test, has(rig_lock(l)), !!k->lock);
		preempt_disable();
		found = kmprof_inflight_find(rig_lock(l));
		preempt_enable();
		KUNIT_ASSERT_EQ(test, !!found, !!k->lock);
		if (found)
			expect_wait(test, found, k);
		if (chance_below(&r, 2)) {
			*k = wait_of(rig_lock(l), i, kind, chance_below(&r, 16));
			KUNIT_ASSERT_TRUE(test, begin(k->lock, i, kind, k->flags));
			continue;
		}
		KUNIT_ASSERT_EQ(test, end(rig_lock(l), &wait), !!k->lock);
		if (!k->lock)
			continue;
		expect_wait(test, &wait, k);
		k->lock = NULL;
	}
}

/* On this CPU, beside what its task waits for, and once. */
static void a_spin_ends_once(struct kunit *test)
{
	struct kmprof_wait wait;

	KUNIT_ASSERT_TRUE(test, begin(rig_lock(0), 1, KMPROF_LOCK_MUTEX, 0));
	preempt_disable();
	spin(rig_lock(1), 2);
	KUNIT_EXPECT_TRUE(test, has(rig_lock(1)));
	KUNIT_EXPECT_NULL(test, kmprof_inflight_find(rig_lock(1)));
	KUNIT_EXPECT_TRUE(test, end(rig_lock(1), &wait));
	KUNIT_EXPECT_EQ(test, wait.since, 2);
	KUNIT_EXPECT_FALSE(test, has(rig_lock(1)));
	KUNIT_EXPECT_FALSE(test, end(rig_lock(1), &wait));
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, end(rig_lock(0), &wait));
	KUNIT_EXPECT_EQ(test, wait.since, 1);
}

/* Who looks on spins for a lock of its own. What comes before an end is gone by then. */
static void a_spin_can_have_one_inside(struct kunit *test)
{
	struct kmprof_wait wait;

	preempt_disable();
	spin(rig_lock(1), 1);
	spin(rig_lock(2), 2);
	KUNIT_EXPECT_TRUE(test, has(rig_lock(1)) && has(rig_lock(2)));
	KUNIT_EXPECT_TRUE(test, end(rig_lock(2), &wait));
	KUNIT_EXPECT_EQ(test, wait.since, 2);
	KUNIT_EXPECT_TRUE(test, end(rig_lock(1), &wait));
	KUNIT_EXPECT_EQ(test, wait.since, 1);
	KUNIT_EXPECT_FALSE(test, end(rig_lock(1), &wait));

	/* Of three, two ends were missed; a lock that is waited for again is the latter. */
	spin(rig_lock(1), 3);
	spin(rig_lock(2), 4);
	spin(rig_lock(3), 5);
	KUNIT_EXPECT_TRUE(test, end(rig_lock(3), &wait));
	KUNIT_EXPECT_EQ(test, wait.since, 5);
	KUNIT_EXPECT_FALSE(test, end(rig_lock(2), &wait));
	spin(rig_lock(1), 6);
	KUNIT_EXPECT_TRUE(test, end(rig_lock(1), &wait));
	KUNIT_EXPECT_EQ(test, wait.since, 6);
	KUNIT_EXPECT_FALSE(test, end(rig_lock(1), &wait));
	preempt_enable();
}

/* Each spins for itself, also for the same; a hardirq knows nothing of the task's waits. */
static void an_interrupt_has_its_own(struct kunit *test)
{
	static const unsigned int offsets[] = { SOFTIRQ_OFFSET, HARDIRQ_OFFSET };
	struct kmprof_wait inner, outer, task;
	bool others, ended, sleeps;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(offsets); i++) {
		KUNIT_ASSERT_TRUE(test, begin(rig_lock(0), 1, KMPROF_LOCK_MUTEX, 0));
		preempt_disable();
		spin(rig_lock(1), 2);
		event_interrupt_begin(offsets[i]);
		others = has(rig_lock(1));
		sleeps = has(rig_lock(0));
		spin(rig_lock(1), 3);
		ended = end(rig_lock(1), &inner) && !end(rig_lock(1), &inner);
		event_interrupt_end(offsets[i]);
		ended = end(rig_lock(1), &outer) && ended;
		preempt_enable();
		KUNIT_EXPECT_FALSE(test, others);
		KUNIT_EXPECT_EQ(test, sleeps, offsets[i] == SOFTIRQ_OFFSET);
		KUNIT_EXPECT_TRUE(test, ended);
		KUNIT_EXPECT_EQ(test, inner.since, 3);
		KUNIT_EXPECT_EQ(test, outer.since, 2);
		KUNIT_EXPECT_TRUE(test, end(rig_lock(0), &task));
		KUNIT_EXPECT_EQ(test, task.since, 1);
	}
}

/* All of the task's, one by one, and nobody else's; what it spins for is not among them. */
static void who_exits_abandons_all(struct kunit *test)
{
	struct task_struct *other = (void *)rig_object(1);
	struct kmprof_wait wait;
	unsigned int i, seen = 0;

	/* A neighbour in the window. */
	place_at(current, 1)->task = other;
	for (i = 0; i < 3; i++)
		KUNIT_ASSERT_TRUE(test, begin(rig_lock(i), 1 + i, KMPROF_LOCK_RWSEM, 0));
	preempt_disable();
	spin(rig_lock(9), 9);
	while (kmprof_inflight_abandon(&wait)) {
		if (wait.since < 1 || wait.since > 3 || wait.lock != rig_lock(wait.since - 1))
			break;
		seen |= 1 << wait.since;
	}
	preempt_enable();
	KUNIT_EXPECT_EQ(test, seen, 2 | 4 | 8);
	for (i = 0; i < 3; i++)
		KUNIT_EXPECT_FALSE(test, has(rig_lock(i)));
	KUNIT_EXPECT_TRUE(test, end(rig_lock(9), &wait));
	KUNIT_EXPECT_PTR_EQ(test, place_at(current, 1)->task, other);
}

static void a_full_table_refuses(struct kunit *test)
{
	struct kmprof_wait wait;
	unsigned int i;

	for (i = 0; i < KMPROF_WAITS_MIN; i++)
		KUNIT_ASSERT_TRUE(test, begin(rig_lock(i), i, KMPROF_LOCK_RWSEM, 0));
	KUNIT_EXPECT_FALSE(test, begin(rig_lock(i), i, KMPROF_LOCK_RWSEM, 0));
	KUNIT_EXPECT_FALSE(test, end(rig_lock(i), &wait));
	for (i = 0; i < KMPROF_WAITS_MIN; i++) {
		KUNIT_ASSERT_TRUE(test, end(rig_lock(i), &wait));
		KUNIT_ASSERT_EQ(test, wait.since, i);
		KUNIT_ASSERT_TRUE(test, begin(rig_lock(i + 100), i, KMPROF_LOCK_RWSEM, 0));
	}
	spin(rig_lock(0), 1);
	kmprof_inflight_forget();
	for (i = 0; i < KMPROF_WAITS_MIN; i++)
		KUNIT_ASSERT_FALSE(test, end(rig_lock(i + 100), &wait));
	KUNIT_EXPECT_FALSE(test, end(rig_lock(0), &wait));
}

struct crowd {
	unsigned int wrong;
	unsigned int ended;
};

/* All wait for the same locks; each has its own times. */
static void wait_in_the_crowd(void *data, unsigned int worker)
{
	struct crowd *crowd = data;
	struct kmprof_wait wait;
	bool known[2];
	int i;

	for (i = 0; i < 2; i++)
		known[i] = begin(rig_lock(i), 1000 * worker + i, KMPROF_LOCK_RWSEM, worker);
	for (i = 0; i < 2; i++) {
		if (end(rig_lock(i), &wait) != known[i])
			crowd[worker].wrong++;
		else if (known[i] && (wait.since != 1000 * worker + i || wait.flags != worker))
			crowd[worker].wrong++;
		crowd[worker].ended += known[i];
	}
}

static void watch(struct kunit *test, void *data)
{
	msleep(300);
}

static void tasks_are_told_apart(struct kunit *test)
{
	struct crowd crowd[RIG_WORKERS] = {};
	unsigned int i, ended = 0;

	rig_run(test, wait_in_the_crowd, watch, crowd);
	for (i = 0; i < RIG_WORKERS; i++) {
		KUNIT_EXPECT_EQ(test, crowd[i].wrong, 0);
		ended += crowd[i].ended;
	}
	KUNIT_EXPECT_GT(test, ended, 1000);
	for (i = 0; i < KMPROF_WAITS_MIN; i++)
		KUNIT_EXPECT_NULL(test, places[i].task);
}

static struct kunit_case waits_cases[] = {
	KUNIT_CASE(what_ends_is_what_began),
	KUNIT_CASE(a_spin_ends_once),
	KUNIT_CASE(a_spin_can_have_one_inside),
	KUNIT_CASE(an_interrupt_has_its_own),
	KUNIT_CASE(who_exits_abandons_all),
	KUNIT_CASE(a_full_table_refuses),
	KUNIT_CASE(tasks_are_told_apart),
	{}
};

static struct kunit_suite waits_suite = {
	.name		= "kmprof_inflight",
	.init		= waits_test_init,
	.test_cases	= waits_cases,
};

kunit_test_suite(waits_suite);
