/* SPDX-License-Identifier: GPL-2.0 */
/* Which tasks of a trace have woken which, and where. Tasks of the same name are taken as one. */
#ifndef KMPROF_SCHEDULE_WAKES_H
#define KMPROF_SCHEDULE_WAKES_H

#include "schedule/schedule.h"
#include "schedule/times.h"

/**
 * struct kmprof_wakes - wake-ups of tasks of one name by those of another, in the same place
 * @times: from the wake-up until the task ran
 * @waker: @name of the wakers of struct kmprof_life; KMPROF_NO_TASK; 0 with an interrupt
 * @context: enum kmprof_trace_context: the wakers, or interrupts
 * @woken: @name of those woken
 * @stack: number of the stack with which they were woken; 0: not known
 */
struct kmprof_wakes {
	struct kmprof_times times;
	__u32 waker;
	__u32 context;
	__u32 woken;
	__u32 stack;
};

/**
 * kmprof_schedule_wakes() - add up wake-ups of sleeping tasks
 * @schedule: the trace
 * @wakes: array, by descending number; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_wakes(const struct kmprof_schedule *schedule, struct kmprof_wakes **wakes,
			  size_t *nr, struct kmprof_error *err);

#endif
