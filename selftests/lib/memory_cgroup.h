/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A memory cgroup with a limit. Over memory.high, it puts its tasks to sleep, up to two seconds,
 * inside every large allocation that is charged to it; over memory.max, the kernel kills a task of
 * it.
 */
#ifndef MEMORY_CGROUP_H
#define MEMORY_CGROUP_H

#include <sys/types.h>

int memory_cgroup_setup(const char *limit, const char *bytes);
int memory_cgroup_enter(void);
int memory_cgroup_open(const char *file);
int memory_cgroup_reclaim(const char *bytes);
int memory_cgroup_sleeps(pid_t pid, const char *inside, const char *outside);
void memory_cgroup_teardown(void);

#endif /* MEMORY_CGROUP_H */
