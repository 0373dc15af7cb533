/* SPDX-License-Identifier: GPL-2.0 */
/* Marks: what was in use at moments that have passed, in the rows of the heap profile. */
#ifndef KMPROF_IMAGE_MARKS_H
#define KMPROF_IMAGE_MARKS_H

#include <stdbool.h>

#include "image/image.h"

enum { KMPROF_MARKS = 3 };

/**
 * struct kmprof_mark - a mark that this program knows
 * @objects: name of the number of objects, as that of a column
 * @space: ... and of their bytes
 * @bytes: scalar: what was in use, of all rows
 * @time: scalar: when, in ns since 1970; 0: there was no such moment
 * @offset: of the number of sampled objects, a __u64 of struct kmprof_image_sample
 * @title: for people
 */
struct kmprof_mark {
	const char *objects;
	const char *space;
	const char *bytes;
	const char *time;
	size_t offset;
	const char *title;
};

extern const struct kmprof_mark kmprof_marks[KMPROF_MARKS];

/* Has an image the mark? @rows: its heap profile; rows of an older module have none */
bool kmprof_has_mark(const struct kmprof_image *image, const struct kmprof_table *rows,
		     const struct kmprof_mark *mark);

/* Sampled objects of a row that were in use then. @sample: of a table that has the mark */
static inline __u64 kmprof_mark_objects(const struct kmprof_image_sample *sample,
					const struct kmprof_mark *mark)
{
	return *(const __u64 *)((const char *)sample + mark->offset);
}

#endif
