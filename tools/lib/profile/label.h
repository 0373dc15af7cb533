/* SPDX-License-Identifier: GPL-2.0 */
/* The task whose events a row of a profile counts, and the node of its memory, in words. */
#ifndef KMPROF_PROFILE_LABEL_H
#define KMPROF_PROFILE_LABEL_H

#include <stdbool.h>
#include <stdio.h>

#include "profile/series.h"
#include "symbols/cgroups.h"
#include "symbols/resolver.h"

/**
 * kmprof_label_has() - is it known?
 * @label: or NULL: nothing is
 * @which: KMPROF_LABEL_*
 */
static inline bool kmprof_label_has(const struct kmprof_image_label *label, __u32 which)
{
	return label && label->labels & which;
}

/**
 * kmprof_label_comm() - name of the task
 * @label: has it
 * @text: filled with it, each byte that is not printable ASCII being '?'; returned
 */
const char *kmprof_label_comm(const struct kmprof_image_label *label, char text[KMPROF_COMM_LEN]);

/**
 * kmprof_label_compare() - order of labels
 * @a: or NULL: nothing is known
 * @b: or NULL
 *
 * Return: less than, more than, or 0 when both say the same.
 */
int kmprof_label_compare(const struct kmprof_image_label *a, const struct kmprof_image_label *b);

/* Writes what is known as ", comm NAME", ", pid NUMBER", ", cgroup NUMBER", ", node NUMBER". */
void kmprof_label_write(FILE *file, const struct kmprof_image_label *label);

#define KMPROF_LABEL_CGROUP_TEXT	24

/* What kmprof_label_add() needs at most in a row of a series. */
#define KMPROF_LABEL_MOST		4
#define KMPROF_LABEL_ROOM		(KMPROF_COMM_LEN + KMPROF_LABEL_CGROUP_TEXT)

/**
 * kmprof_label_add() - add what is known to a row of a series
 * @row: gets a label "comm", "pid", "cgroup" and "node" each
 * @label: or NULL: nothing is known
 * @cgroups: paths of cgroups; has to stay
 */
void kmprof_label_add(struct kmprof_series_row *row, const struct kmprof_image_label *label,
		      const struct kmprof_cgroups *cgroups);

/**
 * kmprof_label_load_cgroups() - the names of this machine's cgroups, if rows need them
 * @cgroups: all 0; filled in; released by kmprof_cgroups_release()
 * @image: a valid image
 * @rows: the rows
 * @resolver: whether what is of this machine may be used
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_label_load_cgroups(struct kmprof_cgroups *cgroups, const struct kmprof_image *image,
			      const struct kmprof_table *rows,
			      const struct kmprof_resolver *resolver, struct kmprof_error *err);

#endif
