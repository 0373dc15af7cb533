// SPDX-License-Identifier: GPL-2.0
/* The test of each series, and the correction for their number. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "leaks/judge.h"
#include "leaks/student.h"

/* A growth of smaller p is worth a look, though it may be chance. */
#define WORTH_A_LOOK	0.05

enum {
	ROUNDS_MOST	= 1000,
	TAIL_LEAST	= 2,	/* the last rounds are at least so many, */
	TAIL_PART	= 4,	/* or a fourth, */
	TAIL_ROUNDS	= 5,	/* of this number of rounds or more */
};

static double rounding_variance(double unit)
{
	return unit * unit / 12;
}

static double spread(const struct kmprof_judged *j)
{
	double sum = 0, off;
	unsigned int i;

	for (i = 0; i < j->rounds; i++) {
		off = j->growth[i] - j->mean;
		sum += off * off;
	}
	return sum / (j->rounds - 1);
}

/* What is smaller than this is the rounding of sums of doubles. */
static double least(const struct kmprof_judged *j)
{
	return (j->grain > 0 ? j->grain : j->unit) / 2;
}

static void measure(struct kmprof_judged *j)
{
	double variance;
	unsigned int i;

	j->mean = 0;
	j->grown = 0;
	j->moved = 0;
	for (i = 0; i < j->rounds; i++) {
		j->mean += j->growth[i];
		j->grown += j->growth[i] > least(j);
		j->moved += fabs(j->growth[i]) > least(j);
	}
	/* Divided once: so whole numbers stay whole. */
	j->mean /= j->rounds;
	variance = fmax(spread(j), fmax(j->sampling, rounding_variance(j->unit)));
	j->error = sqrt(variance / j->rounds);
	j->p = j->error > 0 ? kmprof_student_tail(j->mean / j->error, j->rounds - 1) : 1;
}

static bool is_looked_at(const struct kmprof_judged *j)
{
	return j->moved > 0;
}

/* Growth of @nr rounds from @first on. */
static double sum_of(const struct kmprof_judged *j, unsigned int first, unsigned int nr)
{
	double sum = 0;
	unsigned int i;

	for (i = first; i < first + nr; i++)
		sum += j->growth[i];
	return sum;
}

/* Grew the last rounds less than half as fast as those before? So does a cache that is full. */
static bool is_full(const struct kmprof_judged *j)
{
	unsigned int tail = j->rounds / TAIL_PART, before;

	if (j->rounds < TAIL_ROUNDS)
		return false;
	if (tail < TAIL_LEAST)
		tail = TAIL_LEAST;
	before = j->rounds - tail;
	return 2 * sum_of(j, before, tail) / tail < sum_of(j, 0, before) / before;
}

/* The round in the middle of an odd number belongs to neither half. */
static enum kmprof_verdict_reason reason_against(const struct kmprof_judged *j)
{
	unsigned int half = j->rounds / 2;
	double early = sum_of(j, 0, half), late = sum_of(j, j->rounds - half, half);

	if (late < least(j))
		return KMPROF_REASON_STOPPED;
	if (late < early / 2 || is_full(j))
		return KMPROF_REASON_SLOWING;
	if (2 * j->grown <= j->rounds)
		return KMPROF_REASON_FEW_ROUNDS;
	return KMPROF_REASON_NONE;
}

static void decide(struct kmprof_judged *j, double confidence)
{
	j->reason = reason_against(j);
	if (j->reason == KMPROF_REASON_NONE && j->adjusted <= 1 - confidence) {
		j->verdict = KMPROF_VERDICT_LEAK;
		return;
	}
	if (j->reason == KMPROF_REASON_NONE)
		j->reason = KMPROF_REASON_CHANCE;
	j->verdict = j->p <= WORTH_A_LOOK && j->reason != KMPROF_REASON_STOPPED ?
		     KMPROF_VERDICT_GROWING : KMPROF_VERDICT_STEADY;
}

static int by_p(const void *a, const void *b)
{
	const struct kmprof_judged *const *x = a, *const *y = b;

	return ((*x)->p > (*y)->p) - ((*x)->p < (*y)->p);
}

int kmprof_judge(struct kmprof_judged *judged, size_t nr, double confidence, size_t *looked_at)
{
	struct kmprof_judged **sorted;
	double adjusted = 0;
	size_t i, m = 0;

	sorted = calloc(nr + 1, sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		measure(&judged[i]);
		judged[i].adjusted = 1;
		if (is_looked_at(&judged[i]))
			sorted[m++] = &judged[i];
	}
	qsort(sorted, m, sizeof(*sorted), by_p);
	for (i = 0; i < m; i++) {
		adjusted = fmax(adjusted, fmin(1, (double)(m - i) * sorted[i]->p));
		sorted[i]->adjusted = adjusted;
	}
	for (i = 0; i < nr; i++)
		decide(&judged[i], confidence);
	free(sorted);
	*looked_at = m;
	return 0;
}

unsigned int kmprof_judge_rounds(size_t nr, double confidence)
{
	double t, most = (1 - confidence) / (double)(nr ? nr : 1);
	unsigned int rounds;

	for (rounds = KMPROF_JUDGE_ROUNDS_MIN; rounds < ROUNDS_MOST; rounds++) {
		t = sqrt(rounds / rounding_variance(1));
		if (kmprof_student_tail(t, rounds - 1) <= most)
			break;
	}
	return rounds;
}
