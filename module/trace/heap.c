// SPDX-License-Identifier: GPL-2.0
/*
 * The events of memory: what the heap profile samples, and its frees. A handler may run in any
 * context but NMI, inside of an allocator, with its locks held.
 *
 * Source: tracealloc() and tracefree() of mprof.go of Go 1.8, traceHeapAlloc() of trace.go.
 */
#include <linux/build_bug.h>
#include <linux/irqflags.h>
#include <uapi/linux/kmprof.h>

#include "event/heap_samples.h"
#include "trace/buffer.h"
#include "trace/filter.h"
#include "trace/heap.h"
#include "trace/numbers.h"
#include "trace/stacks.h"

/* There is much of it. A number is no address of the kernel. */
enum { MEMORY_BITS = 56 };

/* Type, time, memory, kind, bytes, weight, stack. */
static_assert(1 + KMPROF_TRACE_VARINT_MAX * 5 + 1 <= KMPROF_TRACE_RECORD_MAX);
static_assert(KMPROF_KIND_PAGE < 0x80);

static __always_inline void put_memory(struct kmprof_trace_record *r, u64 memory, u32 kind,
				       u64 bytes, u64 weight)
{
	r->to = kmprof_trace_put(r->to, memory);
	*r->to++ = kind;
	r->to = kmprof_trace_put(r->to, bytes);
	r->to = kmprof_trace_put(r->to, weight);
}

/* Tracepoint handlers run with preemption off. */
static void on_alloc(void *data, const void *memory, u32 kind, u64 bytes, u64 weight,
		     const struct kmprof_stack *stack)
{
	u64 number = kmprof_trace_number_of(memory, MEMORY_BITS);
	struct kmprof_trace_record r;

	if (!kmprof_trace_wants_here(current) || !kmprof_trace_begin_here(&r, KMPROF_TRACE_ALLOC))
		return;
	put_memory(&r, number, kind, bytes, weight);
	kmprof_trace_end(&r);
}

static void on_alloc_with_stack(void *data, const void *memory, u32 kind, u64 bytes, u64 weight,
				const struct kmprof_stack *stack)
{
	u64 number = kmprof_trace_number_of(memory, MEMORY_BITS);
	struct kmprof_trace_record r;
	unsigned long flags;
	u32 stack_number;

	if (!kmprof_trace_wants_here(current))
		return;
	/* The reader waits for a stack that is being added. */
	raw_local_irq_save(flags);
	stack_number = kmprof_trace_stacks_number_of(stack);
	if (kmprof_trace_begin_here(&r, KMPROF_TRACE_ALLOC)) {
		put_memory(&r, number, kind, bytes, weight);
		kmprof_trace_put_stack(&r, stack_number);
		kmprof_trace_end(&r);
	}
	raw_local_irq_restore(flags);
}

static void on_free(void *data, const void *memory, u32 kind, u64 bytes, u64 weight)
{
	u64 number = kmprof_trace_number_of(memory, MEMORY_BITS);
	struct kmprof_trace_record r;

	if (!kmprof_trace_begin_here(&r, KMPROF_TRACE_FREE))
		return;
	put_memory(&r, number, kind, bytes, weight);
	kmprof_trace_end(&r);
}

const struct kmprof_trace_point kmprof_trace_heap_points[KMPROF_TRACE_NR_HEAP] = {
	{
		.type			= KMPROF_TRACE_TYPE(KMPROF_TRACE_ALLOC, "alloc", 4, 0),
		.tracepoint		= "kmprof_heap_sampled",
		.own			= &__tracepoint_kmprof_heap_sampled,
		.handler		= on_alloc,
		.handler_with_stack	= on_alloc_with_stack,
	},
	{
		.type		= KMPROF_TRACE_TYPE(KMPROF_TRACE_FREE, "free", 4, 0),
		.tracepoint	= "kmprof_heap_unsampled",
		.own		= &__tracepoint_kmprof_heap_unsampled,
		.handler	= on_free,
	},
};

/* Has the compiler hold the handlers against the prototypes. */
static void __maybe_unused check_prototypes(void)
{
	check_trace_callback_type_kmprof_heap_sampled(on_alloc);
	check_trace_callback_type_kmprof_heap_sampled(on_alloc_with_stack);
	check_trace_callback_type_kmprof_heap_unsampled(on_free);
}
