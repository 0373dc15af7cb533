/* SPDX-License-Identifier: GPL-2.0 */
/* The sampled objects in use that an image lists, the oldest first. */
#ifndef KMPROF_PROFILE_INUSE_H
#define KMPROF_PROFILE_INUSE_H

#include "image/image.h"
#include "profile/filter.h"

/**
 * struct kmprof_inuse_object - an object, or a block of pages that are objects each
 * @object: as the image has it
 * @sample: its row
 * @kind: enum kmprof_kind_id, or a kind of a later module
 * @nr: how many objects: pages of the block that are in use; else 1
 */
struct kmprof_inuse_object {
	const struct kmprof_image_object *object;
	const struct kmprof_image_sample *sample;
	__u32 kind;
	unsigned int nr;
};

/**
 * struct kmprof_inuse - the objects that are asked for
 * @object: array, the oldest first
 * @nr: how many
 * @all: how many the image lists
 */
struct kmprof_inuse {
	struct kmprof_inuse_object *object;
	size_t nr;
	size_t all;
};

/**
 * kmprof_inuse_list() - list objects of the heap profile
 * @inuse: filled in; refers to @image, released by kmprof_inuse_release()
 * @image: the image
 * @filter: of their stacks
 * @older_ns: only those of at least this age
 * @resolver: names for the addresses
 * @err: explanation
 *
 * Return: 0; -ENOENT if the image was taken without its objects; -ENOMEM.
 */
int kmprof_inuse_list(struct kmprof_inuse *inuse, const struct kmprof_image *image,
		      const struct kmprof_filter *filter, __u64 older_ns,
		      const struct kmprof_resolver *resolver, struct kmprof_error *err);
void kmprof_inuse_release(struct kmprof_inuse *inuse);

#endif
