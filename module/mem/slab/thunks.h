/* SPDX-License-Identifier: GPL-2.0 */
/* The interface between redirect_x86.S and redirect.c. */
#ifndef KMPROF_THUNKS_H
#define KMPROF_THUNKS_H

#include <linux/linkage.h>
#include <linux/percpu-defs.h>
#include <linux/types.h>

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

/* Called by the thunks when the allocator has returned. */
asmlinkage void kmprof_redirect_done(const void *ptr, size_t size, u64 period,
				     unsigned long site);
asmlinkage void kmprof_redirect_bulk_done(int count, void **objects, u64 packed,
					  u64 period, unsigned long site);

#endif
