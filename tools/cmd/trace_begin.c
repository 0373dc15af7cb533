// SPDX-License-Identifier: GPL-2.0
/* Starts a trace as it is asked for. */
#include "cmd/trace.h"

int trace_begin(struct kmprof_device *dev, const struct trace_request *r, int *fd,
		struct kmprof_error *err)
{
	__u64 events = r->events;
	__u32 flags = 0;

	if (!events)
		trace_parse_events("sched", &events);
	if (r->has_stacks)
		flags |= KMPROF_TRACE_START_STACKS;
	if (r->is_flight)
		flags |= KMPROF_TRACE_START_FLIGHT;
	return kmprof_tracer_start(dev, events, flags, r->buffer_bytes, fd, err);
}
