/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which wake-ups of a task that runs were early: of a task on its way to sleep, which was
 * switched out as asleep after it was woken. Others have no effect: the task was not going to
 * sleep, or has noticed. A trace tells them apart only by what the task does next.
 */
#ifndef KMPROF_TRACE_EARLY_H
#define KMPROF_TRACE_EARLY_H

#include <stdbool.h>

#include "util/growing.h"

/**
 * struct kmprof_early - the switches behind such wake-ups
 * @switches: their CPUs and numbers; all zero at first
 */
struct kmprof_early {
	struct kmprof_growing switches;
};

/**
 * kmprof_early_add() - note a switch
 * @early: the list
 * @cpu: its CPU
 * @number: of the record: see struct kmprof_item
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_early_add(struct kmprof_early *early, __u32 cpu, __u64 number);

/* Puts them in order, once all are there. */
void kmprof_early_sort(struct kmprof_early *early);

/* Is it in the list, which has been sorted? */
bool kmprof_early_has(const struct kmprof_early *early, __u32 cpu, __u64 number);
void kmprof_early_release(struct kmprof_early *early);

#endif
