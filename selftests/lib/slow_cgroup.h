/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A memory cgroup that is over its limit: it puts its tasks to sleep, up to two seconds, inside
 * every large allocation that is charged to it.
 */
#ifndef SLOW_CGROUP_H
#define SLOW_CGROUP_H

#include <sys/types.h>

int slow_cgroup_setup(void);
int slow_cgroup_enter(void);
int slow_cgroup_sleeps(pid_t pid, const char *inside, const char *outside);
void slow_cgroup_teardown(void);

#endif /* SLOW_CGROUP_H */
