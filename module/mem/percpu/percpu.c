// SPDX-License-Identifier: GPL-2.0
/*
 * The kind percpu: what alloc_percpu() and its like allocate, seen by the tracepoints
 * percpu:percpu_alloc_percpu and percpu:percpu_free_percpu. They are complete, and never skipped.
 * They are not exported, so they are looked up by name.
 *
 * The allocator fires the first one when it has released its own locks, in the caller's context,
 * and the second one with pcpu_lock held, before the memory can be used again.
 * The handlers take no locks and allocate nothing. A request that fails fires neither.
 *
 * What a chunk of per-CPU memory is made of (its pages, and its metadata in slabs) are not objects
 * of this kind.
 */
#include <linux/cpumask.h>
#include <linux/kernel.h>
#include <linux/tracepoint.h>
#include <trace/events/percpu.h>

#include "compat/allocators.h"
#include "mem/alloc.h"
#include "mem/percpu/percpu.h"
#include "mem/tell.h"
#include "probe/tracepoint.h"

/* A per-CPU pointer is not dereferenced here. It only names the object. */
static const void *name_of(const void __percpu *ptr)
{
	return (__force const void *)ptr;
}

/* The possible CPUs. To count them takes as long as all the rest. */
static unsigned int copies __read_mostly;

/* Tracepoint handlers run with preemption off. */
static void on_alloc(void *data, unsigned long site, bool reserved, bool is_atomic, size_t size,
		     size_t align, void *base, int offset, void __percpu *ptr, size_t bytes,
		     gfp_t gfp)
{
	/* @bytes has what memory cgroups need besides. */
	kmprof_alloc_kind(KMPROF_KIND_PERCPU, site, name_of(ptr), size * copies);
}

static void on_free(void *data, void *base, int offset, void __percpu *ptr)
{
	kmprof_free_kind(KMPROF_KIND_PERCPU, name_of(ptr));
}

/* While allocations are seen, frees are seen, too. */
static struct kmprof_tracepoint points[] = {
	{ "percpu_free_percpu", on_free },
	{ "percpu_alloc_percpu", on_alloc },
};

/* kmprof:free, armed by mem/kinds.c. */
static void tell_free(void *data, void *base, int offset, void __percpu *ptr)
{
	kmprof_tell_free(0, name_of(ptr), 1, KMPROF_KIND_PERCPU);
}

static struct kmprof_tracepoint told[] = {
	{ "percpu_free_percpu", tell_free },
};

static int attach(void)
{
	/* A kernel whose tracepoints have other arguments does not get through the compiler. */
	check_trace_callback_type_percpu_alloc_percpu(on_alloc);
	check_trace_callback_type_percpu_free_percpu(on_free);
	check_trace_callback_type_percpu_free_percpu(tell_free);

	copies = num_possible_cpus();
	kmprof_allocators_look_up(KMPROF_ALLOCATOR_PERCPU);
	return kmprof_tracepoints_arm(points, ARRAY_SIZE(points));
}

static void detach(void)
{
	kmprof_tracepoints_disarm(points, ARRAY_SIZE(points));
}

const struct kmprof_kind kmprof_percpu_kind = {
	.attach	= attach,
	.detach	= detach,
	.frees	= told,
	.nr_frees = ARRAY_SIZE(told),
};
