/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Does something grow in every round, or does it only look so? Knows nothing of stacks and
 * bytes: what is judged is a list of series, each with one number for each round, by how much
 * it has grown.
 *
 * The test of a series. Its growth is the mean g of the rounds. The standard error of g is
 * e = sqrt(V / rounds), where V is the largest of
 *
 *	the variance that the rounds show,
 *	the variance that sampling gives a round,
 *	U^2 / 12, where U is the unit in which the series is counted.
 *
 * The last one is the variance of rounding. Without it, three rounds with one object each would
 * have no error at all. If nothing grows, g / e is larger than t with the probability that
 * Student's distribution with rounds - 1 degrees of freedom has for it, or with less where the
 * series moves up and down around a level.
 *
 * The correction for many series. A series that never moves is not counted. Of the m others,
 * Holm's procedure calls those leaks whose p is so small that, if nothing leaks, any leak is
 * called with a probability of at most 1 - confidence: S. Holm, "A Simple Sequentially Rejective
 * Multiple Test Procedure", Scand. J. Statist. 6 (1979), p. 65.
 *
 * A significant growth is no leak if it slows down, as a cache does that fills up: if it is less
 * than half as fast in the second half of the rounds as in the first one, or, with 5 rounds or
 * more, less than half as fast in the last fourth of the rounds, at least 2, as in those before.
 * Nor is it a leak if it came in half of the rounds or less.
 */
#ifndef KMPROF_LEAKS_JUDGE_H
#define KMPROF_LEAKS_JUDGE_H

#include <stdbool.h>
#include <stddef.h>

enum {
	KMPROF_JUDGE_ROUNDS_MIN = 3,
};

enum kmprof_verdict {
	KMPROF_VERDICT_STEADY,
	KMPROF_VERDICT_RECORD,		/* it grows with other memory: see leaks/records.h */
	KMPROF_VERDICT_GROWING,		/* not sure */
	KMPROF_VERDICT_LEAK,
};

/* Why it is not a leak, or not sure. */
enum kmprof_verdict_reason {
	KMPROF_REASON_NONE,
	KMPROF_REASON_CHANCE,		/* growth that can be chance */
	KMPROF_REASON_FEW_ROUNDS,	/* it grew in half of the rounds at most */
	KMPROF_REASON_SLOWING,		/* the last rounds grew less than half as fast */
	KMPROF_REASON_STOPPED,		/* the second half did not grow */
};

/**
 * struct kmprof_judged - a series and what is found about it
 * @growth: by how much it has grown in each round
 * @rounds: how many, at least KMPROF_JUDGE_ROUNDS_MIN
 * @unit: unit in which it is counted, as far as that is seen: an object, or what a sampled
 *	object stands for
 * @grain: least amount by which it can change; 0: @unit. Less than a unit where a sample can go in
 *	parts, as a block of pages
 * @sampling: variance of the growth of a round due to sampling; 0: everything is seen
 * @mean: out: growth by round
 * @error: out: standard error of @mean
 * @p: out: probability of such a growth if it does not grow
 * @adjusted: out: @p corrected for the number of series: it is called a leak at any confidence
 *	up to 1 - @adjusted
 * @grown: out: rounds in which it grew
 * @moved: out: rounds in which it changed
 * @verdict: out
 * @reason: out: unless it is a leak
 */
struct kmprof_judged {
	const double *growth;
	unsigned int rounds;
	double unit;
	double grain;
	double sampling;
	double mean;
	double error;
	double p;
	double adjusted;
	unsigned int grown;
	unsigned int moved;
	enum kmprof_verdict verdict;
	enum kmprof_verdict_reason reason;
};

/**
 * kmprof_judge() - judge all series of a session
 * @judged: the series
 * @nr: how many
 * @confidence: probability with which no series is called a leak if nothing leaks
 * @looked_at: returns how many series the correction is for
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_judge(struct kmprof_judged *judged, size_t nr, double confidence, size_t *looked_at);

/**
 * kmprof_judge_rounds() - rounds in which a regular leak can be told from chance
 * @nr: number of series that the correction is for
 * @confidence: as above
 *
 * Return: how many rounds it takes to call one unit in each round a leak.
 */
unsigned int kmprof_judge_rounds(size_t nr, double confidence);

#endif
