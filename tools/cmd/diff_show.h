/* SPDX-License-Identifier: GPL-2.0 */
/* A difference of two images for people, and as JSON. */
#ifndef KMPROF_CMD_DIFF_SHOW_H
#define KMPROF_CMD_DIFF_SHOW_H

#include <stdio.h>

#include "profile/diff.h"
#include "profile/relation.h"

/**
 * struct diff_shown - what there is to show
 * @diff: the difference
 * @names: of its frames
 * @image: A and B
 * @file: where these come from
 * @kind: what they have to do with each other
 * @notes: what to know
 * @most: stacks to show; 0: all
 */
struct diff_shown {
	struct kmprof_diff *diff;
	const struct kmprof_resolver *names;
	const struct kmprof_image *image[KMPROF_UNION_SIDES];
	const char *file[KMPROF_UNION_SIDES];
	enum kmprof_relation_kind kind;
	struct kmprof_lines notes;
	unsigned long most;
};

/**
 * diff_show_table() - write a table of stacks
 * @file: where to
 * @shown: what to write
 * @width: columns of the terminal; 0: it is none
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int diff_show_table(FILE *file, const struct diff_shown *shown, int width,
		    struct kmprof_error *err);

/* The same as JSON. */
int diff_show_json(FILE *file, const struct diff_shown *shown, struct kmprof_error *err);

#endif
