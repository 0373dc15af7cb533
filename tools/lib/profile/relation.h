/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What two images have to do with each other: that decides what a difference of them means, and
 * how large its error is.
 */
#ifndef KMPROF_PROFILE_RELATION_H
#define KMPROF_PROFILE_RELATION_H

#include "image/image.h"
#include "util/lines.h"

/**
 * enum kmprof_relation_kind - from the closest on
 * @KMPROF_ONE_COUNT: B goes on from A: all that A has counted is in B, too
 * @KMPROF_ONE_BOOT: both are of one boot, but counting has begun anew in between
 * @KMPROF_TWO_BOOTS: anything else; also what is not known
 */
enum kmprof_relation_kind {
	KMPROF_ONE_COUNT,
	KMPROF_ONE_BOOT,
	KMPROF_TWO_BOOTS,
};

/**
 * kmprof_relation_find() - find out what two images have to do with each other
 * @kind: filled in
 * @a: a valid image
 * @b: a valid image, the later one if they are of one boot
 * @is_live: both have just been taken from the device
 * @err: explanation
 *
 * The start of counting is a time in ns: two images that have the same one are of one count.
 *
 * Return: 0, or -EINVAL if @b is older than @a.
 */
int kmprof_relation_find(enum kmprof_relation_kind *kind, const struct kmprof_image *a,
			 const struct kmprof_image *b, bool is_live, struct kmprof_error *err);

/**
 * kmprof_relation_notes() - what to know about a difference of the two
 * @notes: the lines are added here: the relation, times, settings that differ, exact totals, losses
 * @kind: the relation
 * @a: a valid image
 * @b: a valid image
 * @profile: name of the profile in the directory of both
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_relation_notes(struct kmprof_lines *notes, enum kmprof_relation_kind kind,
			  const struct kmprof_image *a, const struct kmprof_image *b,
			  const char *profile);

#endif
