// SPDX-License-Identifier: GPL-2.0
/*
 * The bucket hash. Probes look up without a lock; the drain adds under its
 * lock; a reset takes everything out.
 */
#include <linux/bitops.h>
#include <linux/jhash.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <uapi/linux/kmprof.h>

#include "core/bucket.h"
#include "core/drain_lock.h"
#include "core/limits.h"

LIST_HEAD(kmprof_buckets);

static struct hlist_head *bucket_hash;
static unsigned int bucket_hash_mask;
static u32 bucket_seed;
/* Under the drain lock. */
static struct kmprof_arena bucket_arena;

/**
 * kmprof_bucket_hash() - hash of a key without its hash field
 * @key: all but the hash is read
 *
 * Context: Any.
 */
u32 kmprof_bucket_hash(const struct kmprof_bucket_key *key)
{
	u32 profile = (unsigned long)key->profile;
	u32 h = jhash_3words(profile ^ rol32(key->detail, 8), key->size, key->period, bucket_seed);

	return jhash2((const u32 *)key->frames,
		      key->nr_words * (sizeof(*key->frames) / sizeof(u32)), h);
}

static bool key_equal(const struct kmprof_bucket_key *a,
		      const struct kmprof_bucket_key *b)
{
	return a->hash == b->hash && a->period == b->period &&
	       a->size == b->size && a->profile == b->profile && a->detail == b->detail &&
	       a->nr_words == b->nr_words &&
	       !memcmp(a->frames, b->frames, a->nr_words * sizeof(*a->frames));
}

/**
 * kmprof_bucket_find() - look a key up
 * @key: with its hash
 *
 * Context: Any. Preemption off, or the drain lock held, for as long as the
 * result is used. Takes no locks.
 * Return: the bucket or NULL.
 */
struct kmprof_bucket *kmprof_bucket_find(const struct kmprof_bucket_key *key)
{
	struct hlist_head *head = &bucket_hash[key->hash & bucket_hash_mask];
	struct kmprof_bucket *b;

	/* Preemption off is the read side; _notrace: no lockdep in a probe. */
	hlist_for_each_entry_rcu_notrace(b, head, node)
		if (key_equal(&b->key, key))
			return b;
	return NULL;
}

/**
 * kmprof_bucket_is_full() - has a profile as many buckets as it may have?
 * @profile: the profile
 *
 * An event with a new stack is lost then. It need not go through a ring for that.
 *
 * Context: Any.
 */
bool kmprof_bucket_is_full(const struct kmprof_profile *profile)
{
	return READ_ONCE(profile->nr_buckets) >= kmprof_limits.max_buckets;
}

/**
 * kmprof_bucket_get() - look a key up, and create the bucket if needed
 * @key: with its hash; copied
 *
 * Context: Process context, under the drain lock. Allocates.
 * Return: the bucket, or NULL when the profile has max_buckets, or without memory.
 */
struct kmprof_bucket *kmprof_bucket_get(const struct kmprof_bucket_key *key)
{
	struct kmprof_bucket *b;

	lockdep_assert_held(&kmprof_drain_lock);

	b = kmprof_bucket_find(key);
	if (b)
		return b;
	if (kmprof_bucket_is_full(key->profile))
		return NULL;
	b = kmprof_arena_take(&bucket_arena, struct_size(b, frames, key->nr_words));
	if (!b)
		return NULL;
	memcpy(b->frames, key->frames, key->nr_words * sizeof(*key->frames));
	b->key = *key;
	b->key.frames = b->frames;
	/* Publishes the filled bucket; pairs with the dereferences of readers. */
	hlist_add_head_rcu(&b->node, &bucket_hash[key->hash & bucket_hash_mask]);
	list_add_tail_rcu(&b->list, &kmprof_buckets);
	WRITE_ONCE(key->profile->nr_buckets, key->profile->nr_buckets + 1);
	return b;
}

/**
 * kmprof_bucket_count() - buckets in use, of all profiles
 *
 * Context: Any.
 */
unsigned int kmprof_bucket_count(void)
{
	unsigned int sum = 0;

	kmprof_for_each_profile(p)
		sum += READ_ONCE(p->nr_buckets);
	return sum;
}

/**
 * kmprof_bucket_most() - buckets in use by the profile that has most of them
 *
 * Context: Any.
 */
unsigned int kmprof_bucket_most(void)
{
	unsigned int most = 0;

	kmprof_for_each_profile(p)
		most = max(most, READ_ONCE(p->nr_buckets));
	return most;
}

/**
 * kmprof_bucket_unhash_all() - take every bucket out of hash and list
 * @dead: returns their memory
 *
 * After a grace period no probe finds them; live objects still may.
 *
 * Context: Process context, under the cycle and drain locks.
 */
void kmprof_bucket_unhash_all(struct kmprof_arena *dead)
{
	struct kmprof_bucket *b;

	lockdep_assert_held(&kmprof_drain_lock);

	list_for_each_entry(b, &kmprof_buckets, list) {
		hlist_del_rcu(&b->node);
		WRITE_ONCE(b->dead, true);
	}
	/*
	 * The list is walked by holders of the cycle lock only, whom the
	 * caller keeps out: no grace period is needed for emptying it.
	 */
	INIT_LIST_HEAD(&kmprof_buckets);
	kmprof_for_each_profile(p)
		WRITE_ONCE(p->nr_buckets, 0);
	*dead = bucket_arena;
	bucket_arena = (struct kmprof_arena) {};
}

/**
 * kmprof_bucket_init() - allocate the hash, a chain for each bucket that there can be
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_bucket_init(void)
{
	unsigned int nr_profiles = 0, chains;

	kmprof_for_each_profile(p)
		nr_profiles++;
	chains = roundup_pow_of_two(nr_profiles * kmprof_limits.max_buckets);
	bucket_hash = kvcalloc(chains, sizeof(*bucket_hash), GFP_KERNEL | __GFP_NOWARN);
	if (!bucket_hash)
		return -ENOMEM;
	bucket_hash_mask = chains - 1;
	bucket_seed = get_random_u32();
	return 0;
}

/**
 * kmprof_bucket_exit() - free all
 *
 * Context: Process context, after the last probe and the last reader.
 */
void kmprof_bucket_exit(void)
{
	kmprof_arena_free(&bucket_arena);
	kvfree(bucket_hash);
}
