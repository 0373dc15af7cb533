/* SPDX-License-Identifier: GPL-2.0 */
/* Which processes are traced: see trace/filter_process.c. */
#ifndef KMPROF_TRACE_FILTER_PROCESS_H
#define KMPROF_TRACE_FILTER_PROCESS_H

#include <linux/bitops.h>
#include <linux/sched.h>

struct kmprof_task_filter;

/* While only some are traced: these, by tgid. NULL: all are. */
extern unsigned long *kmprof_trace_wanted;

void kmprof_trace_process_look(struct task_struct *task, const char *comm);
void kmprof_trace_process_inherit(struct task_struct *child);

int kmprof_trace_processes_begin(const struct kmprof_task_filter *wanted);
void kmprof_trace_processes_choose(void);
void kmprof_trace_processes_end(void);

/**
 * kmprof_trace_process_is_wanted() - does the filter want the process of a task?
 * @task: the task; of an interrupt, the one that it has interrupted
 *
 * Context: Any, while there is a filter.
 * Return: true if so.
 */
static __always_inline bool kmprof_trace_process_is_wanted(const struct task_struct *task)
{
	return !kmprof_trace_wanted || test_bit(task->tgid, kmprof_trace_wanted);
}

#endif
