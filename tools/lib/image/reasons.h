/* SPDX-License-Identifier: GPL-2.0 */
/* The reasons for which no release is blamed for a wait, with words for them. */
#ifndef KMPROF_IMAGE_REASONS_H
#define KMPROF_IMAGE_REASONS_H

#include "image/image.h"

/**
 * struct kmprof_reason - why a part of the waits is not attributable
 * @scalar: scalar: exact sum in ns. All reasons add up to "total.unblamed_ns"
 * @label: for a table, at most 16 characters
 * @meaning: in one line
 */
struct kmprof_reason {
	const char *scalar;
	const char *label;
	const char *meaning;
};

/* Those that this program knows; an image can have others, or none. */
extern const struct kmprof_reason kmprof_reasons[];
extern const unsigned int kmprof_nr_reasons;

#endif
