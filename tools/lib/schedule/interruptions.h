/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What interrupts do on top of the tasks of a CPU, from event to event. A handler of a device can
 * interrupt a softirq, which then goes on.
 */
#ifndef KMPROF_SCHEDULE_INTERRUPTIONS_H
#define KMPROF_SCHEDULE_INTERRUPTIONS_H

#include "trace/trace.h"
#include "trace/words.h"
#include "util/growing.h"

/* No interrupt: the task runs. */
#define KMPROF_NO_HANDLER	(~0U)

enum { KMPROF_HANDLER_NAME = KMPROF_TRACE_IRQ_NAME_MAX + 1 };

/**
 * struct kmprof_handler - what interrupts are for
 * @context: KMPROF_TRACE_IN_HARDIRQ: of a device; _IN_SOFTIRQ: a softirq
 * @number: of the interrupt, or of the softirq
 * @name: of the device's handler, in printable ASCII; empty for a softirq
 */
struct kmprof_handler {
	__u32 context;
	__u32 number;
	char name[KMPROF_HANDLER_NAME];
};

/**
 * struct kmprof_interruption - what interrupts a CPU from a time on
 * @from_ns: when. It ends when the next one of the CPU begins, the last one when the trace ends.
 *	Before the first one, nothing is known to interrupt
 * @handler: its index in a table of struct kmprof_handler; or KMPROF_NO_HANDLER
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
int kmprof_interruptions_note(struct kmprof_growing *interruptions, struct kmprof_growing *handlers,
			      const struct kmprof_event *event);

/* From a time on, no interrupt is known. Return: 0 or -ENOMEM. */
int kmprof_interruptions_end(struct kmprof_growing *interruptions, __u64 ns);

#endif
