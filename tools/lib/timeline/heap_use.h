/* SPDX-License-Identifier: GPL-2.0 */
/* The memory in use, as the samples of a trace tell it: for a curve over time. */
#ifndef KMPROF_TIMELINE_HEAP_USE_H
#define KMPROF_TIMELINE_HEAP_USE_H

#include <stdbool.h>

#include "trace/trace.h"

/**
 * struct kmprof_heap_use - the memory in use
 * @bytes: more than at the start of the trace; less than 0: memory of before was freed. What was
 *	lost is missing
 * @lowest: the least that @bytes has been; 0 at first
 * @is_unknown: nobody knows: the trace has a filter, and so all frees, but not all allocations
 */
struct kmprof_heap_use {
	__s64 bytes;
	__s64 lowest;
	bool is_unknown;
};

/* As it is at the start of a trace. */
static inline struct kmprof_heap_use kmprof_heap_use_begin(const struct kmprof_trace *trace)
{
	return (struct kmprof_heap_use){ .is_unknown = trace->header.filter[0] };
}

/* Return: true if it is known, and an event has changed it. */
bool kmprof_heap_use_note(struct kmprof_heap_use *use, const struct kmprof_event *event);

/* How much more than the least so far: never less than 0. */
static inline __u64 kmprof_heap_use_above_lowest(const struct kmprof_heap_use *use)
{
	return (__u64)use->bytes - (__u64)use->lowest;
}

#endif
