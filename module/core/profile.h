/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile: a set of buckets, and the meaning of their counts. struct kmprof_profile says
 * everything about a profile: core/ handles records and buckets of all profiles alike, and
 * out/ writes images and texts of all profiles alike.
 *
 * module/profiles.c lists the profiles that are registered when the module is loaded.
 */
#ifndef KMPROF_PROFILE_H
#define KMPROF_PROFILE_H

#include <linux/stddef.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "core/stats.h"

struct kmprof_bucket;
struct kmprof_image_object;
struct kmprof_profile;
struct kmprof_record;
struct kmprof_source_choice;
struct kmprof_text_form;

enum {
	KMPROF_PROFILES_MAX	= 80,
};

/**
 * struct kmprof_profile_ops - operations of a profile
 * @resolve: count the event of a record in its bucket. The bucket is NULL when the quota is
 *	used up or memory is short: then count the loss. Drain lock held. NULL: the profile
 *	has no records
 * @discard: a reset discards the record; NULL: nothing to do. Drain lock held
 * @fold: add a closed slot of a bucket to @active, and clear the slot. Cycle lock held; no
 *	other context writes to the slot
 * @closed: all buckets have been folded, and the cycle is published. NULL: nothing to do. May
 *	sleep. Cycle lock held
 * @is_shown: true when @active of a bucket has something to show. Cycle lock held
 * @fill_row: fill the members of a row behind struct kmprof_image_row from @active of its
 *	bucket. The row is zero before; without @addresses no kernel address may get into it.
 *	Cycle lock held
 * @forget_dead: drop all pointers to dead buckets of the profile. Called by a reset, a grace
 *	period after it has unhashed them. NULL: there are no such pointers. Cycle lock held
 * @enter_era: bring what the profile keeps besides its buckets into the current era. Called by a
 *	reset, a grace period after the era has begun. NULL: there is nothing. Cycle lock held
 * @settle_begin: KMPROF_IOC_SETTLE begins to wait for all callbacks of call_rcu(); 0 or -EINTR.
 *	May sleep. NULL, with @settle_end: nothing to do
 * @settle_end: the wait is over; without @is_settled, not all of them have run. May sleep
 * @live: number of objects in the live table now. Context: Process context. May sleep.
 *	NULL: none of them belongs to the profile
 * @inuse: number of objects of a bucket that the closed cycles have allocated and not freed; with
 *	@open_cycle, about as many as there are now. Cycle lock held. NULL: as @walk
 * @walk: visit the objects that the closed cycles have allocated and not freed: see
 *	kmprof_live_walk(). At most @inuse of each bucket. Cycle lock held. NULL: there are none
 * @add_object: add an object that @walk visits to the row of its bucket, which @fill_row has
 *	filled
 */
struct kmprof_profile_ops {
	void (*resolve)(const struct kmprof_record *rec, struct kmprof_bucket *b);
	void (*discard)(const struct kmprof_record *rec);
	void (*fold)(struct kmprof_bucket *b, unsigned int slot);
	void (*closed)(void);
	bool (*is_shown)(const struct kmprof_bucket *b);
	void (*fill_row)(void *row, const struct kmprof_bucket *b, bool addresses);
	void (*forget_dead)(struct kmprof_profile *profile);
	void (*enter_era)(const struct kmprof_profile *profile);
	int (*settle_begin)(void);
	void (*settle_end)(bool is_settled);
	unsigned int (*live)(void);
	u64 (*inuse)(const struct kmprof_bucket *b, bool open_cycle);
	void (*walk)(void (*visit)(void *data, const struct kmprof_bucket *b,
				   struct kmprof_image_object *o), void *data, bool bytes);
	void (*add_object)(void *row, const struct kmprof_image_object *o);
};

/**
 * struct kmprof_scalar - a number of a profile besides its rows
 * @name: name in images and texts, a word; names of losses start with "ledger."
 * @unit: unit: "count", "bytes" or "nanoseconds"
 * @flags: KMPROF_SCALAR_*
 * @offset: where the number is, a byte offset into struct kmprof_stats
 * @read: returns the number, instead of @offset; cycle lock held. NULL: @offset counts
 */
struct kmprof_scalar {
	const char *name;
	const char *unit;
	u32 flags;
	u32 offset;
	u64 (*read)(const struct kmprof_profile *profile);
};

/* A scalar that is a counter; a counter of the loss ledger; one that a sample can end in. */
#define KMPROF_COUNTER(name_, unit_, flags_, counter_)				\
	{									\
		.name	= (name_),						\
		.unit	= (unit_),						\
		.flags	= (flags_),						\
		.offset	= offsetof(struct kmprof_stats, counter[counter_]),	\
	}

#define KMPROF_LEDGER(name_, counter_)						\
	KMPROF_COUNTER("ledger." name_, "count", KMPROF_SCALAR_LEDGER, counter_)

#define KMPROF_LOST(name_, counter_)						\
	KMPROF_COUNTER("ledger." name_, "count",				\
		       KMPROF_SCALAR_LEDGER | KMPROF_SCALAR_LOST, counter_)

/**
 * struct kmprof_column - a __u64 of a row that can be added up over rows
 * @name: what is counted
 * @unit: unit: "count", "bytes", "nanoseconds", or another one
 * @offset: byte offset into the row, a multiple of 8
 * @shift: the number is in units of 1 / (1 << shift) of @unit
 */
struct kmprof_column {
	const char *name;
	const char *unit;
	u32 offset;
	u32 shift;
};

/**
 * struct kmprof_view - a profile as users select it, with an order of its rows. heap and
 *	allocs are two views of one profile
 * @name: name, for users
 * @profile: the profile
 * @form: its form as text; see show/form.h
 * @rank: sort key of a row; the largest comes first. NULL: the first column
 */
struct kmprof_view {
	const char *name;
	const struct kmprof_profile *profile;
	const struct kmprof_text_form *form;
	u64 (*rank)(const void *row);
};

/**
 * struct kmprof_profile - a profile
 * @name: name of its table in images
 * @ops: operations
 * @source: how its events are seen; the value and name of the chosen source are in images.
 *	NULL: there is no choice
 * @scalars: its totals, its account and its part of the loss ledger. Each counter of enum
 *	kmprof_counter is a scalar of exactly one profile
 * @nr_scalars: number of @scalars
 * @format: enum kmprof_row_format
 * @row_size: bytes of a row, which starts with struct kmprof_image_row; a multiple of 8
 * @columns: the numbers of a row that can be added up; the first one is the one to sort by
 * @nr_columns: number of @columns, at least 1
 * @views: its views
 * @nr_views: number of @views, at least 1
 * @leaves_half_of_rings: its records use at most one half of a ring, and so leave room for
 *	the records of other profiles
 * @index: number of the profile, less than KMPROF_PROFILES_MAX: its place in the directory
 *	of an image, and in arrays by profile. Set by kmprof_profile_register()
 * @nr_buckets: buckets in use, at most kmprof_limits.max_buckets. Written under the
 *	lock of the bucket hash, read without it
 * @nr_frames: frames of all buckets in use; written and read as @nr_buckets
 * @nr_labels: buckets in use that have labels; written and read as @nr_buckets
 */
struct kmprof_profile {
	const char *name;
	const struct kmprof_profile_ops *ops;
	const struct kmprof_source_choice *source;
	const struct kmprof_scalar *scalars;
	unsigned int nr_scalars;
	enum kmprof_row_format format;
	u32 row_size;
	const struct kmprof_column *columns;
	unsigned int nr_columns;
	const struct kmprof_view *views;
	unsigned int nr_views;
	bool leaves_half_of_rings;
	unsigned int index;
	unsigned int nr_buckets;
	u64 nr_frames;
	unsigned int nr_labels;
};

/* The profiles that kmprof_profiles_init() registers; NULL comes last. */
extern struct kmprof_profile * const kmprof_builtin_profiles[];

/*
 * All profiles, by index. A profile is never removed. The cycle lock keeps others from
 * being added meanwhile.
 */
#define kmprof_for_each_profile(p)						\
	for (struct kmprof_profile *p = kmprof_profile_get(0); p;		\
	     p = kmprof_profile_get(p->index + 1))

struct kmprof_profile *kmprof_profile_get(unsigned int index);
/*
 * Called, in process context, with each profile that is registered from then on. NULL: nobody
 * wants to know. Set before the module has been loaded, when only its own code registers.
 */
extern void (*kmprof_profile_registered)(const struct kmprof_profile *p);

bool kmprof_is_name(const char *text);
int kmprof_profile_register(struct kmprof_profile *p);
int kmprof_profiles_init(void);
void kmprof_profiles_exit(void);

#endif
