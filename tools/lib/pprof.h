/* SPDX-License-Identifier: GPL-2.0 */
/* A gzipped profile.proto, what "go tool pprof" and its kin read. */
#ifndef KMPROF_LIB_PPROF_H
#define KMPROF_LIB_PPROF_H

#include <stdio.h>

#include "profile.h"
#include "resolver.h"

/**
 * kmprof_pprof_write() - write a profile
 * @file: open for writing; flushed by the caller
 * @image: the image
 * @resolver: names for it
 * @kind: heap or allocs
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_pprof_write(FILE *file, const struct kmprof_image *image,
		       const struct kmprof_resolver *resolver,
		       const struct kmprof_profile_kind *kind, struct kmprof_error *err);

#endif
