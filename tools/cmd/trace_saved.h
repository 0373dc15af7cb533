/* SPDX-License-Identifier: GPL-2.0 */
/* A trace that was copied into a file: what is put behind it, and what is told of it. */
#ifndef KMPROF_CMD_TRACE_SAVED_H
#define KMPROF_CMD_TRACE_SAVED_H

#include <stdio.h>

#include "trace/meter.h"

/**
 * struct trace_saved - the trace
 * @meter: what has been copied
 * @has_stacks: it was started with stacks
 * @kallsyms: copy of /proc/kallsyms with its symbols; NULL: it was recorded here
 * @counts: of the module, when it was stopped
 * @ns: how long it is
 */
struct trace_saved {
	struct kmprof_meter *meter;
	bool has_stacks;
	const char *kallsyms;
	struct kmprof_trace_stop counts;
	__u64 ns;
};

/**
 * trace_saved_names() - make the trace complete for any machine
 * @saved: the trace
 * @file: the names of its stacks and locks are put there, if it has any
 * @err: explanation
 *
 * Return: 0 or a negative errno. A failed write leaves its mark on @file.
 */
int trace_saved_names(const struct trace_saved *saved, FILE *file, struct kmprof_error *err);

/* On standard error: how much it is, in which file, and what is missing. */
void trace_saved_tell(const struct trace_saved *saved, const char *name);

#endif
