/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Objects of the heap profile that are allocated and sampled together: the pages of a block of the
 * page allocator. All other objects are blocks of one.
 *
 * The live table takes blocks of KMPROF_BLOCK_MAX objects. A larger one is several of these.
 */
#ifndef KMPROF_BLOCK_H
#define KMPROF_BLOCK_H

#include <linux/minmax.h>

#include "core/bucket.h"

enum {
	KMPROF_BLOCK_ORDER	= 3,
	KMPROF_BLOCK_MAX	= 1 << KMPROF_BLOCK_ORDER,
};

/* log2 of the number of objects, the flags of kmprof_bucket_detail(). */
static __always_inline unsigned int kmprof_block_order(u32 detail)
{
	return (detail >> KMPROF_DETAIL_KIND_BITS) & 15;
}

/**
 * kmprof_block_together() - get the number of objects that are sampled together
 * @detail: kmprof_bucket_detail() of their bucket or record
 *
 * Context: Any.
 * Return: the number, a power of two.
 */
static __always_inline unsigned int kmprof_block_together(u32 detail)
{
	return 1U << kmprof_block_order(detail);
}

/**
 * kmprof_block_objects() - get the number of objects of one entry of the live table
 * @detail: kmprof_bucket_detail() of its bucket or record
 *
 * Context: Any.
 * Return: the number when all are in use.
 */
static __always_inline unsigned int kmprof_block_objects(u32 detail)
{
	return 1U << min_t(unsigned int, kmprof_block_order(detail), KMPROF_BLOCK_ORDER);
}

#endif
