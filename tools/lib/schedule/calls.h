/* SPDX-License-Identifier: GPL-2.0 */
/* The system calls of tasks, from the events that begin and end them. */
#ifndef KMPROF_SCHEDULE_CALLS_H
#define KMPROF_SCHEDULE_CALLS_H

#include "schedule/spans.h"
#include "trace/syscalls.h"

/**
 * struct kmprof_call - a system call, in which the task runs or sleeps
 * @span: when
 * @number: which
 * @has_failed: its result is an errno that the program sees; false if the end was not seen
 */
struct kmprof_call {
	struct kmprof_span span;
	__u64 number;
	bool has_failed;
};

/**
 * kmprof_calls_note() - a system call begins or ends
 * @calls: table of the calls of its task
 * @event: such an event
 * @lost_ns: when events were last lost: the end of a call can be among them
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_calls_note(struct kmprof_growing *calls, const struct kmprof_event *event,
		      __u64 lost_ns);

/* From now on, a task is in no call: as kmprof_spans_close(). */
void kmprof_calls_close(struct kmprof_growing *calls, __u64 ns, __u64 lost_ns);

#endif
