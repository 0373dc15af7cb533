// SPDX-License-Identifier: GPL-2.0
/*
 * Waits in flight: what ends is what began, once, whatever else the task or others
 * wait for.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/irq_work.h>
#include <linux/preempt.h>
#include <linux/workqueue.h>

#include "core/guard.h"
#include "lock/growing.h"
#include "chance.h"
#include "events.h"
#include "rig.h"
#include <uapi/linux/kmprof.h>

/* Another task that the test plays; NULL: itself. */
static struct task_struct *played;

static struct task_struct *who(void)
{
	return played ?: current;
}

#undef current
#define current who()

#include "lock/inflight.c"

enum {
	LOCKS	= 6,
	STEPS	= 20000,
	TASKS	= 20000,
};

static void waits_test_exit(struct kunit *test)
{
	rig_holds_growth = false;
	played = NULL;
}

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
	places_of(current, 0)[1].task = other;
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
	KUNIT_EXPECT_PTR_EQ(test, places_of(current, 0)[1].task, other);
}

static void a_full_table_refuses(struct kunit *test)
{
	struct kmprof_wait wait;
	unsigned int i;

	rig_holds_growth = true;
	for (i = 0; i < KMPROF_WAITS_MIN; i++)
		KUNIT_ASSERT_TRUE(test, begin(rig_lock(i), i, KMPROF_LOCK_RWSEM, 0));
	KUNIT_EXPECT_FALSE(test, kmprof_inflight_take_refused());
	KUNIT_EXPECT_FALSE(test, begin(rig_lock(i), i, KMPROF_LOCK_RWSEM, 0));
	KUNIT_EXPECT_FALSE(test, begin(rig_lock(i + 1), i, KMPROF_LOCK_RWSEM, 0));
	KUNIT_EXPECT_FALSE(test, end(rig_lock(i), &wait));
	for (i = 0; i < KMPROF_WAITS_MIN; i++) {
		KUNIT_ASSERT_TRUE(test, end(rig_lock(i), &wait));
		KUNIT_ASSERT_EQ(test, wait.since, i);
		KUNIT_ASSERT_TRUE(test, begin(rig_lock(i + 100), i, KMPROF_LOCK_RWSEM, 0));
	}
	/* Of two, there are two ends; what ends then has not begun, and so has the rest. */
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_TRUE(test, kmprof_inflight_take_refused());
	KUNIT_EXPECT_FALSE(test, kmprof_inflight_take_refused());
	KUNIT_EXPECT_FALSE(test, begin(rig_lock(0), 0, KMPROF_LOCK_RWSEM, 0));
	spin(rig_lock(0), 1);
	kmprof_inflight_forget();
	KUNIT_EXPECT_FALSE(test, kmprof_inflight_take_refused());
	for (i = 0; i < KMPROF_WAITS_MIN; i++)
		KUNIT_ASSERT_FALSE(test, end(rig_lock(i + 100), &wait));
	KUNIT_EXPECT_FALSE(test, end(rig_lock(0), &wait));
}

static void expect_empty(struct kunit *test)
{
	unsigned int part, i;

	for (part = 0; part < kmprof_growing_nr(&places); part++)
		for (i = 0; i < kmprof_growing_size(&places, part); i++)
			KUNIT_ASSERT_FALSE(test, is_taken(kmprof_growing_entry(&places, part, i)));
}

/* As far apart as tasks are. */
static void play(unsigned int task)
{
	played = (void *)rig_object(task * 72UL);
}

/* A wait of the task that is played, which lets the table grow if need be. */
static bool begin_at_last(unsigned int task)
{
	unsigned int tries;

	for (tries = 0; tries < 1000; tries++) {
		if (begin(rig_lock(0), 1 + task, KMPROF_LOCK_RWSEM, 0))
			return true;
		played = NULL;
		irq_work_sync(&places.worker.irq);
		flush_work(&places.worker.work);
		play(task);
	}
	return false;
}

/* However small the table is at first: all wait at once, and each for itself. */
static void there_is_room_for_all_tasks(struct kunit *test)
{
	struct kmprof_wait wait;
	unsigned int i;
	bool ok = true;

	for (i = 0; ok && i < TASKS; i++) {
		play(i);
		ok = begin_at_last(i);
	}
	played = NULL;
	KUNIT_ASSERT_TRUE_MSG(test, ok, "no room for task %u", i);
	KUNIT_EXPECT_GT(test, kmprof_growing_nr(&places), 1);
	/* Most have one in the last two parts: the table is not much larger than need be. */
	KUNIT_EXPECT_LE(test, kmprof_growing_size(&places, kmprof_growing_nr(&places) - 1),
			8 * TASKS);
	for (i = 0; ok && i < TASKS; i++) {
		play(i);
		ok = has(rig_lock(0)) && !has(rig_lock(1)) && end(rig_lock(0), &wait) &&
		     wait.since == 1 + i && !has(rig_lock(0));
	}
	played = NULL;
	KUNIT_ASSERT_TRUE_MSG(test, ok, "the wait of task %u is another one's", i);
	expect_empty(test);
	kmprof_inflight_forget();
	KUNIT_EXPECT_EQ(test, kmprof_growing_nr(&places), 1);
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
	expect_empty(test);
}

static struct kunit_case waits_cases[] = {
	KUNIT_CASE(what_ends_is_what_began),
	KUNIT_CASE(a_spin_ends_once),
	KUNIT_CASE(a_spin_can_have_one_inside),
	KUNIT_CASE(an_interrupt_has_its_own),
	KUNIT_CASE(who_exits_abandons_all),
	KUNIT_CASE(a_full_table_refuses),
	KUNIT_CASE(there_is_room_for_all_tasks),
	KUNIT_CASE(tasks_are_told_apart),
	{}
};

static struct kunit_suite waits_suite = {
	.name		= "kmprof_inflight",
	.init		= waits_test_init,
	.exit		= waits_test_exit,
	.test_cases	= waits_cases,
};

kunit_test_suite(waits_suite);
