/* SPDX-License-Identifier: GPL-2.0 */
/* The open device and the commands that need nothing else. */
#ifndef KMPROF_DEVICE_DEVICE_H
#define KMPROF_DEVICE_DEVICE_H

#include <linux/kmprof.h>

#include "util/error.h"

struct kmprof_device {
	int fd;
	const char *path;
};

/**
 * kmprof_device_open() - open the device
 * @dev: filled in
 * @path: KMPROF_DEVICE_PATH, or a stand-in; must outlive @dev
 * @err: explains the failure: not loaded, not allowed, ...
 *
 * Return: 0 or a negative errno.
 */
int kmprof_device_open(struct kmprof_device *dev, const char *path,
		       struct kmprof_error *err);
/* The same, with O_RDONLY or others in @flags. */
int kmprof_device_open_for(struct kmprof_device *dev, const char *path, int flags,
			   struct kmprof_error *err);
void kmprof_device_close(struct kmprof_device *dev);

/**
 * kmprof_device_ioctl() - run one command and explain its failure
 * @dev: the open device
 * @cmd: KMPROF_IOC_*
 * @arg: its size-first structure
 * @what: the action in the user's words, e.g. "reset"
 * @err: explanation
 *
 * Return: 0 or a negative errno. Interrupted calls are restarted.
 */
int kmprof_device_ioctl(struct kmprof_device *dev, unsigned long cmd, void *arg,
			const char *what, struct kmprof_error *err);

int kmprof_device_info(struct kmprof_device *dev, struct kmprof_info *info,
		       struct kmprof_error *err);
/**
 * kmprof_device_profile() - a profile by its number
 * @dev: the open device
 * @index: from 0 on
 * @info: filled in
 * @err: explanation
 *
 * Return: 0, -ENOENT if there is no such profile and none of a larger number, or another
 * negative errno.
 */
int kmprof_device_profile(struct kmprof_device *dev, __u32 index,
			  struct kmprof_profile_info *info, struct kmprof_error *err);
int kmprof_device_reset(struct kmprof_device *dev, struct kmprof_error *err);
/* Waits until memory that is only on its way to be freed has been freed. */
int kmprof_device_settle(struct kmprof_device *dev, struct kmprof_error *err);

#endif
