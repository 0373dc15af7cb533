/* SPDX-License-Identifier: GPL-2.0 */
/* The profiles of memory, as a series: see struct kmprof_profile_kind. */
#ifndef KMPROF_PROFILE_HEAP_H
#define KMPROF_PROFILE_HEAP_H

#include "profile/profile.h"

int kmprof_heap_series(struct kmprof_series *series, const struct kmprof_image *image,
		       const struct kmprof_resolver *resolver,
		       const struct kmprof_profile_kind *kind, struct kmprof_error *err);
void kmprof_heap_summary(FILE *file, const struct kmprof_image *image,
			 const struct kmprof_profile_kind *kind);

#endif
