// SPDX-License-Identifier: GPL-2.0
/*
 * Waiting for redirected calls: it ends when they have returned, or when two looks at the stacks
 * in a row have found nobody who could.
 */
/* Instead of sleeping, a clock of the suite's own goes on. */
#define msleep	thunk_wait_pass
#include "mem/redirect/thunk_wait.c"
#undef msleep

#include <kunit/test.h>

/* In ms. */
static unsigned int clock;

void thunk_wait_pass(unsigned int ms)
{
	clock += ms;
}

enum { LOOKS = 6 };

/**
 * struct story - what happens
 * @out: calls that are out at first
 * @return_ms: when all of them return; 0: never
 * @looks: what each look at the stacks finds: tasks, and calls that return then
 * @result: what the wait returns
 * @nr_looks: how many looks it takes
 */
struct story {
	const char *name;
	long out;
	unsigned int return_ms;
	struct {
		unsigned int tasks;
		unsigned int returning;
	} looks[LOOKS];
	long result;
	unsigned int nr_looks;
};

static const struct story stories[] = {
	{ .name = "nothing is out" },
	{ .name = "they return at once", .out = 3, .return_ms = 20 },
	{ .name = "they return before anybody looks", .out = 3, .return_ms = 4990 },
	{ .name = "they return late", .out = 2, .return_ms = 34000, .nr_looks = 2,
	  .looks = { { 2 }, { 2 } } },
	{ .name = "one returns at each look", .out = 3, .nr_looks = 3,
	  .looks = { { 3, 1 }, { 2, 1 }, { 1, 1 } } },
	{ .name = "nobody is inside", .out = 3, .result = 3, .nr_looks = 2 },
	{ .name = "they were in interrupts", .out = 3, .nr_looks = 1, .looks = { { 0, 3 } } },
	{ .name = "some were in interrupts", .out = 3, .result = 1, .nr_looks = 3,
	  .looks = { { 0, 2 } } },
	{ .name = "somebody is inside after all", .out = 2, .result = 2, .nr_looks = 4,
	  .looks = { { 0 }, { 1 } } },
	{ .name = "one returns, the other has died", .out = 2, .result = 1, .nr_looks = 4,
	  .looks = { { 1 }, { 1, 1 } } },
};

static const struct story *story;
static long out;
static unsigned int nr_looks, look_ms[LOOKS];

static long nr_out(const void *data)
{
	return story->return_ms && clock >= story->return_ms ? 0 : out;
}

void kmprof_thunk_scan(struct kmprof_thunk_scan *found, bool (*is_thunk)(unsigned long addr))
{
	*found = (struct kmprof_thunk_scan) {};
	/* Beyond the story: it ends there, and the test fails by the number of looks. */
	if (nr_looks == LOOKS) {
		out = 0;
		return;
	}
	found->tasks = story->looks[nr_looks].tasks;
	out -= story->looks[nr_looks].returning;
	look_ms[nr_looks++] = clock;
}

static void it_ends_when_nobody_can_return(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(stories); i++) {
		story = &stories[i];
		out = story->out;
		clock = 0;
		nr_looks = 0;
		KUNIT_EXPECT_EQ_MSG(test, kmprof_thunk_wait(nr_out, NULL, NULL), story->result,
				    "%s", story->name);
		KUNIT_EXPECT_EQ_MSG(test, nr_looks, story->nr_looks, "%s", story->name);
	}
}

/* Each pause is twice as long as the one before, and the last ones are a minute. */
static void it_looks_now_and_again(struct kunit *test)
{
	static const struct story sleeps = {
		.out = 1, .return_ms = 200000,
		.looks = { { 1 }, { 1 }, { 1 }, { 1 }, { 1 }, { 1 } },
	};
	static const unsigned int want[] = { 5000, 15000, 35000, 75000, 135000, 195000 };

	story = &sleeps;
	out = story->out;
	clock = 0;
	nr_looks = 0;
	KUNIT_EXPECT_EQ(test, kmprof_thunk_wait(nr_out, NULL, NULL), 0);
	KUNIT_ASSERT_EQ(test, nr_looks, ARRAY_SIZE(want));
	KUNIT_EXPECT_MEMEQ(test, look_ms, want, sizeof(want));
}

static struct kunit_case thunk_wait_cases[] = {
	KUNIT_CASE(it_ends_when_nobody_can_return),
	KUNIT_CASE(it_looks_now_and_again),
	{}
};

static struct kunit_suite thunk_wait_suite = {
	.name		= "kmprof_thunk_wait",
	.test_cases	= thunk_wait_cases,
};

kunit_test_suite(thunk_wait_suite);
