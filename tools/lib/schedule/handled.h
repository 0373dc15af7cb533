/* SPDX-License-Identifier: GPL-2.0 */
/* How long interrupts took, by their handlers. */
#ifndef KMPROF_SCHEDULE_HANDLED_H
#define KMPROF_SCHEDULE_HANDLED_H

#include "schedule/schedule.h"
#include "schedule/times.h"

/**
 * struct kmprof_handled - the interrupts of a handler
 * @times: of them. A softirq is without the time for which it was interrupted itself
 * @handler: which: its index
 */
struct kmprof_handled {
	struct kmprof_times times;
	__u32 handler;
};

/**
 * kmprof_schedule_handled() - add up the interrupts of all CPUs
 * @schedule: the trace
 * @handled: array, by descending sum of their times; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_handled(const struct kmprof_schedule *schedule,
			    struct kmprof_handled **handled, size_t *nr, struct kmprof_error *err);

#endif
