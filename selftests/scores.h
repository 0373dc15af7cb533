/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far off estimates are, in their own standard errors.
 */
#ifndef SCORES_H
#define SCORES_H

#include <math.h>

#include "harness.h"

/*
 * One number gets one chance: the interval in which 99.99 % end up, in standard
 * errors.
 */
#define SCORES_CHANCE 3.9

/**
 * struct scores - errors of estimates, in standard errors
 * @count: how many
 * @sum: of the errors
 * @squares: of their squares
 * @covered: how often the 95 % interval held the truth
 */
struct scores {
	unsigned int count;
	double sum;
	double squares;
	unsigned int covered;
};

static inline void scores_add(struct scores *scores, double estimate, double truth,
			      double variance)
{
	double score = (estimate - truth) / sqrt(variance);

	scores->count++;
	scores->sum += score;
	scores->squares += score * score;
	scores->covered += fabs(score) <= 1.96;
}

/*
 * The errors of n trials, in standard errors, have the mean 0 with the standard error
 * 1 / sqrt(n). The sum of their squares is chi-squared with n degrees of freedom, and
 * the cube root of an n-th of it nearly normal, with the mean 1 - 2 / (9 n) and the
 * variance 2 / (9 n) (Wilson and Hilferty).
 */
static inline void scores_expect(struct __test_metadata *_metadata, const struct scores *scores,
				 const char *what)
{
	double n = scores->count;
	double mean = scores->sum / sqrt(n);
	double spread = (cbrt(scores->squares / n) - (1 - 2 / (9 * n))) / sqrt(2 / (9 * n));

	TH_LOG("%s: mean %+.2f, spread %+.2f standard errors off, %u of %u intervals cover it",
	       what, mean, spread, scores->covered, scores->count);
	EXPECT_LE(fabs(mean), SCORES_CHANCE);
	EXPECT_LE(fabs(spread), SCORES_CHANCE);
	/* Of so few, one more may make a difference. */
	EXPECT_GE(scores->covered, 0.95 * n - SCORES_CHANCE * sqrt(0.95 * 0.05 * n) - 1);
}

#endif /* SCORES_H */
