// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <limits.h>
#include <string.h>

#include "dump/tasks.h"

/**
 * struct walk - a walk along a list, which has no end if it is damaged
 * @nr: how far
 * @seen: a place on the way, at a power of two
 */
struct walk {
	__u32 nr;
	__u64 seen;
};

bool kmprof_dump_is_task(const struct kmprof_trace_task *task)
{
	return task->tid && task->tid <= INT_MAX && task->tgid <= INT_MAX &&
	       !task->comm[sizeof(task->comm) - 1];
}

/* Goes on to *@at. Return: 0, or -ENODATA: it is not there, or goes in a circle. */
static int go_on(const struct kmprof_dump *dump, struct walk *walk, __u64 *at,
		 struct kmprof_error *err)
{
	int ret;

	if (!(walk->nr & (walk->nr + 1)))
		walk->seen = *at;
	walk->nr++;
	ret = kmprof_dump_word(dump, *at, at, err);
	if (!ret && (*at == walk->seen || walk->nr == KMPROF_DUMP_TASKS_MAX))
		ret = kmprof_error_set(err, -ENODATA, NULL, "%s: a list of tasks is damaged",
				       dump->name);
	return ret;
}

static int add_task(const struct kmprof_dump *dump, const struct kmprof_trace_crash *crash,
		    __u64 at, struct kmprof_growing *tasks, struct kmprof_error *err)
{
	struct kmprof_trace_task task = { 0 };
	int ret;

	ret = kmprof_dump_read(dump, at + crash->task_tid, &task.tid, sizeof(task.tid), err);
	if (!ret)
		ret = kmprof_dump_read(dump, at + crash->task_tgid, &task.tgid,
				       sizeof(task.tgid), err);
	if (!ret)
		ret = kmprof_dump_read(dump, at + crash->task_comm, task.comm,
				       sizeof(task.comm), err);
	if (ret)
		return ret;
	task.comm[sizeof(task.comm) - 1] = 0;
	if (!kmprof_dump_is_task(&task))
		return kmprof_error_set(err, -ENODATA, NULL, "%s: a task is damaged", dump->name);
	if (kmprof_growing_add(tasks, &task, sizeof(task)))
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", dump->name);
	return 0;
}

/* The threads of a process. */
static int add_threads(const struct kmprof_dump *dump, const struct kmprof_trace_crash *crash,
		       __u64 process, struct kmprof_growing *tasks, struct kmprof_error *err)
{
	struct walk walk = { 0 };
	__u64 signal, head, next;
	int ret = kmprof_dump_word(dump, process + crash->task_signal, &signal, err);

	head = signal + crash->signal_threads;
	if (!ret)
		ret = kmprof_dump_word(dump, head, &next, err);
	while (!ret && next != head) {
		ret = add_task(dump, crash, next - crash->task_thread, tasks, err);
		if (!ret)
			ret = go_on(dump, &walk, &next, err);
	}
	return ret;
}

int kmprof_dump_tasks(const struct kmprof_dump *dump, const struct kmprof_trace_crash *crash,
		      struct kmprof_growing *tasks, struct kmprof_error *err)
{
	__u64 head = crash->init_task + crash->task_next, next;
	struct walk walk = { 0 };
	int ret = kmprof_dump_word(dump, head, &next, err);

	while (!ret && next != head) {
		ret = add_threads(dump, crash, next - crash->task_next, tasks, err);
		if (!ret)
			ret = go_on(dump, &walk, &next, err);
	}
	return ret;
}
