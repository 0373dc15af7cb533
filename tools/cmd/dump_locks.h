/* SPDX-License-Identifier: GPL-2.0 */
/* A profile of contentions as a table of locks, for "kmprof dump ... --by lock". */
#ifndef KMPROF_CMD_DUMP_LOCKS_H
#define KMPROF_CMD_DUMP_LOCKS_H

#include <stdio.h>

#include "profile/profile.h"

/**
 * dump_locks_table() - for people
 * @file: open for writing; flushed by the caller
 * @image: the image
 * @resolver: names for it
 * @profile: which profile; one that has locks
 * @width: columns of the terminal that @file is, 0 when it is none
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int dump_locks_table(FILE *file, const struct kmprof_image *image,
		     const struct kmprof_resolver *resolver,
		     const struct kmprof_profile *profile, int width, struct kmprof_error *err);

/* The same for programs. */
int dump_locks_json(FILE *file, const struct kmprof_image *image,
		    const struct kmprof_resolver *resolver,
		    const struct kmprof_profile *profile, struct kmprof_error *err);

#endif
