// SPDX-License-Identifier: GPL-2.0
/*
 * Conditions on tasks:
 *
 * pid=ID		the task or its process has this id, in the initial PID namespace
 * comm=NAME		the task has this name, in which "?" is any character
 * cgroup=PATH or ID	the task is in this cgroup (version 2), or in one below it
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/err.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "core/conditions.h"
#include "core/task_filter.h"

static int parse_pid(struct kmprof_task_filter *f, const char *text)
{
	u64 pid;

	if (kmprof_condition_number(text, &pid) || !pid || pid > INT_MAX)
		return -EINVAL;
	f->pid = pid;
	return 0;
}

static int parse_comm(struct kmprof_task_filter *f, const char *text)
{
	return strscpy(f->comm, text, sizeof(f->comm)) > 0 ? 0 : -EINVAL;
}

static int parse_cgroup(struct kmprof_task_filter *f, const char *text)
{
	int err;

	if (*text != '/')
		return kmprof_condition_number(text, &f->cgroup);
	err = kmprof_compat_cgroup_id(text, &f->cgroup);
	if (err)
		pr_err("cgroup=%s: %pe\n", text, ERR_PTR(err));
	return err ? -EINVAL : 0;
}

static const char *const task_keys[] = {
	[KMPROF_TASK_PID]	= "pid",
	[KMPROF_TASK_COMM]	= "comm",
	[KMPROF_TASK_CGROUP]	= "cgroup",
};

static int (*const parse_task[])(struct kmprof_task_filter *f, const char *text) = {
	[KMPROF_TASK_PID]	= parse_pid,
	[KMPROF_TASK_COMM]	= parse_comm,
	[KMPROF_TASK_CGROUP]	= parse_cgroup,
};

/**
 * kmprof_task_filter_parse() - add a condition
 * @f: the filter
 * @key: key of the condition
 * @value: its value
 *
 * Context: Process context. Sleeps.
 * Return: 0; -ENOENT: it is none on tasks; or -EINVAL: it is not valid, there is one of that key
 * already, or its cgroup is not there, with a message in the log.
 */
int kmprof_task_filter_parse(struct kmprof_task_filter *f, const char *key, const char *value)
{
	int i = kmprof_condition_claim(task_keys, ARRAY_SIZE(task_keys), key, &f->has);

	return i < 0 ? i : parse_task[i](f, value);
}

static bool matches(char is, char wanted)
{
	return is == wanted || (is && wanted == '?');
}

/**
 * kmprof_task_filter_wants_name() - does the condition on names hold?
 * @f: the filter
 * @comm: name of a task. Another task may change it meanwhile: any mixture of old and new name will
 *	do
 *
 * Context: Any. Takes no locks.
 * Return: whether it holds, or there is none.
 */
bool kmprof_task_filter_wants_name(const struct kmprof_task_filter *f, const char *comm)
{
	const char *name = f->comm;
	unsigned int i;

	if (!kmprof_task_filter_has(f, KMPROF_TASK_COMM))
		return true;
	for (i = 0; i < KMPROF_COMM_LEN - 1 && name[i]; i++)
		/* see above */
		if (!matches(data_race(comm[i]), name[i]))
			return false;
	/* see above */
	return i == KMPROF_COMM_LEN - 1 || !data_race(comm[i]);
}

/**
 * kmprof_task_filter_wants() - do all conditions hold for a task?
 * @f: the filter
 * @task: the task
 * @comm: its name, or the one that it gets
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: whether they hold.
 */
bool kmprof_task_filter_wants(const struct kmprof_task_filter *f, struct task_struct *task,
			      const char *comm)
{
	if (kmprof_task_filter_has(f, KMPROF_TASK_PID) &&
	    task_pid_nr(task) != f->pid && task_tgid_nr(task) != f->pid)
		return false;
	return kmprof_task_filter_wants_name(f, comm) &&
	       (!kmprof_task_filter_has(f, KMPROF_TASK_CGROUP) ||
		kmprof_compat_in_cgroup(task, f->cgroup));
}
