// SPDX-License-Identifier: GPL-2.0
/*
 * Opens /dev/kmprof and runs its commands. Each way to fail is turned into a
 * sentence that says what to do, because the errno alone (ENOENT: module not
 * loaded, EPERM: no capability) means nothing to somebody who is not inside.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "device/device.h"

int kmprof_device_open(struct kmprof_device *dev, const char *path,
		       struct kmprof_error *err)
{
	return kmprof_device_open_for(dev, path, O_RDONLY, err);
}

int kmprof_device_open_for(struct kmprof_device *dev, const char *path, int flags,
			   struct kmprof_error *err)
{
	int e;

	dev->path = path;
	dev->fd = open(path, flags | O_CLOEXEC);
	if (dev->fd >= 0)
		return 0;
	e = errno;
	switch (e) {
	case ENOENT:
	case ENXIO:
	case ENODEV:
		return kmprof_error_set(err, -e,
			"load it with 'modprobe kmprof', or 'insmod kmprof.ko' from the build tree",
			"%s: the kmprof module is not loaded", path);
	case EACCES:
	case EPERM:
		return kmprof_error_set(err, -e,
			"run as root; a process that may open the node also needs CAP_PERFMON or CAP_SYS_ADMIN",
			"%s: not allowed (%s)", path, strerror(e));
	default:
		return kmprof_error_set(err, -e, NULL, "%s: %s", path, strerror(e));
	}
}

void kmprof_device_close(struct kmprof_device *dev)
{
	if (dev->fd >= 0)
		close(dev->fd);
	dev->fd = -1;
}

int kmprof_device_ioctl(struct kmprof_device *dev, unsigned long cmd, void *arg,
			const char *what, struct kmprof_error *err)
{
	const char *hint = NULL;
	int ret, e;

	do {
		ret = ioctl(dev->fd, cmd, arg);
	} while (ret < 0 && errno == EINTR);
	if (ret >= 0)
		return 0;
	e = errno;
	switch (e) {
	case EPERM:
		hint = "changing the profiler needs CAP_SYS_ADMIN: run as root";
		break;
	case ENOTTY:
		return kmprof_error_set(err, -e,
			"is this the kmprof device, and the module as new as this program?",
			"%s: %s: the device does not know this command", dev->path, what);
	case E2BIG:
	case EOPNOTSUPP:
		return kmprof_error_set(err, -e, "load the kmprof.ko that belongs to this program",
			"%s: the module is older than this program (%s)", what, strerror(e));
	case ENOENT:
		hint = "this kernel does not show all of it: the kernel log tells what is missing";
		break;
	case EBUSY:
		hint = "is kernel.ftrace_enabled 0? Probes need it: the kernel log has more";
		break;
	case ENOSPC:
		hint = "too many snapshots are open: close some, or load with more max_snapshots";
		break;
	case ENOMEM:
		hint = "the kernel has no memory for it now";
		break;
	}
	return kmprof_error_set(err, -e, hint, "%s: %s", what, strerror(e));
}

int kmprof_device_info(struct kmprof_device *dev, struct kmprof_info *info,
		       struct kmprof_error *err)
{
	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	return kmprof_device_ioctl(dev, KMPROF_IOC_INFO, info, "asking for the module's state",
				   err);
}

int kmprof_device_profile(struct kmprof_device *dev, __u32 index,
			  struct kmprof_profile_info *info, struct kmprof_error *err)
{
	int ret;

	memset(info, 0, sizeof(*info));
	info->size = sizeof(*info);
	info->index = index;
	ret = kmprof_device_ioctl(dev, KMPROF_IOC_PROFILE, info, "asking for the profiles", err);
	info->name[KMPROF_NAME_LEN - 1] = '\0';
	info->table[KMPROF_NAME_LEN - 1] = '\0';
	return ret;
}

int kmprof_device_reset(struct kmprof_device *dev, struct kmprof_error *err)
{
	struct kmprof_reset reset = { .size = sizeof(reset) };

	return kmprof_device_ioctl(dev, KMPROF_IOC_RESET, &reset, "reset", err);
}

int kmprof_device_settle(struct kmprof_device *dev, struct kmprof_error *err)
{
	struct kmprof_settle settle = { .size = sizeof(settle) };

	return kmprof_device_ioctl(dev, KMPROF_IOC_SETTLE, &settle,
				   "waiting for frees that are deferred", err);
}
