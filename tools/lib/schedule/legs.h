/* SPDX-License-Identifier: GPL-2.0 */
/* The waits of tasks for locks, from the events that begin and end them. */
#ifndef KMPROF_SCHEDULE_LEGS_H
#define KMPROF_SCHEDULE_LEGS_H

#include "schedule/schedule.h"

/**
 * kmprof_legs_begin() - a task begins to wait for a lock
 * @life: the task
 * @event: KMPROF_TRACE_CONTENTION_BEGIN
 *
 * Waits of interrupts, and those for a lock inside another one, are left out.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_legs_begin(struct kmprof_life *life, const struct kmprof_event *event);

/**
 * kmprof_legs_end() - a task has a lock, or gives up
 * @life: the task
 * @event: KMPROF_TRACE_CONTENTION_END
 */
void kmprof_legs_end(struct kmprof_life *life, const struct kmprof_event *event);

/**
 * kmprof_legs_change() - a task changes its state
 * @life: the task
 * @change: the change
 */
void kmprof_legs_change(struct kmprof_life *life, const struct kmprof_change *change);

/**
 * kmprof_legs_close() - from now on, a task waits for no lock, whatever was seen
 * @life: the task
 * @ns: now
 */
void kmprof_legs_close(struct kmprof_life *life, __u64 ns);

#endif
