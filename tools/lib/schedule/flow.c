// SPDX-License-Identifier: GPL-2.0
#include "schedule/flow.h"
#include "util/saturate.h"

void kmprof_flow_note(struct kmprof_flow *flow, const struct kmprof_event *event)
{
	struct kmprof_flow one = { 0 };

	if (event->type == KMPROF_TRACE_ALLOC)
		one = (struct kmprof_flow){ .allocs = 1, .alloc_bytes = event->args[3] };
	else if (event->type == KMPROF_TRACE_FREE)
		one = (struct kmprof_flow){ .frees = 1, .free_bytes = event->args[3] };
	kmprof_flow_add(flow, &one);
}

void kmprof_flow_add(struct kmprof_flow *sum, const struct kmprof_flow *more)
{
	sum->allocs += more->allocs;
	sum->alloc_bytes = kmprof_saturated_count(sum->alloc_bytes, more->alloc_bytes);
	sum->frees += more->frees;
	sum->free_bytes = kmprof_saturated_count(sum->free_bytes, more->free_bytes);
}
