/* SPDX-License-Identifier: GPL-2.0 */
/* What redirect_x86.S offers to redirect.c, and the other way round. */
#ifndef KMPROF_THUNKS_H
#define KMPROF_THUNKS_H

#include <linux/linkage.h>
#include <linux/percpu-defs.h>
#include <linux/types.h>

/**
 * struct kmprof_thunk - where the calls of an entry point can be sent
 * @entry: the allocator
 * @thunk: a function of the same arguments that calls its body
 */
struct kmprof_thunk {
	unsigned long entry;
	unsigned long thunk;
};

/* In the order of entry_points.h, the bulk allocator last. */
extern const struct kmprof_thunk kmprof_thunks[];

/* Calls that have arrived at a thunk; counted in assembly. */
DECLARE_PER_CPU(long, kmprof_thunk_arrivals);

/* Called by the thunks when the allocator has returned. */
asmlinkage void kmprof_redirect_done(const void *ptr, size_t size, u64 period,
				     unsigned long site);
asmlinkage void kmprof_redirect_bulk_done(int count, void **objects, u64 packed,
					  u64 period, unsigned long site);

#endif
