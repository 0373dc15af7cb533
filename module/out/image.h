/* SPDX-License-Identifier: GPL-2.0 */
/* Builds the image of all profiles, in the format of the UAPI header. */
#ifndef KMPROF_IMAGE_H
#define KMPROF_IMAGE_H

#include <linux/types.h>

struct kmprof_numbers;
struct kmprof_pages;

int kmprof_image_build(struct kmprof_pages *pages, const struct kmprof_numbers *numbers,
		       bool addresses);

#endif
