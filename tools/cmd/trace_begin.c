// SPDX-License-Identifier: GPL-2.0
/* Starts a trace as it is asked for. */
#include "cmd/trace.h"
#include "device/config.h"

#define EVENT(name)	(1ULL << KMPROF_TRACE_##name)

/* What a module does not tell is no reason to warn. */
static void warn_without_samples(struct kmprof_device *dev)
{
	struct kmprof_settings settings = { 0 };
	const struct kmprof_setting_value *rate;
	struct kmprof_error warning;

	if (kmprof_config_get(dev, &settings, &warning))
		return;
	rate = kmprof_settings_find(&settings, "heap_rate");
	if (rate && !(rate->flags & KMPROF_SETTING_ATTACHED)) {
		kmprof_error_set(&warning, 0,
				 "'kmprof set heap_rate=524288' samples it, heap_rate=1 all of it",
				 "no memory: the heap profile is off");
		warn(&warning);
	}
	kmprof_settings_release(&settings);
}

int trace_open(struct kmprof_device *dev, const struct trace_request *r, struct kmprof_error *err)
{
	int ret = kmprof_device_open(dev, KMPROF_DEVICE_PATH, err);

	if (!ret && r->events & (EVENT(ALLOC) | EVENT(FREE)))
		warn_without_samples(dev);
	return ret;
}

int trace_begin(struct kmprof_device *dev, const struct trace_request *r, int *fd,
		struct kmprof_error *err)
{
	struct kmprof_tracer_request start = {
		.events		= r->events,
		.flags		= (r->has_stacks ? KMPROF_TRACE_START_STACKS : 0) |
				  (r->is_flight ? KMPROF_TRACE_START_FLIGHT : 0),
		.buffer_bytes	= r->buffer_bytes,
		.filter		= r->filter,
	};

	if (!start.events)
		trace_parse_events("sched", &start.events);
	return kmprof_tracer_start(dev, &start, fd, err);
}
