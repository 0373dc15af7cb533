// SPDX-License-Identifier: GPL-2.0
/*
 * The sampler's integer arithmetic against libm: the logarithm, the gap's
 * distribution, and the probability that estimates are divided by.
 */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

typedef uint64_t u64;

#define BIT_ULL(n)	(1ULL << (n))

static u64 mul_u64_u64_shr(u64 a, u64 b, unsigned int shift)
{
	return (u64)((unsigned __int128)a * b >> shift);
}

static u64 mul_u64_u64_div_u64(u64 a, u64 b, u64 c)
{
	return (u64)((unsigned __int128)a * b / c);
}

#include "../../module/core/explog.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"

static u64 next_random(u64 *state)
{
	u64 z = *state += 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	return z ^ (z >> 31);
}

TEST(neg_ln_agrees_with_libm)
{
	u64 state = 1;
	int i;

	for (i = 0; i < 200000; i++) {
		u64 u = next_random(&state) >> (i % 64) | 1;
		double want = -log(ldexp((double)u, -64));
		double got = ldexp((double)kmprof_neg_ln(u), -KMPROF_NEG_LN_BITS);

		ASSERT_LT(fabs(got - want), 2e-14)
			TH_LOG("u=%llu got %.16f want %.16f", (unsigned long long)u, got, want);
	}
	ASSERT_LT(ldexp((double)kmprof_neg_ln(~0ULL), -KMPROF_NEG_LN_BITS), 1e-14);
	ASSERT_LT(44.3, ldexp((double)kmprof_neg_ln(0), -KMPROF_NEG_LN_BITS));
}

TEST(gap_is_below_size_as_often_as_the_formula_says)
{
	static const u64 rates[] = { 2, 64, 4096, 524288, 1 << 30 };
	static const double ratios[] = { 0.01, 0.1, 0.5, 1, 2, 5 };
	const int n = guest_is_quick("400000 gaps of each kind") ? 40000 : 400000;
	u64 state = 2;
	size_t r, q;
	int i;

	for (r = 0; r < sizeof(rates) / sizeof(*rates); r++) {
		for (q = 0; q < sizeof(ratios) / sizeof(*ratios); q++) {
			u64 size = ceil(rates[r] * ratios[q]);
			double p = -expm1(-(double)size / rates[r]);
			double error = sqrt(n * p * (1 - p));
			int hits = 0;

			for (i = 0; i < n; i++)
				hits += kmprof_exp_gap(rates[r], next_random(&state)) < size;
			ASSERT_LT(fabs(hits - n * p), 4.5 * error)
				TH_LOG("rate=%llu size=%llu: %d hits of %d, expected %.0f +- %.0f",
				       (unsigned long long)rates[r], (unsigned long long)size,
				       hits, n, n * p, error);
		}
	}
	for (i = 0; i < 100; i++)
		ASSERT_EQ(0, kmprof_exp_gap(1, next_random(&state)));
}

TEST(probability_agrees_with_libm)
{
	static const u64 periods[] = { 2, 3, 7, 100, 4096, 524288, 1 << 30 };
	u64 size;
	size_t i;

	for (i = 0; i < sizeof(periods) / sizeof(*periods); i++) {
		for (size = 1; size <= 64 << 20; size += 1 + size / 7) {
			double want = -expm1(-(double)size / periods[i]);
			double got = ldexp((double)kmprof_sample_prob(size, periods[i]), -62);

			ASSERT_LT(fabs(got / want - 1), 1e-12)
				TH_LOG("size=%llu period=%llu got %.17g want %.17g",
				       (unsigned long long)size, (unsigned long long)periods[i],
				       got, want);
		}
	}
	ASSERT_EQ(KMPROF_PROB_ONE, kmprof_sample_prob(1, 1));
	ASSERT_EQ(KMPROF_PROB_ONE, kmprof_sample_prob(8, 0));
}

TEST_HARNESS_MAIN
