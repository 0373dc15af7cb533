/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fire the trace events kmprof:alloc and kmprof:free of include/trace/events/kmprof.h. Without
 * listeners, each of these calls is one no-operation. None of them is on the path of an allocation
 * that does not hit, or of the free of a single object.
 */
#ifndef KMPROF_TELL_H
#define KMPROF_TELL_H

#include <linux/types.h>
#include <trace/events/kmprof.h>

void kmprof_tell_listeners_alloc(unsigned long site, const void *ptr, u64 bytes, u32 kind);
void kmprof_tell_listeners_free(unsigned long site, const void *ptr, u64 objects, u32 kind);

/**
 * kmprof_tell_alloc() - fire kmprof:alloc for an allocation that hit, sampled or not
 * @site: return address of the allocation, or 0
 * @ptr: the object, or the first one of a block; NULL when the allocation failed
 * @bytes: bytes requested
 * @kind: enum kmprof_kind_id
 *
 * Context: Any but NMI.
 */
static __always_inline void kmprof_tell_alloc(unsigned long site, const void *ptr, u64 bytes,
					      u32 kind)
{
	if (trace_alloc_enabled())
		kmprof_tell_listeners_alloc(site, ptr, bytes, kind);
}

/**
 * kmprof_tell_free() - fire kmprof:free, before the free happens
 * @site: return address of the free, or 0
 * @ptr: the object, or the first one of a block; ignored if NULL or ZERO_SIZE_PTR
 * @objects: number of objects
 * @kind: enum kmprof_kind_id
 *
 * Context: Any but NMI.
 */
static __always_inline void kmprof_tell_free(unsigned long site, const void *ptr, u64 objects,
					     u32 kind)
{
	if (trace_free_enabled())
		kmprof_tell_listeners_free(site, ptr, objects, kind);
}

/* Is kmprof:free listened to? */
static __always_inline bool kmprof_tells_frees(void)
{
	return trace_free_enabled();
}

#endif
