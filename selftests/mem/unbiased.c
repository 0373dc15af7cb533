// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates from samples are right on average, and their standard error says
 * how far off a single one may be. A trial is a known number of allocations
 * through one chain and the estimate that a snapshot gives for it.
 */
#include <math.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/tally.h"

enum {
	ROUNDS = 4,
	/* Less do not tell how the errors scatter. */
	TRIALS_MIN = 100,
	/* Less do not even tell their sum. */
	TRIALS_FEW = 20,
	/* Expected per trial: enough for the normal interval to fit. */
	SAMPLES = 160,
};

/**
 * struct kind - one kind of trial, run with every chain
 * @method: enum kmprof_test_method
 * @size: bytes per object, another one for every kind
 * @rounds: in how many of the rounds
 * @rounds_quick: the same, in a run with less effort: more of the large objects,
 *	of which a trial takes few
 * @rounds_few: with hardly any effort, or on a slow kernel: as many as it takes for
 *	are_few_good()
 */
struct kind {
	unsigned int method;
	unsigned int size;
	unsigned int rounds;
	unsigned int rounds_quick;
	unsigned int rounds_few;
};

STORE_FIXTURE(unbiased, "heap_rate=0 " GUEST_ROOMY);

/**
 * struct trials - what came out of the trials so far
 * @count: how many
 * @sum: of the relative errors
 * @squares: of their squares
 * @bytes_off: sum of the errors
 * @variance: of that
 * @covered: how often the 95 % interval held the truth
 */
struct trials {
	unsigned int count;
	double sum;
	double squares;
	double bytes_off;
	double variance;
	unsigned int covered;
};

static void trials_add(struct trials *trials, double truth, double estimate, double variance)
{
	double error = estimate / truth - 1;

	trials->count++;
	trials->sum += error;
	trials->squares += error * error;
	trials->bytes_off += estimate - truth;
	trials->variance += variance;
	trials->covered += fabs(estimate - truth) <= 1.96 * sqrt(variance);
}

static unsigned int trial_objects(uint64_t rate, unsigned int size)
{
	return ceil(SAMPLES / -expm1(-(double)size / rate));
}

static unsigned int kind_free(const struct kind *kind)
{
	return order_can_free(KMPROF_TEST_KFREE, kind->method, kind->size, KMPROF_TEST_TASK) ?
	       KMPROF_TEST_KFREE : KMPROF_TEST_CACHE_FREE;
}

static unsigned int kind_context(const struct kind *kind, unsigned int turn)
{
	unsigned int context = turn % order_contexts();

	return order_can_alloc(kind->method, kind->size, context) ? context : KMPROF_TEST_TASK;
}

/* How errors scatter is arithmetic, the same on every kernel: a slow one leaves it to others. */
static int has_few_trials(void)
{
	enum { SLOW = 4 };

	if (guest_slow() < SLOW)
		return guest_is_quick("how the errors of estimates scatter");
	fprintf(stderr, "# left to faster kernels: how the errors of estimates scatter\n");
	return 1;
}

static unsigned int kind_rounds(const struct kind *kind, int few)
{
	if (few)
		return kind->rounds_few;
	return guest_effort(100) < 50 ? kind->rounds_quick : kind->rounds;
}

static void run_round(struct __test_metadata *_metadata, FIXTURE_DATA(unbiased) *self,
		      uint64_t rate, const struct kind *kinds, unsigned int nr_kinds,
		      unsigned int round, int few, struct trials *trials)
{
	struct snapshot snapshot;
	unsigned int chain, i;
	struct tally tally;

	ASSERT_EQ(0, guest_reset(self->dev));
	for (chain = 0; chain < KMPROF_TEST_CHAINS; chain++) {
		for (i = 0; i < nr_kinds; i++) {
			struct kmprof_test_op op = {
				.op = KMPROF_TEST_CHURN,
				.chain = chain,
				.method = kinds[i].method,
				.free = kind_free(&kinds[i]),
				.context = kind_context(&kinds[i], chain + i),
				.cpu = (chain + round) % 2,
				.size = kinds[i].size,
				.count = trial_objects(rate, kinds[i].size),
			};

			if (round < kind_rounds(&kinds[i], few))
				ASSERT_EQ(0, order_run(self->store, &op));
		}
	}

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	/* A lost sample would be a bias of its own. */
	EXPECT_EQ(snapshot_loss(&snapshot, "own"), snapshot_lost(&snapshot, "heap"))
		snapshot_print_losses(&snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	for (chain = 0; chain < KMPROF_TEST_CHAINS; chain++) {
		for (i = 0; i < nr_kinds; i++) {
			struct cell cell = tally_cell(&tally, chain, kinds[i].size);
			double truth = (double)kinds[i].size * trial_objects(rate, kinds[i].size);

			if (round >= kind_rounds(&kinds[i], few))
				continue;
			EXPECT_EQ(cell.allocs, cell.frees);
			trials_add(trials, truth, cell.estimate, cell.variance);
		}
	}
	tally_free(&tally);
	snapshot_free(&snapshot);
}

/* The bounds leave out one of 300 whose estimates are right. */
static int are_good(struct __test_metadata *_metadata, const struct trials *trials)
{
	double mean = trials->sum / trials->count;
	double deviation = sqrt((trials->squares - trials->count * mean * mean) /
				(trials->count - 1));
	double error = deviation / sqrt(trials->count);

	TH_LOG("%u trials: mean error %+.3f %%, its standard error %.3f %%, "
	       "%u intervals (%.1f %%) cover the truth",
	       trials->count, 100 * mean, 100 * error, trials->covered,
	       100.0 * trials->covered / trials->count);
	return fabs(mean) <= 3 * error && trials->covered >= 0.90 * trials->count &&
	       trials->covered <= 0.99 * trials->count;
}

/*
 * Of few trials, the sum has a normal error all the same: they have thousands of samples.
 * One of 10000 whose estimates are right is farther off.
 */
static int are_few_good(struct __test_metadata *_metadata, const struct trials *trials)
{
	double error = sqrt(trials->variance);

	TH_LOG("%u trials: %+.2f standard errors off", trials->count, trials->bytes_off / error);
	return fabs(trials->bytes_off) <= 3.9 * error;
}

/* Chance does not come twice; a bias does. */
static void run_trials(struct __test_metadata *_metadata, FIXTURE_DATA(unbiased) *self,
		       uint64_t rate, const struct kind *kinds, unsigned int nr_kinds)
{
	enum { ATTEMPTS = 2 };
	unsigned int attempt, round;
	int good = 0, few = has_few_trials();

	ASSERT_EQ(0, guest_set_rate(self->dev, rate));
	for (attempt = 0; attempt < ATTEMPTS && !good; attempt++) {
		struct trials trials = { 0 };

		for (round = 0; round < (few ? 1 : ROUNDS); round++)
			run_round(_metadata, self, rate, kinds, nr_kinds, round, few, &trials);
		ASSERT_LE(few ? TRIALS_FEW : TRIALS_MIN, trials.count);
		good = few ? are_few_good(_metadata, &trials) : are_good(_metadata, &trials);
	}
	EXPECT_TRUE(good);
}

TEST_F_TIMEOUT(unbiased, rate_4096, 600)
{
	static const struct kind kinds[] = {
		{ KMPROF_TEST_KMALLOC, 32, ROUNDS, 0, 0 },
		{ KMPROF_TEST_KMALLOC_VARIABLE, 128, ROUNDS, 1, 0 },
		{ KMPROF_TEST_KMALLOC_NODE, 512, ROUNDS, 3, 0 },
		{ KMPROF_TEST_KCALLOC, 2048, ROUNDS, ROUNDS, 1 },
		{ KMPROF_TEST_CACHE, 3000, ROUNDS, ROUNDS, 1 },
	};

	run_trials(_metadata, self, 4096, kinds, ARRAY_SIZE(kinds));
}

/*
 * A trial is 80 MiB of allocations here, and an emulated machine takes long to
 * clear them. Objects of a cache with a constructor are not cleared.
 */
TEST_F_TIMEOUT(unbiased, rate_524288, 600)
{
	static const struct kind kinds[] = {
		{ KMPROF_TEST_CACHE, 7000, ROUNDS, 0, 0 },
		{ KMPROF_TEST_CACHE_NODE, 3000, ROUNDS, 0, 0 },
		{ KMPROF_TEST_CACHE_BULK, 5000, ROUNDS, 1, 0 },
		{ KMPROF_TEST_KMALLOC_VARIABLE, 16384, 1, 1, 0 },
		{ KMPROF_TEST_KMALLOC_NODE, 32768, 0, ROUNDS, 0 },
		{ KMPROF_TEST_KMALLOC_VARIABLE, 65536, 0, ROUNDS, 1 },
	};

	run_trials(_metadata, self, 524288, kinds, ARRAY_SIZE(kinds));
}

TEST_HARNESS_MAIN
