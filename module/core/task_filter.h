/* SPDX-License-Identifier: GPL-2.0 */
/* Conditions of a filter on tasks. */
#ifndef KMPROF_TASK_FILTER_H
#define KMPROF_TASK_FILTER_H

#include <linux/bits.h>
#include <linux/types.h>
#include <uapi/linux/kmprof.h>

struct task_struct;

/* The conditions, in the order of their keys. */
enum {
	KMPROF_TASK_PID,
	KMPROF_TASK_COMM,
	KMPROF_TASK_CGROUP,
};

/**
 * struct kmprof_task_filter - conditions that all have to hold; 0: none
 * @has: which: bits of KMPROF_TASK_*
 * @pid: id of the task or its process
 * @cgroup: id of the cgroup
 * @comm: name of the task
 */
struct kmprof_task_filter {
	u32 has;
	pid_t pid;
	u64 cgroup;
	char comm[KMPROF_COMM_LEN];
};

/**
 * kmprof_task_filter_has() - is there such a condition?
 * @f: the filter
 * @key: KMPROF_TASK_*
 *
 * Context: Any.
 * Return: true if so.
 */
static inline bool kmprof_task_filter_has(const struct kmprof_task_filter *f, unsigned int key)
{
	return f->has & BIT(key);
}

int kmprof_task_filter_parse(struct kmprof_task_filter *f, const char *key, const char *value);
bool kmprof_task_filter_wants_name(const struct kmprof_task_filter *f, const char *comm);
bool kmprof_task_filter_wants(const struct kmprof_task_filter *f, struct task_struct *task,
			      const char *comm);

#endif
