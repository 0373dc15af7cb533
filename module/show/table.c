// SPDX-License-Identifier: GPL-2.0
/* Finds tables and scalars in an image, by name. The image is kmprof's own and is right. */
#include <linux/string.h>

#include "show/table.h"

/**
 * kmprof_text_table_find() - find the table of a profile
 * @t: returns the table, without an order and not prepared, and named like the profile
 * @image: header of the image
 * @profile: name of the profile
 *
 * Context: Any.
 * Return: false: the image does not have the profile.
 */
bool kmprof_text_table_find(struct kmprof_text_table *t, const struct kmprof_image_header *image,
			    const char *profile)
{
	const struct kmprof_image_profile *p = kmprof_text_at(image, image->profiles.offset);
	u32 i;

	for (i = 0; i < image->profiles.count; i++, p++) {
		if (strcmp(kmprof_text_string(image, p->name), profile))
			continue;
		*t = (struct kmprof_text_table) {
			.name		= kmprof_text_string(image, p->name),
			.image		= image,
			.rows		= kmprof_text_at(image, p->rows.offset),
			.row_size	= p->rows.entry_size,
			.count		= p->rows.count,
			.columns	= kmprof_text_at(image, p->columns.offset),
			.nr_columns	= p->columns.count,
			.frames		= kmprof_text_at(image, image->frames.offset),
			.labels		= kmprof_text_at(image, image->labels.offset),
		};
		return true;
	}
	return false;
}

/**
 * kmprof_text_scalar() - find a scalar
 * @image: header of the image
 * @name: name of the scalar
 *
 * Context: Any.
 * Return: its value; 0 when the image does not have the scalar.
 */
u64 kmprof_text_scalar(const struct kmprof_image_header *image, const char *name)
{
	const struct kmprof_image_scalar *s = kmprof_text_at(image, image->scalars.offset);
	u32 i;

	for (i = 0; i < image->scalars.count; i++, s++)
		if (!strcmp(kmprof_text_string(image, s->name), name))
			return s->value;
	return 0;
}
