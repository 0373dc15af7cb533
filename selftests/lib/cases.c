// SPDX-License-Identifier: GPL-2.0
/* Opens kmprof_catalogue.ko's device, finds cases by name and runs them. */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/ioctl.h>

#include "lib/cases.h"
#include "lib/kmprof_guest.h"

/**
 * cases_open() - open the module's device
 *
 * Return: a descriptor or a negative errno.
 */
int cases_open(void)
{
	int fd = open(KMPROF_CATALOGUE_DEVICE_PATH, O_RDWR | O_CLOEXEC);

	return fd < 0 ? guest_complain("open (insmod kmprof_catalogue.ko)",
				       KMPROF_CATALOGUE_DEVICE_PATH, errno) : fd;
}

/**
 * cases_get() - ask about a case
 * @fd: the open device
 * @index: number of the case
 * @c: out: the case
 *
 * Return: 0 or a negative errno; -ENOENT, without a message, when there are no more.
 */
int cases_get(int fd, unsigned int index, struct kmprof_catalogue_case *c)
{
	*c = (struct kmprof_catalogue_case){ .index = index };
	if (!ioctl(fd, KMPROF_CATALOGUE_IOC_CASE, c))
		return 0;
	return errno == ENOENT ? -ENOENT : guest_complain("ask about", "a case", errno);
}

/**
 * cases_find() - find a case
 * @fd: the open device
 * @name: name of the case
 * @c: out: the case
 *
 * Return: 0 or a negative errno; -ENOENT, without a message, when there is no such case.
 */
int cases_find(int fd, const char *name, struct kmprof_catalogue_case *c)
{
	unsigned int i;
	int ret;

	for (i = 0; !(ret = cases_get(fd, i, c)); i++)
		if (!strcmp(c->name, name))
			break;
	return ret;
}

/**
 * cases_run() - run a case
 * @fd: the open device
 * @c: the case; out: how it is then
 * @calls: number of calls
 */
int cases_run(int fd, struct kmprof_catalogue_case *c, unsigned int calls)
{
	c->calls = calls;
	return ioctl(fd, KMPROF_CATALOGUE_IOC_RUN, c) ? guest_complain("run", c->name, errno) : 0;
}

/**
 * cases_settle() - wait until all cases have done what they do later
 * @fd: the open device
 */
int cases_settle(int fd)
{
	return ioctl(fd, KMPROF_CATALOGUE_IOC_SETTLE) ?
	       guest_complain("settle", KMPROF_CATALOGUE_DEVICE_PATH, errno) : 0;
}

/**
 * cases_cleanup() - have a case free all that it has, and what it has lost
 * @fd: the open device
 * @c: the case; out: how it is then
 */
int cases_cleanup(int fd, struct kmprof_catalogue_case *c)
{
	return ioctl(fd, KMPROF_CATALOGUE_IOC_CLEANUP, c) ?
	       guest_complain("clean up", c->name, errno) : 0;
}
