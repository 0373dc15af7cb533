/* SPDX-License-Identifier: GPL-2.0 */
/* Whose waits or releases an entry of a profile counts, in words. */
#ifndef KMPROF_PROFILE_LABEL_H
#define KMPROF_PROFILE_LABEL_H

#include <stdbool.h>
#include <stdio.h>

#include <linux/kmprof.h>

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

/* Writes what is known as ", comm NAME", ", pid NUMBER", ", cgroup NUMBER". */
void kmprof_label_write(FILE *file, const struct kmprof_image_label *label);

#endif
