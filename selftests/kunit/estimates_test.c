// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates of waits and of releases, from the event to the published bucket, over so
 * many trials that it shows: they are without bias, and the interval of 1.96 standard
 * errors holds the truth as often as it has to.
 */
#include <kunit/test.h>
#include <linux/math64.h>

#include "core/bucket.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "lock/blame.h"
#include "lock/contention.h"
#include "chance.h"
#include "events.h"
#include "rig.h"

enum {
	TRIALS		= 200,
	EVENTS		= 10000,	/* of a trial */
	RATE		= 100000,
	SHORTEST	= RATE / 100,
	LONGEST		= RATE / 10,
	FRACTION	= 100,
	SCORE_BITS	= 10,
	VARIANCE_BITS	= 8,
};

static int estimates_test_init(struct kunit *test)
{
	int err = rig_create(test, &rig_wide_limits) ?: rig_pin();

	rig_seed(4711);
	return err;
}

static void estimates_test_exit(struct kunit *test)
{
	kmprof_contention_set_rate(0);
	kmprof_blame_set_fraction(0);
}

/**
 * struct trial - what has happened, and what is expected of an estimate of it
 * @count: events
 * @ns: what they took
 * @count_variance: of an estimate of @count, times 2^32 as @count's unit is 2^-16
 * @ns_variance: of an estimate of @ns
 */
struct trial {
	u64 count;
	u64 ns;
	u64 count_variance;
	u64 ns_variance;
};

/**
 * struct scores - errors of estimates, in standard errors
 * @sum: of them, times 2^SCORE_BITS
 * @covered: of at most 1.96
 */
struct scores {
	s64 sum;
	unsigned int covered;
};

static void score(struct scores *scores, u64 estimate, u64 truth, u64 variance)
{
	s64 off = estimate - truth;
	u64 square = off * off;

	scores->sum += div64_s64(off << SCORE_BITS, int_sqrt64(variance));
	/* 1.96^2 = 38416 / 10^4 */
	scores->covered += (u128)square * 10000 <=
			   (u128)variance * 38416;
}

/* Three standard errors of the sum of TRIALS. */
static void expect_scores(struct kunit *test, const struct scores *scores, const char *what)
{
	KUNIT_EXPECT_LE_MSG(test, scores->sum * scores->sum, 9LL * TRIALS << 2 * SCORE_BITS,
			    "%s", what);
	KUNIT_EXPECT_GE_MSG(test, scores->covered, TRIALS * 90 / 100, "%s", what);
	KUNIT_EXPECT_LE_MSG(test, scores->covered, TRIALS * 99 / 100, "%s", what);
	kunit_info(test, "%s: %d of %d intervals, sum of scores %lld / %d", what,
		   scores->covered, TRIALS, scores->sum, 1 << SCORE_BITS);
}

/* Takes the sums of the one bucket with a stack, which a reset forgets. */
static struct kmprof_bucket_counts take_sums(struct kunit *test)
{
	struct kmprof_bucket_counts sum = {};
	struct kmprof_bucket *b;

	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_advance();
	kmprof_cycle_for_each_bucket(b) {
		if (!b->key.nr_words)
			continue;
		sum.waits += b->active.waits;
		sum.delay += b->active.delay;
	}
	kmprof_cycle_reset();
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_ASSERT_EQ(test, rig_counter(KMPROF_LOSS_WAIT_RING_FULL), 0);
	return sum;
}

/* The bucket is there before the ring can be full. */
static void keep_up(unsigned int i)
{
	if (i % 500 == 0)
		kmprof_drain();
}

/**
 * struct way - how events are sampled
 * @end: ends a wait, as what is estimated
 * @count_variance: what one of @ns adds to it, times 2^VARIANCE_BITS
 * @ns_variance: the same
 */
struct way {
	void (*end)(void);
	u64 (*count_variance)(u64 ns);
	u64 (*ns_variance)(u64 ns);
};

static struct trial happen(const struct way *way, struct rnd_state *r)
{
	struct trial trial = { .count = (u64)EVENTS << KMPROF_WAIT_COUNT_SHIFT };
	unsigned int i;
	u64 ns;

	for (i = 0; i < EVENTS; i++) {
		ns = SHORTEST + chance_below(r, LONGEST - SHORTEST);
		event_wait_begin(rig_lock(0), KMPROF_LOCK_RWSEM, 0);
		event_pass(ns);
		way->end();
		trial.ns += ns;
		trial.count_variance += way->count_variance(ns);
		trial.ns_variance += way->ns_variance(ns);
		keep_up(i);
	}
	trial.count_variance <<= 2 * KMPROF_WAIT_COUNT_SHIFT - VARIANCE_BITS;
	return trial;
}

static void try_many(struct kunit *test, const struct way *way)
{
	struct scores counts = {}, times = {};
	struct kmprof_bucket_counts sum;
	struct trial trial;
	struct rnd_state r;
	unsigned int i;

	prandom_seed_state(&r, 12);
	for (i = 0; i < TRIALS; i++) {
		trial = happen(way, &r);
		sum = take_sums(test);
		score(&counts, sum.waits, trial.count, trial.count_variance);
		score(&times, sum.delay, trial.ns, trial.ns_variance);
	}
	expect_scores(test, &counts, "count");
	expect_scores(test, &times, "time");
}

static void end_wait(void)
{
	event_wait_end(rig_lock(0), 0, event_site(1));
}

/* As if sampled with ns / RATE, and then RATE / ns events. */
static u64 wait_count_variance(u64 ns)
{
	return div64_u64((RATE - ns) << VARIANCE_BITS, ns);
}

static u64 wait_ns_variance(u64 ns)
{
	return ns * (RATE - ns);
}

static void waits_much_shorter_than_the_rate(struct kunit *test)
{
	static const struct way way = { end_wait, wait_count_variance, wait_ns_variance };

	kmprof_contention_set_rate(RATE);
	try_many(test, &way);
}

static void end_by_release(void)
{
	event_release(rig_lock(0), KMPROF_LOCK_RWSEM, 0, event_site(1));
	event_wait_end(rig_lock(0), 0, event_site(2));
}

static u64 release_count_variance(u64 ns)
{
	return (FRACTION - 1) << VARIANCE_BITS;
}

static u64 release_ns_variance(u64 ns)
{
	return (FRACTION - 1) * ns * ns;
}

static void one_release_of_a_hundred(struct kunit *test)
{
	static const struct way way = {
		end_by_release, release_count_variance, release_ns_variance,
	};

	kmprof_blame_set_fraction(FRACTION);
	try_many(test, &way);
}

static struct kunit_case estimates_cases[] = {
	KUNIT_CASE_SLOW(waits_much_shorter_than_the_rate),
	KUNIT_CASE_SLOW(one_release_of_a_hundred),
	{}
};

static struct kunit_suite estimates_suite = {
	.name		= "kmprof_estimates",
	.init		= estimates_test_init,
	.exit		= estimates_test_exit,
	.test_cases	= estimates_cases,
};

kunit_test_suite(estimates_suite);
