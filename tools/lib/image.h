/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A snapshot's image, checked once as a whole, so that everybody behind can
 * follow its indices without a second thought.
 */
#ifndef KMPROF_LIB_IMAGE_H
#define KMPROF_LIB_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/kmprof.h>

#include "error.h"

/**
 * struct kmprof_image - a valid image
 * @header: its start, which is also the start of the image
 * @size: bytes
 * @frames: return addresses, leaf first
 * @strings: NUL-terminated strings
 */
struct kmprof_image {
	const struct kmprof_image_header *header;
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

static inline const struct kmprof_image_sample *
kmprof_image_sample(const struct kmprof_image *image, __u32 i)
{
	const struct kmprof_table *t = &image->header->samples;

	return (const void *)((const char *)image->header + t->offset +
			      (size_t)i * t->entry_size);
}

static inline const struct kmprof_image_loss *
kmprof_image_loss(const struct kmprof_image *image, __u32 i)
{
	const struct kmprof_table *t = &image->header->losses;

	return (const void *)((const char *)image->header + t->offset +
			      (size_t)i * t->entry_size);
}

static inline const __u64 *kmprof_image_stack(const struct kmprof_image *image,
					      const struct kmprof_image_sample *sample)
{
	return image->frames + sample->first_frame;
}

static inline bool kmprof_image_has_addresses(const struct kmprof_image *image)
{
	return image->header->flags & KMPROF_IMAGE_ADDRESSES;
}

#endif
