/* SPDX-License-Identifier: GPL-2.0 */
/* The interface between redirect_x86.S and redirect.c. */
#ifndef KMPROF_THUNKS_H
#define KMPROF_THUNKS_H

#include <linux/linkage.h>
#include <linux/percpu-defs.h>
#include <linux/types.h>

struct kmem_cache;

/**
 * struct kmprof_thunk - a redirection
 * @entry: address of the allocator
 * @thunk: address of its thunk, which takes the same arguments and calls the allocator
 */
struct kmprof_thunk {
	unsigned long entry;
	unsigned long thunk;
};

/* In the order of compat/entry_points.h, the bulk allocator last. */
extern const struct kmprof_thunk kmprof_thunks[];

/* Calls that have arrived at a thunk; counted by the thunks. */
DECLARE_PER_CPU(long, kmprof_thunk_arrivals);
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

#endif
