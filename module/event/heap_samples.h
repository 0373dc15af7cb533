/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tracepoints of the heap profile's samples: for the trace. They are in no list of the kernel's
 * trace events, and arm no probes: nothing is sampled for them that the profile does not sample.
 */
#ifndef KMPROF_HEAP_SAMPLES_H
#define KMPROF_HEAP_SAMPLES_H

#include <linux/tracepoint.h>
#include <linux/types.h>

struct kmprof_stack;

/*
 * kmprof_heap_sampled - an allocation was sampled; its caller does not have it yet
 * @memory: address of the object, or of up to eight pages; of per-CPU memory its offset
 * @kind: enum kmprof_kind_id
 * @bytes: bytes requested
 * @weight: bytes that it stands for
 * @stack: where it was allocated
 */
DECLARE_TRACE(kmprof_heap_sampled,
	      TP_PROTO(const void *memory, u32 kind, u64 bytes, u64 weight,
		       const struct kmprof_stack *stack),
	      TP_ARGS(memory, kind, bytes, weight, stack));

/*
 * kmprof_heap_unsampled - what was sampled, or some of its pages, is about to be freed; or it is
 *	not followed any more: then its memory can have been freed and allocated again meanwhile
 * @memory: its address
 * @kind: enum kmprof_kind_id
 * @bytes: its bytes
 * @weight: bytes that it stands for
 */
DECLARE_TRACE(kmprof_heap_unsampled,
	      TP_PROTO(const void *memory, u32 kind, u64 bytes, u64 weight),
	      TP_ARGS(memory, kind, bytes, weight));

#endif
