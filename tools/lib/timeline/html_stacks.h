/* SPDX-License-Identifier: GPL-2.0 */
/* The stacks of a trace, as the scripts of its page read them. */
#ifndef KMPROF_TIMELINE_HTML_STACKS_H
#define KMPROF_TIMELINE_HTML_STACKS_H

#include <stdbool.h>
#include <stdio.h>

#include "timeline/stack_names.h"

/**
 * kmprof_html_stacks_write() - write stacks as members of an object in JSON
 * @file: where to
 * @names: the names of their frames
 * @is_used: array, by number of a stack: which of them are written
 * @err: explanation
 *
 * "stacks": arrays of the number of a stack, and the indices of its frames in "frames", which has
 * each name once; the innermost frame is first.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_html_stacks_write(FILE *file, const struct kmprof_stack_names *names,
			     const bool *is_used, struct kmprof_error *err);

#endif
