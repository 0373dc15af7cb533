// SPDX-License-Identifier: GPL-2.0
/*
 * The bucket hash. Probes look buckets up without a lock. The drain adds buckets. For profiles of
 * objects, which cannot wait for the drain, kmprof_bucket_get_nosleep() adds them at once, and for
 * events that would be many records, kmprof_bucket_get_early() does. A reset removes all buckets.
 */
#include <linux/bitops.h>
#include <linux/lockdep.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/random.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/string.h>
#include <uapi/linux/kmprof.h>

#include "core/bucket.h"
#include "core/drain_lock.h"
#include "core/key_hash.h"
#include "core/limits.h"

LIST_HEAD(kmprof_buckets);

static struct hlist_head *bucket_hash;
static unsigned int bucket_hash_mask;
u64 kmprof_key_hash_seed __read_mostly;

/*
 * Protects all changes of the hash, the list and the arena. A bucket is added in any context,
 * so the lock is raw and taken with interrupts off; nothing sleeps under it.
 */
static DEFINE_RAW_SPINLOCK(bucket_lock);
/* The memory of all hashed buckets. */
static struct kmprof_arena bucket_arena;
/* Events from before a reset may still run. Written under bucket_lock. */
static bool resetting;

/**
 * kmprof_bucket_hash() - compute the hash of a key
 * @key: the key; its @hash is not read
 *
 * Context: Any.
 * Return: the value for @key->hash.
 */
u32 kmprof_bucket_hash(const struct kmprof_bucket_key *key)
{
	return kmprof_bucket_hash_known(key, kmprof_key_hash_seed, 0);
}

/* The kernel's memcmp() takes 7 instructions for each word, and the call. */
static __always_inline bool words_equal(const unsigned long *a, const unsigned long *b,
					unsigned int nr)
{
	for (; nr >= 4; nr -= 4, a += 4, b += 4)
		if (a[0] != b[0] || a[1] != b[1] || a[2] != b[2] || a[3] != b[3])
			return false;
	while (nr--)
		if (a[nr] != b[nr])
			return false;
	return true;
}

static bool key_equal(const struct kmprof_bucket_key *a,
		      const struct kmprof_bucket_key *b)
{
	return a->hash == b->hash && a->period == b->period &&
	       a->size == b->size && a->profile == b->profile && a->detail == b->detail &&
	       a->nr_words == b->nr_words &&
	       words_equal(a->frames, b->frames, a->nr_words);
}

/**
 * kmprof_bucket_find() - look up the bucket of a key
 * @key: the key, with its hash
 *
 * Context: Any. Preemption off or the drain lock held, until the last use of the result.
 * Takes no locks.
 * Return: the bucket or NULL.
 */
struct kmprof_bucket *kmprof_bucket_find(const struct kmprof_bucket_key *key)
{
	struct hlist_head *head = &bucket_hash[key->hash & bucket_hash_mask];
	struct kmprof_bucket *b;

	/* Preemption off is the RCU read side. _notrace: no lockdep in a probe. */
	hlist_for_each_entry_rcu_notrace(b, head, node)
		if (key_equal(&b->key, key))
			return b;
	return NULL;
}

/**
 * kmprof_bucket_is_full() - has a profile used up its quota of buckets?
 * @profile: the profile
 *
 * A producer that asks first can count the loss of an event with a new stack at once,
 * without a record and a wake-up of the drain.
 *
 * Context: Any.
 * Return: true when kmprof_bucket_get() cannot create a bucket for @profile.
 */
bool kmprof_bucket_is_full(const struct kmprof_profile *profile)
{
	return READ_ONCE(profile->nr_buckets) >= kmprof_limits.max_buckets;
}

/**
 * kmprof_bucket_wants_refill() - is the memory for new buckets used up?
 *
 * Context: Any.
 * Return: true when kmprof_bucket_refill() is due.
 */
bool kmprof_bucket_wants_refill(void)
{
	return !READ_ONCE(bucket_arena.spare);
}

/**
 * kmprof_bucket_refill() - allocate memory for new buckets, unless there is enough
 *
 * Context: Process context. May sleep.
 * Return: 0 or -ENOMEM.
 */
int kmprof_bucket_refill(void)
{
	struct kmprof_arena_chunk *chunk;

	if (!kmprof_bucket_wants_refill())
		return 0;
	chunk = kmprof_arena_chunk_alloc();
	if (!chunk)
		return -ENOMEM;
	raw_spin_lock_irq(&bucket_lock);
	if (!bucket_arena.spare)
		swap(bucket_arena.spare, chunk);
	raw_spin_unlock_irq(&bucket_lock);
	kmprof_arena_chunk_free(chunk);
	return 0;
}

/* Count a new bucket of a profile. */
static void count_in(struct kmprof_profile *p, const struct kmprof_bucket_key *key)
{
	WRITE_ONCE(p->nr_buckets, p->nr_buckets + 1);
	WRITE_ONCE(p->nr_frames, p->nr_frames + kmprof_bucket_nr_frames(key));
	WRITE_ONCE(p->nr_labels, p->nr_labels + !!kmprof_bucket_labels(key));
}

static struct kmprof_bucket *add(const struct kmprof_bucket_key *key)
{
	struct kmprof_bucket *b;

	lockdep_assert_held(&bucket_lock);

	if (kmprof_bucket_is_full(key->profile))
		return NULL;
	b = kmprof_arena_take(&bucket_arena, struct_size(b, frames, key->nr_words));
	if (!b)
		return NULL;
	memcpy(b->frames, key->frames, key->nr_words * sizeof(*key->frames));
	b->key = *key;
	b->key.frames = b->frames;
	/* Publish the bucket. Pairs with the rcu_dereference of kmprof_bucket_find(). */
	hlist_add_head_rcu(&b->node, &bucket_hash[key->hash & bucket_hash_mask]);
	list_add_tail_rcu(&b->list, &kmprof_buckets);
	count_in(key->profile, key);
	return b;
}

/* The bucket of a key. The hash may have changed since it was looked up without the lock. */
static struct kmprof_bucket *find_or_add(const struct kmprof_bucket_key *key)
{
	lockdep_assert_held(&bucket_lock);
	return kmprof_bucket_find(key) ?: add(key);
}

/**
 * kmprof_bucket_get_nosleep() - look up the bucket of a key, or create it
 * @key: the key, with its hash; copied into a new bucket
 *
 * For profiles whose events are not records, and so cannot wait for the drain. When it has
 * used the spare memory up, the caller has to kick the drain: kmprof_bucket_wants_refill().
 *
 * Context: Any but NMI. Preemption off, until the last use of the result.
 * Return: the bucket, or NULL when the profile has max_buckets or memory is short.
 */
struct kmprof_bucket *kmprof_bucket_get_nosleep(const struct kmprof_bucket_key *key)
{
	struct kmprof_bucket *b;
	unsigned long flags;

	b = kmprof_bucket_find(key);
	if (b)
		return b;
	raw_spin_lock_irqsave(&bucket_lock, flags);
	b = find_or_add(key);
	raw_spin_unlock_irqrestore(&bucket_lock, flags);
	return b;
}

/**
 * kmprof_bucket_get_early() - create the bucket of an event that could also be a record
 * @key: the key, with its hash; no bucket was found; copied into a new bucket
 *
 * During a reset there is none: an event from before it must not count in a bucket that stays. The
 * drain knows which records are from before. What is left of the newest chunk of memory, when there
 * is no spare, is for those who cannot wait. The caller has to kick the drain, as that of
 * kmprof_bucket_get_nosleep().
 *
 * Context: Any but NMI. Preemption off, until the last use of the result. Waits for no lock.
 * Return: the bucket, or NULL when somebody else adds or removes one, a reset is under way, the
 * profile has max_buckets, or there is no spare memory.
 */
struct kmprof_bucket *kmprof_bucket_get_early(const struct kmprof_bucket_key *key)
{
	struct kmprof_bucket *b = NULL;
	unsigned long flags;

	if (!raw_spin_trylock_irqsave(&bucket_lock, flags))
		return NULL;
	if (!resetting && bucket_arena.spare)
		b = find_or_add(key);
	raw_spin_unlock_irqrestore(&bucket_lock, flags);
	return b;
}

/**
 * kmprof_bucket_get() - look up the bucket of a record's key, or create it
 * @key: the key, with its hash; copied into a new bucket
 *
 * Context: Process context, drain lock held. May sleep.
 * Return: the bucket, or NULL when the profile has max_buckets or memory is short.
 */
struct kmprof_bucket *kmprof_bucket_get(const struct kmprof_bucket_key *key)
{
	struct kmprof_bucket *b;

	lockdep_assert_held(&kmprof_drain_lock);

	b = kmprof_bucket_find(key);
	if (b || kmprof_bucket_is_full(key->profile))
		return b;
	/* Without new memory, what is left of the old one may still do. */
	kmprof_bucket_refill();
	raw_spin_lock_irq(&bucket_lock);
	b = find_or_add(key);
	raw_spin_unlock_irq(&bucket_lock);
	return b;
}

/**
 * kmprof_bucket_unhash() - let no more events find a bucket
 * @b: the bucket; it may be unhashed already
 *
 * The bucket keeps its counts, and stays in the list: snapshots show it. What points to it, as
 * the live table does, may go on to count in it. A grace period later nobody reads its key but
 * holders of the cycle lock; of the heap, who tells of a free reads size and period.
 *
 * Context: Process context, cycle and drain locks held.
 */
void kmprof_bucket_unhash(struct kmprof_bucket *b)
{
	lockdep_assert_held(&kmprof_drain_lock);

	raw_spin_lock_irq(&bucket_lock);
	if (!hlist_unhashed(&b->node))
		hlist_del_init_rcu(&b->node);
	raw_spin_unlock_irq(&bucket_lock);
}

/**
 * kmprof_bucket_unhash_all() - remove all buckets from the hash and the list
 * @dead: returns the memory of the removed buckets
 *
 * After a grace period no probe finds a removed bucket in the hash. The live table may
 * still point to it: see struct kmprof_profile_ops, @forget_dead. From then on, the caller calls
 * kmprof_bucket_end_reset().
 *
 * Context: Process context, cycle and drain locks held.
 */
void kmprof_bucket_unhash_all(struct kmprof_arena *dead)
{
	struct kmprof_arena_chunk *chunk = NULL, *spare;
	struct kmprof_bucket *b;
	LIST_HEAD(removed);

	lockdep_assert_held(&kmprof_drain_lock);

	raw_spin_lock_irq(&bucket_lock);
	resetting = true;
	/* The new arena starts with a spare chunk, even if the old one has used up its own. */
	if (!bucket_arena.spare) {
		raw_spin_unlock_irq(&bucket_lock);
		chunk = kmprof_arena_chunk_alloc();
		raw_spin_lock_irq(&bucket_lock);
	}
	/*
	 * Only holders of the cycle lock walk the list, and the caller holds that lock: the
	 * list needs no grace period.
	 */
	list_replace_init(&kmprof_buckets, &removed);
	kmprof_for_each_profile(p) {
		WRITE_ONCE(p->nr_buckets, 0);
		WRITE_ONCE(p->nr_frames, 0);
		WRITE_ONCE(p->nr_labels, 0);
	}
	spare = bucket_arena.spare;
	if (!spare)
		swap(spare, chunk);
	bucket_arena.spare = NULL;
	*dead = bucket_arena;
	bucket_arena = (struct kmprof_arena) { .spare = spare };
	raw_spin_unlock_irq(&bucket_lock);
	kmprof_arena_chunk_free(chunk);

	/* Events may have taken that into use by now. */
	kmprof_bucket_refill();

	/* One at a time: interrupts stay off for a moment only. */
	list_for_each_entry(b, &removed, list) {
		raw_spin_lock_irq(&bucket_lock);
		if (!hlist_unhashed(&b->node))
			hlist_del_rcu(&b->node);
		WRITE_ONCE(b->dead, true);
		raw_spin_unlock_irq(&bucket_lock);
		cond_resched();
	}
}

/**
 * kmprof_bucket_end_reset() - no event from before kmprof_bucket_unhash_all() runs any more
 *
 * Context: Process context, cycle and drain locks held.
 */
void kmprof_bucket_end_reset(void)
{
	raw_spin_lock_irq(&bucket_lock);
	resetting = false;
	raw_spin_unlock_irq(&bucket_lock);
}

/**
 * kmprof_bucket_init() - allocate the hash table
 *
 * It has one chain for each bucket that the profiles of the module may have. Buckets of custom
 * profiles, which are created later, make the chains longer.
 *
 * Context: Process context, before any probe is armed.
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
	kmprof_key_hash_seed = get_random_u64();
	/* For kmprof_bucket_get_early(). Without memory, the first drain tries again. */
	kmprof_bucket_refill();
	return 0;
}

/**
 * kmprof_bucket_exit() - free the hash table and all buckets
 *
 * Context: Process context, a grace period after the last probe ran, no reader left.
 */
void kmprof_bucket_exit(void)
{
	kmprof_arena_free(&bucket_arena);
	kvfree(bucket_hash);
}
