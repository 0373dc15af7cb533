// SPDX-License-Identifier: GPL-2.0
/*
 * Allocations seen by the kmem tracepoints: pointer and size in one call, never skipped.
 * Bulk allocations have no tracepoint: for them this source uses a redirecting kprobe.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/slab.h>
#include <trace/events/kmem.h>
#include <uapi/linux/kmprof.h>

#include "compat/allocators.h"
#include "compat/compat.h"
#include "mem/slab/source.h"
#include "mem/alloc.h"
#include "mem/slab/redirect.h"

/* Tracepoint handlers run with preemption off. */
static __always_inline void on_alloc(unsigned long site, const void *ptr, size_t size)
{
	if (unlikely(kmprof_alloc_hit(size)))
		kmprof_alloc_decide(site, ptr, size);
}

static void on_kmalloc(void *data, unsigned long site, const void *ptr,
		       size_t bytes_req, size_t bytes_alloc, gfp_t gfp, int node)
{
	if (unlikely(bytes_req > KMALLOC_MAX_CACHE_SIZE) &&
	    kmprof_allocators_is_inner(site))
		return;
	on_alloc(site, ptr, bytes_req);
}

static void on_kmem_cache_alloc(void *data, unsigned long site, const void *ptr,
				struct kmem_cache *s, gfp_t gfp, int node)
{
	on_alloc(site, ptr, kmprof_compat_cache_size(s));
}

static int attach(void)
{
	int err;

	err = kmprof_redirect_attach_bulk();
	if (err)
		return err;
	err = register_trace_kmalloc(on_kmalloc, NULL);
	if (err)
		goto undo_bulk;
	err = register_trace_kmem_cache_alloc(on_kmem_cache_alloc, NULL);
	if (err)
		goto undo_kmalloc;
	return 0;

undo_kmalloc:
	unregister_trace_kmalloc(on_kmalloc, NULL);
	tracepoint_synchronize_unregister();
undo_bulk:
	kmprof_redirect_detach();
	pr_err("no kmem tracepoints: %pe\n", ERR_PTR(err));
	return err;
}

static void detach(void)
{
	unregister_trace_kmem_cache_alloc(on_kmem_cache_alloc, NULL);
	unregister_trace_kmalloc(on_kmalloc, NULL);
	tracepoint_synchronize_unregister();
	kmprof_redirect_detach();
}

const struct kmprof_source kmprof_slab_tracepoint = {
	.name	= "tracepoint",
	.id	= KMPROF_SOURCE_TRACEPOINT,
	.attach	= attach,
	.detach	= detach,
	.lacks	= kmprof_redirect_lacks,
	.missed	= kmprof_redirect_missed,
};
