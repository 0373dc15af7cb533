/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How movable the pages under an object were asked to be: enum kmprof_gfp_class. Of a block of
 * pages it is part of the bucket's key. Of an object of a slab the cache says it for all, and other
 * kinds are never movable nor reclaimable.
 */
#ifndef KMPROF_GFP_CLASS_H
#define KMPROF_GFP_CLASS_H

#include <linux/build_bug.h>
#include <linux/gfp.h>
#include <linux/minmax.h>
#include <uapi/linux/kmprof.h>

#include "core/bucket.h"

enum {
	KMPROF_NR_GFP_CLASSES	= 3,
	/* Among the flags of kmprof_bucket_detail(), above the order of a block. */
	KMPROF_GFP_CLASS_SHIFT	= 4,
};

static_assert((int)KMPROF_GFP_UNMOVABLE == MIGRATE_UNMOVABLE);
static_assert((int)KMPROF_GFP_MOVABLE == MIGRATE_MOVABLE);
static_assert((int)KMPROF_GFP_RECLAIMABLE == MIGRATE_RECLAIMABLE);
static_assert((__force unsigned int)__GFP_RECLAIMABLE == 2 * (__force unsigned int)__GFP_MOVABLE);

/* Names of the classes, by enum kmprof_gfp_class, in filters and texts. */
extern const char * const kmprof_gfp_class_names[KMPROF_NR_GFP_CLASSES];

/**
 * kmprof_gfp_class() - get the class of pages
 * @gfp: flags of the allocation
 *
 * Source: gfp_migratetype() of the kernel, which modules cannot use.
 *
 * Context: Any.
 * Return: the class; 3, which is none, with both flags: the kernel allows one of them only.
 */
static __always_inline enum kmprof_gfp_class kmprof_gfp_class(gfp_t gfp)
{
	const gfp_t mask = __GFP_MOVABLE | __GFP_RECLAIMABLE;

	return (__force unsigned int)(gfp & mask) / (__force unsigned int)__GFP_MOVABLE;
}

/* The class in the detail of a bucket's key: KMPROF_GFP_UNMOVABLE unless the object is a page. */
static __always_inline enum kmprof_gfp_class kmprof_gfp_class_of(u32 detail)
{
	const u32 class = (detail >> (KMPROF_DETAIL_KIND_BITS + KMPROF_GFP_CLASS_SHIFT)) & 3;

	return min_t(u32, class, KMPROF_GFP_RECLAIMABLE);
}

#endif
