/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile: a set of buckets, and the meaning of their counts. core/ handles records and
 * buckets of all profiles alike, and calls the profile's operations for what differs.
 *
 * module/profiles.c lists all profiles.
 */
#ifndef KMPROF_PROFILE_H
#define KMPROF_PROFILE_H

#include <linux/types.h>

struct kmprof_bucket;
struct kmprof_record;

/**
 * struct kmprof_profile_ops - operations of a profile
 * @resolve: count the event of a record in its bucket. The bucket is NULL when the quota is
 *	used up or memory is short: then count the loss. Drain lock held
 * @discard: a reset discards the record; NULL: nothing to do. Drain lock held
 * @fold: add a closed slot of a bucket to @active, and clear the slot. Cycle lock held; no
 *	other context writes to the slot
 * @is_shown: true when @active of a bucket has something to show. Cycle lock held
 * @forget_dead: drop all pointers to dead buckets. Called by a reset, a grace period after
 *	it has unhashed them. NULL: the profile has no such pointers. Cycle lock held
 */
struct kmprof_profile_ops {
	void (*resolve)(const struct kmprof_record *rec, struct kmprof_bucket *b);
	void (*discard)(const struct kmprof_record *rec);
	void (*fold)(struct kmprof_bucket *b, unsigned int slot);
	bool (*is_shown)(const struct kmprof_bucket *b);
	void (*forget_dead)(void);
};

/**
 * struct kmprof_profile - a profile
 * @name: name, for users
 * @id: enum kmprof_profile_id
 * @ops: operations
 * @leaves_half_of_rings: its records use at most one half of a ring, and so leave room for
 *	the records of other profiles
 * @nr_buckets: buckets in use, at most kmprof_limits.max_buckets. Written under the drain
 *	lock, read without it
 */
struct kmprof_profile {
	const char *name;
	u32 id;
	const struct kmprof_profile_ops *ops;
	bool leaves_half_of_rings;
	unsigned int nr_buckets;
};

/* All profiles; NULL comes last. */
extern struct kmprof_profile * const kmprof_profiles[];

#define kmprof_for_each_profile(p)						\
	for (struct kmprof_profile * const *p##_at = kmprof_profiles, *p;	\
	     (p = *p##_at); p##_at++)

#endif
