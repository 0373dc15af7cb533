/* SPDX-License-Identifier: GPL-2.0 */
/* Ages of the memory in use, in the rows of the heap profile. */
#ifndef KMPROF_IMAGE_AGES_H
#define KMPROF_IMAGE_AGES_H

#include <stdbool.h>

#include "image/image.h"

/* Do the rows of a table have ages? Those of an older module do not. */
static inline bool kmprof_has_ages(const struct kmprof_table *rows)
{
	return kmprof_rows_have(rows, offsetof(struct kmprof_image_sample, ages),
				KMPROF_AGES * sizeof(__u32));
}

/* The number of objects that a row has ages of. @sample: of a table that has them */
static inline __u64 kmprof_ages_sum(const struct kmprof_image_sample *sample)
{
	__u64 sum = 0;
	unsigned int i;

	for (i = 0; i < KMPROF_AGES; i++)
		sum += sample->ages[i];
	return sum;
}

#endif
