// SPDX-License-Identifier: GPL-2.0
/*
 * Tables that grow: a kick adds a part if the newest one fills up, and only then; what is in
 * the parts stays there until the table is forgotten.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/workqueue.h>

#include "core/kick.h"
#include "rig.h"

bool rig_holds_growth;

/* The worker of a table that is kicked meanwhile does not run, until the table is forgotten. */
static bool kick_growth(struct kmprof_kick *worker)
{
	return READ_ONCE(rig_holds_growth) || kmprof_kick(worker);
}

#define kmprof_kick(worker) kick_growth(worker)

#include "lock/growing.c"

enum {
	FIRST = 16,
	WINDOW = 6,
};

/**
 * struct number - an entry
 * @value: 0: not taken
 */
struct number {
	unsigned long value;
};

static bool is_number(const void *entry)
{
	return ((const struct number *)entry)->value;
}

static struct kmprof_growing numbers = {
	.entry_size	= sizeof(struct number),
	.window		= WINDOW,
	.is_taken	= is_number,
};

static int growing_test_init(struct kunit *test)
{
	return kmprof_growing_init(&numbers, FIRST);
}

static void growing_test_exit(struct kunit *test)
{
	kmprof_growing_exit(&numbers);
}

/* Kicks the table, and returns how many parts it has then. */
static unsigned int kick(void)
{
	preempt_disable();
	kmprof_growing_kick(&numbers);
	preempt_enable();
	irq_work_sync(&numbers.worker.irq);
	flush_work(&numbers.worker.work);
	return kmprof_growing_nr(&numbers);
}

static struct number *number_at(unsigned int part, u32 i)
{
	return kmprof_growing_entry(&numbers, part, i);
}

/* By a quarter of the newest part. Each part has twice the entries of the one before. */
static void a_part_that_fills_up_gets_a_successor(struct kunit *test)
{
	unsigned int part, i, size;

	for (part = 0; part < 6; part++) {
		size = FIRST << part;
		KUNIT_ASSERT_EQ(test, kmprof_growing_size(&numbers, part), size);
		for (i = 0; i < size; i++)
			KUNIT_ASSERT_EQ(test, number_at(part, i)->value, 0);
		for (i = 0; i < size / 4; i++) {
			KUNIT_EXPECT_EQ(test, kick(), part + 1);
			number_at(part, 4 * i)->value = size + i;
		}
		KUNIT_ASSERT_EQ(test, kick(), part + 2);
	}
	/* A successor that is empty has none. */
	KUNIT_EXPECT_EQ(test, kick(), part + 1);
	for (part = 0; part < 6; part++)
		for (i = 0; i < FIRST << part; i++)
			KUNIT_ASSERT_EQ(test, number_at(part, i)->value,
					i % 4 ? 0 : (FIRST << part) + i / 4);

	kmprof_growing_forget(&numbers);
	KUNIT_EXPECT_EQ(test, kmprof_growing_nr(&numbers), 1);
	for (i = 0; i < FIRST; i++)
		KUNIT_EXPECT_EQ(test, number_at(0, i)->value, 0);
	KUNIT_EXPECT_EQ(test, kick(), 1);
}

/* Keys can be anywhere in a part, and not beside it. */
static void windows_lie_in_the_part(struct kunit *test)
{
	unsigned long hash, last = FIRST - WINDOW, starts = 0;
	struct number *first = number_at(0, 0), *window;

	KUNIT_EXPECT_PTR_EQ(test, (struct number *)kmprof_growing_window(&numbers, 0, 0), first);
	KUNIT_EXPECT_PTR_EQ(test, (struct number *)kmprof_growing_window(&numbers, 0, U32_MAX),
			    first + last);
	for (hash = 0; hash <= U32_MAX; hash += 1 << 20) {
		window = kmprof_growing_window(&numbers, 0, hash);
		KUNIT_ASSERT_GE(test, window, first);
		KUNIT_ASSERT_LE(test, window, first + last);
		starts |= 1UL << (window - first);
	}
	KUNIT_EXPECT_EQ(test, starts, GENMASK(last, 0));
}

/* Nobody is asked for what cannot be. */
static void there_is_a_largest_part(struct kunit *test)
{
	static struct kmprof_growing largest = {
		.entry_size	= sizeof(struct number),
		.window		= WINDOW,
		.is_taken	= is_number,
	};
	unsigned int i;

	KUNIT_ASSERT_EQ(test, kmprof_growing_init(&largest, KMPROF_WAITS_MAX), 0);
	for (i = 0; i < KMPROF_WAITS_MAX / 4; i++)
		((struct number *)kmprof_growing_entry(&largest, 0, i))->value = 1;
	KUNIT_EXPECT_FALSE(test, add_part(&largest));
	KUNIT_EXPECT_EQ(test, kmprof_growing_nr(&largest), 1);
	kmprof_growing_exit(&largest);
}

static struct kunit_case growing_cases[] = {
	KUNIT_CASE(a_part_that_fills_up_gets_a_successor),
	KUNIT_CASE(windows_lie_in_the_part),
	KUNIT_CASE(there_is_a_largest_part),
	{}
};

static struct kunit_suite growing_suite = {
	.name		= "kmprof_growing",
	.init		= growing_test_init,
	.exit		= growing_test_exit,
	.test_cases	= growing_cases,
};

kunit_test_suite(growing_suite);
