/* SPDX-License-Identifier: GPL-2.0 */
/* Buckets of an image put together by what the reader wants to see apart. */
#ifndef KMPROF_PROFILE_AGGREGATE_H
#define KMPROF_PROFILE_AGGREGATE_H

#include "image/image.h"
#include "profile/scale.h"

/* What stays apart besides the stack and the kind of memory; periods never do. */
enum kmprof_aggregate_by {
	KMPROF_BY_STACK,
	KMPROF_BY_STACK_AND_SIZE,
};

/**
 * struct kmprof_site - one stack and kind of memory, or one stack, kind and object size
 * @frames: return addresses, leaf first; in the image
 * @nr_frames: how many
 * @kind: kind of memory
 * @object_size: bytes, 0 with KMPROF_BY_STACK
 * @alloc: estimate of what was allocated
 * @inuse: estimate of what is still in use
 */
struct kmprof_site {
	const __u64 *frames;
	__u32 nr_frames;
	__u32 kind;
	__u64 object_size;
	struct kmprof_amount alloc;
	struct kmprof_amount inuse;
};

/**
 * struct kmprof_sites - the sites of an image, ordered by stack, kind and size
 * @site: array
 * @nr: how many
 */
struct kmprof_sites {
	struct kmprof_site *site;
	size_t nr;
};

/**
 * kmprof_sites_build() - scale and add up the heap samples of an image
 * @sites: filled in; refers to the image's frames
 * @image: a valid image
 * @by: what stays apart
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_sites_build(struct kmprof_sites *sites, const struct kmprof_image *image,
		       enum kmprof_aggregate_by by, struct kmprof_error *err);
void kmprof_sites_release(struct kmprof_sites *sites);

enum kmprof_sort {
	KMPROF_SORT_INUSE,
	KMPROF_SORT_ALLOC,
};

/* Largest bytes first; ties keep the order by stack, so output repeats. */
void kmprof_sites_sort(struct kmprof_sites *sites, enum kmprof_sort by);

#endif
