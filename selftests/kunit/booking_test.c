// SPDX-License-Identifier: GPL-2.0
/*
 * A delay's way into its bucket: for how many it stands there; and that each one is
 * booked once, as what became of it, in its own profile's part of the ledger.
 */
#include <kunit/test.h>

#include "lock/block.c"
#include "lock/booking.c"
#include "lock/delay_text.c"
#include "lock/mutex.c"
#include "chance.h"
#include "core/cycle.h"
#include "core/ring.h"
#include "delay_param.h"
#include "events.h"
#include "rig.h"

static int booking_test_init(struct kunit *test)
{
	return rig_create(test, &rig_narrow_limits) ?: rig_pin();
}

static u64 period_max(const struct kmprof_lock_profile *profile)
{
	return profile == &kmprof_block_profile ? KMPROF_BLOCK_RATE_MAX : KMPROF_MUTEX_FRACTION_MAX;
}

/* What one delay adds to its bucket. */
static void model_add(struct kmprof_bucket_counts *want,
		      const struct kmprof_lock_profile *profile, u64 period, u64 ns)
{
	const u64 one = 1ULL << KMPROF_WAIT_COUNT_SHIFT;

	if (profile == &kmprof_mutex_profile) {
		want->waits += period * one;
		want->delay += period * ns;
	} else if (ns >= period) {
		want->waits += one;
		want->delay += ns;
	} else {
		want->waits += ns ? period * one / ns : period * one;
		want->delay += period;
	}
	want->longest = max(want->longest, ns);
}

/* Count and delay stand for what was not sampled, too. */
static void a_delay_stands_for_its_like(struct kunit *test)
{
	struct kmprof_bucket *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	struct kmprof_lock_profile *profile = delay_profile(test);
	struct rnd_state r;
	int i, k;

	KUNIT_ASSERT_NOT_NULL(test, b);
	prandom_seed_state(&r, 1);
	for (i = 0; i < 16; i++) {
		unsigned int slot = chance_below(&r, KMPROF_NR_SLOTS);
		struct kmprof_bucket_counts want = {};

		memset(b, 0, sizeof(*b));
		b->key.profile = &profile->profile;
		b->key.period = 1 + chance_magnitude(&r) % period_max(profile);
		for (k = 0; k < 1000; k++) {
			u64 ns = chance_magnitude(&r) % (2 * KMPROF_BLOCK_RATE_MAX);

			model_add(&want, profile, b->key.period, ns);
			count(b, slot, ns);
			if (k % 100)
				continue;
			fold(b, slot);
			KUNIT_ASSERT_MEMEQ(test, &b->active, &want, sizeof(want));
		}
	}
}

static u64 cut_in_fold(const struct kmprof_lock_profile *profile)
{
	return kmprof_published.stats.counter[profile->saturated];
}

/* A sum stays at the most that there is, and each time the ledger tells. */
static void a_sum_that_does_not_fit_is_cut(struct kunit *test)
{
	struct kmprof_bucket *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	struct kmprof_lock_profile *profile = delay_profile(test);
	const u64 half = KMPROF_DELAY_MAX / 2 + 1;
	u64 before = cut_in_fold(profile);

	KUNIT_ASSERT_NOT_NULL(test, b);
	b->key.profile = &profile->profile;
	b->key.period = 1;
	count(b, 0, half);
	KUNIT_EXPECT_EQ(test, rig_counter(profile->saturated), 0);
	count(b, 0, half);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&b->future[0].delay), LONG_MAX);
	KUNIT_EXPECT_EQ(test, rig_counter(profile->saturated), 1);
	count(b, 0, 1);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&b->future[0].delay), LONG_MAX);
	KUNIT_EXPECT_EQ(test, rig_counter(profile->saturated), 2);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&b->future[0].longest), half);

	/* So does the sum of all cycles. */
	fold(b, 0);
	KUNIT_EXPECT_EQ(test, b->active.delay, LONG_MAX);
	KUNIT_EXPECT_EQ(test, cut_in_fold(profile), before);
	count(b, 1, 1);
	fold(b, 1);
	KUNIT_EXPECT_EQ(test, b->active.delay, LONG_MAX);
	KUNIT_EXPECT_EQ(test, b->active.waits, 4ULL << KMPROF_WAIT_COUNT_SHIFT);
	KUNIT_EXPECT_EQ(test, cut_in_fold(profile), before + 1);
	KUNIT_EXPECT_EQ(test, rig_counter(profile->saturated), 2);
}

/* A delay of 26 days, of one in 2^16 releases, stands for 2^67 ns. */
static void a_product_that_does_not_fit_is_cut(struct kunit *test)
{
	struct kmprof_bucket *b = kunit_kzalloc(test, sizeof(*b), GFP_KERNEL);
	const u64 ns = 1ULL << 51;

	KUNIT_ASSERT_NOT_NULL(test, b);
	b->key.profile = &kmprof_mutex_profile.profile;
	b->key.period = KMPROF_MUTEX_FRACTION_MAX;
	count(b, 0, ns);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&b->future[0].delay), LONG_MAX);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&b->future[0].longest), ns);
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_LOSS_DELAY_SATURATED), 1);
}

static struct kmprof_delay delay_of(struct kmprof_lock_profile *profile, u64 ns)
{
	return (struct kmprof_delay) {
		.profile	= profile,
		.kind		= KMPROF_LOCK_RWSEM,
		.flags		= KMPROF_WAIT_WRITE,
		.lock		= rig_lock(1),
		.ns		= ns,
		.period		= 1,
	};
}

/* A delay of @site; 0: kmprof is busy. */
static void see(const struct kmprof_delay *delay, unsigned long site, unsigned int slot)
{
	unsigned long frames[SITE_FRAMES_MAX];
	struct kmprof_stack stack;

	event_stack(frames, site, &stack);
	stack.labels = 0;
	preempt_disable();
	kmprof_booking_add(delay, site ? &stack : NULL, slot);
	preempt_enable();
}

static struct kmprof_bucket *bucket_of(unsigned long site)
{
	struct kmprof_bucket *b, *found = NULL;

	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b)
		if (b->frames[0] == site)
			found = b;
	mutex_unlock(&kmprof_cycle_lock);
	return found;
}

static void a_delay_has_a_bucket_of_its_own(struct kunit *test)
{
	struct kmprof_delay delay = delay_of(delay_profile(test), 1000);
	struct kmprof_bucket *b;

	delay.period = 77;
	see(&delay, event_site(3), 0);
	kmprof_drain_stop();
	b = bucket_of(event_site(3));
	KUNIT_ASSERT_NOT_NULL(test, b);
	KUNIT_EXPECT_PTR_EQ(test, b->key.profile, &delay.profile->profile);
	KUNIT_EXPECT_EQ(test, b->key.period, 77);
	KUNIT_EXPECT_EQ(test, b->key.lock, kmprof_lock_class(delay.lock));
	KUNIT_EXPECT_EQ(test, b->key.nr_words, 4);
	KUNIT_EXPECT_EQ(test, kmprof_bucket_kind(&b->key), KMPROF_LOCK_RWSEM);
	KUNIT_EXPECT_EQ(test, kmprof_bucket_flags(&b->key), KMPROF_WAIT_WRITE);
	KUNIT_EXPECT_EQ(test, atomic_long_read(&b->future[0].longest), 1000);

	/* Known now; and everything in the key makes another one. */
	see(&delay, event_site(3), 0);
	kmprof_drain_stop();
	KUNIT_EXPECT_EQ(test, rig_nr_buckets(), 1);
	see(&delay, event_site(4), 0);
	delay.flags |= KMPROF_WAIT_UNBLAMED;
	see(&delay, event_site(3), 0);
	delay.kind = KMPROF_LOCK_MUTEX;
	see(&delay, event_site(3), 0);
	delay.lock = rig_lock(2);
	see(&delay, event_site(3), 0);
	delay.period = 78;
	see(&delay, event_site(3), 0);
	delay.profile = delay.profile == &kmprof_block_profile ? &kmprof_mutex_profile :
								 &kmprof_block_profile;
	see(&delay, event_site(3), 0);
	kmprof_drain_stop();
	KUNIT_EXPECT_EQ(test, rig_nr_buckets(), 7);
}

/* What the ledger calls the ends of a profile's delays. */
static const struct names {
	enum kmprof_counter sampled, counted, nested, ring_full, bucket_full, own;
} block_names = {
	KMPROF_WAITS_SAMPLED, KMPROF_WAITS_COUNTED, KMPROF_LOSS_WAIT_NESTED,
	KMPROF_LOSS_WAIT_RING_FULL, KMPROF_LOSS_WAIT_BUCKET_FULL, KMPROF_LOSS_WAIT_OWN,
}, mutex_names = {
	KMPROF_DELAYS_SAMPLED, KMPROF_DELAYS_COUNTED, KMPROF_LOSS_DELAY_NESTED,
	KMPROF_LOSS_DELAY_RING_FULL, KMPROF_LOSS_DELAY_BUCKET_FULL, KMPROF_LOSS_DELAY_OWN,
};

static const struct names *names_of(const struct kmprof_lock_profile *profile)
{
	return profile == &kmprof_block_profile ? &block_names : &mutex_names;
}

static void a_delay_is_booked_once(struct kunit *test)
{
	const struct kmprof_delay delay = delay_of(delay_profile(test), 1);
	const struct names *name = names_of(delay.profile);
	struct kmprof_stats want;
	unsigned int i;

	/* New: the drain will say. */
	rig_stats(&want);
	mutex_lock(&kmprof_drain_lock);
	see(&delay, event_site(0), 0);
	want.counter[name->sampled]++;
	rig_expect_stats(test, &want);
	mutex_unlock(&kmprof_drain_lock);
	kmprof_drain_stop();
	want.counter[name->counted]++;
	rig_expect_stats(test, &want);

	/* Known, and deeper than what is kept. */
	see(&delay, event_site(0), 0);
	want.counter[name->sampled]++;
	want.counter[name->counted]++;
	rig_expect_stats(test, &want);
	see(&delay, event_site(1) | SITE_TRUNCATED, 0);
	want.counter[name->sampled]++;
	want.counter[name->counted]++;
	want.counter[KMPROF_LOSS_STACK_TRUNCATED]++;
	kmprof_drain_stop();
	rig_expect_stats(test, &want);

	see(&delay, event_site(0) | SITE_OWN | SITE_TRUNCATED, 0);
	want.counter[name->sampled]++;
	want.counter[name->own]++;
	rig_expect_stats(test, &want);

	see(&delay, 0, 0);
	want.counter[name->sampled]++;
	want.counter[name->nested]++;
	rig_expect_stats(test, &want);

	/* Nobody drains while the lock is held. */
	mutex_lock(&kmprof_drain_lock);
	for (i = 0; i < KMPROF_RING_MIN / KMPROF_RECORD_ALIGN; i++)
		see(&delay, event_site(119), 0);
	rig_stats(&want);
	see(&delay, event_site(119), 0);
	want.counter[name->sampled]++;
	want.counter[name->ring_full]++;
	rig_expect_stats(test, &want);
	mutex_unlock(&kmprof_drain_lock);
	kmprof_drain_stop();
	rig_stats(&want);

	for (i = rig_nr_buckets(); i < KMPROF_BUCKETS_MIN; i++) {
		see(&delay, event_site(i), 0);
		kmprof_drain_stop();
		want.counter[name->sampled]++;
		want.counter[name->counted]++;
	}
	/* No bucket is left: said at once, without a record for the drain. */
	mutex_lock(&kmprof_drain_lock);
	see(&delay, event_site(i), 0);
	want.counter[name->sampled]++;
	want.counter[name->bucket_full]++;
	rig_expect_stats(test, &want);
	KUNIT_EXPECT_TRUE(test, kmprof_ring_all_empty());
	mutex_unlock(&kmprof_drain_lock);
}

/* Of two records for the last bucket, the drain finds out which one has none. */
static void a_hash_full_at_the_drain(struct kunit *test)
{
	const struct kmprof_delay delay = delay_of(delay_profile(test), 1);
	const struct names *name = names_of(delay.profile);
	struct kmprof_stats want;
	unsigned int i;

	for (i = 0; i < KMPROF_BUCKETS_MIN - 1; i++) {
		see(&delay, event_site(i), 0);
		kmprof_drain_stop();
	}
	rig_stats(&want);
	mutex_lock(&kmprof_drain_lock);
	see(&delay, event_site(i), 0);
	see(&delay, event_site(i + 1), 0);
	mutex_unlock(&kmprof_drain_lock);
	kmprof_drain_stop();
	want.counter[name->sampled] += 2;
	want.counter[name->counted]++;
	want.counter[name->bucket_full]++;
	rig_expect_stats(test, &want);
}

/* A flood of one profile takes neither the buckets nor the rings of the others. */
static void a_flood_leaves_room_for_others(struct kunit *test)
{
	struct kmprof_lock_profile *profile = delay_profile(test);
	const struct kmprof_delay delay = delay_of(profile, 1);
	struct kmprof_stats stats;
	unsigned int i;

	mutex_lock(&kmprof_drain_lock);
	for (i = 0; i < KMPROF_RING_MIN / KMPROF_RECORD_ALIGN; i++)
		see(&delay, event_site(i), 0);
	event_alloc(rig_object(1), 64, 4096, event_site(1));
	mutex_unlock(&kmprof_drain_lock);
	kmprof_drain_stop();
	for (; i < 10 * KMPROF_BUCKETS_MIN; i++) {
		see(&delay, event_site(i), 0);
		kmprof_drain_stop();
	}
	for (i = 2; i < KMPROF_BUCKETS_MIN; i++) {
		event_alloc(rig_object(i), 64, 4096, event_site(i));
		kmprof_drain_stop();
	}
	rig_stats(&stats);
	KUNIT_EXPECT_EQ(test, profile->profile.nr_buckets, KMPROF_BUCKETS_MIN);
	KUNIT_EXPECT_GT(test, stats.counter[names_of(profile)->ring_full], 0);
	KUNIT_EXPECT_GT(test, stats.counter[names_of(profile)->bucket_full], 0);
	KUNIT_EXPECT_EQ(test, stats.counter[KMPROF_SAMPLED], KMPROF_BUCKETS_MIN - 1);
	KUNIT_EXPECT_EQ(test, stats.counter[KMPROF_COUNTED], KMPROF_BUCKETS_MIN - 1);
	for (i = 1; i < KMPROF_BUCKETS_MIN; i++)
		event_free(rig_object(i));
}

/* In the bucket and in the ledger, whether there was a bucket for it or not. */
static void a_record_is_counted_in_its_cycle(struct kunit *test)
{
	const struct kmprof_delay delay = delay_of(delay_profile(test), 1000);
	const struct names *name = names_of(delay.profile);
	unsigned int slot, i, site;
	struct kmprof_bucket *b;

	for (site = 0; site < 2 * KMPROF_BUCKETS_MIN; site++) {
		bool fits = site < KMPROF_BUCKETS_MIN;
		struct kmprof_stats sum[KMPROF_NR_SLOTS] = {};

		slot = site % KMPROF_NR_SLOTS;
		see(&delay, event_site(site), slot);
		kmprof_drain_stop();
		b = bucket_of(event_site(site));
		KUNIT_ASSERT_EQ(test, !!b, fits);
		for (i = 0; i < KMPROF_NR_SLOTS; i++) {
			if (b)
				KUNIT_EXPECT_EQ(test, atomic_long_read(&b->future[i].delay),
						i == slot ? delay.ns : 0);
			kmprof_stats_fold(i, &sum[i]);
			KUNIT_EXPECT_EQ(test, sum[i].counter[name->sampled], i == slot);
			KUNIT_EXPECT_EQ(test, sum[i].counter[name->counted], i == slot && fits);
			KUNIT_EXPECT_EQ(test, sum[i].counter[name->bucket_full],
					i == slot && !fits);
		}
	}
}

/*
 * Of both profiles, in any order and any state of ring and hash: each comes to one
 * end, and all ends come. What is counted is what the buckets have.
 */
static void every_delay_comes_to_one_end(struct kunit *test)
{
	const struct kmprof_stats others = {
		.counter[KMPROF_LOSS_WAIT_DIED] = 1,
		.counter[KMPROF_LOSS_WAIT_TABLE_FULL] = 1,
	};
	u64 seen[ARRAY_SIZE(delay_profiles)] = {}, sums[ARRAY_SIZE(delay_profiles)] = {};
	struct kmprof_bucket *b;
	struct kmprof_stats is;
	struct rnd_state r;
	unsigned int i, k;
	/* Held at first: the ring fills before the hash does. */
	bool held = true;
	unsigned int profile;

	prandom_seed_state(&r, 2);
	mutex_lock(&kmprof_drain_lock);
	for (i = 0; i < 20000; i++) {
		struct kmprof_delay delay;
		unsigned long site = event_site(chance_below(&r, 30));

		profile = chance_below(&r, 2);
		delay = delay_of(delay_profiles[profile], 7);
		switch (chance_below(&r, 8)) {
		case 0:
			site |= SITE_OWN;
			break;
		case 1:
			site |= SITE_TRUNCATED;
			break;
		case 2:
			site = 0;
			break;
		}
		/* For as long as it takes to fill the ring. */
		if (i >= 200 && chance_below(&r, 32) == 0) {
			if (held)
				mutex_unlock(&kmprof_drain_lock);
			else
				mutex_lock(&kmprof_drain_lock);
			held = !held;
		}
		see(&delay, site, chance_below(&r, KMPROF_NR_SLOTS));
		seen[profile]++;
		if (!held && chance_below(&r, 4) == 0)
			kmprof_drain();
	}
	if (held)
		mutex_unlock(&kmprof_drain_lock);
	kmprof_drain_stop();

	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b)
		for (k = 0; k < KMPROF_NR_SLOTS; k++)
			sums[b->key.profile == &kmprof_mutex_profile.profile] +=
				atomic_long_read(&b->future[k].delay);
	mutex_unlock(&kmprof_cycle_lock);
	rig_stats(&is);
	for (i = 0; i < ARRAY_SIZE(delay_profiles); i++) {
		const struct kmprof_profile *p = &delay_profiles[i]->profile;
		const struct names *name = names_of(delay_profiles[i]);
		u64 ends = is.counter[name->counted];

		for (k = 0; k < p->nr_scalars; k++) {
			/* A wait that dies, or finds no room, is not booked. */
			if (!(p->scalars[k].flags & KMPROF_SCALAR_LOST) ||
			    rig_scalar(&p->scalars[k], &others))
				continue;
			KUNIT_EXPECT_GT_MSG(test, rig_scalar(&p->scalars[k], &is), 0, "%s",
					    p->scalars[k].name);
			ends += rig_scalar(&p->scalars[k], &is);
		}
		KUNIT_EXPECT_EQ(test, is.counter[name->sampled], seen[i]);
		KUNIT_EXPECT_EQ(test, ends, seen[i]);
		KUNIT_EXPECT_EQ(test, sums[i], 7 * is.counter[name->counted]);
	}
}

static struct kunit_case booking_cases[] = {
	KUNIT_CASE_PARAM(a_delay_stands_for_its_like, delay_profile_gen_params),
	KUNIT_CASE_PARAM(a_sum_that_does_not_fit_is_cut, delay_profile_gen_params),
	KUNIT_CASE(a_product_that_does_not_fit_is_cut),
	KUNIT_CASE_PARAM(a_delay_has_a_bucket_of_its_own, delay_profile_gen_params),
	KUNIT_CASE_PARAM(a_delay_is_booked_once, delay_profile_gen_params),
	KUNIT_CASE_PARAM(a_record_is_counted_in_its_cycle, delay_profile_gen_params),
	KUNIT_CASE_PARAM(a_hash_full_at_the_drain, delay_profile_gen_params),
	KUNIT_CASE_PARAM(a_flood_leaves_room_for_others, delay_profile_gen_params),
	KUNIT_CASE(every_delay_comes_to_one_end),
	{}
};

static struct kunit_suite booking_suite = {
	.name		= "kmprof_booking",
	.init		= booking_test_init,
	.test_cases	= booking_cases,
};

kunit_test_suite(booking_suite);
