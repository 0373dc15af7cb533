// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates from sampled waits are right on average, and as far off a single one as
 * their standard error says. A trial is a known number of waits, most of them shorter
 * than block_rate, and the estimates that a snapshot gives for them.
 *
 * A wait of d ns, d < R = block_rate, is sampled with p = d / R, and then counts R / d
 * waits and R ns. So a trial's estimates have the standard errors
 *
 *	number of waits	sqrt(sum of (1 / p)^2 * p (1 - p)) = sqrt(sum of (R / d - 1))
 *	time		sqrt(sum of R^2 * p (1 - p))	   = sqrt(sum of d (R - d))
 *
 * to which waits of R ns and more add nothing, since all of them are sampled.
 */
#include <math.h>

#include "lib/contention.h"
#include "lib/kmprof_guest.h"
#include "lib/rounds.h"
#include "lib/scores.h"
#include "lib/waited.h"
#include "lib/watch.h"

enum {
	ROUNDS = 17,
	WAITS = ROUNDS_WAITERS * ROUNDS,
	TRIALS = 40,
	TRIALS_MIN = 10,	/* less do not tell how the errors scatter */
	TRIALS_FEW = 4,
	HOLD_US = 1000,
	RATE_FACTOR = 4,	/* block_rate, in mean waits */
};

WATCH_FIXTURE(block_unbiased, "block_rate=1")

static struct rounds rounds = { .count = ROUNDS, .hold_us = HOLD_US };

/**
 * struct truth - what the waits of a trial were
 * @ns: their sum
 * @count_spread: of an estimate of their number
 * @ns_spread: of an estimate of their sum
 */
struct truth {
	double ns;
	struct spread count_spread;
	struct spread ns_spread;
};

/* @scale: what kmprof sees of a wait, and not only the test module. */
static struct truth truth_take(double rate, double scale)
{
	struct truth truth = { 0 };
	unsigned int i, round;

	for (i = 0; i < ROUNDS_WAITERS; i++) {
		for (round = 0; round < ROUNDS; round++) {
			double ns = scale * rounds.orders[i][round].wait_ns;

			truth.ns += ns;
			if (ns >= rate)
				continue;
			spread_add(&truth.count_spread, 1, ns / rate);
			spread_add(&truth.ns_spread, ns, ns / rate);
		}
	}
	return truth;
}

/* Runs a trial and takes its snapshot. Returns the waits for the semaphore. */
static struct contention run_trial(struct __test_metadata *_metadata,
				   FIXTURE_DATA(block_unbiased) *self, const struct shown *shown,
				   uint64_t rate, struct snapshot *snapshot)
{
	ASSERT_EQ(0, watch_reset(&self->watch, rate));
	ASSERT_EQ(0, rounds_run(self->watch.fd, &rounds));
	ASSERT_EQ(0, snapshot_take(self->watch.dev, snapshot));
	EXPECT_IMAGE(snapshot);
	/* A lost wait would be a bias of its own; kmprof's own ones are not ours. */
	EXPECT_EQ(snapshot_loss(snapshot, "wait_own"), snapshot_lost(snapshot, "block"))
		snapshot_print_losses(snapshot);
	EXPECT_LE(WAITS, snapshot_scalar(snapshot, "total.waits"));
	return contention_sum(snapshot, &self->watch.symbols,
			      contention_waits(shown->lock, CONTENTION_ANY_CHAIN));
}

TEST_F_TIMEOUT(block_unbiased, estimates, 600)
{
	unsigned int trial, trials = guest_effort(TRIALS), total_waits = 0;
	struct scores counts = { 0 }, times = { 0 }, totals = { 0 };
	int quick = guest_is_quick("more trials, and the time that waits are said to take");
	struct snapshot snapshot;
	struct contention wait, all;
	struct shown shown;
	struct truth truth;
	double scale;
	uint64_t rate;

	ASSERT_EQ(0, waited_shown(self->watch.fd, KMPROF_TEST_LOCK_SEMAPHORE, 0, KMPROF_TEST_WRITE,
				  KMPROF_TEST_WRITE, &shown));

	/* How long the waits are here, and how much of that the probes see. */
	wait = run_trial(_metadata, self, &shown, 1, &snapshot);
	truth = truth_take(1, 1);
	ASSERT_EQ((uint64_t)WAITS * WAITED_ONE, wait.count);
	scale = wait.delay_ns / truth.ns;
	if (!quick)
		EXPECT_LE(0.8, scale);
	EXPECT_GE(1.01, scale);
	rate = RATE_FACTOR * wait.delay_ns / WAITS;
	ASSERT_GE(KMPROF_BLOCK_RATE_MAX, rate);
	snapshot_free(&snapshot);
	TH_LOG("waits of %.3f ms on average, %.1f %% of which is seen; block_rate %.3f ms",
	       wait.delay_ns / 1e6 / WAITS, 100 * scale, rate / 1e6);

	if (trials < TRIALS_MIN)
		trials = quick ? TRIALS_FEW : TRIALS_MIN;
	for (trial = 0; trial < trials; trial++) {
		double others;

		wait = run_trial(_metadata, self, &shown, rate, &snapshot);
		EXPECT_EQ(rate, snapshot_scalar(&snapshot, "block_rate"));
		EXPECT_GT(snapshot_scalar(&snapshot, "total.waits"),
			  snapshot_scalar(&snapshot, "waits_sampled"));
		EXPECT_EQ(shown.kind, wait.kind);
		EXPECT_EQ(shown.flags, wait.flags);
		truth = truth_take(rate, scale);
		ASSERT_LT(0, truth.count_spread.variance);
		scores_add(&counts, (double)wait.count / WAITED_ONE, WAITS, &truth.count_spread);
		scores_add(&times, wait.delay_ns, truth.ns, &truth.ns_spread);
		total_waits += WAITS;

		/*
		 * Everything that waited, against the exact total. The sum of d (R - d)
		 * is not known for the others, but is less than that of d R.
		 */
		all = contention_sum(&snapshot, &self->watch.symbols,
				     contention_waits(CONTENTION_ANY_LOCK, CONTENTION_ANY_CHAIN));
		others = fmax(0, snapshot_scalar(&snapshot, "total.wait_ns") - truth.ns);
		truth.ns_spread.variance += others * rate;
		if (!snapshot_lost(&snapshot, "block"))
			scores_add(&totals, all.delay_ns,
				   snapshot_scalar(&snapshot, "total.wait_ns"), &truth.ns_spread);
		snapshot_free(&snapshot);
	}

	TH_LOG("%u waits", total_waits);
	scores_expect(_metadata, &counts, "number of waits");
	if (!quick)
		scores_expect(_metadata, &times, "time");
	/* Of others so little is known that only the mean can be judged. */
	if (quick)
		return;
	ASSERT_LT(0, totals.count);
	TH_LOG("total time: %u trials, mean %+.2f standard errors off", totals.count,
	       totals.sum / sqrt(totals.count));
	EXPECT_LE(fabs(totals.sum / sqrt(totals.count)), SCORES_CHANCE);
}

TEST_HARNESS_MAIN
