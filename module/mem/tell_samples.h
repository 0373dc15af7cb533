/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Fire the tracepoints of event/heap_samples.h. Without followers, to ask whether there are some is
 * one no-operation, and that is not on the path of memory that is not sampled.
 */
#ifndef KMPROF_TELL_SAMPLES_H
#define KMPROF_TELL_SAMPLES_H

#include <linux/types.h>

#include "event/heap_samples.h"

struct kmprof_bucket_key;
struct kmprof_stack;

/**
 * struct kmprof_sampled - how memory was sampled
 * @size: bytes of an object
 * @period: sampling period of an object, in bytes
 */
struct kmprof_sampled {
	u64 size;
	u64 period;
};

void kmprof_tell_sampled(const void *live_key, unsigned long pages,
			 const struct kmprof_bucket_key *key, const struct kmprof_stack *stack);
void kmprof_tell_unsampled(const void *memory, u32 kind, unsigned int objects,
			   const struct kmprof_sampled *as);

/* Does anybody follow the samples? Context: Any. */
static __always_inline bool kmprof_tells_sampled(void)
{
	return trace_kmprof_heap_sampled_enabled();
}

/* Does anybody follow their frees? Context: Any. */
static __always_inline bool kmprof_tells_unsampled(void)
{
	return trace_kmprof_heap_unsampled_enabled();
}

#endif
