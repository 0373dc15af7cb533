// SPDX-License-Identifier: GPL-2.0
/* Estimates: what raw counts stand for, and how far off that may be. */
#include <kunit/test.h>

#include "mem/estimate.c"
#include "mem/heap.c"
#include "mem/heap_text.c"
#include "mem/gfp_class_names.c"
#include "mem/kind_names.c"
#include "chance.h"

static void draw_sample(struct rnd_state *r, struct kmprof_image_sample *s)
{
	s->object_size = 1 + (chance_u64(r) & ((1ULL << chance_below(r, 23)) - 1));
	s->period = 1 + (chance_u64(r) & ((1ULL << chance_below(r, 31)) - 1));
	s->allocs = chance_u64(r) & ((1ULL << chance_below(r, 25)) - 1);
	s->frees = s->allocs ? chance_u64(r) % (s->allocs + 1) : 0;
	s->together = 1 << chance_below(r, 11);
}

/* Rounded down, and by less than one: q p <= n s < (q + 1) p. */
static void bytes_are_the_inverse_of_the_probability(struct kunit *test)
{
	struct kmprof_image_sample s = {};
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 1);
	for (i = 0; i < 100000; i++) {
		unsigned __int128 want;
		u64 bytes, p;

		draw_sample(&r, &s);
		bytes = kmprof_heap_bytes(&s, s.allocs);
		p = kmprof_sample_prob(s.object_size, s.period);
		want = (unsigned __int128)(s.allocs * s.object_size) << 62;
		KUNIT_ASSERT_TRUE((test), (unsigned __int128)bytes * p <= want);
		KUNIT_ASSERT_TRUE((test), (unsigned __int128)(bytes + 1) * p > want);
		s.period = 1;
		KUNIT_ASSERT_EQ(test, kmprof_heap_bytes(&s, s.allocs), s.allocs * s.object_size);
	}
}

/* The carry keeps the sum of many rounded counts within one of the exact sum. */
static void rescaled_counts_do_not_drift(struct kunit *test)
{
	static const u64 periods[] = { 1, 4096, 524288, 1 << 30 };
	struct kmprof_image_sample s = {};
	struct rnd_state r;
	int i, k;

	prandom_seed_state(&r, 2);
	for (k = 0; k < ARRAY_SIZE(periods); k++) {
		u64 carry = 0, sum = 0, from, to;
		/* The exact sum: whole objects, and fractions with 62 bits. */
		u64 whole = 0, fraction = 0, rest;

		for (i = 0; i < 20000; i++) {
			draw_sample(&r, &s);
			s.allocs &= 0xff;
			sum += kmprof_heap_rescale(&s, s.allocs, periods[k], &carry);
			KUNIT_ASSERT_LT(test, carry, KMPROF_PROB_ONE);

			from = kmprof_sample_prob(s.object_size, s.period);
			to = kmprof_sample_prob(s.object_size, periods[k]);
			rest = s.allocs * to - mul_u64_u64_div_u64(s.allocs, to, from) * from;
			whole += mul_u64_u64_div_u64(s.allocs, to, from);
			fraction += mul_u64_u64_div_u64(rest, KMPROF_PROB_ONE, from);
			whole += fraction >> 62;
			fraction &= KMPROF_PROB_ONE - 1;
			KUNIT_ASSERT_EQ(test, sum, whole);
		}
		carry = 12345;
		KUNIT_EXPECT_EQ(test, kmprof_heap_rescale(&s, 77, s.period, &carry), 77);
		KUNIT_EXPECT_EQ(test, carry, 12345);
	}
}

/*
 * Samples drawn with the probability in question, many times over: the estimates
 * scatter around the truth, and by as much as the error that they tell. The mean
 * of RUNS squared deviations, in units of the variance, has a standard error of
 * sqrt(2 / RUNS); and the mean deviation, in units of the error, of
 * sqrt(1 / RUNS). Five of each: one false alarm in a million.
 */
static void estimates_scatter_as_their_error_says(struct kunit *test)
{
	enum { RUNS = 2048, OBJECTS = 2000 };
	static const u64 sizes[] = { 64, 1024, 8192, 40000 };
	const u64 period = 8192;
	s64 deviations = 0;
	u64 squares_q16 = 0;
	u64 errors = 0;
	struct rnd_state r;
	int run, i, k;

	prandom_seed_state(&r, 3);
	for (run = 0; run < RUNS; run++) {
		struct kmprof_heap_estimate e = {};
		u64 truth = 0, error;
		s64 off;

		for (k = 0; k < ARRAY_SIZE(sizes); k++) {
			struct kmprof_image_sample s = {
				.object_size	= sizes[k],
				.period		= period,
				/* As in blocks of pages. */
				.together	= 1 << k % 4,
			};
			u64 p = kmprof_sample_prob(sizes[k], period);

			for (i = 0; i < OBJECTS; i += s.together)
				s.allocs += chance_u64(&r) >> 2 < p ? s.together : 0;
			truth += OBJECTS * sizes[k];
			kmprof_heap_estimate_add(&e, &s);
		}
		KUNIT_ASSERT_EQ(test, e.inuse_bytes, e.alloc_bytes);
		KUNIT_ASSERT_TRUE(test, e.inuse_variance == e.alloc_variance);
		error = kmprof_heap_error(e.alloc_variance);
		off = e.alloc_bytes - truth;
		deviations += off;
		errors += error;
		squares_q16 += (off * off << 8) / (s64)(error * error >> 8);
	}
	/* |mean deviation| <= 5 error / sqrt(RUNS), sqrt(2048) > 45 */
	KUNIT_EXPECT_LE(test, abs(deviations) / RUNS * 45, errors / RUNS * 5);
	/* 1 -+ 5 sqrt(2 / 2048) */
	KUNIT_EXPECT_LE(test, abs_diff(squares_q16 / RUNS, 1ULL << 16), 5 * 2048);
}

static void what_is_certain_has_no_error(struct kunit *test)
{
	struct kmprof_image_sample s = {
		.object_size = 192, .period = 1, .allocs = 1000000, .frees = 1, .together = 1,
	};
	struct kmprof_heap_estimate e = {};

	kmprof_heap_estimate_add(&e, &s);
	KUNIT_EXPECT_EQ(test, e.alloc_bytes, 192000000);
	KUNIT_EXPECT_EQ(test, e.inuse_bytes, 192000000 - 192);
	KUNIT_EXPECT_TRUE(test, e.alloc_variance == 0);
	KUNIT_EXPECT_EQ(test, kmprof_heap_error(e.inuse_variance), 0);
}

/* In use is what was allocated and not freed, in the estimate and the rank. */
static void frees_are_taken_off(struct kunit *test)
{
	struct kmprof_image_sample s = {};
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 4);
	for (i = 0; i < 10000; i++) {
		struct kmprof_heap_estimate e = {};

		draw_sample(&r, &s);
		kmprof_heap_estimate_add(&e, &s);
		KUNIT_ASSERT_EQ(test, e.inuse_bytes, kmprof_heap_bytes(&s, s.allocs - s.frees));
		KUNIT_ASSERT_EQ(test, rank_inuse(&s), e.inuse_bytes);
		KUNIT_ASSERT_EQ(test, rank_allocs(&s), e.alloc_bytes);
		KUNIT_ASSERT_LE(test, e.inuse_bytes, e.alloc_bytes);
		KUNIT_ASSERT_TRUE(test, e.inuse_variance <= e.alloc_variance);
	}
}

/* The largest e with e^2 <= v, to 32 significant bits. */
static void error_is_the_square_root(struct kunit *test)
{
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 5);
	for (i = 0; i < 100000; i++) {
		unsigned __int128 v = (unsigned __int128)chance_u64(&r) << 64 | chance_u64(&r);
		unsigned __int128 e, step;

		v >>= chance_below(&r, 128);
		e = kmprof_heap_error(v);
		step = max_t(u64, (u64)e >> 31, 1);
		KUNIT_ASSERT_TRUE(test, e * e <= v);
		/* e + step is at most 2^64 + 2^33: its square can wrap. */
		KUNIT_ASSERT_TRUE(test, (e + step) >> 64 || (e + step) * (e + step) > v);
	}
}

/* Each age counts in the class that has it, and the oldest is kept. */
static void ages_have_classes(struct kunit *test)
{
	struct kmprof_image_object o = { .parts = 1 };
	struct kmprof_image_sample s = {};
	unsigned int i;

	for (i = 0; i < 63; i++) {
		unsigned int class = i < KMPROF_AGE_SHIFT ? 0 :
				     min(i - KMPROF_AGE_SHIFT + 1, KMPROF_AGES - 1);

		memset(&s, 0, sizeof(s));
		o.age_ns = BIT_ULL(i);
		add_object(&s, &o);
		o.age_ns = 2 * BIT_ULL(i) - 1;
		add_object(&s, &o);
		KUNIT_EXPECT_EQ_MSG(test, s.ages[class], 2, "2^%u", i);
		KUNIT_EXPECT_EQ(test, s.oldest_ns, o.age_ns);
	}
	memset(&s, 0, sizeof(s));
	o.age_ns = 0;
	o.parts = 0xfd;
	add_object(&s, &o);
	KUNIT_EXPECT_EQ(test, s.ages[0], 7);
	KUNIT_EXPECT_EQ(test, s.oldest_ns, 0);
}

static struct kunit_case heap_cases[] = {
	KUNIT_CASE(bytes_are_the_inverse_of_the_probability),
	KUNIT_CASE(rescaled_counts_do_not_drift),
	KUNIT_CASE_SLOW(estimates_scatter_as_their_error_says),
	KUNIT_CASE(what_is_certain_has_no_error),
	KUNIT_CASE(frees_are_taken_off),
	KUNIT_CASE(error_is_the_square_root),
	KUNIT_CASE(ages_have_classes),
	{}
};

static struct kunit_suite heap_suite = {
	.name		= "kmprof_heap",
	.test_cases	= heap_cases,
};

kunit_test_suite(heap_suite);
