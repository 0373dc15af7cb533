// SPDX-License-Identifier: GPL-2.0
/* Opens kmprof_client.ko's device and passes operations on. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "lib/client.h"
#include "lib/kmprof_guest.h"

/**
 * client_open() - open the module's device
 *
 * Return: a descriptor or a negative errno.
 */
int client_open(void)
{
	int fd = open(KMPROF_CLIENT_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	return fd < 0 ? guest_complain("open", KMPROF_CLIENT_DEVICE_PATH, errno) : fd;
}

/**
 * client_run() - carry out an operation
 * @fd: the open device
 * @op: the operation; @op->done tells how many of its calls returned 0
 *
 * Return: 0, or the first error of its calls.
 */
int client_run(int fd, struct kmprof_client_op *op)
{
	return ioctl(fd, KMPROF_CLIENT_IOC_RUN, op) ? -errno : 0;
}

/**
 * client_create() - create a profile
 * @fd: the open device
 * @profile: number of the profile
 * @name: its name, NULL for a null pointer
 * @unit: unit of its weights, NULL for a null pointer; not both may be NULL and ""
 */
int client_create(int fd, unsigned int profile, const char *name, const char *unit)
{
	struct kmprof_client_op op = {
		.code = KMPROF_CLIENT_CREATE, .profile = profile, .count = name && unit,
	};

	snprintf(op.name, sizeof(op.name), "%s", name ?: "");
	snprintf(op.unit, sizeof(op.unit), "%s", unit ?: "");
	return client_run(fd, &op);
}

/**
 * client_destroy() - destroy a profile
 * @fd: the open device
 * @profile: number of the profile
 */
int client_destroy(int fd, unsigned int profile)
{
	struct kmprof_client_op op = { .code = KMPROF_CLIENT_DESTROY, .profile = profile };

	return client_run(fd, &op);
}

/**
 * client_count() - ask for the number of objects of a profile
 * @fd: the open device
 * @profile: number of the profile
 * @objects: out: what kmprof_custom_count() returns
 */
int client_count(int fd, unsigned int profile, uint64_t *objects)
{
	struct kmprof_client_op op = { .code = KMPROF_CLIENT_COUNT, .profile = profile };
	int ret = client_run(fd, &op);

	*objects = op.objects;
	return ret;
}
