/* SPDX-License-Identifier: GPL-2.0 */
/* The profiles of an image by name, and the series of each. */
#ifndef KMPROF_PROFILE_PROFILE_H
#define KMPROF_PROFILE_PROFILE_H

#include "profile/kind.h"

/**
 * kmprof_profile_find() - a profile of an image by name
 * @profile: filled in; refers to @name and to the image
 * @image: a valid image
 * @name: as the user calls it: one of the directory, or another order of one
 *
 * A profile that this program does not know, or whose rows have another format than this
 * program knows, is shown by its columns.
 *
 * Return: 0 or -ENOENT.
 */
int kmprof_profile_find(struct kmprof_profile *profile, const struct kmprof_image *image,
			const char *name);

/**
 * kmprof_profile_list() - what kmprof_profile_find() finds
 * @lines: the names are added here, in the order of the directory
 * @image: a valid image
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_profile_list(struct kmprof_lines *lines, const struct kmprof_image *image);

/**
 * kmprof_profile_lacking() - explain that an image has no such profile
 * @image: a valid image
 * @name: as the user calls it
 * @err: says so, and lists the profiles that the image has
 *
 * Return: -ENOENT.
 */
int kmprof_profile_lacking(const struct kmprof_image *image, const char *name,
			   struct kmprof_error *err);

/**
 * kmprof_profile_series() - a profile in the form that exporters take
 * @series: filled in; refers to the image and to @resolver; released by
 *	kmprof_series_release()
 * @image: a valid image
 * @resolver: names for it
 * @profile: the profile
 * @err: explanation
 *
 * Return: 0, -ENOMEM, or -EINVAL for a profile that has no column.
 */
int kmprof_profile_series(struct kmprof_series *series, const struct kmprof_image *image,
			  const struct kmprof_resolver *resolver,
			  const struct kmprof_profile *profile, struct kmprof_error *err);

/* Rows that the profile is made from. */
__u32 kmprof_profile_entries(const struct kmprof_profile *profile,
			     const struct kmprof_image *image);

#endif
