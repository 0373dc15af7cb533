// SPDX-License-Identifier: GPL-2.0
/* Processes that labels tell apart, and the cgroups that they are in. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/owner.h"

#define CGROUPS "/tmp/kmprof_owners"

const struct owner owners_unborn[OWNERS] = {
	{ .comm = "kmprof one" },
	{ .comm = "kmprof \033[7mtwo" },
};

static const char *const directories[OWNERS] = { CGROUPS "/one", CGROUPS "/two" };

/**
 * owners_make_cgroups() - make a cgroup (version 2) for each process
 * @owners: out: their cgroups
 */
int owners_make_cgroups(struct owner owners[OWNERS])
{
	struct stat status;
	unsigned int i;

	if (mkdir(CGROUPS, 0700) && errno != EEXIST)
		return guest_complain("mkdir", CGROUPS, errno);
	if (mount("none", CGROUPS, "cgroup2", 0, NULL))
		return guest_complain("mount", CGROUPS, errno);
	for (i = 0; i < OWNERS; i++) {
		if (mkdir(directories[i], 0700) || stat(directories[i], &status))
			return guest_complain("cgroup", directories[i], errno);
		owners[i].cgroup = status.st_ino;
	}
	return 0;
}

/**
 * owners_remove_cgroups() - remove the cgroups that owners_make_cgroups() has made
 * @owners: those that have a cgroup; the processes have ended
 */
int owners_remove_cgroups(const struct owner owners[OWNERS])
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < OWNERS; i++)
		if (owners[i].cgroup && rmdir(directories[i]))
			ret = guest_complain("rmdir", directories[i], errno);
	if (umount(CGROUPS))
		ret = guest_complain("umount", CGROUPS, errno);
	return ret;
}

/**
 * owner_become() - take the name, and go into the cgroup, of a process
 * @owner: one of owners_unborn[], with its cgroup
 */
int owner_become(const struct owner *owner)
{
	unsigned int i = !!strcmp(owner->comm, owners_unborn[0].comm);
	char procs[128];

	prctl(PR_SET_NAME, owner->comm);
	if (!owner->cgroup)
		return 0;
	snprintf(procs, sizeof(procs), "%s/cgroup.procs", directories[i]);
	return guest_write_file(procs, "0");
}

/**
 * owner_has() - is it the label of this process?
 * @owner: the process
 * @label: the label, or NULL
 * @labels: KMPROF_LABEL_* that it should have; without one, its field is to be empty
 *
 * Return: 1 if so, else 0.
 */
int owner_has(const struct owner *owner, const struct kmprof_image_label *label, uint32_t labels)
{
	return label && label->labels == labels &&
	       !strcmp(label->comm, labels & KMPROF_LABEL_COMM ? owner->comm : "") &&
	       label->pid == (labels & KMPROF_LABEL_PID ? (uint32_t)owner->pid : 0) &&
	       label->cgroup == (labels & KMPROF_LABEL_CGROUP ? owner->cgroup : 0);
}
