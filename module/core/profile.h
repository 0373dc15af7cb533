/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile: a set of buckets, and what their counts mean. core/ handles the records and
 * buckets of all profiles alike; what differs is asked of the bucket's profile.
 *
 * module/profiles.c lists the profiles that the module has.
 */
#ifndef KMPROF_PROFILE_H
#define KMPROF_PROFILE_H

#include <linux/types.h>

struct kmprof_bucket;
struct kmprof_record;

/**
 * struct kmprof_profile_ops - what core/ asks of a profile
 * @resolve: a record has its bucket: count the event there. The bucket is NULL when the
 *	quota is used up or memory is short: book the loss. Drain lock held
 * @discard: a record is thrown away by a reset; NULL: there is nothing to do. Drain lock
 *	held
 * @fold: add a closed slot of a bucket to its published sums, and clear the slot.
 *	Cycle lock held; nobody else writes to the slot
 * @is_shown: false while a bucket's published sums are 0. Cycle lock held
 * @forget_dead: let go of dead buckets, a grace period after a reset has unhashed them;
 *	NULL: nothing but the hash leads to them. Cycle lock held
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
 * @name: as users know it
 * @id: enum kmprof_profile_id
 * @ops: operations
 * @leaves_half_of_rings: its records fill each ring up to the half only, so that they
 *	cannot crowd out those of other profiles
 * @nr_buckets: buckets in use, at most kmprof_limits.max_buckets. Written under the
 *	drain lock, read without it
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
