/* SPDX-License-Identifier: GPL-2.0 */
/* A result of several files: a directory that is either there as a whole or not there at all. */
#ifndef KMPROF_UTIL_OUTPUT_DIRECTORY_H
#define KMPROF_UTIL_OUTPUT_DIRECTORY_H

#include <stddef.h>

#include "util/error.h"

/**
 * struct kmprof_output_directory - where a result of several files goes
 * @path: what it is called when it is complete; for messages, too
 * @parent: the directory that it is in, open
 * @name: its name there
 * @temporary: its name until it is complete
 * @fd: the directory itself
 */
struct kmprof_output_directory {
	const char *path;
	int parent;
	char *name;
	char *temporary;
	int fd;
};

/**
 * kmprof_output_directory_open() - start an output of several files
 * @output: filled in; ended by kmprof_output_directory_commit() or kmprof_output_directory_abort()
 * @path: must outlive @output. Nothing, or an empty directory, must be there
 * @err: explanation
 *
 * The directory is for its owner only: it tells about kernel addresses.
 *
 * Return: 0; -EEXIST if something is there, which stays as it is; another negative errno.
 */
int kmprof_output_directory_open(struct kmprof_output_directory *output, const char *path,
				 struct kmprof_error *err);

/**
 * kmprof_output_directory_append() - put bytes behind a file of it
 * @output: the output
 * @name: of the file, without slashes; it is made when it does not exist
 * @bytes: the bytes
 * @size: how many
 * @err: explanation
 *
 * No file stays open, so that there can be as many as a machine has CPUs.
 *
 * Return: 0 or a negative errno.
 */
int kmprof_output_directory_append(const struct kmprof_output_directory *output, const char *name,
				   const void *bytes, size_t size, struct kmprof_error *err);

/* Syncs, and puts the directory in its place; on failure as if aborted. */
int kmprof_output_directory_commit(struct kmprof_output_directory *output,
				   struct kmprof_error *err);

/* Gives up; what stood at the path stays as it was. */
void kmprof_output_directory_abort(struct kmprof_output_directory *output);

#endif
