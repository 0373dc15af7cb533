// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates from sampled releases are right on average, and as far off a single one as
 * their standard error says. A trial is a known number of releases for which others
 * have waited a known time, and the estimates that a snapshot gives for them.
 *
 * Of F = mutex_fraction releases one is sampled, and one that has made others wait for
 * d ns then counts F releases and F d ns. So a trial's estimates have the standard
 * errors
 *
 *	number of releases	sqrt(sum of F^2 * 1 / F (1 - 1 / F))	 = sqrt(n (F - 1))
 *	time			sqrt(sum of (F d)^2 * 1 / F (1 - 1 / F)) =
 *							sqrt((F - 1) * sum of d^2)
 */
#include <math.h>
#include <stdlib.h>

#include "lib/contention.h"
#include "lib/kmprof_guest.h"
#include "lib/rounds.h"
#include "lib/scores.h"
#include "lib/waited.h"
#include "lib/watch.h"

enum {
	ROUNDS = 67,
	RELEASES = ROUNDS_WAITERS * ROUNDS,	/* for the last one nobody waits */
	TRIALS = 20,
	TRIALS_MIN = 10,	/* less do not tell how the errors scatter */
	TRIALS_FEW = 4,
	HOLD_US = 200,
};

WATCH_FIXTURE(mutex_unbiased, "block_rate=0 mutex_fraction=1")

static struct rounds rounds = { .count = ROUNDS, .hold_us = HOLD_US, .pass_us = HOLD_US };

/**
 * struct truth - what the releases of a trial were
 * @ns: that others have waited because of them
 * @count_spread: of an estimate of their number
 * @ns_spread: of an estimate of that time
 */
struct truth {
	double ns;
	struct spread count_spread;
	struct spread ns_spread;
};

static int by_time(const void *a, const void *b)
{
	const uint64_t *left = a, *right = b;

	return *left < *right ? -1 : *left > *right;
}

static uint64_t released_at(const struct kmprof_test_lock *order)
{
	return order->start_ns + order->wait_ns + order->held_ns;
}

/*
 * Who has the semaphore makes all wait that have not had it yet. @scale: what kmprof sees
 * of it, and not only the test module.
 */
static void add_round(struct truth *truth, unsigned int round, double scale, double fraction)
{
	uint64_t at[KMPROF_TEST_WAITERS];
	unsigned int i;
	double ns = 0;

	for (i = 0; i < KMPROF_TEST_WAITERS; i++)
		at[i] = released_at(&rounds.orders[i][round]);
	qsort(at, KMPROF_TEST_WAITERS, sizeof(*at), by_time);
	for (i = 0; i < ROUNDS_WAITERS; i++)
		ns += at[0] - rounds.orders[i][round].start_ns;
	for (i = 0; i < ROUNDS_WAITERS; i++) {
		truth->ns += scale * ns;
		spread_add(&truth->count_spread, 1, 1 / fraction);
		spread_add(&truth->ns_spread, scale * ns, 1 / fraction);
		ns = (ROUNDS_WAITERS - 1.0 - i) * (at[i + 1] - at[i]);
	}
}

static struct truth truth_take(double scale, double fraction)
{
	struct truth truth = { 0 };
	unsigned int round;

	for (round = 0; round < ROUNDS; round++)
		add_round(&truth, round, scale, fraction);
	return truth;
}

/* Runs a trial and takes its snapshot. Returns the releases of the semaphore. */
static struct contention run_trial(struct __test_metadata *_metadata,
				   FIXTURE_DATA(mutex_unbiased) *self, const struct shown *shown,
				   struct snapshot *snapshot)
{
	ASSERT_EQ(0, guest_reset(self->watch.dev));
	ASSERT_EQ(0, rounds_run(self->watch.fd, &rounds));
	ASSERT_EQ(0, snapshot_take(self->watch.dev, snapshot));
	EXPECT_IMAGE(snapshot);
	/* A lost release would be a bias of its own; kmprof's own ones are not ours. */
	EXPECT_EQ(snapshot_loss(snapshot, "delay_own"), snapshot_lost(snapshot, "mutex"))
		snapshot_print_losses(snapshot);
	EXPECT_EQ(0, snapshot_loss(snapshot, "missed_release"));
	EXPECT_LE(RELEASES, snapshot_scalar(snapshot, "total.releases"));
	return contention_sum(snapshot, &self->watch.symbols,
			      contention_blamed(shown->lock, CONTENTION_ANY_CHAIN));
}

static void try_fraction(struct __test_metadata *_metadata, FIXTURE_DATA(mutex_unbiased) *self,
			 unsigned int fraction)
{
	unsigned int trial, trials = guest_effort(TRIALS);
	struct scores counts = { 0 }, times = { 0 };
	struct contention release;
	int quick = guest_is_quick("more trials, and the time that waits are said to take");
	struct snapshot snapshot;
	struct shown shown;
	struct truth truth;
	double scale;

	ASSERT_EQ(0, released_shown(self->watch.fd, KMPROF_TEST_LOCK_SEMAPHORE, 0,
				    KMPROF_TEST_WRITE, KMPROF_TEST_WRITE, &shown));

	/* How much of the waits the probes see. */
	release = run_trial(_metadata, self, &shown, &snapshot);
	truth = truth_take(1, 1);
	ASSERT_EQ((uint64_t)RELEASES * WAITED_ONE, release.count);
	scale = release.delay_ns / truth.ns;
	if (!quick)
		EXPECT_LE(0.8, scale);
	EXPECT_GE(1.01, scale);
	snapshot_free(&snapshot);
	ASSERT_EQ(0, guest_set_mutex_fraction(self->watch.dev, fraction));
	TH_LOG("%.3f ms waited for a release on average, %.1f %% of which is seen",
	       truth.ns / 1e6 / RELEASES, 100 * scale);

	if (trials < TRIALS_MIN)
		trials = quick ? TRIALS_FEW : TRIALS_MIN;
	for (trial = 0; trial < trials; trial++) {
		release = run_trial(_metadata, self, &shown, &snapshot);
		EXPECT_EQ(fraction, snapshot_scalar(&snapshot, "mutex_fraction"));
		EXPECT_GT(snapshot_scalar(&snapshot, "total.releases"),
			  snapshot_scalar(&snapshot, "delays_sampled"));
		if (release.count) {
			EXPECT_EQ(shown.kind, release.kind);
			EXPECT_EQ(shown.flags, release.flags);
		}
		truth = truth_take(scale, fraction);
		scores_add(&counts, (double)release.count / WAITED_ONE, RELEASES,
			   &truth.count_spread);
		scores_add(&times, release.delay_ns, truth.ns, &truth.ns_spread);
		snapshot_free(&snapshot);
	}

	TH_LOG("%u releases", trials * RELEASES);
	scores_expect(_metadata, &counts, "number of releases");
	if (!quick)
		scores_expect(_metadata, &times, "time");
}

TEST_F_TIMEOUT(mutex_unbiased, estimates_from_few, 600)
{
	try_fraction(_metadata, self, 100);
}

/* What is wrong by a tenth, shows. */
TEST_F_TIMEOUT(mutex_unbiased, estimates_from_many, 600)
{
	try_fraction(_metadata, self, 5);
}

TEST_HARNESS_MAIN
