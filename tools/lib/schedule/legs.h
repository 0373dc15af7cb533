/* SPDX-License-Identifier: GPL-2.0 */
/* The waits of tasks for locks, from the events that begin and end them. */
#ifndef KMPROF_SCHEDULE_LEGS_H
#define KMPROF_SCHEDULE_LEGS_H

#include "trace/trace.h"
#include "util/growing.h"

/* The number of a task that is not known. */
#define KMPROF_NO_TASK	(~0U)

/**
 * struct kmprof_leg - a wait of a task for a lock, or a part of it: a mutex is waited for by turns
 * spinning and asleep
 * @from_ns: when it begins
 * @to_ns: when it ends
 * @lock: the lock, as in the records
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 * @owner: number of the task that held the lock at @from_ns; or KMPROF_NO_TASK
 * @goes_on: it is the same wait as that of the leg before
 *
 * A wait for a lock inside another lock is a part of the wait for that: see enum
 * kmprof_trace_event.
 */
struct kmprof_leg {
	__u64 from_ns;
	__u64 to_ns;
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
 * @lost_ns: when events were last lost: the end of a wait that began before can be among them
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
 */
void kmprof_legs_change(struct kmprof_growing *legs, const struct kmprof_change *change);

/**
 * kmprof_legs_close() - from now on, a task waits for no lock, whatever was seen
 * @legs: table of the legs of the task
 * @ns: now
 */
void kmprof_legs_close(struct kmprof_growing *legs, __u64 ns);

#endif
