/* SPDX-License-Identifier: GPL-2.0 */
/* Ages of the memory in use, in the rows of the heap profile. */
#ifndef KMPROF_IMAGE_AGES_H
#define KMPROF_IMAGE_AGES_H

#include <stdbool.h>

#include "image/image.h"

/**
 * kmprof_ages() - does a row have ages?
 * @rows: the table of the row
 * @sample: the row
 *
 * Return: the row if so; NULL: it is of an older module.
 */
static inline const struct kmprof_image_sample *
kmprof_ages(const struct kmprof_table *rows, const struct kmprof_image_sample *sample)
{
	return rows->entry_size < sizeof(*sample) ? NULL : sample;
}

/* The number of objects that a row has ages of. @sample: of kmprof_ages() */
static inline __u64 kmprof_ages_sum(const struct kmprof_image_sample *sample)
{
	__u64 sum = 0;
	unsigned int i;

	for (i = 0; i < KMPROF_AGES; i++)
		sum += sample->ages[i];
	return sum;
}

#endif
