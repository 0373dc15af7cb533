// SPDX-License-Identifier: GPL-2.0
/* Marks: of all stacks at one moment, when they are due, and at no other time. */
#include <kunit/test.h>

#include "mem/marks.c"
#include "events.h"
#include "rig.h"

enum {
	SMALL	= 100,
	LARGE	= 1000,
};

static int marks_test_init(struct kunit *test)
{
	int err;

	kmprof_marks_set_peak(0);
	kmprof_marks_set_at(0);
	kmprof_marks_settle();
	err = rig_create(test, &rig_wide_limits) ?: rig_pin();
	if (!err)
		kmprof_cycle_start();
	return err;
}

static void mark_at(u64 bytes)
{
	kmprof_marks_set_at(bytes);
	kmprof_marks_settle();
}

static void alloc(unsigned int first, unsigned int nr, size_t size)
{
	while (nr--)
		event_alloc(rig_object(first++), size, 1, event_site(size));
}

static void drop(unsigned int first, unsigned int nr)
{
	while (nr--)
		event_free(rig_object(first++));
}

/* The objects of a size that have a mark. */
static u64 objects(enum kmprof_mark mark, size_t size)
{
	struct kmprof_bucket *b;
	u64 sum = 0;

	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b)
		if (b->key.size == size)
			sum += b->marks[mark];
	mutex_unlock(&kmprof_cycle_lock);
	return sum;
}

static void expect_peak(struct kunit *test, u64 small, u64 large)
{
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_PEAK, SMALL), small);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_PEAK, LARGE), large);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_PEAK)->bytes, small * SMALL + large * LARGE);
}

static void the_peak_is_of_one_moment(struct kunit *test)
{
	u64 time;

	peak_wanted = true;
	alloc(0, 20, SMALL);
	alloc(20, 5, LARGE);
	KUNIT_EXPECT_NE(test, look_once(false), 0UL);
	expect_peak(test, 20, 5);
	time = marked(KMPROF_MARK_PEAK)->time_ns;
	KUNIT_EXPECT_NE(test, time, 0);

	/* As much, of others. */
	drop(0, 20);
	alloc(100, 2, LARGE);
	look_once(false);
	expect_peak(test, 20, 5);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_PEAK)->time_ns, time);

	alloc(102, 1, LARGE);
	look_once(false);
	expect_peak(test, 0, 8);

	rig_reset();
	expect_peak(test, 0, 0);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_PEAK)->time_ns, 0);
}

/* Less than a part of 128 more is not worth a cycle. */
static void a_little_more_is_no_peak(struct kunit *test)
{
	u64 cycle;

	peak_wanted = true;
	alloc(0, 128, SMALL);
	look_once(false);
	expect_peak(test, 128, 0);

	cycle = kmprof_cycle_number();
	alloc(128, 1, SMALL);
	look_once(false);
	expect_peak(test, 128, 0);
	KUNIT_EXPECT_EQ(test, kmprof_cycle_number(), cycle);

	alloc(129, 1, SMALL);
	look_once(false);
	expect_peak(test, 130, 0);
	KUNIT_EXPECT_EQ(test, kmprof_cycle_number(), cycle + 1);
}

/* Whoever asks for a peak finds one, even if it is of nothing. */
static void the_first_peak_may_be_of_nothing(struct kunit *test)
{
	u64 time;

	peak_wanted = true;
	look_once(false);
	time = marked(KMPROF_MARK_PEAK)->time_ns;
	KUNIT_EXPECT_NE(test, time, 0);
	expect_peak(test, 0, 0);

	look_once(false);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_PEAK)->time_ns, time);
}

/* It costs no cycle when there is one, and no snapshot has more in use than its peak. */
static void each_closed_cycle_makes_marks(struct kunit *test)
{
	peak_wanted = true;
	at_wanted = 129 * SMALL;
	alloc(0, 128, SMALL);
	rig_advance();
	expect_peak(test, 128, 0);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_AT)->time_ns, 0);

	alloc(128, 1, SMALL);
	rig_advance();
	expect_peak(test, 129, 0);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_AT, SMALL), 129);

	drop(0, 1);
	rig_advance();
	expect_peak(test, 129, 0);
}

/* Until another size is asked for, or all is forgotten. */
static void a_size_is_marked_once(struct kunit *test)
{
	mark_at(10 * SMALL);
	alloc(0, 9, SMALL);
	KUNIT_EXPECT_NE(test, look_once(false), 0UL);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_AT)->time_ns, 0);

	alloc(9, 2, SMALL);
	look_once(false);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_AT, SMALL), 11);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_AT)->bytes, 11 * SMALL);

	alloc(11, 5, SMALL);
	look_once(false);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_AT, SMALL), 11);

	/* A change that is taken back is never in force. */
	kmprof_marks_set_at(5 * SMALL);
	look_once(false);
	mark_at(10 * SMALL);
	look_once(false);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_AT, SMALL), 11);

	mark_at(5 * SMALL);
	look_once(false);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_AT, SMALL), 16);

	alloc(16, 1, SMALL);
	mark_at(0);
	KUNIT_EXPECT_EQ(test, look_once(false), 0UL);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_AT, SMALL), 16);
	mark_at(5 * SMALL);
	look_once(false);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_AT, SMALL), 17);

	rig_reset();
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_AT)->bytes, 0);
	alloc(100, 6, SMALL);
	look_once(false);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_AT, SMALL), 6);
}

static void the_first_oom_of_a_burst_is_marked(struct kunit *test)
{
	u64 cycle = kmprof_cycle_number();

	alloc(0, 3, LARGE);
	KUNIT_EXPECT_EQ(test, look_once(false), 0UL);
	KUNIT_EXPECT_EQ(test, kmprof_cycle_number(), cycle);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_OOM)->time_ns, 0);

	KUNIT_EXPECT_EQ(test, look_once(true), 0UL);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_OOM, LARGE), 3);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_OOM)->bytes, 3 * LARGE);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_PEAK)->bytes, 0);

	drop(0, 2);
	oom_marked = jiffies + OOM_BURST;
	look_once(true);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_OOM, LARGE), 3);
	oom_marked = jiffies - 2 * OOM_BURST;
	look_once(true);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_OOM, LARGE), 1);
}

/* Nothing is marked as long as nothing is counted. */
static void an_oom_before_the_first_attach_is_none(struct kunit *test)
{
	u64 start_ns = kmprof_published.start_ns;

	kmprof_published.start_ns = 0;
	look_once(true);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_OOM)->time_ns, 0);
	kmprof_published.start_ns = start_ns;
}

/* An OOM is an occasion to mark a peak that is hardly one. */
static void a_peak_is_never_below_another_mark(struct kunit *test)
{
	peak_wanted = true;
	alloc(0, 128, SMALL);
	look_once(false);
	alloc(128, 1, SMALL);
	look_once(true);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_OOM)->bytes, 129 * SMALL);
	expect_peak(test, 129, 0);
}

/* Samples of another rate stand for more than themselves. */
static void a_mark_is_an_estimate(struct kunit *test)
{
	struct kmprof_image_sample sample = { .period = 4096, .object_size = LARGE };

	event_alloc(rig_object(0), LARGE, sample.period, event_site(1));
	look_once(true);
	KUNIT_EXPECT_EQ(test, objects(KMPROF_MARK_OOM, LARGE), 1);
	KUNIT_EXPECT_EQ(test, marked(KMPROF_MARK_OOM)->bytes, kmprof_heap_bytes(&sample, 1));
	KUNIT_EXPECT_GT(test, marked(KMPROF_MARK_OOM)->bytes, (u64)4096);
}

static struct kunit_case marks_cases[] = {
	KUNIT_CASE(the_peak_is_of_one_moment),
	KUNIT_CASE(a_little_more_is_no_peak),
	KUNIT_CASE(the_first_peak_may_be_of_nothing),
	KUNIT_CASE(each_closed_cycle_makes_marks),
	KUNIT_CASE(a_size_is_marked_once),
	KUNIT_CASE(the_first_oom_of_a_burst_is_marked),
	KUNIT_CASE(an_oom_before_the_first_attach_is_none),
	KUNIT_CASE(a_peak_is_never_below_another_mark),
	KUNIT_CASE(a_mark_is_an_estimate),
	{}
};

static struct kunit_suite marks_suite = {
	.name		= "kmprof_marks",
	.init		= marks_test_init,
	.test_cases	= marks_cases,
};

kunit_test_suite(marks_suite);
