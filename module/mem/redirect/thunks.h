/* SPDX-License-Identifier: GPL-2.0 */
/* The interface between thunks_x86.S and those whose calls go through the thunks. */
#ifndef KMPROF_THUNKS_H
#define KMPROF_THUNKS_H

/* Bytes of struct kmprof_bulk_pages_call before what the thunk fills in. */
#define KMPROF_BULK_PAGES_NOTES	88

#ifndef __ASSEMBLY__

#include <linux/bitmap.h>
#include <linux/linkage.h>
#include <linux/percpu-defs.h>
#include <linux/types.h>

#include "probe/thunk_text.h"

struct kmem_cache;
struct list_head;
struct page;

/**
 * struct kmprof_thunk - a redirection
 * @entry: address of the allocator
 * @thunk: address of its thunk, which takes the same arguments and calls the allocator
 */
struct kmprof_thunk {
	unsigned long entry;
	unsigned long thunk;
};

/* Of slab allocators: in the order of compat/entry_points.h, the bulk allocator last. */
extern const struct kmprof_thunk kmprof_slab_thunks[];
/* Of alloc_pages_bulk(). */
extern const struct kmprof_thunk kmprof_page_thunk;

/**
 * struct kmprof_thunk_calls - redirected calls, on one CPU
 * @arrived: they have arrived at a thunk; the thunk counts. First: the thunk knows no offset
 * @sent: a handler has sent them to a thunk
 * @left: they are through
 */
struct kmprof_thunk_calls {
	long arrived;
	long sent;
	long left;
};

DECLARE_PER_CPU(struct kmprof_thunk_calls, kmprof_slab_calls);
DECLARE_PER_CPU(struct kmprof_thunk_calls, kmprof_page_calls);
/* The objects that bulk calls which have arrived ask for, besides one each. */
DECLARE_PER_CPU(long, kmprof_thunk_more);

/**
 * struct kmprof_bulk_call - what the thunk of the bulk allocator remembers of a call
 * @gap: bytes until the next sample
 * @period: sampling period in bytes, sealed
 * @cache: the cache
 * @count: number of objects asked for
 * @objects: where the objects are returned
 * @site: return address of the call
 */
struct kmprof_bulk_call {
	u64 gap;
	u64 period;
	struct kmem_cache *cache;
	size_t count;
	void **objects;
	unsigned long site;
};

/* Called by the thunks when the allocator has returned. */
asmlinkage void kmprof_redirect_done(const void *ptr, size_t size, u64 period,
				     unsigned long site);
asmlinkage void kmprof_redirect_cache_done(const void *ptr, struct kmem_cache *cache,
					   u64 period, unsigned long site);
asmlinkage void kmprof_redirect_bulk_done(int count, const struct kmprof_bulk_call *call);

/* Of the entries of an array of pages, so many are looked at one by one. */
#define KMPROF_BULK_PAGES_MAX	512

/**
 * struct kmprof_bulk_pages_call - a call of alloc_pages_bulk() that has not returned
 * @empty: entries of the array that were empty
 * @empty_behind: how many of those behind the first KMPROF_BULK_PAGES_MAX were empty
 * @events: a CPU's count of pages when the call began
 * @pages: its value
 * @gfp: argument: GFP_* flags; as all arguments, as it was in its register
 * @node: argument: the node that is preferred
 * @nodes: argument: those that are allowed
 * @nr: argument: how many pages are asked for, or the length of the array
 * @list: argument: the caller's list, or NULL
 * @array: argument: the caller's array, if there is no list
 * @site: return address of the call
 */
struct kmprof_bulk_pages_call {
	DECLARE_BITMAP(empty, KMPROF_BULK_PAGES_MAX);
	unsigned int empty_behind;
	const u64 *events;
	u64 pages;

	unsigned long gfp;
	unsigned long node;
	void *nodes;
	unsigned long nr;
	struct list_head *list;
	struct page **array;
	unsigned long site;
};

static_assert(offsetof(struct kmprof_bulk_pages_call, gfp) == KMPROF_BULK_PAGES_NOTES);

/* Called by the thunk before and after the allocator. The second one returns @got. */
asmlinkage void kmprof_bulk_pages_begin(struct kmprof_bulk_pages_call *call);
asmlinkage unsigned long kmprof_bulk_pages_done(unsigned long got,
						const struct kmprof_bulk_pages_call *call);

/* The thunk of alloc_pages_bulk() is the last one. */
extern const char kmprof_thunk_bulk_pages[];

static inline bool kmprof_thunks_of_pages_have(unsigned long addr)
{
	return kmprof_thunk_text_has(addr) && addr >= (unsigned long)kmprof_thunk_bulk_pages;
}

static inline bool kmprof_thunks_of_slabs_have(unsigned long addr)
{
	return kmprof_thunk_text_has(addr) && addr < (unsigned long)kmprof_thunk_bulk_pages;
}

#endif /* __ASSEMBLY__ */

#endif
