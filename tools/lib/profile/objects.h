/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Any profile by its columns, as a series: see struct kmprof_profile_kind. Nothing else
 * of a row is known than its stack and its label.
 */
#ifndef KMPROF_PROFILE_OBJECTS_H
#define KMPROF_PROFILE_OBJECTS_H

#include "profile/kind.h"

int kmprof_objects_series(struct kmprof_series *series, const struct kmprof_image *image,
			  const struct kmprof_resolver *resolver,
			  const struct kmprof_profile *profile, struct kmprof_error *err);

#endif
