/* SPDX-License-Identifier: GPL-2.0 */
/* Go's legacy heap text, from an image: what read() of the device gives. */
#ifndef KMPROF_LIB_TEXT_H
#define KMPROF_LIB_TEXT_H

#include <stdio.h>

#include "profile.h"
#include "resolver.h"

/**
 * kmprof_text_write() - write a profile as text
 * @file: open for writing; flushed by the caller
 * @image: the image
 * @resolver: names for it
 * @kind: heap or allocs
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_text_write(FILE *file, const struct kmprof_image *image,
		      const struct kmprof_resolver *resolver,
		      const struct kmprof_profile_kind *kind, struct kmprof_error *err);

#endif
