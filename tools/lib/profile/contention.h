/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The profiles of contentions, as a series: waits for locks, and the releases that ended
 * them. See struct kmprof_profile_kind.
 */
#ifndef KMPROF_PROFILE_CONTENTION_H
#define KMPROF_PROFILE_CONTENTION_H

#include "profile/kind.h"

int kmprof_contention_series(struct kmprof_series *series, const struct kmprof_image *image,
			     const struct kmprof_resolver *resolver,
			     const struct kmprof_profile *profile, struct kmprof_error *err);

#endif
