/* SPDX-License-Identifier: GPL-2.0 */
/* For which locks the tasks of a trace waited, and who held them. */
#ifndef KMPROF_SCHEDULE_LOCKS_H
#define KMPROF_SCHEDULE_LOCKS_H

#include "schedule/schedule.h"
#include "schedule/times.h"

/**
 * struct kmprof_lock_waits - waits for a lock that tasks of the same name held
 * @times: of them
 * @lock: the lock, as in the records
 * @kind: enum kmprof_lock_kind
 * @owner: @name of the tasks of struct kmprof_life that held it when the waits began, or as
 *	soon as that is known; or KMPROF_NO_TASK
 */
struct kmprof_lock_waits {
	struct kmprof_times times;
	__u64 lock;
	__u32 kind;
	__u32 owner;
};

/**
 * kmprof_schedule_locks() - add up the waits of tasks for locks
 * @schedule: the trace
 * @locks: array, by descending sum of their times; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_locks(const struct kmprof_schedule *schedule, struct kmprof_lock_waits **locks,
			  size_t *nr, struct kmprof_error *err);

#endif
