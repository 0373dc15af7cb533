/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A snapshot's image, checked once as a whole, so that everybody behind can
 * follow its indices without a second thought.
 */
#ifndef KMPROF_IMAGE_IMAGE_H
#define KMPROF_IMAGE_IMAGE_H

#include <stdbool.h>
#include <stddef.h>

#include <linux/kmprof.h>

#include "util/error.h"

/**
 * struct kmprof_image - a valid image
 * @header: a copy of its header; what the module was too old to write is 0, and
 *	such a table has no entries
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

/* Entry @i of a table of the header. */
static inline const void *kmprof_image_entry(const struct kmprof_image *image,
					     const struct kmprof_table *table, __u32 i)
{
	return image->base + table->offset + (size_t)i * table->entry_size;
}

static inline const struct kmprof_image_sample *
kmprof_image_sample(const struct kmprof_image *image, __u32 i)
{
	return kmprof_image_entry(image, &image->header.samples, i);
}

static inline const struct kmprof_image_loss *
kmprof_image_loss(const struct kmprof_image *image, __u32 i)
{
	return kmprof_image_entry(image, &image->header.losses, i);
}

static inline const struct kmprof_image_contention *
kmprof_image_contention(const struct kmprof_image *image, __u32 i)
{
	return kmprof_image_entry(image, &image->header.contentions, i);
}

static inline const struct kmprof_image_label *
kmprof_image_label(const struct kmprof_image *image, __u32 i)
{
	return kmprof_image_entry(image, &image->header.labels, i);
}

/* Is it of this profile, and not empty? */
static inline bool kmprof_contention_is_of(const struct kmprof_image_contention *contention,
					   __u32 profile)
{
	return contention->profile == profile && contention->count;
}

/* Of the mutex profile: a delay that no release can be blamed for? */
static inline bool kmprof_contention_is_unblamed(const struct kmprof_image_contention *contention)
{
	return contention->flags & KMPROF_WAIT_UNBLAMED;
}

/**
 * kmprof_image_cache() - the slab cache that the object around a lock is from
 * @image: a valid image
 * @contention: waits for the lock, or its releases
 *
 * Return: its name, printable, or NULL when there is none or none to show.
 */
const char *kmprof_image_cache(const struct kmprof_image *image,
			       const struct kmprof_image_contention *contention);

/**
 * kmprof_contention_label() - who has waited or released
 * @image: a valid image
 * @contention: the waits or releases
 *
 * Return: its labels, or NULL without.
 */
const struct kmprof_image_label *
kmprof_contention_label(const struct kmprof_image *image,
			const struct kmprof_image_contention *contention);

/* A stack, by the first_frame of whose it is. */
static inline const __u64 *kmprof_image_stack(const struct kmprof_image *image, __u64 first_frame)
{
	return image->frames + first_frame;
}

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

/* A number of the header, by its offset in there. */
static inline __u64 kmprof_image_number(const struct kmprof_image *image, size_t offset)
{
	return *(const __u64 *)((const char *)&image->header + offset);
}

/* Whether the module that wrote it knows the block profile. */
static inline bool kmprof_image_has_waits(const struct kmprof_image *image)
{
	return image->header.contentions.entry_size;
}

/* ... and the mutex profile. */
static inline bool kmprof_image_has_releases(const struct kmprof_image *image)
{
	return image->header.header_size > offsetof(struct kmprof_image_header, delays_counted);
}

#endif
