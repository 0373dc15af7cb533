// SPDX-License-Identifier: GPL-2.0
/*
 * The countdown: an object of s bytes is a sample with probability
 * 1 - exp(-s / rate), whatever came before it, and whatever has happened to the
 * rate.
 */
#include <kunit/test.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "core/sampler.c"
#include "chance.h"
#include "rig.h"
#include <uapi/linux/kmprof.h>

/* The suite's countdown is this module's own: nobody else counts it down. */
static int sampler_pin(struct kunit *test)
{
	return rig_pin();
}

static s64 *bytes_left(void)
{
	return &per_cpu(kmprof_hot, raw_smp_processor_id()).bytes_left;
}

void rig_seed(u64 seed)
{
	prandom_seed_state(&per_cpu_ptr(&samplers, raw_smp_processor_id())->rnd, seed);
}

static void seed_and_set(u64 seed, u64 rate)
{
	rig_seed(seed);
	kmprof_sampler_set_rate(rate);
}

/* What kmprof_alloc_pick() does with an allocation that hit. */
static bool pick_hit(size_t size, u64 *period)
{
	*period = kmprof_sampler_refill(size);
	return *period;
}

/* The same, and what kmprof_alloc_hit() does. */
static bool pick(size_t size, u64 *period)
{
	bool picked;

	preempt_disable();
	picked = kmprof_hot_countdown(size) && pick_hit(size, period);
	preempt_enable();
	return picked;
}

struct ratio {
	u64 rate;
	u64 size;
};

static const struct ratio ratios[] = {
	{ 2, 1 }, { 3, 8 }, { 64, 64 }, { 4096, 8 }, { 4096, 512 }, { 4096, 24576 },
	{ 524288, 4096 }, { 524288, 524288 }, { 524288, 3145728 }, { 1 << 30, 4194304 },
};

static void ratio_describe(const struct ratio *r, char *desc)
{
	snprintf(desc, KUNIT_PARAM_DESC_SIZE, "rate=%llu,size=%llu", r->rate, r->size);
}

KUNIT_ARRAY_PARAM(ratio, ratios, ratio_describe);

enum {
	OBJECTS	= 1 << 18,
};

/*
 * As often as the formula says. Where almost all are sampled the few that are
 * not are compared, see chance_binomial_ok().
 */
static void picks_a_size_with_its_probability(struct kunit *test)
{
	const struct ratio *q = test->param_value;
	u64 p = kmprof_sample_prob(q->size, q->rate), period = 0;
	u32 i, hits = 0, wrong = 0;

	seed_and_set(1, q->rate);
	for (i = 0; i < OBJECTS; i++) {
		if (!pick(q->size, &period))
			continue;
		hits++;
		wrong += period != q->rate;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(hits, OBJECTS, p),
			      "%u of %u, expected %llu", hits, OBJECTS,
			      mul_u64_u64_shr(OBJECTS, p, 62));
}

/*
 * Of two neighbours, each combination of sampled and not as often as if they
 * were tossed for: chi-square with 3 degrees of freedom. The rest of a gap that
 * an object overshoots is thrown away, and must not be missed by the next one.
 */
static void neighbours_are_picked_independently(struct kunit *test)
{
	static const u64 size[2] = { 3000, 10000 };
	u64 rate = 8192, p[2], chi2 = 0, period;
	u32 observed[4] = {};
	unsigned int i;

	seed_and_set(2, rate);
	for (i = 0; i < OBJECTS; i++) {
		bool first = pick(size[0], &period);
		bool second = pick(size[1], &period);

		observed[first + 2 * second]++;
	}
	for (i = 0; i < 2; i++)
		p[i] = kmprof_sample_prob(size[i], rate);
	for (i = 0; i < 4; i++) {
		u64 first = i & 1 ? p[0] : KMPROF_PROB_ONE - p[0];
		u64 second = i & 2 ? p[1] : KMPROF_PROB_ONE - p[1];

		chi2 += chance_chi2_add(observed[i],
					mul_u64_u64_shr(OBJECTS, mul_u64_u64_shr(first, second, 62),
							46));
	}
	KUNIT_EXPECT_LT(test, chi2, chance_chi2_limit(3));
}

/*
 * Sizes in any order: the number of samples of each is binomial, although all
 * of them share one countdown.
 */
static void a_mixture_is_picked_size_by_size(struct kunit *test)
{
	static const u64 size[] = { 96, 512, 2048, 8192, 65536 };
	u32 seen[ARRAY_SIZE(size)] = {}, hits[ARRAY_SIZE(size)] = {};
	struct rnd_state r;
	unsigned int i;
	u64 period;

	prandom_seed_state(&r, 3);
	seed_and_set(3, 16384);
	for (i = 0; i < 2 * OBJECTS; i++) {
		unsigned int k = chance_below(&r, ARRAY_SIZE(size));

		seen[k]++;
		hits[k] += pick(size[k], &period);
	}
	for (i = 0; i < ARRAY_SIZE(size); i++) {
		u64 p = kmprof_sample_prob(size[i], 16384);

		KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(hits[i], seen[i], p),
				      "size %llu: %u of %u, expected %llu", size[i], hits[i],
				      seen[i], mul_u64_u64_shr(seen[i], p, 62));
	}
}

static void rate_one_picks_all_and_rate_zero_none(struct kunit *test)
{
	u64 period, rate;
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 4);
	for (i = 0; i < 500; i++) {
		rate = chance_below(&r, 3);
		kmprof_sampler_set_rate(rate);
		KUNIT_ASSERT_EQ(test, kmprof_sampler_rate(), rate);
		period = U64_MAX;
		if (rate == 0) {
			KUNIT_ASSERT_FALSE(test, pick(1 + chance_below(&r, 1 << 22), &period));
		} else if (rate == 1) {
			KUNIT_ASSERT_TRUE(test, pick(1 + chance_below(&r, 1 << 22), &period));
			KUNIT_ASSERT_EQ(test, period, 1);
		} else if (pick(1 + chance_below(&r, 1 << 22), &period)) {
			KUNIT_ASSERT_EQ(test, period, 2);
		}
	}
}

/* The first object after a change has the chance that the new rate gives it. */
static void a_new_rate_is_without_bias_at_once(struct kunit *test)
{
	static const u64 rate[2] = { 1000, 8000 };
	u32 i, hits[2] = {}, wrong = 0;
	u64 period;

	seed_and_set(5, rate[0]);
	for (i = 0; i < 1 << 13; i++) {
		kmprof_sampler_set_rate(rate[i % 2]);
		if (pick(1500, &period)) {
			hits[i % 2]++;
			wrong += period != rate[i % 2];
		}
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	for (i = 0; i < 2; i++)
		KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(hits[i], 1 << 12,
							       kmprof_sample_prob(1500, rate[i])),
				      "rate %llu: %u", rate[i], hits[i]);
}

/* So has the first object on a CPU that has never drawn a gap. */
static void a_new_cpu_is_without_bias_at_once(struct kunit *test)
{
	struct sampler_cpu *s = per_cpu_ptr(&samplers, raw_smp_processor_id());
	s64 *left = bytes_left();
	u32 i, hits = 0;
	u64 period;

	seed_and_set(6, 4096);
	for (i = 0; i < OBJECTS; i++) {
		*left = 0;
		s->period = 0;
		hits += pick(1000, &period);
	}
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(hits, OBJECTS,
						       kmprof_sample_prob(1000, 4096)),
			      "%u", hits);
	/* And none, when there is no rate. */
	kmprof_sampler_set_rate(0);
	*left = 0;
	s->period = 0;
	KUNIT_EXPECT_FALSE(test, pick(1000, &period));
	KUNIT_EXPECT_FALSE(test, pick(1000, &period));
}

/* Between two events a countdown is never negative: no object waits for its turn. */
static void a_countdown_is_not_left_negative(struct kunit *test)
{
	s64 *left = bytes_left();
	struct rnd_state r;
	u64 period;
	s64 before;
	int i;

	prandom_seed_state(&r, 7);
	seed_and_set(7, 4096);
	for (i = 0; i < 100000; i++) {
		size_t size = 1 + chance_below(&r, 16384);

		before = *left;
		/* Rate and size: picked exactly when the gap is less than the size. */
		KUNIT_ASSERT_EQ(test, pick(size, &period), before < (s64)size);
		KUNIT_ASSERT_GE(test, *left, 0);
		if (before >= (s64)size)
			KUNIT_ASSERT_EQ(test, *left, before - (s64)size);
	}
}

/* A call for several objects: the countdown goes with it, another one is drawn. */
static void a_taken_countdown_has_the_same_chances(struct kunit *test)
{
	s64 *left = bytes_left();
	u64 gap, period, p = kmprof_sample_prob(1000, 4096);
	u32 i, taken = 0, own = 0, next = 0, wrong = 0;
	s64 before;

	seed_and_set(8, 4096);
	for (i = 0; i < OBJECTS; i++) {
		preempt_disable();
		before = *left;
		*left = -1 - (s64)(i % 1000);
		gap = kmprof_sampler_take(*left, before - *left, &period);
		wrong += gap != before || period != 4096 || *left < 0;
		preempt_enable();
		taken += gap < 1000;
		next += *left < 1000;
		own += kmprof_sampler_gap(4096) < 1000;
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(taken, OBJECTS, p), "%u", taken);
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(next, OBJECTS, p), "%u", next);
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(own, OBJECTS, p), "%u", own);
}

static void a_countdown_is_taken_at_its_edges(struct kunit *test)
{
	struct sampler_cpu *s = per_cpu_ptr(&samplers, raw_smp_processor_id());
	s64 *left = bytes_left();
	u64 gap, period;

	seed_and_set(9, 4096);
	preempt_disable();
	/* Run out before, for whom this interrupts: another one is taken. */
	*left = -1100;
	gap = kmprof_sampler_take(*left, 1000, &period);
	KUNIT_EXPECT_GE(test, *left, 0);
	preempt_enable();
	KUNIT_EXPECT_LE(test, gap, S64_MAX / 2);
	KUNIT_EXPECT_EQ(test, period, 4096);

	/* Drawn anew since, at another rate: what is taken is of the old one. */
	preempt_disable();
	*left = 700 - 1000;
	s->before = 512;
	*left = 5000;
	gap = kmprof_sampler_take(700 - 1000, 1000, &period);
	KUNIT_EXPECT_EQ(test, *left, 5000);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, gap, 700);
	KUNIT_EXPECT_EQ(test, period, 512);

	/* Never drawn. */
	*left = -1000;
	s->period = 0;
	preempt_disable();
	kmprof_sampler_take(*left, 1000, &period);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, period, 4096);

	/* Off: a period of zero says that nothing of it is a sample. */
	kmprof_sampler_set_rate(0);
	*left = -1000;
	preempt_disable();
	kmprof_sampler_take(*left, 1000, &period);
	preempt_enable();
	KUNIT_EXPECT_EQ(test, period, 0);
}

/* As gaps are, of which the longer ones are thrown away: both ways to draw them. */
static void a_gap_below_a_bound_has_the_same_chances(struct kunit *test)
{
	static const u64 bounds[] = { 1, 2, 40, 1000, 4095, 4096, 9000, 1 << 20 };
	u32 i, k, below, wrong = 0;
	u64 gap, half, p;

	seed_and_set(10, 4096);
	for (i = 0; i < ARRAY_SIZE(bounds); i++) {
		half = bounds[i] / 2;
		p = mul_u64_u64_div_u64(half ? kmprof_sample_prob(half, 4096) : 0, KMPROF_PROB_ONE,
					kmprof_sample_prob(bounds[i], 4096));
		for (k = below = 0; k < OBJECTS; k++) {
			gap = kmprof_sampler_gap_below(4096, bounds[i]);
			wrong += gap >= bounds[i];
			below += gap < half;
		}
		KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(below, OBJECTS, p), "%llu: %u",
				      bounds[i], below);
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

static void every_cpu_has_its_own_seed(struct kunit *test)
{
	int a, b;

	kmprof_sampler_init();
	for_each_possible_cpu(a)
		for_each_possible_cpu(b)
			if (a < b)
				KUNIT_EXPECT_MEMNEQ(test, &per_cpu_ptr(&samplers, a)->rnd,
						    &per_cpu_ptr(&samplers, b)->rnd,
						    sizeof(struct rnd_state));
}

/*
 * A new rate that comes between the hit and the refill: the hit stands, and is one
 * under the old rate.
 */
static void a_hit_stands_after_a_new_rate(struct kunit *test)
{
	struct sampler_cpu *s = this_cpu_ptr(&samplers);
	s64 *left = bytes_left();
	u32 i, wrong = 0;
	u64 period;
	s64 drawn;

	seed_and_set(11, 4096);
	for (i = 0; i < 1000; i++) {
		preempt_disable();
		s->period = 64;
		*left = 100;
		wrong += !kmprof_hot_countdown(512);
		redraw_this_cpu(NULL);
		drawn = *left;
		wrong += !pick_hit(512, &period) || period != 64 || *left != drawn;
		preempt_enable();
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

/*
 * An interrupt's allocation between a hit and its refill has the chances of any
 * other, and takes none away from the one that it interrupts.
 */
static void an_interrupt_after_the_hit_has_its_own_chance(struct kunit *test)
{
	u64 p = kmprof_sample_prob(1000, 4096), period;
	u32 i, inner = 0, outer = 0, wrong = 0;
	s64 *left = bytes_left();

	seed_and_set(12, 4096);
	for (i = 0; i < OBJECTS; i++) {
		preempt_disable();
		*left = 100;
		wrong += !kmprof_hot_countdown(512);
		wrong += !kmprof_hot_countdown(1000);
		inner += pick_hit(1000, &period);
		wrong += *left < 0;
		outer += pick_hit(512, &period);
		wrong += period != 4096 || *left < 0;
		preempt_enable();
	}
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, outer, OBJECTS);
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(inner, OBJECTS, p), "%u of %u", inner,
			      OBJECTS);
}

/* Every event hits, and is sampled as often as if it did not. */
static void all_hit_with_the_same_probability(struct kunit *test)
{
	const struct ratio *q = test->param_value;
	u64 p = kmprof_sample_prob(q->size, q->rate), period = 0;
	u32 i, hits = 0, wrong = 0;

	kmprof_sampler_hit_all(true);
	seed_and_set(20, q->rate);
	for (i = 0; i < OBJECTS; i++) {
		preempt_disable();
		wrong += !kmprof_hot_countdown(q->size);
		if (pick_hit(q->size, &period)) {
			wrong += period != q->rate;
			hits++;
		}
		preempt_enable();
	}
	kmprof_sampler_hit_all(false);
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(hits, OBJECTS, p), "%u of %u, not %llu",
			      hits, OBJECTS, p);
}

/* A call for several objects takes the countdown aside along, and another one is drawn. */
static void all_hit_in_bulk_with_the_same_probability(struct kunit *test)
{
	u64 gap, period, p = kmprof_sample_prob(1000, 4096);
	u32 i, taken = 0, wrong = 0;
	s64 *left = bytes_left();

	kmprof_sampler_hit_all(true);
	seed_and_set(21, 4096);
	for (i = 0; i < OBJECTS; i++) {
		preempt_disable();
		wrong += !kmprof_hot_countdown(1000);
		gap = kmprof_sampler_take(*left, 1000, &period);
		wrong += period != 4096 || *left;
		preempt_enable();
		taken += gap < 1000;
	}
	kmprof_sampler_hit_all(false);
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(taken, OBJECTS, p), "%u", taken);
}

/* Without a rate, all hit and none is sampled. */
static void all_hit_and_none_is_sampled(struct kunit *test)
{
	s64 *left = bytes_left();
	u32 i, wrong = 0;
	u64 period;

	kmprof_sampler_hit_all(true);
	seed_and_set(22, 0);
	for (i = 0; i < 1000; i++) {
		preempt_disable();
		wrong += !kmprof_hot_countdown(1000);
		wrong += pick_hit(1000, &period);
		wrong += !kmprof_hot_countdown(1000);
		kmprof_sampler_take(*left, 1000, &period);
		wrong += !!period;
		preempt_enable();
	}
	kmprof_sampler_hit_all(false);
	KUNIT_EXPECT_EQ(test, wrong, 0);
}

/* What hits while all do, and is decided when they do not any more, has its own chance. */
static void a_hit_of_all_is_decided_later(struct kunit *test)
{
	struct sampler_cpu *s = this_cpu_ptr(&samplers);
	u64 gap, period, p = kmprof_sample_prob(1000, 4096);
	u32 i, hits = 0, taken = 0, all = 0, wrong = 0;
	s64 *left = bytes_left(), drawn, was;

	seed_and_set(23, 4096);
	for (i = 0; i < 4 * OBJECTS; i++) {
		preempt_disable();
		WRITE_ONCE(kmprof_sampler_hits_all, true);
		redraw_this_cpu(NULL);
		wrong += !kmprof_hot_countdown(1000);
		was = *left;
		WRITE_ONCE(kmprof_sampler_hits_all, false);
		redraw_this_cpu(NULL);
		drawn = *left;
		if (i % 2) {
			hits += pick_hit(1000, &period);
		} else {
			gap = kmprof_sampler_take(was, 1000, &period);
			wrong += period != 4096;
			taken += gap < 1000;
		}
		wrong += *left != drawn;
		preempt_enable();
	}
	/* At a rate of 1, it is always a sample. */
	seed_and_set(23, 1);
	for (i = 0; i < 1000; i++) {
		preempt_disable();
		WRITE_ONCE(kmprof_sampler_hits_all, true);
		redraw_this_cpu(NULL);
		wrong += !kmprof_hot_countdown(1000);
		WRITE_ONCE(kmprof_sampler_hits_all, i % 2);
		redraw_this_cpu(NULL);
		all += pick_hit(1000, &period) && period == 1;
		preempt_enable();
	}
	WRITE_ONCE(kmprof_sampler_hits_all, false);
	s->before = 1;
	KUNIT_EXPECT_EQ(test, wrong, 0);
	KUNIT_EXPECT_EQ(test, all, 1000);
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(hits, 2 * OBJECTS, p), "%u", hits);
	KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(taken, 2 * OBJECTS, p), "%u", taken);
}

/* The shorter, the rarer; none is lost that is as long as the period. */
static void a_wait_is_picked_with_its_probability(struct kunit *test)
{
	static const struct {
		u64 ns;
		u64 period;
	} waits[] = {
		{ 0, 1000 }, { 1, 1 }, { 1, 256 }, { 999, 1000 }, { 1000, 1000 }, { 5000, 1000 },
		{ 37000, 10000000 }, { KMPROF_BLOCK_RATE_MAX / 3, KMPROF_BLOCK_RATE_MAX },
		{ 1, 0 }, { U64_MAX, KMPROF_BLOCK_RATE_MAX },
	};
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(waits); i++) {
		u64 ns = waits[i].ns, period = waits[i].period, p = 0;
		u32 hits = 0;

		if (period)
			p = ns >= period ? KMPROF_PROB_ONE :
			    mul_u64_u64_div_u64(ns, KMPROF_PROB_ONE, period);
		seed_and_set(7 + i, 0);
		for (k = 0; k < OBJECTS; k++)
			hits += kmprof_sampler_wait(ns, period);
		KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(hits, OBJECTS, p),
				      "%u of %u with %llu of %llu ns", hits, OBJECTS, ns, period);
	}
}

/* All of one, none of none. */
static void one_of_so_many_is_picked(struct kunit *test)
{
	static const u64 numbers[] = { 0, 1, 2, 3, 10, 1000, KMPROF_MUTEX_FRACTION_MAX };
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(numbers); i++) {
		u64 number = numbers[i], p = number ? KMPROF_PROB_ONE / number : 0;
		u32 hits = 0;

		seed_and_set(17 + i, 0);
		for (k = 0; k < OBJECTS; k++)
			hits += kmprof_sampler_one_of(number);
		KUNIT_EXPECT_TRUE_MSG(test, chance_binomial_ok(hits, OBJECTS, p),
				      "%u of %u with one of %llu", hits, OBJECTS, number);
	}
}

static struct kunit_case sampler_cases[] = {
	KUNIT_CASE_PARAM(picks_a_size_with_its_probability, ratio_gen_params),
	KUNIT_CASE(neighbours_are_picked_independently),
	KUNIT_CASE(a_mixture_is_picked_size_by_size),
	KUNIT_CASE(rate_one_picks_all_and_rate_zero_none),
	KUNIT_CASE_SLOW(a_new_rate_is_without_bias_at_once),
	KUNIT_CASE(a_new_cpu_is_without_bias_at_once),
	KUNIT_CASE(a_countdown_is_not_left_negative),
	KUNIT_CASE(a_taken_countdown_has_the_same_chances),
	KUNIT_CASE(a_countdown_is_taken_at_its_edges),
	KUNIT_CASE(a_gap_below_a_bound_has_the_same_chances),
	KUNIT_CASE(a_hit_stands_after_a_new_rate),
	KUNIT_CASE_SLOW(an_interrupt_after_the_hit_has_its_own_chance),
	KUNIT_CASE(every_cpu_has_its_own_seed),
	KUNIT_CASE_PARAM(all_hit_with_the_same_probability, ratio_gen_params),
	KUNIT_CASE(all_hit_in_bulk_with_the_same_probability),
	KUNIT_CASE(all_hit_and_none_is_sampled),
	KUNIT_CASE(a_hit_of_all_is_decided_later),
	KUNIT_CASE(a_wait_is_picked_with_its_probability),
	KUNIT_CASE(one_of_so_many_is_picked),
	{}
};

static struct kunit_suite sampler_suite = {
	.name		= "kmprof_sampler",
	.init		= sampler_pin,
	.test_cases	= sampler_cases,
};

kunit_test_suite(sampler_suite);
