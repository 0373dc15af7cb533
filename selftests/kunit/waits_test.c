// SPDX-License-Identifier: GPL-2.0
/*
 * Waits in flight: what ends is what began, once, whatever else the task or others
 * wait for.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/preempt.h>

#include "../../module/waits.c"
#include "chance.h"
#include "rig.h"

enum {
	LOCKS	= 6,
	STEPS	= 20000,
};

static const struct kmprof_limits waits_limits = {
	.max_buckets	= KMPROF_BUCKETS_MIN,
	.max_live	= 1,
	.stack_depth	= 1,
	.ring_bytes	= KMPROF_RING_MIN,
	.max_snapshots	= 1,
	.max_waits	= KMPROF_WAITS_MIN,
};

static int waits_test_init(struct kunit *test)
{
	int err = rig_create(test, &waits_limits);

	return err ?: kmprof_waits_init();
}

static void waits_test_exit(struct kunit *test)
{
	kmprof_waits_exit();
}

static const void *lock_of(unsigned long i)
{
	return (void *)(PAGE_OFFSET + 0x1000 + i * 64);
}

static bool begin(const void *lock, u64 since, u32 kind, u32 flags)
{
	const struct kmprof_wait wait = {
		.lock = lock, .since = since, .kind = kind, .flags = flags,
	};
	bool known;

	preempt_disable();
	known = kmprof_waits_begin(&wait, kind == KMPROF_LOCK_SPINLOCK);
	preempt_enable();
	return known;
}

static bool end(const void *lock, struct kmprof_wait *wait)
{
	bool known;

	preempt_disable();
	known = kmprof_waits_end(lock, wait);
	preempt_enable();
	return known;
}

/* Against a model, in any order. A mutex begins again, another lock starts anew. */
static void what_ends_is_what_began(struct kunit *test)
{
	static const u32 kinds[LOCKS] = {
		KMPROF_LOCK_MUTEX, KMPROF_LOCK_RWSEM, KMPROF_LOCK_SEMAPHORE,
		KMPROF_LOCK_MUTEX, KMPROF_LOCK_RTMUTEX, KMPROF_LOCK_PERCPU_RWSEM,
	};
	struct kmprof_wait known[LOCKS] = {}, wait;
	struct rnd_state r;
	unsigned int i;

	prandom_seed_state(&r, 1);
	for (i = 1; i <= STEPS; i++) {
		u32 l = chance_below(&r, LOCKS), flags = chance_below(&r, 16);
		struct kmprof_wait *k = &known[l];

		KUNIT_ASSERT_EQ(test, kmprof_waits_has(lock_of(l)), !!k->lock);
		if (chance_below(&r, 2)) {
			KUNIT_ASSERT_TRUE(test, begin(lock_of(l), i, kinds[l], flags));
			if (k->lock && kinds[l] == KMPROF_LOCK_MUTEX)
				k->flags &= flags;
			else
				*k = (struct kmprof_wait) {
					.lock = lock_of(l), .since = i, .kind = kinds[l],
					.flags = flags,
				};
			continue;
		}
		KUNIT_ASSERT_EQ(test, end(lock_of(l), &wait), !!k->lock);
		if (!k->lock)
			continue;
		KUNIT_ASSERT_PTR_EQ(test, wait.lock, k->lock);
		KUNIT_ASSERT_EQ(test, wait.since, k->since);
		KUNIT_ASSERT_EQ(test, wait.kind, k->kind);
		KUNIT_ASSERT_EQ(test, wait.flags, k->flags);
		k->lock = NULL;
	}
}

/* On this CPU, beside what its task waits for, and once. */
static void a_spin_ends_once(struct kunit *test)
{
	struct kmprof_wait wait;

	KUNIT_ASSERT_TRUE(test, begin(lock_of(0), 1, KMPROF_LOCK_MUTEX, 0));
	preempt_disable();
	KUNIT_EXPECT_TRUE(test, begin(lock_of(1), 2, KMPROF_LOCK_SPINLOCK, 0));
	KUNIT_EXPECT_TRUE(test, kmprof_waits_has(lock_of(1)));
	KUNIT_EXPECT_TRUE(test, end(lock_of(1), &wait));
	KUNIT_EXPECT_EQ(test, wait.since, 2);
	KUNIT_EXPECT_FALSE(test, end(lock_of(1), &wait));
	preempt_enable();
	KUNIT_EXPECT_TRUE(test, end(lock_of(0), &wait));
	KUNIT_EXPECT_EQ(test, wait.since, 1);
}

static void a_full_table_refuses(struct kunit *test)
{
	struct kmprof_wait wait;
	unsigned int i;

	for (i = 0; i < KMPROF_WAITS_MIN; i++)
		KUNIT_ASSERT_TRUE(test, begin(lock_of(i), i, KMPROF_LOCK_RWSEM, 0));
	KUNIT_EXPECT_FALSE(test, begin(lock_of(i), i, KMPROF_LOCK_RWSEM, 0));
	KUNIT_EXPECT_FALSE(test, end(lock_of(i), &wait));
	for (i = 0; i < KMPROF_WAITS_MIN; i++) {
		KUNIT_ASSERT_TRUE(test, end(lock_of(i), &wait));
		KUNIT_ASSERT_EQ(test, wait.since, i);
		KUNIT_ASSERT_TRUE(test, begin(lock_of(i + 100), i, KMPROF_LOCK_RWSEM, 0));
	}
	kmprof_waits_forget();
	for (i = 0; i < KMPROF_WAITS_MIN; i++)
		KUNIT_ASSERT_FALSE(test, end(lock_of(i + 100), &wait));
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
		known[i] = begin(lock_of(i), 1000 * worker + i, KMPROF_LOCK_RWSEM, worker);
	for (i = 0; i < 2; i++) {
		if (end(lock_of(i), &wait) != known[i])
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
	KUNIT_CASE(a_full_table_refuses),
	KUNIT_CASE(tasks_are_told_apart),
	{}
};

static struct kunit_suite waits_suite = {
	.name		= "kmprof_waits",
	.init		= waits_test_init,
	.exit		= waits_test_exit,
	.test_cases	= waits_cases,
};

kunit_test_suite(waits_suite);
