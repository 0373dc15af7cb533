/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How far off estimates are, in their own standard errors.
 */
#ifndef SCORES_H
#define SCORES_H

#include <math.h>

#include "lib/harness.h"

/*
 * One number gets one chance: the interval in which 99.99 % end up, in standard
 * errors.
 */
#define SCORES_CHANCE 3.9

/**
 * struct spread - how the error of an estimate scatters: cumulants of its distribution
 * @variance: the second one
 * @third: 0 if it is symmetric
 * @fourth: 0 if it is normal
 */
struct spread {
	double variance;
	double third;
	double fourth;
};

/**
 * struct scores - errors of estimates, in standard errors
 * @count: how many
 * @sum: of the errors
 * @squares: of their squares
 * @skewness: sum of that of each one's distribution
 * @excess: sum of their kurtosis, over a normal one's
 * @covered: how often the 95 % interval held the truth
 */
struct scores {
	unsigned int count;
	double sum;
	double squares;
	double skewness;
	double excess;
	unsigned int covered;
};

/* Of @value, which is counted @value / @p with probability @p, and else not at all. */
static inline void spread_add(struct spread *spread, double value, double p)
{
	double weight = value / p, variance = weight * weight * p * (1 - p);

	spread->variance += variance;
	spread->third += variance * weight * (1 - 2 * p);
	spread->fourth += variance * weight * weight * (1 - 6 * p * (1 - p));
}

static inline void scores_add(struct scores *scores, double estimate, double truth,
			      const struct spread *spread)
{
	double score = (estimate - truth) / sqrt(spread->variance);

	scores->count++;
	scores->sum += score;
	scores->squares += score * score;
	scores->skewness += spread->third / pow(spread->variance, 1.5);
	scores->excess += spread->fourth / (spread->variance * spread->variance);
	scores->covered += fabs(score) <= 1.96;
}

/*
 * The errors of n trials, in standard errors, have the mean 0 with the standard error
 * 1 / sqrt(n). It is above that more often than a normal one when few values make up
 * much of the whole: as much more as a gamma distribution of its skewness, the cube root
 * of which is nearly normal (Wilson and Hilferty). Below, it is so less often.
 *
 * Return: how far off it is, as a standard normal number.
 */
static inline double scores_mean(const struct scores *scores)
{
	double n = scores->count;
	double mean = scores->sum / sqrt(n), skewness = scores->skewness / n / sqrt(n);

	if (mean < 0 || skewness < 0.001)
		return mean;
	return 6 / skewness * (cbrt(1 + skewness * mean / 2) - 1) + skewness / 6;
}

/*
 * The sum of their squares is chi-squared with n degrees of freedom, if they are normal.
 * With heavier tails it has a larger variance, that of fewer degrees of freedom; the
 * cube root of the mean square is nearly normal then, too, with the mean 1 - 2 / (9 n)
 * and the variance 2 / (9 n).
 *
 * Return: how far off it is, as a standard normal number.
 */
static inline double scores_spread(const struct scores *scores)
{
	double freedom = scores->count / (1 + scores->excess / scores->count / 2);
	double variance = 2 / (9 * freedom);

	return (cbrt(scores->squares / scores->count) - (1 - variance)) / sqrt(variance);
}

static inline void scores_expect(struct __test_metadata *_metadata, const struct scores *scores,
				 const char *what)
{
	double n = scores->count, mean = scores_mean(scores), spread = scores_spread(scores);

	TH_LOG("%s: mean %+.2f, spread %+.2f standard errors off, %u of %u intervals cover it",
	       what, mean, spread, scores->covered, scores->count);
	TH_LOG("  skewness %.2f, excess kurtosis %.2f, of a single one", scores->skewness / n,
	       scores->excess / n);
	EXPECT_LE(fabs(mean), SCORES_CHANCE);
	EXPECT_LE(fabs(spread), SCORES_CHANCE);
	/* Of so few, one more may make a difference. */
	EXPECT_GE(scores->covered, 0.95 * n - SCORES_CHANCE * sqrt(0.95 * 0.05 * n) - 1);
}

#endif /* SCORES_H */
