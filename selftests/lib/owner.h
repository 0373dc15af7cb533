/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Processes that labels tell apart: by name, process id and cgroup. Functions return 0 or a
 * negative errno unless they say otherwise.
 */
#ifndef OWNER_H
#define OWNER_H

#include <stdint.h>
#include <sys/types.h>

#include <linux/kmprof.h>

enum { OWNERS = 2 };

/**
 * struct owner - a process
 * @comm: its name
 * @pid: its id
 * @cgroup: id of its cgroup; 0: it stays in that of the test
 */
struct owner {
	const char *comm;
	pid_t pid;
	uint64_t cgroup;
};

/* The name of the second one would turn a terminal's colours around. */
extern const struct owner owners_unborn[OWNERS];
/* What texts show in the place of that name. */
#define OWNER_SHOWN_AS "kmprof ?[7mtwo"

int owners_make_cgroups(struct owner owners[OWNERS]);
int owners_remove_cgroups(const struct owner owners[OWNERS]);
int owner_become(const struct owner *owner);
int owner_has(const struct owner *owner, const struct kmprof_image_label *label, uint32_t labels);

#endif /* OWNER_H */
