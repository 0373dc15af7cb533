// SPDX-License-Identifier: GPL-2.0
/* The bucket hash against the list of the keys that were put in. */
#include <kunit/test.h>
#include <linux/mutex.h>

#include "core/bucket.c"
#include "chance.h"
#include "delay_param.h"
#include "mem/heap.h"
#include "rig.h"

enum {
	MAX_BUCKETS	= 400,
	NR_PROFILES	= 2,
	MAX_FRAMES	= 16,
};

static const struct kmprof_limits bucket_limits = {
	.max_buckets	= MAX_BUCKETS,
	.max_live	= 1,
	.stack_depth	= KMPROF_STACK_DEPTH_MAX,
	.ring_bytes	= KMPROF_RING_MIN,
	.max_snapshots	= 1,
	.max_waits	= KMPROF_WAITS_MIN,
	.max_objects	= KMPROF_OBJECTS_MIN,
};

static int bucket_test_init(struct kunit *test)
{
	int err = rig_create(test, &bucket_limits);

	if (err)
		return err;
	kmprof_key_hash_seed = 0x123456789abcdef0;
	return 0;
}

static struct kmprof_profile * const some_profiles[NR_PROFILES] = {
	&kmprof_heap_profile, &kmprof_block_profile.profile,
};

/* A case may end at any assertion: the lock is held for no longer than a call. */
static struct kmprof_bucket *get(const struct kmprof_bucket_key *key)
{
	struct kmprof_bucket *b;

	mutex_lock(&kmprof_drain_lock);
	b = kmprof_bucket_get(key);
	mutex_unlock(&kmprof_drain_lock);
	return b;
}

static struct kmprof_bucket *find(const struct kmprof_bucket_key *key)
{
	struct kmprof_bucket *b;

	preempt_disable();
	b = kmprof_bucket_find(key);
	preempt_enable();
	return b;
}

static void unhash_all(struct kmprof_arena *dead)
{
	mutex_lock(&kmprof_drain_lock);
	kmprof_bucket_unhash_all(dead);
	kmprof_bucket_end_reset();
	mutex_unlock(&kmprof_drain_lock);
}

/* A key with its own memory. */
struct stack_key {
	struct kmprof_bucket_key key;
	unsigned long frames[MAX_FRAMES];
};

static void stack_key_copy(struct stack_key *to, const struct stack_key *from)
{
	*to = *from;
	to->key.frames = to->frames;
}

static void stack_key_hash(struct stack_key *k)
{
	k->key.hash = 0;
	k->key.hash = kmprof_bucket_hash(&k->key);
}

/* Few values, so that keys differ in little, and coincide at times. */
static void stack_key_draw(struct rnd_state *r, struct stack_key *k)
{
	unsigned int i;

	memset(k, 0, sizeof(*k));
	k->key.period = 1ULL << chance_below(r, 2);
	k->key.size = 8 + 8 * chance_below(r, 2);
	k->key.profile = some_profiles[chance_below(r, NR_PROFILES)];
	k->key.nr_words = 1 + chance_below(r, 4);
	k->key.frames = k->frames;
	for (i = 0; i < k->key.nr_words; i++)
		k->frames[i] = 0xffffffff81000000UL + chance_below(r, 3);
	stack_key_hash(k);
}

static bool same(const struct stack_key *a, const struct stack_key *b)
{
	unsigned int i;

	if (a->key.period != b->key.period || a->key.size != b->key.size ||
	    a->key.profile != b->key.profile || a->key.nr_words != b->key.nr_words)
		return false;
	for (i = 0; i < a->key.nr_words; i++)
		if (a->frames[i] != b->frames[i])
			return false;
	return true;
}

static bool holds(const struct kmprof_bucket *b, const struct stack_key *k)
{
	return b->key.period == k->key.period && b->key.size == k->key.size &&
	       b->key.profile == k->key.profile && b->key.nr_words == k->key.nr_words &&
	       b->key.hash == k->key.hash && b->key.frames == b->frames &&
	       !memcmp(b->frames, k->frames, k->key.nr_words * sizeof(long));
}

struct table {
	struct stack_key key[NR_PROFILES * MAX_BUCKETS];
	struct kmprof_bucket *bucket[NR_PROFILES * MAX_BUCKETS];
	unsigned int nr;
};

static unsigned int table_count(const struct table *t, const struct kmprof_profile *profile)
{
	unsigned int i, n = 0;

	for (i = 0; i < t->nr; i++)
		n += t->key[i].key.profile == profile;
	return n;
}

static int table_find(const struct table *t, const struct stack_key *k)
{
	unsigned int i;

	for (i = 0; i < t->nr; i++)
		if (same(&t->key[i], k))
			return i;
	return -1;
}

/* The list, the count, and look-ups by equal keys in other memory agree with it. */
static void table_compare(struct kunit *test, const struct table *t)
{
	struct kmprof_bucket *b;
	struct stack_key copy;
	unsigned int i = 0;

	KUNIT_ASSERT_EQ(test, rig_nr_buckets(), t->nr);
	list_for_each_entry(b, &kmprof_buckets, list) {
		KUNIT_ASSERT_LT(test, i, t->nr);
		KUNIT_ASSERT_PTR_EQ(test, b, t->bucket[i]);
		KUNIT_ASSERT_TRUE(test, holds(b, &t->key[i]));
		KUNIT_ASSERT_FALSE(test, b->dead);
		i++;
	}
	KUNIT_ASSERT_EQ(test, i, t->nr);
	for (i = 0; i < t->nr; i++) {
		stack_key_copy(&copy, &t->key[i]);
		stack_key_hash(&copy);
		KUNIT_ASSERT_PTR_EQ(test, find(&copy.key), t->bucket[i]);
		KUNIT_ASSERT_PTR_EQ(test, get(&copy.key), t->bucket[i]);
	}
}

static struct table *table_create(struct kunit *test)
{
	struct table *t = kunit_kzalloc(test, sizeof(*t), GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, t);
	return t;
}

/* One key, one bucket; up to the quota of its profile, then none for a new key. */
static void keys_and_buckets_are_one_to_one(struct kunit *test)
{
	struct table *t = table_create(test);
	unsigned int i, refused = 0;
	struct kmprof_bucket *b;
	struct stack_key k;
	struct rnd_state r;
	int known;

	prandom_seed_state(&r, 1);
	for (i = 0; i < 6000; i++) {
		stack_key_draw(&r, &k);
		known = table_find(t, &k);
		b = find(&k.key);
		KUNIT_ASSERT_PTR_EQ(test, b, known < 0 ? NULL : t->bucket[known]);
		b = get(&k.key);
		if (known >= 0) {
			KUNIT_ASSERT_PTR_EQ(test, b, t->bucket[known]);
		} else if (table_count(t, k.key.profile) == MAX_BUCKETS) {
			KUNIT_ASSERT_TRUE(test, kmprof_bucket_is_full(k.key.profile));
			KUNIT_ASSERT_NULL(test, b);
			KUNIT_ASSERT_NULL(test, find(&k.key));
			refused++;
		} else {
			KUNIT_ASSERT_NOT_NULL(test, b);
			stack_key_copy(&t->key[t->nr], &k);
			t->bucket[t->nr++] = b;
		}
		if (i % 500 == 0)
			table_compare(test, t);
	}
	KUNIT_EXPECT_EQ(test, t->nr, NR_PROFILES * MAX_BUCKETS);
	KUNIT_EXPECT_GT(test, refused, 100);
	table_compare(test, t);
}

/*
 * Keys that differ in one bit of one field, each a bucket of its own: also when
 * their hashes are the same.
 */
static void a_bit_makes_another_bucket(struct kunit *test)
{
	struct stack_key base, k;
	unsigned int collide, bit;
	struct rnd_state r;

	prandom_seed_state(&r, 2);
	for (collide = 0; collide < 2; collide++) {
		unsigned int distinct = 0;
		struct kmprof_arena dead;

		stack_key_draw(&r, &base);
		base.key.nr_words = 3;
		for (bit = 0; bit < 64 + 64 + 32 + 32 + 3 * 64 + 2; bit++) {
			stack_key_copy(&k, &base);
			if (bit < 64)
				k.key.period ^= 1ULL << bit;
			else if (bit < 128)
				k.key.size ^= 1ULL << (bit - 64);
			else if (bit == 128)
				k.key.profile = some_profiles[k.key.profile == some_profiles[0]];
			else if (bit < 160)
				continue;
			else if (bit < 192)
				k.key.detail ^= 1U << (bit - 160);
			else if (bit < 192 + 3 * 64)
				k.frames[(bit - 192) / 64] ^= 1UL << (bit - 192) % 64;
			else if (bit == 192 + 3 * 64)
				k.key.nr_words = 2;	/* a stack that the base continues */
			stack_key_hash(&k);
			if (collide)
				k.key.hash = 42;
			KUNIT_ASSERT_NULL_MSG(test, find(&k.key), "bit %u", bit);
			KUNIT_ASSERT_NOT_NULL(test, get(&k.key));
			KUNIT_ASSERT_EQ(test, rig_nr_buckets(), ++distinct);
		}
		unhash_all(&dead);
		kmprof_arena_free(&dead);
	}
}

/* The hash depends on the key, not on where it lies or what stood in its place. */
static void a_hash_is_of_the_key(struct kunit *test)
{
	struct stack_key a, b;
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 3);
	for (i = 0; i < 10000; i++) {
		stack_key_draw(&r, &a);
		stack_key_copy(&b, &a);
		b.key.hash = prandom_u32_state(&r);
		b.frames[b.key.nr_words] = chance_u64(&r);
		KUNIT_ASSERT_EQ(test, kmprof_bucket_hash(&b.key), a.key.hash);
	}
}

/* However much of the stack a walk has hashed already. */
static void a_hash_goes_on_from_any_word(struct kunit *test)
{
	struct rnd_state r;
	struct stack_key k;
	unsigned int nr, i;
	u64 known;

	prandom_seed_state(&r, 5);
	for (i = 0; i < 1000; i++) {
		stack_key_draw(&r, &k);
		known = kmprof_key_hash_seed;
		for (nr = 0; nr <= k.key.nr_words; nr++) {
			KUNIT_ASSERT_EQ(test, kmprof_bucket_hash_known(&k.key, known, nr),
					k.key.hash);
			known = kmprof_key_hash_word(known, k.frames[nr]);
		}
	}
}

/* As even as chance over the chains: stacks that differ in little, chi-square. */
static void keys_spread_over_the_chains(struct kunit *test)
{
	enum { KEYS = 1 << 16, CHAINS = 256 };
	u32 *chain = kunit_kcalloc(test, CHAINS, sizeof(*chain), GFP_KERNEL);
	struct stack_key k = {};
	unsigned int i;
	u64 chi2 = 0;

	KUNIT_ASSERT_NOT_NULL(test, chain);
	k.key.frames = k.frames;
	k.key.period = 524288;
	k.key.profile = &kmprof_heap_profile;
	k.key.nr_words = 12;
	for (i = 0; i < 12; i++)
		k.frames[i] = 0xffffffff81000000UL + 0x400 * i;
	for (i = 0; i < KEYS; i++) {
		k.key.size = 8 + i % 16 * 8;
		k.frames[i / 16 % 2 * 11] = 0xffffffff81000000UL + i / 32;
		chain[kmprof_bucket_hash(&k.key) % CHAINS]++;
	}
	for (i = 0; i < CHAINS; i++)
		chi2 += chance_chi2_add(chain[i], (KEYS / CHAINS) << 16);
	KUNIT_EXPECT_LT(test, chi2, chance_chi2_limit(CHAINS - 1));
}

/* A reset takes out all that there is, and leaves room for as many again. */
static void unhashed_buckets_are_gone_and_dead(struct kunit *test)
{
	struct kmprof_bucket **all, *b;
	struct stack_key k;
	unsigned int i, n, round;
	struct rnd_state r;

	all = kunit_kcalloc(test, MAX_BUCKETS, sizeof(*all), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, all);
	for (round = 0; round < 3; round++) {
		struct kmprof_arena dead;

		for (i = 0; i < 2; i++) {
			prandom_seed_state(&r, 4);
			for (n = 0; n < 5000 && rig_nr_buckets() < MAX_BUCKETS; n++) {
				stack_key_draw(&r, &k);
				KUNIT_ASSERT_NOT_NULL(test, get(&k.key));
			}
		}
		KUNIT_ASSERT_EQ(test, rig_nr_buckets(), MAX_BUCKETS);
		n = 0;
		list_for_each_entry(b, &kmprof_buckets, list)
			all[n++] = b;
		KUNIT_ASSERT_EQ(test, n, MAX_BUCKETS);
		unhash_all(&dead);
		KUNIT_ASSERT_EQ(test, rig_nr_buckets(), 0);
		KUNIT_ASSERT_TRUE(test, list_empty(&kmprof_buckets));
		for (n = 0; n < MAX_BUCKETS; n++) {
			KUNIT_ASSERT_TRUE(test, all[n]->dead);
			KUNIT_ASSERT_NULL(test, find(&all[n]->key));
		}
		kmprof_arena_free(&dead);
		KUNIT_ASSERT_NULL(test, dead.chunks);
	}
}

static struct kmprof_bucket *get_early(const struct kmprof_bucket_key *key)
{
	struct kmprof_bucket *b;

	preempt_disable();
	b = kmprof_bucket_get_early(key);
	preempt_enable();
	return b;
}

/* Early buckets wait for the end of a reset, and there is memory for them from the start. */
static void none_is_early_during_a_reset(struct kunit *test)
{
	struct kmprof_arena_chunk *spare = NULL;
	struct kmprof_arena dead;
	struct stack_key k, other;
	struct kmprof_bucket *b;
	struct rnd_state r;

	prandom_seed_state(&r, 6);
	stack_key_draw(&r, &k);
	do {
		stack_key_draw(&r, &other);
	} while (key_equal(&k.key, &other.key));
	b = get_early(&k.key);
	KUNIT_ASSERT_NOT_NULL(test, b);
	KUNIT_EXPECT_EQ(test, kmprof_bucket_refill(), 0);
	KUNIT_EXPECT_PTR_EQ(test, b, get_early(&k.key));
	KUNIT_EXPECT_PTR_EQ(test, b, get(&k.key));

	mutex_lock(&kmprof_drain_lock);
	kmprof_bucket_unhash_all(&dead);
	KUNIT_EXPECT_TRUE(test, b->dead);
	KUNIT_EXPECT_NULL(test, get_early(&k.key));
	/* The drain may: it knows from when a record is. */
	b = kmprof_bucket_get(&other.key);
	KUNIT_EXPECT_NOT_NULL(test, b);
	KUNIT_EXPECT_NULL(test, get_early(&other.key));
	kmprof_bucket_end_reset();
	mutex_unlock(&kmprof_drain_lock);

	/* What others rely on is left to them. */
	KUNIT_EXPECT_EQ(test, kmprof_bucket_refill(), 0);
	swap(bucket_arena.spare, spare);
	KUNIT_EXPECT_NULL(test, get_early(&k.key));
	swap(bucket_arena.spare, spare);
	KUNIT_EXPECT_NOT_NULL(test, get_early(&k.key));
	KUNIT_EXPECT_PTR_EQ(test, b, get_early(&other.key));
	kmprof_arena_free(&dead);
}

/* Of objects and of delays alike. */
static void counts_set(struct kmprof_bucket_slot *s, const s64 d[3])
{
	atomic_long_set(&s->allocs, d[0]);
	atomic_long_set(&s->frees, d[1]);
	atomic_long_set(&s->pending, d[2]);
}

/* Of all slots, which are @d, fold one. */
static void fold_one(struct kunit *test, struct kmprof_bucket *b, unsigned int slot,
		     s64 d[KMPROF_NR_SLOTS][3], const struct kmprof_bucket_counts *want)
{
	unsigned int i;

	for (i = 0; i < KMPROF_NR_SLOTS; i++)
		counts_set(&b->future[i], d[i]);
	b->key.profile->ops->fold(b, slot);
	KUNIT_ASSERT_MEMEQ(test, &b->active, want, sizeof(*want));
	b->key.profile->ops->fold(b, slot);
	KUNIT_ASSERT_MEMEQ(test, &b->active, want, sizeof(*want));
	for (i = 0; i < KMPROF_NR_SLOTS; i++) {
		if (i == slot)
			memset(d[i], 0, sizeof(d[i]));
		KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[i].allocs), d[i][0]);
		KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[i].frees), d[i][1]);
		KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[i].pending), d[i][2]);
	}
}

/* What is folded was in that slot, and is there no more; pending may go down. */
static void a_fold_moves_one_slot_of_a_bucket(struct kunit *test)
{
	struct kmprof_bucket_counts want = {};
	struct kmprof_bucket *b;
	struct stack_key k;
	struct rnd_state r;
	int i, slot;

	prandom_seed_state(&r, 5);
	stack_key_draw(&r, &k);
	k.key.profile = &kmprof_heap_profile;
	stack_key_hash(&k);
	b = get(&k.key);
	KUNIT_ASSERT_NOT_NULL(test, b);
	for (i = 0; i < 3000; i++) {
		s64 d[KMPROF_NR_SLOTS][3];

		for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
			d[slot][0] = chance_below(&r, 1000);
			d[slot][1] = chance_below(&r, want.allocs + d[slot][0] - want.frees + 1);
			d[slot][2] = (s64)chance_below(&r, want.frees + d[slot][1] + 1) -
				     (s64)want.pending;
		}
		slot = chance_below(&r, KMPROF_NR_SLOTS);
		want.allocs += d[slot][0];
		want.frees += d[slot][1];
		want.pending += d[slot][2];
		fold_one(test, b, slot, d, &want);
	}
}

static void a_fold_of_delays_keeps_the_longest(struct kunit *test)
{
	struct kmprof_bucket_counts want = {};
	struct kmprof_bucket *b;
	struct stack_key k;
	struct rnd_state r;
	int i, slot, n;

	prandom_seed_state(&r, 6);
	stack_key_draw(&r, &k);
	k.key.profile = &delay_profile(test)->profile;
	stack_key_hash(&k);
	b = get(&k.key);
	KUNIT_ASSERT_NOT_NULL(test, b);
	for (i = 0; i < 3000; i++) {
		s64 d[KMPROF_NR_SLOTS][3];

		for (slot = 0; slot < KMPROF_NR_SLOTS; slot++)
			for (n = 0; n < 3; n++)
				d[slot][n] = chance_magnitude(&r) >> 16;
		slot = chance_below(&r, KMPROF_NR_SLOTS);
		want.waits += d[slot][0];
		want.delay += d[slot][1];
		want.longest = max_t(u64, want.longest, d[slot][2]);
		fold_one(test, b, slot, d, &want);
	}
}

static struct kunit_case bucket_cases[] = {
	KUNIT_CASE(keys_and_buckets_are_one_to_one),
	KUNIT_CASE(a_bit_makes_another_bucket),
	KUNIT_CASE(a_hash_is_of_the_key),
	KUNIT_CASE(a_hash_goes_on_from_any_word),
	KUNIT_CASE(keys_spread_over_the_chains),
	KUNIT_CASE(unhashed_buckets_are_gone_and_dead),
	KUNIT_CASE(none_is_early_during_a_reset),
	KUNIT_CASE(a_fold_moves_one_slot_of_a_bucket),
	KUNIT_CASE_PARAM(a_fold_of_delays_keeps_the_longest, delay_profile_gen_params),
	{}
};

static struct kunit_suite bucket_suite = {
	.name		= "kmprof_bucket",
	.init		= bucket_test_init,
	.test_cases	= bucket_cases,
};

kunit_test_suite(bucket_suite);
