// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/memory_cgroup.h"

#define CGROUP_MOUNT "/tmp/kmprof_cgroup"
#define CGROUP CGROUP_MOUNT "/kmprof_test"

/**
 * memory_cgroup_setup() - make it
 * @limit: file of the limit: memory.high or memory.max
 * @bytes: the limit
 *
 * Return: 0 or a negative errno.
 */
int memory_cgroup_setup(const char *limit, const char *bytes)
{
	char path[128];
	int ret;

	mkdir(CGROUP_MOUNT, 0700);
	if (mount("none", CGROUP_MOUNT, "cgroup2", 0, NULL) && errno != EBUSY)
		return -errno;
	ret = guest_write_file(CGROUP_MOUNT "/cgroup.subtree_control", "+memory");
	if (ret)
		return ret;
	if (mkdir(CGROUP, 0700) && errno != EEXIST)
		return -errno;
	snprintf(path, sizeof(path), CGROUP "/%s", limit);
	return guest_write_file(path, bytes);
}

/**
 * memory_cgroup_enter() - move the calling process into it
 *
 * Return: 0 or a negative errno.
 */
int memory_cgroup_enter(void)
{
	return guest_write_file(CGROUP "/cgroup.procs", "0");
}

/**
 * memory_cgroup_open() - open a file of it for writing
 * @file: such as memory.reclaim
 *
 * Return: the descriptor, or a negative errno.
 */
int memory_cgroup_open(const char *file)
{
	char path[128];
	int fd;

	snprintf(path, sizeof(path), CGROUP "/%s", file);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? guest_complain("open", path, errno) : fd;
}

/**
 * memory_cgroup_reclaim() - reclaim memory of it, in the calling task
 * @bytes: how much
 *
 * Return: 0; -EAGAIN: there was less than that; or another negative errno.
 */
int memory_cgroup_reclaim(const char *bytes)
{
	return guest_write_file(CGROUP "/memory.reclaim", bytes);
}

/**
 * memory_cgroup_sleeps() - whether it has put a task to sleep inside of something
 * @pid: the task
 * @inside: what has to be in the stack as well
 * @outside: likewise
 */
int memory_cgroup_sleeps(pid_t pid, const char *inside, const char *outside)
{
	char path[64], *stack;
	int sleeps;

	snprintf(path, sizeof(path), "/proc/%d/stack", pid);
	if (guest_read_file(path, &stack, NULL))
		return 0;
	sleeps = strstr(stack, "mem_cgroup_handle_over_high") && strstr(stack, inside) &&
		 strstr(stack, outside);
	free(stack);
	return sleeps;
}

/** memory_cgroup_teardown() - remove it, once no task is in it */
void memory_cgroup_teardown(void)
{
	rmdir(CGROUP);
	umount2(CGROUP_MOUNT, MNT_DETACH);
	rmdir(CGROUP_MOUNT);
}
