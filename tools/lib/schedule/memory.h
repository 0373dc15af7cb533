/* SPDX-License-Identifier: GPL-2.0 */
/* What tasks and interrupts have allocated and freed, as the samples of a trace tell it. */
#ifndef KMPROF_SCHEDULE_MEMORY_H
#define KMPROF_SCHEDULE_MEMORY_H

#include "schedule/schedule.h"

/**
 * struct kmprof_memory - memory of the tasks of one name, or of interrupts
 * @flow: what was allocated and freed
 * @name: of the tasks: @name of struct kmprof_life; KMPROF_NO_TASK of interrupts, 0 of idle tasks
 * @context: enum kmprof_trace_context
 */
struct kmprof_memory {
	struct kmprof_flow flow;
	__u32 name;
	__u32 context;
};

/**
 * kmprof_schedule_memory() - add up what was allocated and freed
 * @schedule: the trace
 * @memory: array, by descending sum of the bytes allocated; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_memory(const struct kmprof_schedule *schedule, struct kmprof_memory **memory,
			   size_t *nr, struct kmprof_error *err);

#endif
