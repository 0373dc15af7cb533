/* SPDX-License-Identifier: GPL-2.0 */
/* How long each task of a trace was in which state, and how long it waited for a CPU. */
#ifndef KMPROF_SCHEDULE_SUMS_H
#define KMPROF_SCHEDULE_SUMS_H

#include "schedule/schedule.h"

/* How a task may have gone to sleep; what is not known is the last one. */
enum kmprof_sleep {
	KMPROF_SLEEP_INTERRUPTIBLE,
	KMPROF_SLEEP_BLOCKED,
	KMPROF_SLEEP_IDLE,
	KMPROF_SLEEP_OTHER,
	KMPROF_NR_SLEEPS,
};

/**
 * struct kmprof_task_sums - what a task did, in ns
 * @running_ns: it ran
 * @runnable_ns: it waited for a CPU
 * @asleep_ns: it waited to be woken, by enum kmprof_sleep
 * @unknown_ns: events are missing
 * @runs: how often it was put on a CPU
 * @waits: how often it had waited for that; all of them are in the next three
 * @median_ns: half of the waits were not longer
 * @p99_ns: 99 of 100 waits were not longer
 * @longest_ns: the longest wait
 * @longest_at_ns: when that began
 * @task: number of the task
 *
 * The sum of the first four is the time for which there was the task.
 */
struct kmprof_task_sums {
	__u64 running_ns;
	__u64 runnable_ns;
	__u64 asleep_ns[KMPROF_NR_SLEEPS];
	__u64 unknown_ns;
	__u64 runs;
	__u64 waits;
	__u64 median_ns;
	__u64 p99_ns;
	__u64 longest_ns;
	__u64 longest_at_ns;
	__u32 task;
};

/* Which of them a reason of struct kmprof_stretch is. */
enum kmprof_sleep kmprof_sleep_of(__u32 reason);

/**
 * kmprof_schedule_sums() - add up what the tasks did
 * @schedule: the trace
 * @sums: array, an entry for each task but the idle one, in the order of their numbers; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_sums(const struct kmprof_schedule *schedule, struct kmprof_task_sums **sums,
			 size_t *nr, struct kmprof_error *err);

#endif
