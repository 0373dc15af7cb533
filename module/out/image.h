/* SPDX-License-Identifier: GPL-2.0 */
/* Builds the image of all profiles, in the format of the UAPI header. */
#ifndef KMPROF_IMAGE_H
#define KMPROF_IMAGE_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

#include "core/profile.h"

struct kmprof_numbers;

/**
 * struct kmprof_image_build - an image in the making
 * @header: the header; its tables are placed before there is memory for them
 * @directory: the directory of profiles, by index
 * @rows: number of rows of each profile, by index: those counted, then those filled
 * @nr_frames: number of frames: those counted, then those filled
 * @nr_labels: number of labels: those counted, then those filled
 * @nr_modules: number of pieces of modules that are gone: those counted, then those filled
 * @nr_symbols: number of symbols: those counted, then those filled
 * @nr_objects: number of objects: those for which there is room, then those filled
 * @numbers: the numbers besides the rows
 * @addresses: the image may contain kernel addresses
 * @flags: KMPROF_SNAPSHOT_*: whether the image has a table of objects, with their first bytes
 * @memory: start of the image, zeroed; NULL while everything is counted and placed
 */
struct kmprof_image_build {
	struct kmprof_image_header header;
	struct kmprof_image_profile directory[KMPROF_PROFILES_MAX];
	u32 rows[KMPROF_PROFILES_MAX];
	u64 nr_frames;
	u32 nr_labels;
	u32 nr_modules;
	u32 nr_symbols;
	u64 nr_objects;
	const struct kmprof_numbers *numbers;
	bool addresses;
	u32 flags;
	void *memory;
};

int kmprof_image_measure(struct kmprof_image_build *b, const struct kmprof_numbers *numbers,
			 bool addresses, u32 flags, bool open_cycle);
void kmprof_image_fill(struct kmprof_image_build *b, void *memory);

#endif
