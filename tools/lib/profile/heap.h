/* SPDX-License-Identifier: GPL-2.0 */
/* The profiles of memory, as a series: see struct kmprof_profile_kind. */
#ifndef KMPROF_PROFILE_HEAP_H
#define KMPROF_PROFILE_HEAP_H

#include "profile/kind.h"

int kmprof_heap_series(struct kmprof_series *series, const struct kmprof_image *image,
		       const struct kmprof_resolver *resolver,
		       const struct kmprof_profile *profile, struct kmprof_error *err);
void kmprof_heap_summary(FILE *file, const struct kmprof_image *image,
			 const struct kmprof_profile *profile);
int kmprof_heap_facts(struct kmprof_lines *lines, const struct kmprof_image *image);

#endif
