/* SPDX-License-Identifier: GPL-2.0 */
/* Snapshots: immutable images of closed cycles, in the format of the UAPI header. */
#ifndef KMPROF_SNAPSHOT_H
#define KMPROF_SNAPSHOT_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "out/pages.h"

struct file;

/**
 * struct kmprof_snapshot_image - an image
 * @header: the image, page-aligned; NULL until it is complete
 * @pages: memory of the image
 */
struct kmprof_snapshot_image {
	const struct kmprof_image_header *header;
	struct kmprof_pages pages;
};

struct kmprof_snapshot_image *kmprof_snapshot_create(u32 flags, bool addresses);
void kmprof_snapshot_destroy(struct kmprof_snapshot_image *image);
struct file *kmprof_snapshot_open(u32 flags, bool addresses);
const struct kmprof_image_header *kmprof_snapshot_header(const struct file *file);
unsigned int kmprof_snapshot_count(void);

#endif
