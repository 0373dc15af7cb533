/* SPDX-License-Identifier: GPL-2.0 */
/* Where the tasks of a trace slept, and how long. Tasks of the same name are taken as one. */
#ifndef KMPROF_SCHEDULE_SLEEPS_H
#define KMPROF_SCHEDULE_SLEEPS_H

#include "schedule/schedule.h"
#include "schedule/times.h"

/**
 * struct kmprof_sleeps - sleeps of tasks of one name, with the same stack
 * @times: of them
 * @name: @name of the tasks of struct kmprof_life
 * @reason: enum kmprof_trace_state, or a value of a later version
 * @stack: number of the stack with which they went to sleep, not 0
 */
struct kmprof_sleeps {
	struct kmprof_times times;
	__u32 name;
	__u32 reason;
	__u32 stack;
};

/**
 * kmprof_schedule_sleeps() - add up sleeps whose stack is known
 * @schedule: the trace
 * @sleeps: array, by descending sum of their times; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_sleeps(const struct kmprof_schedule *schedule, struct kmprof_sleeps **sleeps,
			   size_t *nr, struct kmprof_error *err);

#endif
