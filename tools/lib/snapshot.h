/* SPDX-License-Identifier: GPL-2.0 */
/* Where an image comes from: the device, or a file it was saved to. */
#ifndef KMPROF_LIB_SNAPSHOT_H
#define KMPROF_LIB_SNAPSHOT_H

#include <stdbool.h>

#include "device.h"
#include "image.h"

/**
 * struct kmprof_capture - an image together with its memory
 * @image: what to look at
 * @base: the memory
 * @size: its bytes
 * @mapped: munmap() or free()
 */
struct kmprof_capture {
	struct kmprof_image image;
	void *base;
	size_t size;
	bool mapped;
};

/**
 * kmprof_snapshot_take() - close a cycle in the kernel and map its image
 * @capture: filled in; released by kmprof_snapshot_release()
 * @dev: the open device
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_snapshot_take(struct kmprof_capture *capture, struct kmprof_device *dev,
			 struct kmprof_error *err);

/**
 * kmprof_snapshot_load() - read a saved image
 * @capture: filled in; released by kmprof_snapshot_release()
 * @path: the file, "-" for standard input
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_snapshot_load(struct kmprof_capture *capture, const char *path,
			 struct kmprof_error *err);

void kmprof_snapshot_release(struct kmprof_capture *capture);

#endif
