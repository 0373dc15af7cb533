/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why it took so long: the time of a task as a tree of causes. A task that waits for a CPU waits
 * for those that the CPU runs meanwhile. A task that sleeps waits for the task that wakes it, and
 * so for all that this one does meanwhile: runs, waits, sleeps until a third one wakes it, or has
 * not been created yet.
 * Causes that are the same in the same place are added up. Tasks of the same name are taken as one.
 *
 * Where it could be looked into, the time of a cause is the sum of those below it. A sum that would
 * be too large stays at the largest number.
 */
#ifndef KMPROF_SCHEDULE_WHY_H
#define KMPROF_SCHEDULE_WHY_H

#include "schedule/causes.h"
#include "schedule/schedule.h"

/**
 * kmprof_why_asleep() - what a task that sleeps waits for
 * @life: the task
 * @i: index of the stretch in which it sleeps
 * @after: returns the stretch behind it, which tells who has woken the task; not with
 *	KMPROF_WHY_ALONE
 *
 * Return: KMPROF_WHY_ASLEEP, KMPROF_WHY_INTERRUPT or KMPROF_WHY_ALONE.
 */
enum kmprof_why kmprof_why_asleep(const struct kmprof_life *life, size_t i,
				  const struct kmprof_stretch **after);

/**
 * kmprof_why_ask() - ask for an explanation of the time of a task
 * @root: of kind KMPROF_WHY_ALL, with nothing below it
 * @task: number of the task, not 0; times of one task must not overlap
 * @from_ns: from when on: CLOCK_MONOTONIC
 * @to_ns: until when, not before that
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_why_ask(struct kmprof_cause *root, __u32 task, __u64 from_ns, __u64 to_ns,
		   struct kmprof_error *err);

/**
 * kmprof_why_explain() - explain what has been asked for
 * @root: the tree; the longest causes are first in it
 * @schedule: the trace
 * @err: explanation
 *
 * The time before a task was created and after it has exited needs no explanation.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_why_explain(struct kmprof_cause *root, const struct kmprof_schedule *schedule,
		       struct kmprof_error *err);

#endif
