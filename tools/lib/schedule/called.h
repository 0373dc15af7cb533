/* SPDX-License-Identifier: GPL-2.0 */
/* How long tasks were in system calls, by the call and the names of the tasks. */
#ifndef KMPROF_SCHEDULE_CALLED_H
#define KMPROF_SCHEDULE_CALLED_H

#include "schedule/schedule.h"
#include "schedule/times.h"

/**
 * struct kmprof_called - calls of one kind, of the tasks of one name
 * @times: of them
 * @failed: how many ended with an errno
 * @number: which
 * @name: of the tasks: @name of struct kmprof_life
 */
struct kmprof_called {
	struct kmprof_times times;
	__u64 failed;
	__u64 number;
	__u32 name;
};

/**
 * kmprof_schedule_called() - add up the system calls of all tasks
 * @schedule: the trace
 * @called: array, by descending sum of their times; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_called(const struct kmprof_schedule *schedule, struct kmprof_called **called,
			   size_t *nr, struct kmprof_error *err);

#endif
