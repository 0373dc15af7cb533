/* SPDX-License-Identifier: GPL-2.0 */
/* The profiles of memory, as text and for pprof: see kmprof_profile_write. */
#ifndef KMPROF_PROFILE_HEAP_H
#define KMPROF_PROFILE_HEAP_H

#include "profile/profile.h"

int kmprof_heap_write_text(FILE *file, const struct kmprof_image *image,
			   const struct kmprof_resolver *resolver,
			   const struct kmprof_profile_kind *kind, struct kmprof_error *err);
int kmprof_heap_write_pprof(FILE *file, const struct kmprof_image *image,
			    const struct kmprof_resolver *resolver,
			    const struct kmprof_profile_kind *kind, struct kmprof_error *err);

#endif
