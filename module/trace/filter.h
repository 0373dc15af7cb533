/* SPDX-License-Identifier: GPL-2.0 */
/* Which processes are traced: see trace/filter.c. */
#ifndef KMPROF_TRACE_FILTER_H
#define KMPROF_TRACE_FILTER_H

#include <linux/bitops.h>
#include <linux/jump_label.h>
#include <linux/sched.h>

/* There is a filter. Without one, what asks it is a nop. */
DECLARE_STATIC_KEY_FALSE(kmprof_trace_filters);

/* While there is a filter: the processes that are traced, by tgid. */
extern unsigned long *kmprof_trace_wanted;

void kmprof_trace_filter_look(struct task_struct *task, const char *comm);
void kmprof_trace_filter_inherit(struct task_struct *child);

int kmprof_trace_filter_begin(const char *text);
void kmprof_trace_filter_choose(void);
void kmprof_trace_filter_end(void);
const char *kmprof_trace_filter_text(void);

/**
 * kmprof_trace_has_filter() - is there a filter?
 *
 * Context: Any, while events are recorded.
 * Return: true if so.
 */
static __always_inline bool kmprof_trace_has_filter(void)
{
	return static_branch_unlikely(&kmprof_trace_filters);
}

/**
 * kmprof_trace_wants() - is the process of a task traced?
 * @task: the task; of an interrupt, the one that it has interrupted
 *
 * Context: Any, while events are recorded.
 * Return: true if so.
 */
static __always_inline bool kmprof_trace_wants(const struct task_struct *task)
{
	return !kmprof_trace_has_filter() || test_bit(task->tgid, kmprof_trace_wanted);
}

#endif
