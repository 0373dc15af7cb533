/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where an image comes from: the device, or a file it was saved to. Nothing here looks
 * into it: that is kmprof_image_init()'s.
 */
#ifndef KMPROF_DEVICE_SNAPSHOT_H
#define KMPROF_DEVICE_SNAPSHOT_H

#include <stdbool.h>

#include "device/device.h"

/**
 * struct kmprof_capture - the memory of an image, unchecked
 * @name: where it comes from, for messages
 * @base: the memory
 * @size: its bytes
 * @mapped: munmap() or free()
 */
struct kmprof_capture {
	const char *name;
	void *base;
	size_t size;
	bool mapped;
};

/**
 * kmprof_snapshot_take() - close a cycle in the kernel and map its image
 * @capture: filled in; released by kmprof_snapshot_release()
 * @dev: the open device
 * @flags: KMPROF_SNAPSHOT_*
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_snapshot_take(struct kmprof_capture *capture, struct kmprof_device *dev, __u32 flags,
			 struct kmprof_error *err);

/**
 * kmprof_snapshot_load() - read a saved image
 * @capture: filled in; released by kmprof_snapshot_release()
 * @path: the file, "-" for standard input; must outlive @capture
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_snapshot_load(struct kmprof_capture *capture, const char *path,
			 struct kmprof_error *err);

void kmprof_snapshot_release(struct kmprof_capture *capture);

#endif
