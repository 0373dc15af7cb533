/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Objects: what a profile of objects follows, from the moment when it is added to the moment
 * when it is removed. Custom profiles follow objects of other modules; threadcreate follows
 * tasks. Nothing is sampled: the counts are exact.
 */
#ifndef KMPROF_OBJECT_H
#define KMPROF_OBJECT_H

#include <linux/atomic.h>
#include <linux/types.h>

#include "core/profile.h"

struct kmprof_stack_start;

/**
 * struct kmprof_object_row - a row of a profile of objects, for its columns
 * @row: the stack
 * @objects: objects that are there
 * @added: objects that were added
 * @weight: sum of the weights of @objects
 */
struct kmprof_object_row {
	struct kmprof_image_row row;
	u64 objects;
	u64 added;
	u64 weight;
};

/* A column of a profile of objects. */
#define KMPROF_OBJECT_COLUMN(name_, unit_, member)				\
	{									\
		.name	= (name_),						\
		.unit	= (unit_),						\
		.offset	= offsetof(struct kmprof_object_row, member),		\
	}

/**
 * struct kmprof_object_profile - a profile of objects
 * @profile: the part that core/ knows; its @ops are kmprof_object_profile_ops
 * @lost: objects that could not be added, or could not be removed, since the last reset
 */
struct kmprof_object_profile {
	struct kmprof_profile profile;
	atomic64_t lost;
};

extern const struct kmprof_profile_ops kmprof_object_profile_ops;

/* For the scalar of a loss. */
u64 kmprof_object_lost(const struct kmprof_profile *profile);

int kmprof_object_prepare(void);
int kmprof_object_add(struct kmprof_object_profile *owner, const void *key, u64 weight,
		      const struct kmprof_stack_start *start, unsigned int skip);
int kmprof_object_add_unknown(struct kmprof_object_profile *owner, const void *key, u64 weight);
int kmprof_object_remove(struct kmprof_object_profile *owner, const void *key);
void kmprof_object_remove_all(struct kmprof_object_profile *owner);
void kmprof_object_leave_all(struct kmprof_object_profile *owner);
void kmprof_object_exit(void);

#endif
