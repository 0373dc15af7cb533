/* SPDX-License-Identifier: GPL-2.0 */
/* Completes an image with names, so that it can be read on any machine, at any time. */
#ifndef KMPROF_SYMBOLS_COMPLETE_H
#define KMPROF_SYMBOLS_COMPLETE_H

#include "symbols/resolver.h"
#include "util/growing.h"

/*
 * Can names be added to an image? Not if it has no addresses, has all names already, or is of a
 * module that is too old to have a table for them.
 */
bool kmprof_can_complete(const struct kmprof_image *image);

/**
 * kmprof_complete() - add the symbols of all addresses of an image to it
 * @bytes: the new image, to be freed
 * @size: its size
 * @image: an image for which kmprof_can_complete()
 * @resolver: names for it
 * @locks: __u64: addresses of locks that are not in it; NULL: none
 * @boot_id: of the boot that the image is of, to be added as well; NULL: not known
 * @err: explanation
 *
 * Return: 0; -ENOMEM; -E2BIG when there are more names than an image can have.
 */
int kmprof_complete(char **bytes, size_t *size, const struct kmprof_image *image,
		    const struct kmprof_resolver *resolver, const struct kmprof_growing *locks,
		    const char *boot_id, struct kmprof_error *err);

#endif
