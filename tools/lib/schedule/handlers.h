/* SPDX-License-Identifier: GPL-2.0 */
/* How long interrupts took, by what they were for. */
#ifndef KMPROF_SCHEDULE_HANDLERS_H
#define KMPROF_SCHEDULE_HANDLERS_H

#include "schedule/schedule.h"
#include "schedule/times.h"

/**
 * struct kmprof_handler_times - the interrupts of a handler
 * @times: of them. A softirq does not have the time for which it was interrupted itself
 * @handler: which: its index
 */
struct kmprof_handler_times {
	struct kmprof_times times;
	__u32 handler;
};

/**
 * kmprof_schedule_handlers() - add up the interrupts of all CPUs
 * @schedule: the trace
 * @handlers: array, by descending sum of their times; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_handlers(const struct kmprof_schedule *schedule,
			     struct kmprof_handler_times **handlers, size_t *nr,
			     struct kmprof_error *err);

#endif
