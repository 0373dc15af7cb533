/* SPDX-License-Identifier: GPL-2.0 */
/* The stalls of tasks, from the events that begin and end them. */
#ifndef KMPROF_SCHEDULE_STALLS_H
#define KMPROF_SCHEDULE_STALLS_H

#include "schedule/spans.h"
#include "trace/stalls.h"

/**
 * struct kmprof_stall - a time for which a task reclaims or compacts memory, running or asleep
 * @span: when
 * @pages: that it has reclaimed; 0 for a compaction, and if the end was not seen
 * @kind: which
 */
struct kmprof_stall {
	struct kmprof_span span;
	__u64 pages;
	enum kmprof_stall_kind kind;
};

/**
 * kmprof_stalls_note() - an event that begins or ends a stall
 * @stalls: table of the stalls of its task
 * @event: the event. One that begins a stall in another one ends that; other events change nothing
 * @lost_ns: when events were last lost: the end of a stall can be among them
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_stalls_note(struct kmprof_growing *stalls, const struct kmprof_event *event,
		       __u64 lost_ns);

/* From now on, a task is in no stall: as kmprof_spans_close(). */
void kmprof_stalls_close(struct kmprof_growing *stalls, __u64 ns, __u64 lost_ns);

#endif
