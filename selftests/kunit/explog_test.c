// SPDX-License-Identifier: GPL-2.0
/*
 * The integer arithmetic of exponential sampling: against tables that were
 * computed elsewhere to 60 digits, against the functional equations of the
 * logarithm and the exponential, and as a distribution.
 */
#include <kunit/test.h>

#include "chance.h"
#include "core/explog.h"
#include "rig.h"

/*
 * Tables from Python with mpmath, mp.dps = 60, x rounded to the nearest integer:
 * x = -log(mpf(u) / 2**64) * 2**48
 */
static const struct {
	u64 u;
	u64 want_q48;
} neg_ln_table[] = {
	{ 0x0000000000000001ULL, 0x002c5c85fdf473deULL },
	{ 0x0000000000000003ULL, 0x002b43475649a3aeULL },
	{ 0x0000000000000005ULL, 0x002ac081de759b0bULL },
	{ 0x0000000000010001ULL, 0x002145637e77d6e6ULL },
	{ 0x000000007fffffffULL, 0x0016dfb516f40bbfULL },
	{ 0x00000000ffffffffULL, 0x00162e42fefb39efULL },
	{ 0x0000000100000001ULL, 0x00162e42fef939efULL },
	{ 0x0020000000000001ULL, 0x00079fe707a603eaULL },
	{ 0x4000000000000001ULL, 0x000162e42fefa39fULL },
	{ 0x7fffffffffffffffULL, 0x0000b17217f7d1cfULL },
	{ 0x8000000000000001ULL, 0x0000b17217f7d1cfULL },
	{ 0xc000000000000001ULL, 0x000049a58844d36eULL },
	{ 0xfffffffeffffffffULL, 0x0000000000010000ULL },
	{ 0xfffffffffffffffdULL, 0x0000000000000000ULL },
	{ 0xffffffffffffffffULL, 0x0000000000000000ULL },
	{ 0x6c576fac43fd007dULL, 0x0000dc21aaee8ae8ULL },
	{ 0x0826886b3864a1b1ULL, 0x00037274df462ad9ULL },
	{ 0x00a5fae1992097abULL, 0x0005fa7e29281071ULL },
	{ 0x000620355cd11935ULL, 0x00094720bb6dd7b9ULL },
	{ 0x0000cba276b4b881ULL, 0x000b51b76b5223baULL },
	{ 0x00000802181e6e23ULL, 0x000e8e18fc4a68f2ULL },
	{ 0x0000008dceb534efULL, 0x001139ead6c8e8faULL },
	{ 0x000000010bf51ed7ULL, 0x001622933728b734ULL },
	{ 0x00000000d6f84a53ULL, 0x00165afacaae8eb3ULL },
	{ 0x00000000032ccf77ULL, 0x001a9210aa29a9d1ULL },
	{ 0x0000000000beea83ULL, 0x001c04ec4f5c8672ULL },
	{ 0x0000000000089277ULL, 0x001f1f5f58b5e5cbULL },
	{ 0x000000000000c89fULL, 0x002183cb82ed710eULL },
	{ 0x0000000000000513ULL, 0x0025312b7825467cULL },
	{ 0x000000000000003fULL, 0x002837e183bbadd8ULL },
	{ 0x000000000000000bULL, 0x0029f6a987048cf5ULL },
};

/* x = -expm1(-mpf(size) / period) * 2**62 */
static const struct {
	u64 size;
	u64 period;
	u64 want;
} prob_table[] = {
	{ 1, 2, 0x192e9a0720d3ec03ULL },
	{ 7, 2, 0x3e113efe71b009a1ULL },
	{ 1, 3, 0x122459dba1a2b65eULL },
	{ 7, 3, 0x39cb361659310696ULL },
	{ 1, 100, 0x00a30605a8c604f5ULL },
	{ 7, 100, 0x0453a8df20bb68ceULL },
	{ 192, 100, 0x369dfdd51230ead1ULL },
	{ 4097, 100, 0x3ffffffffffffff9ULL },
	{ 1, 4096, 0x0003ffe000aaa800ULL },
	{ 7, 4096, 0x001bf9e0e491aa30ULL },
	{ 192, 4096, 0x02ee472a0260809cULL },
	{ 4097, 4096, 0x2876227371074401ULL },
	{ 1, 524287, 0x0000080000800005ULL },
	{ 7, 524287, 0x000037ffee8001e5ULL },
	{ 192, 524287, 0x0005ffb8c22e0b55ULL },
	{ 4097, 524287, 0x007f88551b4ffa73ULL },
	{ 524288, 524287, 0x2874acbb3e06a486ULL },
	{ 4194304, 524287, 0x3ffa80fd3e022776ULL },
	{ 1, 524288, 0x000007ffff800005ULL },
	{ 7, 524288, 0x000037ffe7800725ULL },
	{ 192, 524288, 0x0005ffb8023ff280ULL },
	{ 4097, 524288, 0x007f88453a320fbbULL },
	{ 524288, 524288, 0x2874a9c9d310c839ULL },
	{ 4194304, 524288, 0x3ffa80f7befbf615ULL },
	{ 1, 999999937, 0x0000000112e0bfa3ULL },
	{ 7, 999999937, 0x0000000784253d12ULL },
	{ 192, 999999937, 0x000000ce288e6faeULL },
	{ 4097, 999999937, 0x0000112f1c8c79baULL },
	{ 524288, 999999937, 0x0008967270d1e9c0ULL },
	{ 4194304, 999999937, 0x004493585e285a6cULL },
	{ 1, 1073741824, 0x00000000fffffffeULL },
	{ 7, 1073741824, 0x00000006ffffff9eULL },
	{ 192, 1073741824, 0x000000bffffee000ULL },
	{ 4097, 1073741824, 0x00001000fdffc029ULL },
	{ 524288, 1073741824, 0x0007ff8005552aacULL },
	{ 4194304, 1073741824, 0x003fe00aa8008872ULL },
};

/*
 * What the arithmetic may be off. The logarithm: its last binary digit. A
 * probability: one unit for each of the few multiplications that are rounded
 * down. The probability that a gap is short: two last digits of the logarithm.
 */
enum {
	NEG_LN_OFF	= 1,
	PROB_OFF	= 8,
	GAP_PROB_OFF	= 2 << (62 - KMPROF_NEG_LN_BITS),
};

static_assert(KMPROF_NEG_LN_BITS == 48);	/* as in the table */

static void neg_ln_agrees_with_the_table(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(neg_ln_table); i++) {
		KUNIT_EXPECT_LE_MSG(test, abs_diff(kmprof_neg_ln(neg_ln_table[i].u),
						   neg_ln_table[i].want_q48),
				    NEG_LN_OFF, "u=%#llx", neg_ln_table[i].u);
	}
	/* Zero stands for one: the logarithm exists. */
	KUNIT_EXPECT_EQ(test, kmprof_neg_ln(0), kmprof_neg_ln(1));
}

static void neg_ln_never_rises(struct kunit *test)
{
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 1);
	for (i = 0; i < 100000; i++) {
		u64 u = chance_magnitude(&r);
		u64 step = min(chance_magnitude(&r), U64_MAX - u);

		KUNIT_ASSERT_LE_MSG(test, kmprof_neg_ln(u + step), kmprof_neg_ln(u),
				    "u=%#llx step=%#llx", u, step);
		KUNIT_ASSERT_LE_MSG(test, kmprof_neg_ln(u | 1),
				    kmprof_neg_ln((u | 1) - 2 * (u > 1)), "u=%#llx", u);
	}
}

/* -ln(ab) = -ln(a) - ln(b), for a and b that leave a product of 2^-32 or more. */
static void neg_ln_of_a_product_is_the_sum(struct kunit *test)
{
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 2);
	for (i = 0; i < 100000; i++) {
		u64 a = chance_u64(&r) >> chance_below(&r, 16) | 1ULL << 48;
		u64 b = chance_u64(&r) >> chance_below(&r, 16) | 1ULL << 48;
		u64 product = mul_u64_u64_shr(a | 1, b | 1, 64);
		s64 off = kmprof_neg_ln(product) - kmprof_neg_ln(a) - kmprof_neg_ln(b);
		/* One digit for each of the three, and what product and its | 1 are off. */
		s64 limit = 3 + div64_u64(2ULL << KMPROF_NEG_LN_BITS, product) + 1;

		KUNIT_ASSERT_LE_MSG(test, abs(off), limit, "a=%#llx b=%#llx", a, b);
	}
}

static void prob_agrees_with_the_table(struct kunit *test)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(prob_table); i++) {
		u64 got = kmprof_sample_prob(prob_table[i].size, prob_table[i].period);

		KUNIT_EXPECT_LE_MSG(test, abs_diff(got, prob_table[i].want), PROB_OFF,
				    "size=%llu period=%llu", prob_table[i].size,
				    prob_table[i].period);
	}
}

/* A size and a period as they come: any ratio from 2^-30 to 2^26. */
static void draw_size(struct rnd_state *r, u64 *size, u64 *period)
{
	*size = 1 + (chance_u64(r) & ((1ULL << chance_below(r, 23)) - 1));
	*period = 2 + (chance_u64(r) & ((1ULL << chance_below(r, 31)) - 1));
}

/*
 * No memory: to escape a + b bytes is to escape a bytes and then b bytes. This
 * identity and a slope at zero leave the exponential distribution only.
 */
static void prob_of_a_sum_is_that_of_two_chances(struct kunit *test)
{
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 3);
	for (i = 0; i < 100000; i++) {
		u64 a, b, pa, pb, period, want;

		draw_size(&r, &a, &period);
		draw_size(&r, &b, &want);
		pa = kmprof_sample_prob(a, period);
		pb = kmprof_sample_prob(b, period);
		want = KMPROF_PROB_ONE - mul_u64_u64_shr(KMPROF_PROB_ONE - pa,
							 KMPROF_PROB_ONE - pb, 62);
		KUNIT_ASSERT_LE_MSG(test, abs_diff(kmprof_sample_prob(a + b, period), want),
				    3 * PROB_OFF, "a=%llu b=%llu period=%llu", a, b, period);
	}
}

/* x - x^2/2 < 1 - exp(-x) < x: with the identity above, all that there is. */
static void prob_of_little_is_its_share(struct kunit *test)
{
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 4);
	for (i = 0; i < 100000; i++) {
		u64 period = 2 + (chance_u64(&r) & ((1ULL << chance_below(&r, 31)) - 1));
		u64 size = 1 + chance_below(&r, max(period >> 10, 1));
		u64 x = mul_u64_u64_div_u64(size, KMPROF_PROB_ONE, period);
		u64 p = kmprof_sample_prob(size, period);

		KUNIT_ASSERT_LE_MSG(test, p, x, "size=%llu period=%llu", size, period);
		KUNIT_ASSERT_GE_MSG(test, p + PROB_OFF, x - mul_u64_u64_shr(x, x, 63),
				    "size=%llu period=%llu", size, period);
	}
}

static void prob_is_one_to_divide_by(struct kunit *test)
{
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 5);
	for (i = 0; i < 100000; i++) {
		u64 size, period, p;

		draw_size(&r, &size, &period);
		p = kmprof_sample_prob(size, period);
		KUNIT_ASSERT_GT_MSG(test, p, 0, "size=%llu period=%llu", size, period);
		KUNIT_ASSERT_LE_MSG(test, p, KMPROF_PROB_ONE, "size=%llu period=%llu",
				    size, period);
		KUNIT_ASSERT_LE_MSG(test, p, kmprof_sample_prob(size + 1, period) + PROB_OFF,
				    "size=%llu period=%llu", size, period);
		KUNIT_ASSERT_LE_MSG(test, kmprof_sample_prob(size, period + 1), p + PROB_OFF,
				    "size=%llu period=%llu", size, period);
		KUNIT_ASSERT_EQ(test, kmprof_sample_prob(size, 0), KMPROF_PROB_ONE);
		KUNIT_ASSERT_EQ(test, kmprof_sample_prob(size, 1), KMPROF_PROB_ONE);
		KUNIT_ASSERT_EQ(test, kmprof_sample_prob(period * 45 + size, period),
				KMPROF_PROB_ONE);
	}
}

static const u64 rates[] = { 2, 3, 10, 4096, 524288, 1 << 30 };
/* Those for which what is rounded down is small. */
static const u64 large_rates[] = { 4096, 524288, 1 << 30 };

static void rate_describe(const u64 *rate, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "rate=%llu", *rate);
}

KUNIT_ARRAY_PARAM(rate, rates, rate_describe);
KUNIT_ARRAY_PARAM(large_rate, large_rates, rate_describe);

enum {
	DRAWS	= 1 << 18,
	BINS	= 64,
};

/* The smallest size that is sampled with probability @k / BINS or more. */
static u64 quantile(u64 rate, unsigned int k)
{
	u64 low = 0, high = 45 * rate;

	while (high - low > 1) {
		u64 middle = (low + high) / 2;

		if (kmprof_sample_prob(middle, rate) >= KMPROF_PROB_ONE / BINS * k)
			high = middle;
		else
			low = middle;
	}
	return high;
}

/*
 * The probability that a gap is less than s is the one that estimates divide
 * by, over the whole range: chi-square with up to 63 degrees of freedom, see
 * chance_chi2_limit() for false alarms.
 */
static void gap_has_the_distribution_of_prob(struct kunit *test)
{
	u64 rate = *(const u64 *)test->param_value;
	u64 edge[BINS + 1], expected, chi2 = 0;
	u32 observed[BINS] = {};
	unsigned int i, k, bins = 0;
	struct rnd_state r;

	/* Small rates have fewer distinct sizes than there are quantiles. */
	edge[0] = 0;
	for (k = 1; k < BINS; k++) {
		u64 e = quantile(rate, k);

		if (e > edge[bins])
			edge[++bins] = e;
	}
	edge[++bins] = 45 * rate;

	prandom_seed_state(&r, rate);
	for (i = 0; i < DRAWS; i++) {
		u64 gap = kmprof_exp_gap(rate, chance_u64(&r));
		unsigned int low = 0, high = bins;

		KUNIT_ASSERT_LT(test, gap, 45 * rate);
		while (high - low > 1) {
			unsigned int middle = (low + high) / 2;

			if (gap >= edge[middle])
				low = middle;
			else
				high = middle;
		}
		observed[low]++;
	}

	for (k = 0; k < bins; k++) {
		expected = kmprof_sample_prob(edge[k + 1], rate);
		if (k)
			expected -= kmprof_sample_prob(edge[k], rate);
		chi2 += chance_chi2_add(observed[k], mul_u64_u64_shr(DRAWS, expected, 46));
	}
	KUNIT_EXPECT_GE(test, bins, 4);
	KUNIT_EXPECT_LT_MSG(test, chi2, chance_chi2_limit(bins - 1), "%u bins", bins);
	kunit_info(test, "chi-square %llu, limit %llu, %u bins", chi2 >> 16,
		   chance_chi2_limit(bins - 1) >> 16, bins);
}

/*
 * Of an exponential variable rounded down: mean m - 1/2 and variance m^2 - 1/12,
 * but for terms in 1/m. Five standard errors of the mean, 1 / sqrt(n) of it; six
 * of the variance, sqrt(8 / n) of it: one false alarm in a million.
 */
static void gap_has_mean_and_variance(struct kunit *test)
{
	u64 rate = *(const u64 *)test->param_value;
	u64 sum_q16 = 0, squares_q16 = 0, mean_q16, square_q16;
	struct rnd_state r;
	unsigned int i;

	prandom_seed_state(&r, rate + 1);
	for (i = 0; i < DRAWS; i++) {
		/* In units of the rate. */
		u64 x_q16 = (kmprof_exp_gap(rate, chance_u64(&r)) << 16) / rate;

		sum_q16 += x_q16;
		squares_q16 += x_q16 * x_q16 >> 16;
	}
	mean_q16 = sum_q16 / DRAWS;
	square_q16 = squares_q16 / DRAWS;
	/* 5 / sqrt(2^18) and 6 sqrt(8 / 2^18), and what is rounded down here. */
	KUNIT_EXPECT_LE(test, abs_diff(mean_q16, 1ULL << 16), 640 + 65536 / rate + 2);
	KUNIT_EXPECT_LE(test, abs_diff(square_q16 - (mean_q16 * mean_q16 >> 16), 1ULL << 16),
			2173 + 4);
}

/* One gap says nothing about the next: 8 x 8 classes, 63 degrees of freedom. */
static void gaps_are_independent(struct kunit *test)
{
	u64 rate = 524288, chi2 = 0, edge[8];
	u32 observed[8][8] = {};
	unsigned int i, k, last = 0;
	struct rnd_state r;

	for (k = 1; k < 8; k++)
		edge[k] = quantile(rate, k * (BINS / 8));
	prandom_seed_state(&r, 6);
	for (i = 0; i <= DRAWS; i++) {
		u64 gap = kmprof_exp_gap(rate, chance_u64(&r));

		for (k = 0; k < 7 && gap >= edge[k + 1]; k++)
			;
		if (i)
			observed[last][k]++;
		last = k;
	}
	for (k = 0; k < 64; k++)
		chi2 += chance_chi2_add(observed[k / 8][k % 8], (DRAWS / 64) << 16);
	KUNIT_EXPECT_LT(test, chi2, chance_chi2_limit(63));
}

/*
 * The probability that an object is sampled, over all random numbers: a larger number makes a
 * shorter gap, so those that make the gap shorter than the object are the largest ones.
 */
static u64 prob_of_gap(u64 size, u64 rate)
{
	u64 low = 0, high = U64_MAX;

	while (high - low > 1) {
		u64 middle = low + (high - low) / 2;

		if (kmprof_exp_gap(rate, middle) < size)
			high = middle;
		else
			low = middle;
	}
	return (U64_MAX - high) >> 2;
}

/* What estimates divide by is the probability itself, for the smallest objects and rates, too. */
static void objects_are_sampled_as_often_as_is_said(struct kunit *test)
{
	u64 rate, size;

	for (rate = 2; rate <= 1 << 30; rate *= 2) {
		for (size = 1; size < 32 * rate && size <= 1 << 22; size += 1 + size / 5) {
			u64 got = prob_of_gap(size, rate), want = kmprof_sample_prob(size, rate);

			KUNIT_ASSERT_LE_MSG(test, abs_diff(got, want), GAP_PROB_OFF,
					    "rate=%llu size=%llu: %llu of %llu", rate, size, got,
					    want);
		}
		rig_let_others_run();
	}
}

static void gap_of_rate_one_is_nothing(struct kunit *test)
{
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 7);
	for (i = 0; i < 10000; i++) {
		KUNIT_ASSERT_EQ(test, kmprof_exp_gap(1, chance_u64(&r)), 0);
		KUNIT_ASSERT_EQ(test, kmprof_exp_gap(0, chance_u64(&r)), 0);
	}
}

static struct kunit_case explog_cases[] = {
	KUNIT_CASE(neg_ln_agrees_with_the_table),
	KUNIT_CASE(neg_ln_never_rises),
	KUNIT_CASE(neg_ln_of_a_product_is_the_sum),
	KUNIT_CASE(prob_agrees_with_the_table),
	KUNIT_CASE(prob_of_a_sum_is_that_of_two_chances),
	KUNIT_CASE(prob_of_little_is_its_share),
	KUNIT_CASE(prob_is_one_to_divide_by),
	KUNIT_CASE_PARAM(gap_has_the_distribution_of_prob, rate_gen_params),
	KUNIT_CASE_PARAM(gap_has_mean_and_variance, large_rate_gen_params),
	KUNIT_CASE(gaps_are_independent),
	KUNIT_CASE(objects_are_sampled_as_often_as_is_said),
	KUNIT_CASE(gap_of_rate_one_is_nothing),
	{}
};

static struct kunit_suite explog_suite = {
	.name		= "kmprof_explog",
	.test_cases	= explog_cases,
};

kunit_test_suite(explog_suite);
