/* SPDX-License-Identifier: GPL-2.0 */
/* How long tasks were in stalls, by the kind of stall and the names of the tasks. */
#ifndef KMPROF_SCHEDULE_STALLED_H
#define KMPROF_SCHEDULE_STALLED_H

#include "schedule/schedule.h"
#include "schedule/times.h"

/**
 * struct kmprof_stalled - stalls of one kind, of the tasks of one name
 * @times: of them
 * @pages: that they have reclaimed
 * @kind: which
 * @name: of the tasks: @name of struct kmprof_life
 */
struct kmprof_stalled {
	struct kmprof_times times;
	__u64 pages;
	enum kmprof_stall_kind kind;
	__u32 name;
};

/**
 * kmprof_schedule_stalled() - add up the stalls of all tasks
 * @schedule: the trace
 * @stalled: array, by descending sum of their times; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_stalled(const struct kmprof_schedule *schedule,
			    struct kmprof_stalled **stalled, size_t *nr, struct kmprof_error *err);

#endif
