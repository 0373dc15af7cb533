/* SPDX-License-Identifier: GPL-2.0 */
/* The records of a block: are they what they have to be? */
#ifndef KMPROF_DUMP_RECORDS_H
#define KMPROF_DUMP_RECORDS_H

#include <stdbool.h>

#include "trace/trace.h"

/**
 * struct kmprof_dump_limits - what records can have
 * @type: the types of records, by number; @name is empty if there is none
 * @nr_stacks: number of stacks
 * @nr_cpus: number of CPUs
 */
struct kmprof_dump_limits {
	struct kmprof_trace_type type[KMPROF_TRACE_TYPES];
	__u32 nr_stacks;
	__u32 nr_cpus;
};

/* Takes over a table of @nr types. Return: whether they can be right. */
bool kmprof_dump_limits_take(struct kmprof_dump_limits *limits,
			     const struct kmprof_trace_type *table, __u32 nr);

/**
 * kmprof_dump_records_count() - count the records of a block
 * @limits: what they can have
 * @batch: the block, of @bytes bytes, at most KMPROF_TRACE_BATCH_MAX
 * @nr: returns how many there are
 * @ticks: returns when the last one was made
 *
 * Return: true; false: they are damaged.
 */
bool kmprof_dump_records_count(const struct kmprof_dump_limits *limits,
			       const struct kmprof_trace_batch *batch, __u32 *nr, __u64 *ticks);

#endif
