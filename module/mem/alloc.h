/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an allocation and a free mean, whichever source sees them. The inline functions are
 * the hot path. They touch only this CPU's data and, for a free, one word of the live table.
 */
#ifndef KMPROF_ALLOC_H
#define KMPROF_ALLOC_H

#include <linux/slab.h>
#include <linux/types.h>

#include "compat/allocator_id.h"
#include "core/hot.h"
#include "core/slot.h"
#include "core/stats.h"
#include "mem/kind.h"
#include "mem/live.h"

struct pt_regs;

u64 kmprof_alloc_pick(size_t size);
void kmprof_alloc_decide(unsigned long site, const void *ptr, size_t size);
void kmprof_alloc_set_labels(u64 labels);
void kmprof_alloc_sampled(const void *ptr, size_t size, u64 period,
			  unsigned long site, const unsigned long *frame);
void kmprof_alloc_undecided(const void *ptr, size_t size, unsigned long site,
			    const unsigned long *frame);
void kmprof_alloc_in_bulk(const void *ptr, size_t size, u64 period, unsigned long site,
			  const unsigned long *frame);
void kmprof_alloc_decide_kind(enum kmprof_kind_id kind, unsigned long site, const void *ptr,
			      size_t size, unsigned int slot);
void kmprof_alloc_decide_within(enum kmprof_kind_id kind, enum kmprof_allocator allocator,
				const struct pt_regs *regs, const void *ptr, size_t size,
				unsigned int slot);
bool kmprof_alloc_decide_pages(const void *ptr, unsigned int order, gfp_t gfp, unsigned int slot);
void kmprof_alloc_page_returned(const void *ptr, unsigned long site, gfp_t gfp);

/**
 * kmprof_alloc_hit() - count an allocation of a slab allocator, unless the countdown runs out
 * @size: bytes requested; ignored if 0 or more than KMALLOC_MAX_SIZE
 *
 * Source: the test of mallocgc() that leads to profilealloc().
 *
 * Context: Any but NMI. Preemption off.
 * Return: true when the countdown ran out: pass the allocation to kmprof_alloc_pick(), or to
 *	kmprof_alloc_decide().
 */
static __always_inline bool kmprof_alloc_hit(size_t size)
{
	if (unlikely(size - 1 >= KMALLOC_MAX_SIZE))
		return false;
	if (unlikely(kmprof_hot_countdown(size)))
		return true;
	kmprof_hot_alloc(size);
	return false;
}

/**
 * kmprof_alloc_kind_hit() - count an allocation of another kind than slab
 * @kind: KMPROF_KIND_PERCPU or _VMALLOC
 * @size: bytes requested, more than 0
 * @slot: the current slot
 *
 * What follows then is in functions of its own: the unsampled path saves no registers.
 *
 * Context: Any but NMI. Preemption off since @slot was read.
 * Return: true when the countdown ran out.
 */
static __always_inline bool kmprof_alloc_kind_hit(enum kmprof_kind_id kind, size_t size,
						  unsigned int slot)
{
	kmprof_stats_count(slot, kmprof_kind_counter(kind, KMPROF_KIND_CALLS));
	kmprof_stats_add(slot, kmprof_kind_counter(kind, KMPROF_KIND_BYTES), size);
	return unlikely(kmprof_hot_countdown(size));
}

/**
 * kmprof_alloc_kind() - count an allocation of another kind than slab, and decide about it
 * @kind: the kind
 * @site: return address of the allocation, as the allocator reports it
 * @ptr: the object, not NULL
 * @size: bytes requested, more than 0
 *
 * All kinds run down the same countdown. That adds no bias: the distribution of the gaps has no
 * memory, so an object of s bytes is sampled with probability 1 - exp(-s / period) whatever the
 * countdown was run down by before.
 *
 * Must be called before @ptr is returned to the allocation's caller.
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
static __always_inline void kmprof_alloc_kind(enum kmprof_kind_id kind, unsigned long site,
					      const void *ptr, size_t size)
{
	unsigned int slot = kmprof_slot();

	if (kmprof_alloc_kind_hit(kind, size, slot))
		kmprof_alloc_decide_kind(kind, site, ptr, size, slot);
}

/**
 * kmprof_alloc_kind_within() - kmprof_alloc_kind() for a hook on a function of the allocator
 * @kind: the kind
 * @allocator: the allocator: the stack begins at the caller of its outermost function
 * @regs: registers at the entry of the hooked function
 * @ptr: the object, not NULL
 * @size: bytes requested, more than 0
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
static __always_inline void kmprof_alloc_kind_within(enum kmprof_kind_id kind,
						     enum kmprof_allocator allocator,
						     const struct pt_regs *regs, const void *ptr,
						     size_t size)
{
	unsigned int slot = kmprof_slot();

	if (kmprof_alloc_kind_hit(kind, size, slot))
		kmprof_alloc_decide_within(kind, allocator, regs, ptr, size, slot);
}

/**
 * kmprof_alloc_pages_hit() - count pages
 * @order: log2 of the number of pages
 * @slot: the current slot
 *
 * Context: Any but NMI. Preemption off since @slot was read.
 * Return: true when the countdown ran out: pass the pages to kmprof_alloc_decide_pages().
 */
static __always_inline bool kmprof_alloc_pages_hit(unsigned int order, unsigned int slot)
{
	/* One shift by a variable, and one by a constant, which takes no register. */
	const size_t bytes = PAGE_SIZE << order;

	kmprof_stats_add(slot, KMPROF_PAGES_ALLOCATED, bytes >> PAGE_SHIFT);
	return unlikely(kmprof_hot_countdown(bytes));
}

/**
 * kmprof_free_seen() - count the free of an object of a slab, before it happens
 * @ptr: the object; ignored if NULL or ZERO_SIZE_PTR
 *
 * Source: mProf_Free() of mprof.go.
 *
 * Context: Any but NMI. Preemption off.
 */
static __always_inline void kmprof_free_seen(const void *ptr)
{
	if (unlikely(ZERO_OR_NULL_PTR(ptr)))
		return;
	kmprof_hot_free();
	if (unlikely(kmprof_live_may_hold(ptr)))
		kmprof_live_free(ptr, kmprof_slot());
}

/**
 * kmprof_free_kind() - count the free of an object of another kind than slab, before it happens
 * @kind: the kind
 * @ptr: the object, not NULL
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
static __always_inline void kmprof_free_kind(enum kmprof_kind_id kind, const void *ptr)
{
	const void *key = kmprof_live_key(ptr, kind);
	unsigned int slot = kmprof_slot();

	kmprof_stats_count(slot, kmprof_kind_counter(kind, KMPROF_KIND_FREES));
	if (unlikely(kmprof_live_may_hold(key)))
		kmprof_live_free(key, slot);
}

#endif
