// SPDX-License-Identifier: GPL-2.0
/* The tracepoints of samples, away from the code that does without them. */
#include "core/bucket.h"
#include "mem/estimate.h"
#include "mem/live_table.h"
#include "mem/tell_samples.h"
#include "stack/stack.h"

/**
 * kmprof_tell_sampled() - fire kmprof_heap_sampled
 * @live_key: key of the object in the live table
 * @pages: of a block of pages: its pages; else 0
 * @key: key of its bucket
 * @stack: where it was allocated
 *
 * Context: Any but NMI. Takes no locks.
 */
void kmprof_tell_sampled(const void *live_key, unsigned long pages,
			 const struct kmprof_bucket_key *key, const struct kmprof_stack *stack)
{
	const long entry = (long)live_key | pages;
	unsigned int objects = live_key_objects(entry);

	trace_kmprof_heap_sampled((const void *)live_key_address(entry), kmprof_bucket_kind(key),
				  objects * key->size,
				  objects * kmprof_heap_bytes_of(key->size, key->period, 1),
				  stack);
}

/**
 * kmprof_tell_unsampled() - fire kmprof_heap_unsampled
 * @memory: the first object
 * @kind: enum kmprof_kind_id
 * @objects: number of objects
 * @as: how they were sampled
 *
 * What each object stands for is rounded, so that parts of a block add up to the whole.
 *
 * Context: Any but NMI. Takes no locks.
 */
void kmprof_tell_unsampled(const void *memory, u32 kind, unsigned int objects,
			   const struct kmprof_sampled *as)
{
	trace_kmprof_heap_unsampled(memory, kind, objects * as->size,
				    objects * kmprof_heap_bytes_of(as->size, as->period, 1));
}
