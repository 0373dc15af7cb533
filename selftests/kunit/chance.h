/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Chance, reproducible: random numbers from fixed seeds, and the bounds that
 * statistics of them have to keep. A bound says how often it would be broken if
 * the seeds were drawn anew; with the seeds as they are, a result repeats.
 */
#ifndef KMPROF_KUNIT_CHANCE_H
#define KMPROF_KUNIT_CHANCE_H

#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/prandom.h>
#include <linux/types.h>

#include "core/explog.h"

static inline u64 chance_u64(struct rnd_state *r)
{
	u64 u = (u64)prandom_u32_state(r) << 32;

	return u | prandom_u32_state(r);
}

/* Uniform from 0 to @n - 1. */
static inline u32 chance_below(struct rnd_state *r, u32 n)
{
	return (u64)prandom_u32_state(r) * n >> 32;
}

/* Every magnitude alike: uniform in its number of bits, then in its bits. */
static inline u64 chance_magnitude(struct rnd_state *r)
{
	return chance_u64(r) >> chance_below(r, 64);
}

/**
 * chance_chi2_add() - one class's share of a chi-square statistic
 * @observed: events in the class, of at most 2^24
 * @expected_q16: events expected, with 16 fraction bits, at least 1
 *
 * Return: with 16 fraction bits.
 */
static inline u64 chance_chi2_add(u64 observed, u64 expected_q16)
{
	u64 d = abs_diff(observed << 16, expected_q16);

	return mul_u64_u64_div_u64(d, d, expected_q16);
}

/**
 * chance_chi2_limit() - what a chi-square statistic stays below
 * @freedom: degrees of freedom
 *
 * A chi-square variable exceeds d + 2 sqrt(d x) + 2 x with probability exp(-x)
 * at most (Laurent and Massart, 2000, lemma 1). Here x is 14: one false alarm in
 * 1.2 million.
 *
 * Return: with 16 fraction bits.
 */
static inline u64 chance_chi2_limit(unsigned int freedom)
{
	return (u64)(freedom + 2 * (int_sqrt(14 * freedom) + 1) + 28) << 16;
}

/**
 * chance_binomial_ok() - are @hits of @n trials plausible?
 * @hits: successes
 * @n: trials, at most 2^24
 * @p: probability of a success, in units of 1 / KMPROF_PROB_ONE
 *
 * Within five standard deviations; with five hundred successes and failures
 * expected, or more, one false alarm in a million.
 */
static inline bool chance_binomial_ok(u64 hits, u64 n, u64 p)
{
	u64 mean_q16 = mul_u64_u64_shr(n, p, 46);
	u64 variance_q16 = mul_u64_u64_shr(mean_q16, KMPROF_PROB_ONE - p, 62);
	u64 d = abs_diff(hits << 16, mean_q16);

	/* Both sides with 32 fraction bits; 1 << 16 for the roundings. */
	return d < 1ULL << 31 && d * d <= 25 * (variance_q16 << 16) + (1 << 16);
}

#endif
