/* SPDX-License-Identifier: GPL-2.0 */
/* The profiles by name, and how each is written. */
#ifndef KMPROF_PROFILE_PROFILE_H
#define KMPROF_PROFILE_PROFILE_H

#include <stdio.h>

#include "profile/aggregate.h"
#include "symbols/resolver.h"

struct kmprof_profile_kind;

/**
 * struct kmprof_contention_kind - what the profiles of contentions differ in
 * @what: it counts, in a word
 * @head: first lines of its text
 * @setting: what switches it on
 * @example: a value of that
 * @rate: offset of the value in the header of an image
 * @is_known: did the module that wrote an image know of it?
 */
struct kmprof_contention_kind {
	const char *what;
	const char *head;
	const char *setting;
	const char *example;
	size_t rate;
	bool (*is_known)(const struct kmprof_image *image);
};

/**
 * typedef kmprof_profile_write - write a profile
 * @file: open for writing; flushed by the caller
 * @image: the image
 * @resolver: names for it
 * @kind: which of the profiles that are written like this
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
typedef int (*kmprof_profile_write)(FILE *file, const struct kmprof_image *image,
				    const struct kmprof_resolver *resolver,
				    const struct kmprof_profile_kind *kind,
				    struct kmprof_error *err);

/**
 * struct kmprof_profile_kind - one way to look at an image
 * @name: as the user calls it
 * @id: enum kmprof_profile_id
 * @default_sample_type: what pprof shows first
 * @sort: what is largest first in the heap's text
 * @contention: of a profile that has locks; else NULL
 * @write_text: as text like that of Go's runtime, which pprof reads
 * @write_pprof: as a gzipped profile.proto
 */
struct kmprof_profile_kind {
	const char *name;
	__u32 id;
	const char *default_sample_type;
	enum kmprof_sort sort;
	const struct kmprof_contention_kind *contention;
	kmprof_profile_write write_text;
	kmprof_profile_write write_pprof;
};

/* Return: the profile of that name, or NULL. */
const struct kmprof_profile_kind *kmprof_profile_find(const char *name);

enum { KMPROF_PROFILE_NAMES = 64 };

/**
 * kmprof_profile_names() - what the user can choose from
 * @text: filled with "one, another and a third"; returned
 */
const char *kmprof_profile_names(char text[KMPROF_PROFILE_NAMES]);

/* Entries of the image's tables that a profile is made from. */
__u32 kmprof_profile_entries(const struct kmprof_profile_kind *kind,
			     const struct kmprof_image *image);

#endif
