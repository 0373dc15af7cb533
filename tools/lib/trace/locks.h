/* SPDX-License-Identifier: GPL-2.0 */
/* The locks of a saved trace. */
#ifndef KMPROF_TRACE_LOCKS_H
#define KMPROF_TRACE_LOCKS_H

#include "util/error.h"
#include "util/growing.h"

/**
 * kmprof_trace_locks() - find the locks that tasks wait for in a saved trace
 * @locks: returns __u64: each lock once, as it is in the records; to be freed
 * @path: the trace
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_trace_locks(struct kmprof_growing *locks, const char *path, struct kmprof_error *err);

#endif
