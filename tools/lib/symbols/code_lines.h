/* SPDX-License-Identifier: GPL-2.0 */
/* Lets a resolver know the lines of source of an image's addresses. */
#ifndef KMPROF_SYMBOLS_CODE_LINES_H
#define KMPROF_SYMBOLS_CODE_LINES_H

#include "symbols/resolver.h"

/**
 * kmprof_code_lines_open() - look up the lines of all frames of an image
 * @resolver: has the image and the names; from now on, frames that it finds have lines
 * @options: where debug information is
 * @notes: lines are added that say where there is none, and why
 * @err: explanation
 *
 * Return: 0, also if they were not wanted; -ENOENT: there is not one line; another negative errno.
 */
int kmprof_code_lines_open(struct kmprof_resolver *resolver,
			   const struct kmprof_debuginfo_options *options,
			   struct kmprof_lines *notes, struct kmprof_error *err);

#endif
