/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Buckets: the counters of all events with the same key (profile, sampling period, object
 * size or lock, labels, stack). They are published with RCU in a hash, for probes, and in
 * a list, for snapshots. Follows bucket, stkbucket() and buckhash of mprof.go.
 */
#ifndef KMPROF_BUCKET_H
#define KMPROF_BUCKET_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/list.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "core/arena.h"
#include "core/key_hash.h"
#include "core/label_words.h"
#include "core/mark.h"
#include "core/profile.h"
#include "core/slot.h"

/**
 * struct kmprof_bucket_key - what makes a bucket distinct
 * @period: sampling period: heap: in bytes; block: in ns; mutex: one of this many releases
 * @size: heap: object size in bytes
 * @lock: block and mutex, in the place of @size: kmprof_lock_class() of the lock
 * @profile: the profile that the bucket belongs to
 * @detail: kmprof_bucket_detail(); its kind is enum kmprof_lock_kind, heap: enum kmprof_kind_id
 * @nr_words: length of @frames: frames of the stack, then words of labels
 * @hash: kmprof_bucket_hash() of all other members
 * @frames: return addresses, leaf first, followed by the labels (label_words.h)
 */
struct kmprof_bucket_key {
	u64 period;
	union {
		u64 size;
		u64 lock;
	};
	struct kmprof_profile *profile;
	u32 detail;
	u32 nr_words;
	u32 hash;
	const unsigned long *frames;
};

enum {
	KMPROF_DETAIL_KIND_BITS		= 8,
	KMPROF_DETAIL_LABELS_SHIFT	= 24,
};

/* Pack enum kmprof_lock_kind, KMPROF_WAIT_* and KMPROF_LABEL_* into one word. */
static inline u32 kmprof_bucket_detail(u32 kind, u32 flags, u32 labels)
{
	return kind | flags << KMPROF_DETAIL_KIND_BITS | labels << KMPROF_DETAIL_LABELS_SHIFT;
}

/* Of locks, enum kmprof_lock_kind; of the heap, enum kmprof_kind_id. */
static inline u32 kmprof_bucket_kind(const struct kmprof_bucket_key *key)
{
	return key->detail & GENMASK(KMPROF_DETAIL_KIND_BITS - 1, 0);
}

static inline u32 kmprof_bucket_flags(const struct kmprof_bucket_key *key)
{
	return (key->detail & GENMASK(KMPROF_DETAIL_LABELS_SHIFT - 1, 0)) >>
	       KMPROF_DETAIL_KIND_BITS;
}

static inline u32 kmprof_bucket_labels(const struct kmprof_bucket_key *key)
{
	return key->detail >> KMPROF_DETAIL_LABELS_SHIFT;
}

static inline u32 kmprof_bucket_nr_frames(const struct kmprof_bucket_key *key)
{
	return key->nr_words - kmprof_label_words(kmprof_bucket_labels(key));
}

/**
 * struct kmprof_bucket_counts - sums over all closed cycles
 * @allocs: heap: sampled objects allocated
 * @frees: heap: sampled objects freed
 * @pending: heap: freed objects whose memory waits for an RCU grace period
 * @waits: block: estimated number of waits; mutex: of releases; in units of
 *	1 / (1 << KMPROF_WAIT_COUNT_SHIFT)
 * @delay: block and mutex: estimated sum of the delays of @waits, in ns
 * @longest: block and mutex: longest sampled delay, in ns
 * @objects: profiles of objects: objects that are there
 * @weight: profiles of objects: sum of their weights
 * @added: profiles of objects: objects that were added
 */
struct kmprof_bucket_counts {
	union {
		struct {
			u64 allocs;
			u64 frees;
			u64 pending;
		};
		struct {
			u64 waits;
			u64 delay;
			u64 longest;
		};
		struct {
			u64 objects;
			u64 weight;
			u64 added;
		};
	};
};

/**
 * struct kmprof_bucket_slot - the same counts, of one cycle that is not folded yet
 *
 * Any CPU writes to it in any context but NMI. @pending may be negative: a grace period
 * can end in a later cycle than the one in which the object was freed. So may @objects and
 * @weight.
 */
struct kmprof_bucket_slot {
	union {
		struct {
			atomic_long_t allocs;
			atomic_long_t frees;
			atomic_long_t pending;
		};
		struct {
			atomic_long_t waits;
			atomic_long_t delay;
			atomic_long_t longest;
		};
		struct {
			atomic_long_t objects;
			atomic_long_t weight;
			atomic_long_t added;
		};
	};
};

/**
 * struct kmprof_bucket - counters of one key
 * @node: link in the hash chain; RCU. Not hashed: its key has addresses of a module that is gone
 * @list: link in kmprof_buckets; RCU
 * @key: the key; its @frames points to @frames below. Does not change while @node is hashed
 * @dead: a reset has unhashed the bucket; the live table must drop its pointers to it
 * @cache: heap: the slab cache of the first object: kmprof_cache_slot(); written under the drain
 *	lock
 * @row: index of its row in the image that is being filled; protected by the cycle lock
 * @marks: heap: objects in use at the time of each mark; protected by the cycle lock
 * @active: sums of the closed cycles; protected by the cycle lock
 * @future: counts of the cycles that are not folded yet, by slot
 * @frames: the memory of @key.frames
 *
 * A reset or the module's exit frees it, a grace period after the last pointer to it is
 * gone.
 */
struct kmprof_bucket {
	struct hlist_node node;
	struct list_head list;
	struct kmprof_bucket_key key;
	bool dead;
	u16 cache;
	u32 row;
	u32 marks[KMPROF_NR_MARKS];
	struct kmprof_bucket_counts active;
	struct kmprof_bucket_slot future[KMPROF_NR_SLOTS];
	unsigned long frames[];
};

/*
 * All buckets, of all profiles. Walk it with kmprof_cycle_for_each_bucket(). Buckets are
 * added at any time; the cycle lock protects removal.
 */
extern struct list_head kmprof_buckets;

/**
 * kmprof_bucket_hash_known() - compute the hash of a key of which a part is known
 * @key: the key; its @hash is not read
 * @known: the hash of its first words, of kmprof_key_hash_word()
 * @nr_known: number of these words
 *
 * Context: Any.
 * Return: the same as kmprof_bucket_hash().
 */
static __always_inline u32 kmprof_bucket_hash_known(const struct kmprof_bucket_key *key,
						    u64 known, unsigned int nr_known)
{
	u64 profile = (unsigned long)key->profile;
	u64 h = kmprof_key_hash_words(known, key->frames + nr_known, key->nr_words - nr_known);

	h = kmprof_key_hash_word(h, key->size ^ (u64)key->detail << 32);
	h = kmprof_key_hash_word(h, key->period ^ profile << 32);
	return h >> 32;
}

u32 kmprof_bucket_hash(const struct kmprof_bucket_key *key);
struct kmprof_bucket *kmprof_bucket_find(const struct kmprof_bucket_key *key);
struct kmprof_bucket *kmprof_bucket_get(const struct kmprof_bucket_key *key);
struct kmprof_bucket *kmprof_bucket_get_nosleep(const struct kmprof_bucket_key *key);
struct kmprof_bucket *kmprof_bucket_get_early(const struct kmprof_bucket_key *key);
bool kmprof_bucket_wants_refill(void);
int kmprof_bucket_refill(void);
bool kmprof_bucket_is_full(const struct kmprof_profile *profile);
void kmprof_bucket_unhash(struct kmprof_bucket *b);
void kmprof_bucket_unhash_all(struct kmprof_arena *dead);
void kmprof_bucket_end_reset(void);
int kmprof_bucket_init(void);
void kmprof_bucket_exit(void);

#endif
