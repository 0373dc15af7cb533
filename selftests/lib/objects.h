/* SPDX-License-Identifier: GPL-2.0 */
/* Rows of a profile by the names of its columns, as a reader that has never heard of it. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include <stdint.h>

#include "lib/snapshot.h"

const struct kmprof_image_row *objects_row(const struct snapshot *snapshot, const char *profile,
					   uint32_t i);
uint64_t objects_value(const struct snapshot *snapshot, const char *profile, uint32_t i,
		       const char *column);
uint64_t objects_sum(const struct snapshot *snapshot, const char *profile, const char *column);

#endif /* OBJECTS_H */
