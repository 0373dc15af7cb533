/* SPDX-License-Identifier: GPL-2.0 */
/* The waits of tasks for locks, from the events that begin and end them. */
#ifndef KMPROF_SCHEDULE_LEGS_H
#define KMPROF_SCHEDULE_LEGS_H

#include "schedule/spans.h"
#include "trace/trace.h"

/* The number of a task that is not known. */
#define KMPROF_NO_TASK	(~0U)

/**
 * struct kmprof_leg - a wait of a task for a lock, or a part of it: a mutex is waited for by turns
 * spinning and asleep
 * @span: when
 * @lock: the lock, as in the records
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 * @owner: number of the task that held the lock when it began; or KMPROF_NO_TASK
 * @goes_on: it is the same wait as that of the leg before
 * @stopped_ns: when the task has left its CPU: from then on, the end may be an event of another;
 *	KMPROF_SPAN_OPEN: it has not
 *
 * A wait for a lock inside another lock is a part of the wait for that: see enum
 * kmprof_trace_event.
 */
struct kmprof_leg {
	struct kmprof_span span;
	__u64 stopped_ns;
	__u64 lock;
	__u32 kind;
	__u32 flags;
	__u32 owner;
	bool goes_on;
};

/**
 * kmprof_legs_begin() - a task begins to wait for a lock
 * @legs: table of the legs of the task
 * @event: KMPROF_TRACE_CONTENTION_BEGIN
 * @lost_ns: as for kmprof_legs_close()
 *
 * Waits of interrupts, and those for a lock inside another one, are left out.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_legs_begin(struct kmprof_growing *legs, const struct kmprof_event *event, __u64 lost_ns);

/**
 * kmprof_legs_end() - a task has a lock, or gives up
 * @legs: table of the legs of the task
 * @event: KMPROF_TRACE_CONTENTION_END
 */
void kmprof_legs_end(struct kmprof_growing *legs, const struct kmprof_event *event);

/**
 * kmprof_legs_change() - a task changes its state
 * @legs: table of the legs of the task
 * @change: the change
 * @lost_ns: as for kmprof_legs_close()
 */
void kmprof_legs_change(struct kmprof_growing *legs, const struct kmprof_change *change,
			__u64 lost_ns);

/**
 * kmprof_legs_close() - from now on, a task waits for no lock, whatever was seen
 * @legs: table of the legs of the task. A wait of which the end may have been lost is forgotten:
 *	nobody knows how long it took
 * @ns: now
 * @lost_ns: when the last events are lost, on any CPU; can be later than @ns
 */
void kmprof_legs_close(struct kmprof_growing *legs, __u64 ns, __u64 lost_ns);

#endif
