/* SPDX-License-Identifier: GPL-2.0 */
/* The profile of waits for locks, as text and for pprof: see kmprof_profile_write. */
#ifndef KMPROF_LIB_BLOCK_H
#define KMPROF_LIB_BLOCK_H

#include "profile.h"

int kmprof_block_write_text(FILE *file, const struct kmprof_image *image,
			    const struct kmprof_resolver *resolver,
			    const struct kmprof_profile_kind *kind, struct kmprof_error *err);
int kmprof_block_write_pprof(FILE *file, const struct kmprof_image *image,
			     const struct kmprof_resolver *resolver,
			     const struct kmprof_profile_kind *kind, struct kmprof_error *err);

#endif
