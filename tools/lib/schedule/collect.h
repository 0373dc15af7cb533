/* SPDX-License-Identifier: GPL-2.0 */
/* Entries of all tasks of a trace, added up. */
#ifndef KMPROF_SCHEDULE_COLLECT_H
#define KMPROF_SCHEDULE_COLLECT_H

#include "schedule/schedule.h"

/**
 * struct kmprof_collection - how it is done
 * @what: the entries, for messages
 * @size: bytes of an entry
 * @add_those_of: adds the entries of a task to a table. Return: 0 or -ENOMEM
 * @by_key: as for qsort(); 0 for those that come together
 * @add: adds an entry to the one that stays
 * @by_rank: as for qsort(): their order in the end
 */
struct kmprof_collection {
	const char *what;
	size_t size;
	int (*add_those_of)(struct kmprof_growing *entries, const struct kmprof_schedule *schedule,
			    const struct kmprof_life *life);
	int (*by_key)(const void *a, const void *b);
	void (*add)(void *sum, const void *more);
	int (*by_rank)(const void *a, const void *b);
};

/**
 * kmprof_schedule_collect() - add up entries of all tasks
 * @schedule: the trace
 * @c: how
 * @entries: array; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_collect(const struct kmprof_schedule *schedule,
			    const struct kmprof_collection *c, void **entries, size_t *nr,
			    struct kmprof_error *err);

#endif
