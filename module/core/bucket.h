/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Buckets: one per distinct (profile, period, size or lock, stack), in a hash and in
 * one list, both published with RCU. Follows bucket, stkbucket() and buckhash
 * of mprof.go.
 */
#ifndef KMPROF_BUCKET_H
#define KMPROF_BUCKET_H

#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/list.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "core/arena.h"
#include "core/label_words.h"
#include "core/profile.h"
#include "core/slot.h"

/**
 * struct kmprof_bucket_key - what makes a bucket distinct
 * @period: sampling period: of objects in bytes, of waits in ns, of releases in these
 * @size: object size, in bytes
 * @lock: in the place of @size: kmprof_lock_class()
 * @profile: whose bucket
 * @detail: of waits: kmprof_bucket_detail()
 * @nr_words: length of @frames, with the words of labels behind it
 * @hash: of all of these; kmprof_bucket_hash()
 * @frames: return addresses, leaf first
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

/* A wait's enum kmprof_lock_kind, KMPROF_WAIT_* and KMPROF_LABEL_* in one word. */
static inline u32 kmprof_bucket_detail(u32 kind, u32 flags, u32 labels)
{
	return kind | flags << KMPROF_DETAIL_KIND_BITS | labels << KMPROF_DETAIL_LABELS_SHIFT;
}

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
 * struct kmprof_bucket_counts - plain sums of closed cycles
 * @allocs: sampled objects allocated
 * @frees: of these, freed
 * @pending: of the freed, memory still waits for an RCU grace period
 * @waits: estimated number of waits, or of releases, times 1 << KMPROF_WAIT_COUNT_SHIFT
 * @delay: estimated sum of what they took, in ns
 * @longest: of those that were sampled, in ns
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
	};
};

/**
 * struct kmprof_bucket_slot - the same, of one open cycle
 *
 * Written by any CPU in any context. @pending may be negative: a grace period
 * can end in a later cycle than the one in which the object died.
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
	};
};

/**
 * struct kmprof_bucket - counters of one key
 * @node: in the hash chain; RCU
 * @list: in the list of all buckets; RCU
 * @key: immutable; its frames point behind the bucket
 * @dead: unhashed by a reset; live objects must let go of it
 * @active: the published sums; under the cycle lock
 * @future: by slot
 * @frames: storage of the key's frames
 *
 * Freed by a reset or at exit, after a grace period in which nothing leads to
 * it any more.
 */
struct kmprof_bucket {
	struct hlist_node node;
	struct list_head list;
	struct kmprof_bucket_key key;
	bool dead;
	struct kmprof_bucket_counts active;
	struct kmprof_bucket_slot future[KMPROF_NR_SLOTS];
	unsigned long frames[];
};

/* All buckets. Walk with list_for_each_entry_rcu(); grows under the drain lock. */
extern struct list_head kmprof_buckets;

u32 kmprof_bucket_hash(const struct kmprof_bucket_key *key);
struct kmprof_bucket *kmprof_bucket_find(const struct kmprof_bucket_key *key);
struct kmprof_bucket *kmprof_bucket_get(const struct kmprof_bucket_key *key);
bool kmprof_bucket_is_full(const struct kmprof_profile *profile);
unsigned int kmprof_bucket_count(void);
unsigned int kmprof_bucket_most(void);
void kmprof_bucket_unhash_all(struct kmprof_arena *dead);
int kmprof_bucket_init(void);
void kmprof_bucket_exit(void);

#endif
