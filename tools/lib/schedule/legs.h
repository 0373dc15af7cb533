/* SPDX-License-Identifier: GPL-2.0 */
/* The waits of tasks for locks, from the events that begin and end them. */
#ifndef KMPROF_SCHEDULE_LEGS_H
#define KMPROF_SCHEDULE_LEGS_H

#include "schedule/schedule.h"

/* The task that runs begins to wait for a lock. Return: 0 or -ENOMEM. */
int kmprof_legs_begin(struct kmprof_life *life, const struct kmprof_event *event);

/* It has the lock, or gives up. */
void kmprof_legs_end(struct kmprof_life *life, const struct kmprof_event *event);

/* From @ns on, the task waits for no lock, whatever was seen. */
void kmprof_legs_close(struct kmprof_life *life, __u64 ns);

#endif
