/* SPDX-License-Identifier: GPL-2.0 */
/* The locks that a trace names, while it goes by. */
#ifndef KMPROF_TRACE_LOCKS_H
#define KMPROF_TRACE_LOCKS_H

#include "trace/trace.h"
#include "util/growing.h"

/**
 * struct kmprof_locks - locks that were found
 * @nr_args: by type of records: number of arguments
 * @has_text: by type of records: a text is behind them
 * @found: table of __u64: the locks, as in the records; one may be there more than once
 * @full: when @found has as many bytes, duplicates are taken out
 */
struct kmprof_locks {
	__u8 nr_args[KMPROF_TRACE_TYPES];
	bool has_text[KMPROF_TRACE_TYPES];
	struct kmprof_growing found;
	size_t full;
};

/**
 * kmprof_locks_begin() - get to know the types of records
 * @locks: all zero
 * @types: the entries of the table of types, of @bytes each
 * @nr: their number
 * @bytes: not less than sizeof(struct kmprof_trace_type)
 */
void kmprof_locks_begin(struct kmprof_locks *locks, const char *types, size_t nr, size_t bytes);

/**
 * kmprof_locks_look() - find the locks of a batch
 * @locks: the locks
 * @records: the records of the batch
 * @bytes: how many bytes they have
 *
 * What is behind a record that is damaged is not looked at.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_locks_look(struct kmprof_locks *locks, const char *records, size_t bytes);

/* Return: those that were found, each once, in ascending order. */
const struct kmprof_growing *kmprof_locks_found(struct kmprof_locks *locks);

#endif
