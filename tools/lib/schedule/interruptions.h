/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What interrupts do on top of the tasks of a CPU, from event to event. A handler of a device can
 * interrupt a softirq, which then goes on.
 */
#ifndef KMPROF_SCHEDULE_INTERRUPTIONS_H
#define KMPROF_SCHEDULE_INTERRUPTIONS_H

#include "schedule/handlers.h"

/* No interrupt: the task runs. */
#define KMPROF_NO_HANDLER	(~0U)

/**
 * struct kmprof_interruption - what interrupts a CPU from a time on
 * @from_ns: when. It ends when the next one of the CPU begins, the last one when the trace ends.
 *	Before the first one, nothing is known to interrupt
 * @handler: index of a struct kmprof_handler; or KMPROF_NO_HANDLER
 * @is_begin: it begins; else it goes on, or there is none
 */
struct kmprof_interruption {
	__u64 from_ns;
	__u32 handler;
	bool is_begin;
};

/**
 * kmprof_interruptions_note() - an event of an interrupt
 * @interruptions: those of its CPU
 * @handlers: those of all CPUs
 * @event: begin or end of a handler or softirq
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_interruptions_note(struct kmprof_growing *interruptions,
			      struct kmprof_handlers *handlers, const struct kmprof_event *event);

/* From a time on, no interrupt is known. Return: 0 or -ENOMEM. */
int kmprof_interruptions_end(struct kmprof_growing *interruptions, __u64 ns);

#endif
