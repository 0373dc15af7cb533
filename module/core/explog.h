/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The integer arithmetic of exponential sampling, as pure functions: the kernel has no
 * FPU. selftests/explog.c compares it with libm.
 */
#ifndef KMPROF_EXPLOG_H
#define KMPROF_EXPLOG_H

#ifdef __KERNEL__
#include <linux/bitops.h>
#include <linux/math64.h>
#endif

/*
 * Fraction bits of a logarithm. Its last digit is what the probability that an object is sampled
 * can be off. An object of one byte, at a rate of 2^30 bytes, is sampled with a probability of
 * 2^-30: that is right to one part in 2^17.
 */
#define KMPROF_NEG_LN_BITS	48

/* The probability 1, in fixed point: 2^62. */
#define KMPROF_PROB_ONE		BIT_ULL(62)

/**
 * kmprof_neg_ln() - minus the natural logarithm of a uniform random number
 * @u: uniform 64-bit random number; the function uses u | 1
 *
 * Computes the binary logarithm bit by bit: squaring the mantissa doubles its logarithm,
 * and whether the square reaches 2 is the next bit of the fraction.
 *
 * Context: Any.
 * Return: -ln((u | 1) / 2^64), 0 to 44.4, fixed point with KMPROF_NEG_LN_BITS fraction bits.
 */
static inline u64 kmprof_neg_ln(u64 u)
{
	const u64 ln2_q64 = 0xb17217f7d1cf79acULL;	/* ln(2) * 2^64 */
	unsigned int exponent, i;
	u64 log2, mantissa;

	u |= 1;
	exponent = 63 - __builtin_clzll(u);
	mantissa = (u << (63 - exponent)) >> 1;	/* [1, 2) with 62 fraction bits */
	log2 = exponent;
	for (i = 0; i < KMPROF_NEG_LN_BITS; i++) {
		mantissa = mul_u64_u64_shr(mantissa, mantissa, 62);
		log2 <<= 1;
		if (mantissa >> 63) {
			log2 |= 1;
			mantissa >>= 1;
		}
	}
	return mul_u64_u64_shr((64ULL << KMPROF_NEG_LN_BITS) - log2, ln2_q64, 64);
}

/**
 * kmprof_exp_gap() - draw the number of bytes until the next sample
 * @rate: mean of the distribution, in bytes; 1 samples everything
 * @u: uniform 64-bit random number
 *
 * An object of s bytes is sampled if gap < s. This has the probability
 * 1 - exp(-s / rate), because floor(x) < s if and only if x < s.
 * Source: fastexprand() and nextSample() of Go's malloc.
 *
 * Context: Any.
 * Return: floor(x) bytes, where x is exponentially distributed with mean @rate; 0 if @rate
 * is 1.
 */
static inline u64 kmprof_exp_gap(u64 rate, u64 u)
{
	if (rate <= 1)
		return 0;
	return mul_u64_u64_shr(rate, kmprof_neg_ln(u), KMPROF_NEG_LN_BITS);
}

/**
 * kmprof_sample_prob() - compute the probability with which an object was sampled
 * @size: size of the object in bytes, not 0
 * @period: sampling period in bytes
 *
 * x = size / period is halved until x <= 1/2. Then
 *
 *	p(x) = 1 - exp(-x) = x (1 - x/2 (1 - x/3 (1 - ...)))
 *
 * is summed up: all factors are positive, so that a small x loses no more precision than
 * the quotient has. Each halving is undone by p(2x) = p(x) (2 - p(x)).
 *
 * Context: Any.
 * Return: 1 - exp(-size / period) in units of 1 / KMPROF_PROB_ONE.
 */
static inline u64 kmprof_sample_prob(u64 size, u64 period)
{
	unsigned int halvings = 0, n;
	u64 x, sum;

	if (period <= 1 || size >= 45 * period)
		return KMPROF_PROB_ONE;
	while (size > period >> 1) {
		period <<= 1;
		halvings++;
	}
	x = mul_u64_u64_div_u64(size, KMPROF_PROB_ONE, period);
	sum = KMPROF_PROB_ONE;
	for (n = 16; n >= 2; n--)
		sum = KMPROF_PROB_ONE - mul_u64_u64_shr(x, sum, 62) / n;
	sum = mul_u64_u64_shr(x, sum, 62);
	while (halvings--)
		sum = mul_u64_u64_shr(sum, 2 * KMPROF_PROB_ONE - sum, 62);
	return sum;
}

#endif
