/* SPDX-License-Identifier: GPL-2.0 */
/* The profiles by name, and the header that goes with each output of one. */
#ifndef KMPROF_LIB_PROFILE_H
#define KMPROF_LIB_PROFILE_H

#include "aggregate.h"

/**
 * struct kmprof_profile_kind - one way to look at an image
 * @name: as the user calls it
 * @id: enum kmprof_profile
 * @default_sample_type: what pprof shows first
 * @sort: what is largest first in text
 */
struct kmprof_profile_kind {
	const char *name;
	__u32 id;
	const char *default_sample_type;
	enum kmprof_sort sort;
};

/* Return: the profile of that name, or NULL. */
const struct kmprof_profile_kind *kmprof_profile_find(const char *name);

/**
 * kmprof_profile_header() - rate, totals, estimates and ledger, line by line
 * @image: the image
 * @kind: the profile shown
 * @alloc: estimate of everything allocated
 * @inuse: estimate of everything in use
 * @line: called with each "key value" line; a negative errno ends it
 * @arg: for @line
 *
 * The same lines as in the text that the module writes, in the same order, so
 * that no output of a profile goes about without its losses.
 *
 * Return: 0 or what @line returned.
 */
int kmprof_profile_header(const struct kmprof_image *image,
			  const struct kmprof_profile_kind *kind, const struct kmprof_amount *alloc,
			  const struct kmprof_amount *inuse,
			  int (*line)(const char *text, void *arg), void *arg);

#endif
