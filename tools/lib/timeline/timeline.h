/* SPDX-License-Identifier: GPL-2.0 */
/* The formats that a saved trace can be turned into, and choosing one. */
#ifndef KMPROF_TIMELINE_TIMELINE_H
#define KMPROF_TIMELINE_TIMELINE_H

#include <stdbool.h>
#include <stdio.h>

#include "timeline/stack_names.h"
#include "trace/trace.h"
#include "util/output_directory.h"

/**
 * struct kmprof_timeline - a format
 * @name: as the user calls it
 * @suffix: what names of files in this format end in
 * @is_binary: not for terminals
 * @write: writes a trace with the names of its stacks, by kmprof_trace_walk(); returns 0 or a
 *	negative errno
 * @write_files: the same of a format that is a directory
 *
 * Without both, the format is the saved trace itself.
 */
struct kmprof_timeline {
	const char *name;
	const char *suffix;
	bool is_binary;
	int (*write)(FILE *file, const struct kmprof_trace *trace,
		     const struct kmprof_stack_names *names, struct kmprof_error *err);
	int (*write_files)(const struct kmprof_output_directory *output,
			   const struct kmprof_trace *trace,
			   const struct kmprof_stack_names *names, struct kmprof_error *err);
};

/* Is a format the saved trace itself? */
static inline bool kmprof_timeline_is_raw(const struct kmprof_timeline *timeline)
{
	return !timeline->write && !timeline->write_files;
}

/* Return: the format of that name, or NULL. */
const struct kmprof_timeline *kmprof_timeline_find(const char *name);

/* Return: the format that the name of a file ends in, or NULL. */
const struct kmprof_timeline *kmprof_timeline_of_file(const char *path);

/* Return: the formats one after the other, from 0 on, the default first; NULL behind the last. */
const struct kmprof_timeline *kmprof_timeline_at(size_t i);

/* "a, b or c", to be freed; NULL when out of memory. */
char *kmprof_timeline_names(void);

#endif
