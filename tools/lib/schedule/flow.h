/* SPDX-License-Identifier: GPL-2.0 */
/* Memory that is allocated and freed. */
#ifndef KMPROF_SCHEDULE_FLOW_H
#define KMPROF_SCHEDULE_FLOW_H

#include <stdbool.h>

#include "trace/trace.h"

/**
 * struct kmprof_flow - what samples of allocations, and their frees, add up to
 * @allocs: number of samples
 * @alloc_bytes: bytes that they stand for
 * @frees: number of frees of samples: of pages, parts of one can be freed
 * @free_bytes: bytes that those stand for
 */
struct kmprof_flow {
	__u64 allocs;
	__u64 alloc_bytes;
	__u64 frees;
	__u64 free_bytes;
};

/* @event: one that is told of memory; others change nothing */
void kmprof_flow_note(struct kmprof_flow *flow, const struct kmprof_event *event);

void kmprof_flow_add(struct kmprof_flow *sum, const struct kmprof_flow *more);

/* Was there none? */
static inline bool kmprof_flow_is_none(const struct kmprof_flow *flow)
{
	return !flow->allocs && !flow->frees;
}

#endif
