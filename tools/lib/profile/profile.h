/* SPDX-License-Identifier: GPL-2.0 */
/* The profiles by name, and from an image to the series of each. */
#ifndef KMPROF_PROFILE_PROFILE_H
#define KMPROF_PROFILE_PROFILE_H

#include "profile/aggregate.h"
#include "profile/series.h"
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
 * struct kmprof_profile_kind - one way to look at an image
 * @name: as the user calls it
 * @id: enum kmprof_profile_id
 * @loss: KMPROF_LOSS_* of its samples
 * @sort: what is largest first in a list of the heap
 * @contention: of a profile that has locks; else NULL
 * @series: makes its series, of which all is 0 before; what it has made until it fails
 *	is released by the caller
 * @summary: writes its own rate, totals and estimates: the second line of its summary
 */
struct kmprof_profile_kind {
	const char *name;
	__u32 id;
	__u32 loss;
	enum kmprof_sort sort;
	const struct kmprof_contention_kind *contention;
	int (*series)(struct kmprof_series *series, const struct kmprof_image *image,
		      const struct kmprof_resolver *resolver,
		      const struct kmprof_profile_kind *kind, struct kmprof_error *err);
	void (*summary)(FILE *file, const struct kmprof_image *image,
			const struct kmprof_profile_kind *kind);
};

/* Return: the profile of that name, or NULL. */
const struct kmprof_profile_kind *kmprof_profile_find(const char *name);

enum { KMPROF_PROFILE_NAMES = 64 };

/**
 * kmprof_profile_names() - what the user can choose from
 * @text: filled with "one, another and a third"; returned
 */
const char *kmprof_profile_names(char text[KMPROF_PROFILE_NAMES]);

/**
 * kmprof_profile_series() - a profile in the form that exporters take
 * @series: filled in; refers to the image and to @resolver; released by
 *	kmprof_series_release()
 * @image: a valid image
 * @resolver: names for it
 * @kind: the profile
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_profile_series(struct kmprof_series *series, const struct kmprof_image *image,
			  const struct kmprof_resolver *resolver,
			  const struct kmprof_profile_kind *kind, struct kmprof_error *err);

/* Entries of the image's tables that a profile is made from. */
__u32 kmprof_profile_entries(const struct kmprof_profile_kind *kind,
			     const struct kmprof_image *image);

#endif
