/* SPDX-License-Identifier: GPL-2.0 */
/* Writing an image to a file, to be read by --input, here or elsewhere. */
#ifndef KMPROF_CMD_SAVE_IMAGE_H
#define KMPROF_CMD_SAVE_IMAGE_H

#include <stdio.h>

#include "symbols/resolver.h"

/**
 * save_image() - write an image, with its names if there are any
 * @file: where to
 * @image: the image
 * @resolver: the names, of kmprof_resolver_open(); or all zero
 * @is_live: it has just been taken, on this machine
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int save_image(FILE *file, const struct kmprof_image *image,
	       const struct kmprof_resolver *resolver, bool is_live, struct kmprof_error *err);

#endif
