/* SPDX-License-Identifier: GPL-2.0 */
/* The cgroups (version 2) of this machine: from an id to a path. */
#ifndef KMPROF_SYMBOLS_CGROUPS_H
#define KMPROF_SYMBOLS_CGROUPS_H

#include <stddef.h>

#include <linux/types.h>

#define KMPROF_MOUNTINFO	"/proc/self/mountinfo"

/**
 * struct kmprof_cgroup - a cgroup that exists
 * @id: inode number of its directory
 * @path: below the mount point, from "/" on; printable ASCII, with '?' for anything else
 */
struct kmprof_cgroup {
	__u64 id;
	char *path;
};

/**
 * struct kmprof_cgroups - all of them, by id
 * @cgroup: array
 * @nr: how many
 * @room: how many the array has room for
 */
struct kmprof_cgroups {
	struct kmprof_cgroup *cgroup;
	size_t nr;
	size_t room;
};

/**
 * kmprof_cgroups_load() - read the names of all cgroups
 * @cgroups: filled in; empty when there is nothing mounted to read them from
 * @mountinfo: file that says where they are mounted, like KMPROF_MOUNTINFO
 *
 * Return: 0 or -ENOMEM. What cannot be read is left out.
 */
int kmprof_cgroups_load(struct kmprof_cgroups *cgroups, const char *mountinfo);
void kmprof_cgroups_release(struct kmprof_cgroups *cgroups);

/* Return: the path of a cgroup, or NULL: it is gone, or not of this machine. */
const char *kmprof_cgroups_find(const struct kmprof_cgroups *cgroups, __u64 id);

#endif
