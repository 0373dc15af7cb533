/* SPDX-License-Identifier: GPL-2.0 */
/* How long CPUs were in each idle state, and had each frequency. */
#ifndef KMPROF_SCHEDULE_CPU_TIMES_H
#define KMPROF_SCHEDULE_CPU_TIMES_H

#include "schedule/schedule.h"
#include "schedule/times.h"

/**
 * struct kmprof_cpu_time - times in which a CPU was in an idle state, or had a frequency
 * @times: of them
 * @cpu: which CPU
 * @value: number of the state, or kHz
 */
struct kmprof_cpu_time {
	struct kmprof_times times;
	__u32 cpu;
	__u32 value;
};

/**
 * kmprof_schedule_idle_times() - add up the idle states of all CPUs
 * @schedule: the trace
 * @times: array, by CPU and value; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_idle_times(const struct kmprof_schedule *schedule,
			       struct kmprof_cpu_time **times, size_t *nr,
			       struct kmprof_error *err);

/* The same of the frequencies. That of a CPU is not known before it has changed. */
int kmprof_schedule_frequency_times(const struct kmprof_schedule *schedule,
				    struct kmprof_cpu_time **times, size_t *nr,
				    struct kmprof_error *err);

#endif
