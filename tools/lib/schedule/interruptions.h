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
 * struct kmprof_softirq - a softirq that has left its CPU: with PREEMPT_RT it can be preempted, and
 *	sleep, and goes on with the task that it is on top of
 * @left_ns: when; 0: there is none
 * @handler: index of its struct kmprof_handler
 */
struct kmprof_softirq {
	__u64 left_ns;
	__u32 handler;
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

/**
 * kmprof_interruptions_leave() - a task is switched out
 * @interruptions: those of its CPU
 * @handlers: those of all CPUs
 * @ns: when
 * @softirq: returns the one that goes with it
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_interruptions_leave(struct kmprof_growing *interruptions,
			       const struct kmprof_handlers *handlers, __u64 ns,
			       struct kmprof_softirq *softirq);

/**
 * kmprof_interruptions_resume() - a task is switched in
 * @interruptions: those of its CPU
 * @ns: when
 * @softirq: the one that it has left with
 * @lost_ns: when events were last lost: its end can be among them
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_interruptions_resume(struct kmprof_growing *interruptions, __u64 ns,
				const struct kmprof_softirq *softirq, __u64 lost_ns);

#endif
