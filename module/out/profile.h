/* SPDX-License-Identifier: GPL-2.0 */
/* A profile: a name, and how to read and rank what buckets hold. */
#ifndef KMPROF_PROFILE_H
#define KMPROF_PROFILE_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

/**
 * struct kmprof_profile - one way to look at a snapshot
 * @name: for users
 * @id: enum kmprof_profile_id
 * @rank: heap and allocs: what puts a sample before others: estimated bytes, larger
 *	is first
 */
struct kmprof_profile {
	const char *name;
	u32 id;
	u64 (*rank)(const struct kmprof_image_sample *s);
};

extern const struct kmprof_profile kmprof_profile_heap;
extern const struct kmprof_profile kmprof_profile_allocs;

const struct kmprof_profile *kmprof_profile_get(unsigned int index);
const struct kmprof_profile *kmprof_profile_find(u32 id);
u64 kmprof_profile_mask(void);

#endif
