/* SPDX-License-Identifier: GPL-2.0 */
/* A profile's table of rows in an image, as the form of the profile sees it. */
#ifndef KMPROF_TABLE_H
#define KMPROF_TABLE_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

/**
 * struct kmprof_text_table - the rows of a profile; all pointers go into an image
 * @name: name of the view that is shown
 * @image: header of the image
 * @rows: the rows
 * @row_size: bytes of a row
 * @count: number of rows
 * @columns: the columns
 * @nr_columns: number of columns, at least 1
 * @frames: the frame table
 * @labels: the table of labels
 * @order: indexes of the rows that are entries of the text, by rank; NULL: not known yet
 * @entries: length of @order
 * @prepared: for the form's own use, see struct kmprof_text_form
 * @addresses: the reader may see kernel addresses
 */
struct kmprof_text_table {
	const char *name;
	const struct kmprof_image_header *image;
	const void *rows;
	u32 row_size;
	u32 count;
	const struct kmprof_image_column *columns;
	u32 nr_columns;
	const u64 *frames;
	const struct kmprof_image_label *labels;
	u32 *order;
	u32 entries;
	void *prepared;
	bool addresses;
};

/**
 * kmprof_text_row() - get a row
 * @t: the table
 * @index: index of the row, less than @count
 *
 * Context: Any.
 * Return: the row.
 */
static inline const void *kmprof_text_row(const struct kmprof_text_table *t, u32 index)
{
	return t->rows + (size_t)index * t->row_size;
}

/**
 * kmprof_text_number() - get the number of a row in a column, in the column's own units
 * @t: the table
 * @row: the row
 * @column: index of the column, less than @nr_columns
 *
 * Context: Any.
 * Return: the number, see @shift of struct kmprof_image_column.
 */
static inline u64 kmprof_text_number(const struct kmprof_text_table *t, const void *row,
				     u32 column)
{
	return *(const u64 *)(row + t->columns[column].offset);
}

/**
 * kmprof_text_at() - get what is at an offset of an image
 * @image: header of the image
 * @offset: bytes from the start of the image
 *
 * Context: Any.
 * Return: its address.
 */
static inline const void *kmprof_text_at(const struct kmprof_image_header *image, u64 offset)
{
	return (const void *)image + offset;
}

/**
 * kmprof_text_string() - get a string of an image
 * @image: header of the image
 * @string: its offset in the table of strings
 *
 * Context: Any.
 * Return: the string.
 */
static inline const char *kmprof_text_string(const struct kmprof_image_header *image, u32 string)
{
	return kmprof_text_at(image, image->strings.offset + string);
}

bool kmprof_text_table_find(struct kmprof_text_table *t, const struct kmprof_image_header *image,
			    const char *profile);
u64 kmprof_text_scalar(const struct kmprof_image_header *image, const char *name);

#endif
