/* SPDX-License-Identifier: GPL-2.0 */
/* Which tasks of a trace have woken which, and where. Tasks of the same name are taken as one. */
#ifndef KMPROF_SCHEDULE_WAKES_H
#define KMPROF_SCHEDULE_WAKES_H

#include "schedule/schedule.h"

/**
 * struct kmprof_wakes - wake-ups of tasks of one name by those of another, in the same place
 * @count: how many
 * @waker: @name of the wakers of struct kmprof_life; KMPROF_NO_TASK; 0 with an interrupt
 * @context: enum kmprof_trace_context: the wakers, or interrupts
 * @woken: @name of those woken
 * @stack: number of the stack with which they were woken; 0: not known
 * @wait_ns: sum of the times from the wake-up until the task ran
 * @longest_ns: the longest of these times
 */
struct kmprof_wakes {
	__u64 count;
	__u32 waker;
	__u32 context;
	__u32 woken;
	__u32 stack;
	__u64 wait_ns;
	__u64 longest_ns;
};

/**
 * kmprof_schedule_wakes() - add up wake-ups of sleeping tasks
 * @schedule: the trace
 * @wakes: array, by descending @count; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_wakes(const struct kmprof_schedule *schedule, struct kmprof_wakes **wakes,
			  size_t *nr, struct kmprof_error *err);

#endif
