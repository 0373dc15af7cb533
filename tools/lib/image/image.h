/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A snapshot's image, checked once as a whole, so that all other code can follow its
 * offsets and indices without a check.
 *
 * A profile has a number here: 1 + its index in the directory, as in struct
 * kmprof_image_scalar. 0 is no profile.
 */
#ifndef KMPROF_IMAGE_IMAGE_H
#define KMPROF_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/kmprof.h>

#include "util/error.h"

/**
 * struct kmprof_image - a valid image
 * @header: a copy of its header
 * @base: its start
 * @size: bytes
 * @frames: return addresses, leaf first
 * @strings: NUL-terminated strings
 */
struct kmprof_image {
	struct kmprof_image_header header;
	const char *base;
	size_t size;
	const __u64 *frames;
	const char *strings;
};

/**
 * kmprof_image_init() - check an image and make it usable
 * @image: filled in; refers to @base, does not own it
 * @base: start, 8-byte aligned; may hold anything at all
 * @size: bytes
 * @name: where it comes from, for messages
 * @err: says what is wrong with it
 *
 * Return: 0, or -EINVAL for what is not a sound image.
 */
int kmprof_image_init(struct kmprof_image *image, const void *base, size_t size,
		      const char *name, struct kmprof_error *err);

/* Entry @i of a table. */
static inline const void *kmprof_image_entry(const struct kmprof_image *image,
					     const struct kmprof_table *table, __u32 i)
{
	return image->base + table->offset + (size_t)i * table->entry_size;
}

static inline const char *kmprof_image_string(const struct kmprof_image *image, __u32 offset)
{
	return image->strings + offset;
}

static inline const struct kmprof_image_module *
kmprof_image_module(const struct kmprof_image *image, __u32 i)
{
	return kmprof_image_entry(image, &image->header.modules, i);
}

static inline const struct kmprof_image_symbol *
kmprof_image_symbol(const struct kmprof_image *image, __u32 i)
{
	return kmprof_image_entry(image, &image->header.symbols, i);
}

static inline const struct kmprof_image_object *
kmprof_image_object(const struct kmprof_image *image, __u32 i)
{
	return kmprof_image_entry(image, &image->header.objects, i);
}

/* Does the image have the first bytes of objects? Where they could not be read, there are none. */
static inline bool kmprof_image_has_bytes(const struct kmprof_image *image)
{
	return image->header.objects.entry_size >= sizeof(struct kmprof_image_object);
}

/* Does the image have all names of its own, as kmprof_complete() makes it? */
bool kmprof_image_is_complete(const struct kmprof_image *image);

/* The symbol of the image that an address lies in, or NULL. */
const struct kmprof_image_symbol *
kmprof_image_find_symbol(const struct kmprof_image *image, __u64 address);

/* The number of a profile by its name, or 0. */
__u32 kmprof_image_find(const struct kmprof_image *image, const char *name);

/* A profile of the directory; @number is not 0. */
static inline const struct kmprof_image_profile *
kmprof_image_profile(const struct kmprof_image *image, __u32 number)
{
	return kmprof_image_entry(image, &image->header.profiles, number - 1);
}

static inline const char *kmprof_image_profile_name(const struct kmprof_image *image, __u32 number)
{
	return kmprof_image_string(image, kmprof_image_profile(image, number)->name);
}

/**
 * kmprof_image_rows() - the rows of a known profile
 * @image: a valid image
 * @name: of the profile
 * @format: enum kmprof_row_format that the caller can read
 *
 * Return: the table; all 0 if the image has no such profile, or its rows have another
 * format.
 */
struct kmprof_table kmprof_image_rows(const struct kmprof_image *image, const char *name,
				      __u32 format);

static inline const struct kmprof_image_column *
kmprof_image_column(const struct kmprof_image *image, const struct kmprof_image_profile *profile,
		    __u32 i)
{
	return kmprof_image_entry(image, &profile->columns, i);
}

/* The number of a row in a column, as the image has it: in units of 1 / (1 << shift). */
static inline __u64 kmprof_column_raw(const struct kmprof_image_column *column, const void *row)
{
	return *(const __u64 *)((const char *)row + column->offset);
}

/* The same in whole units, rounded to the nearest. */
static inline __u64 kmprof_column_value(const struct kmprof_image_column *column, const void *row)
{
	__u64 raw = kmprof_column_raw(column, row);

	return column->shift ? (raw >> column->shift) + (raw >> (column->shift - 1) & 1) : raw;
}

static inline const struct kmprof_image_scalar *
kmprof_image_scalar(const struct kmprof_image *image, __u32 i)
{
	return kmprof_image_entry(image, &image->header.scalars, i);
}

static inline const char *kmprof_scalar_name(const struct kmprof_image *image,
					     const struct kmprof_image_scalar *scalar)
{
	return kmprof_image_string(image, scalar->name);
}

/* The unit of a scalar; "" if it has none. */
static inline const char *kmprof_scalar_unit(const struct kmprof_image *image,
					     const struct kmprof_image_scalar *scalar)
{
	return kmprof_image_string(image, scalar->unit);
}

/* What to show in the place of the value; "": show the value. */
static inline const char *kmprof_scalar_text(const struct kmprof_image *image,
					     const struct kmprof_image_scalar *scalar)
{
	return kmprof_image_string(image, scalar->text);
}

/* Return: the scalar of that name, or NULL. */
const struct kmprof_image_scalar *kmprof_image_find_scalar(const struct kmprof_image *image,
							   const char *name);

/* The value of a scalar; 0 if the image does not have it. */
__u64 kmprof_image_value(const struct kmprof_image *image, const char *name);

/**
 * kmprof_image_word() - the text of a scalar that stands for an enum
 * @image: a valid image
 * @name: of the scalar
 *
 * Return: the text; "unknown" if the image has no such scalar, or no text for it.
 */
const char *kmprof_image_word(const struct kmprof_image *image, const char *name);

/* Return: the label of a row, or NULL. */
static inline const struct kmprof_image_label *
kmprof_image_label(const struct kmprof_image *image, const struct kmprof_image_row *row)
{
	return row->label ? kmprof_image_entry(image, &image->header.labels, row->label - 1) : NULL;
}

/* The frames of a row, leaf first. */
static inline const __u64 *kmprof_image_stack(const struct kmprof_image *image,
					      const struct kmprof_image_row *row)
{
	return image->frames + row->first_frame;
}

/* A row of the mutex profile: a delay that no release can be blamed for? */
static inline bool kmprof_contention_is_unblamed(const struct kmprof_image_contention *contention)
{
	return contention->flags & KMPROF_WAIT_UNBLAMED;
}

/* Do the rows of a table have a member? Those of an older module are shorter. */
static inline bool kmprof_rows_have(const struct kmprof_table *rows, size_t offset, size_t size)
{
	return rows->entry_size >= offset + size;
}

/**
 * kmprof_sample_cache() - the slab cache that the objects of a row of the heap profile are from
 * @rows: the table
 * @sample: a row of it
 *
 * Return: its name, printable, or NULL when there is none, or it is not known.
 */
const char *kmprof_sample_cache(const struct kmprof_table *rows,
				const struct kmprof_image_sample *sample);

/**
 * kmprof_contention_cache() - the slab cache that the object around a lock is from
 * @contention: waits for the lock, or its releases
 *
 * Return: its name, printable, or NULL when there is none or none to show.
 */
const char *kmprof_contention_cache(const struct kmprof_image_contention *contention);

static inline bool kmprof_image_has_addresses(const struct kmprof_image *image)
{
	return image->header.flags & KMPROF_IMAGE_ADDRESSES;
}

/* How long it has counted, in ns; 0 where the clock was set back meanwhile. */
static inline __u64 kmprof_image_duration(const struct kmprof_image *image)
{
	const struct kmprof_image_header *h = &image->header;

	return h->time_ns > h->start_ns ? h->time_ns - h->start_ns : 0;
}

#endif
