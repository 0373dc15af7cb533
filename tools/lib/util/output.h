/* SPDX-License-Identifier: GPL-2.0 */
/* Output that is either there as a whole or not there at all. */
#ifndef KMPROF_UTIL_OUTPUT_H
#define KMPROF_UTIL_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "util/error.h"
#include "util/place.h"

/**
 * struct kmprof_output - where a result goes
 * @file: write here
 * @buffer: of @file; NULL: standard output, which has its own
 * @name: for messages
 * @temporary: name of @file until it is complete; NULL when written directly
 * @place: what it becomes then
 */
struct kmprof_output {
	FILE *file;
	char *buffer;
	const char *name;
	char *temporary;
	struct kmprof_place place;
};

/**
 * kmprof_output_open() - start an output
 * @output: filled in; ended by kmprof_output_commit() or kmprof_output_abort()
 * @path: NULL for standard output. A regular file, or one that does not exist
 *	yet, appears or changes only on commit; pipes and devices are written
 *	directly. What others may have planted there is refused: see util/place.h.
 * @err: explanation
 *
 * The file is readable by its owner only: it tells about kernel addresses.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_output_open(struct kmprof_output *output, const char *path, struct kmprof_error *err);

/* Flushes, syncs and puts the file in its place; on failure as if aborted. */
int kmprof_output_commit(struct kmprof_output *output, struct kmprof_error *err);

/**
 * kmprof_output_fail() - give up after a failed write
 * @output: the output
 * @ret: negative errno that the writer returned
 * @err: the writer's explanation; replaced when it was this output that failed
 */
void kmprof_output_fail(struct kmprof_output *output, int ret, struct kmprof_error *err);

/**
 * kmprof_output_explain() - an output that has failed, in words
 * @err: filled in
 * @name: of the output
 * @kept: what stood there is as it was
 * @e: positive errno
 *
 * Return: -@e.
 */
int kmprof_output_explain(struct kmprof_error *err, const char *name, bool kept, int e);

/* Gives up; what stood at the path stays as it was. */
void kmprof_output_abort(struct kmprof_output *output);

#endif
