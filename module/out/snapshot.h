/* SPDX-License-Identifier: GPL-2.0 */
/* The immutable image of a closed cycle, in the form that the UAPI describes. */
#ifndef KMPROF_SNAPSHOT_H
#define KMPROF_SNAPSHOT_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "out/pages.h"

struct file;

/**
 * struct kmprof_snapshot_image - a finished image; nobody writes to it
 * @header: the image itself, page-aligned, zero behind its end
 * @samples: its sample table
 * @contentions: its contention table
 * @labels: its table of labels
 * @frames: its frame table
 * @losses: its ledger
 * @strings: its string table
 * @pages: all of it
 */
struct kmprof_snapshot_image {
	const struct kmprof_image_header *header;
	const struct kmprof_image_sample *samples;
	const struct kmprof_image_contention *contentions;
	const struct kmprof_image_label *labels;
	const u64 *frames;
	const struct kmprof_image_loss *losses;
	const char *strings;
	struct kmprof_pages pages;
};

struct kmprof_snapshot_image *kmprof_snapshot_create(bool published, bool addresses);
void kmprof_snapshot_destroy(struct kmprof_snapshot_image *image);
struct file *kmprof_snapshot_file(struct kmprof_snapshot_image *image);
unsigned int kmprof_snapshot_count(void);

#endif
