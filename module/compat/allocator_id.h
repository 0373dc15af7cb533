/* SPDX-License-Identifier: GPL-2.0 */
/* The allocators whose functions can be the first frames of a stack. */
#ifndef KMPROF_ALLOCATOR_ID_H
#define KMPROF_ALLOCATOR_ID_H

/**
 * enum kmprof_allocator - allocators whose functions can be the first frames of a stack
 * @KMPROF_ALLOCATOR_NONE: no allocator
 * @KMPROF_ALLOCATOR_SLAB: entry points of the slab allocators
 * @KMPROF_ALLOCATOR_PERCPU: the per-CPU allocator
 * @KMPROF_ALLOCATOR_VMALLOC: vmalloc() and its like, and kvmalloc(), which calls them
 * @KMPROF_ALLOCATOR_PAGE: the page allocator
 */
enum kmprof_allocator {
	KMPROF_ALLOCATOR_NONE,
	KMPROF_ALLOCATOR_SLAB,
	KMPROF_ALLOCATOR_PERCPU,
	KMPROF_ALLOCATOR_VMALLOC,
	KMPROF_ALLOCATOR_PAGE,
};

#endif
