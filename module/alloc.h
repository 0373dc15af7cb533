/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an allocation and a free mean, whichever source saw them. The inline
 * parts are the hot path; they touch this CPU's data and, for a free, one word
 * of the live table.
 */
#ifndef KMPROF_ALLOC_H
#define KMPROF_ALLOC_H

#include <linux/slab.h>
#include <linux/types.h>

#include "live.h"
#include "sampler.h"
#include "slot.h"
#include "stats.h"

void kmprof_alloc_sampled(const void *ptr, size_t size, u64 period,
			  unsigned long site);
void kmprof_free_sampled(const void *ptr, unsigned int slot);

/**
 * kmprof_alloc_pick() - count an allocation, or pick it as a sample
 * @size: bytes requested; 0 and what no allocator grants is no event
 * @period: returns the period of the sample, in bytes
 *
 * A picked allocation is counted later, by kmprof_alloc_sampled(): in the
 * cycle in which its bucket counts it.
 *
 * Source: the test of mallocgc() that leads to profilealloc().
 *
 * Context: Any but NMI. Preemption off.
 * Return: true when it must be passed to kmprof_alloc_sampled().
 */
static __always_inline bool kmprof_alloc_pick(size_t size, u64 *period)
{
	if (unlikely(size - 1 >= KMALLOC_MAX_SIZE))
		return false;
	if (unlikely(kmprof_sampler_hit(size)) && kmprof_sampler_refill(size, period))
		return true;
	kmprof_stats_alloc(kmprof_slot(), size);
	return false;
}

/**
 * kmprof_free_seen() - an object is about to be freed
 * @ptr: object; NULL and ZERO_SIZE_PTR are no event
 *
 * Context: Any but NMI. Preemption off.
 */
static __always_inline void kmprof_free_seen(const void *ptr)
{
	unsigned int slot;

	if (unlikely(ZERO_OR_NULL_PTR(ptr)))
		return;
	slot = kmprof_slot();
	kmprof_stats_free(slot);
	if (unlikely(kmprof_live_may_hold(ptr)))
		kmprof_free_sampled(ptr, slot);
}

#endif
