// SPDX-License-Identifier: GPL-2.0
/*
 * The filter of a trace: which processes are traced. The text has conditions on tasks: see
 * core/task_filter.c. A process is traced, with all its threads, as soon as they hold for one of
 * its tasks, which is looked at when the trace begins, when the task is created or creates another
 * one, when it gets a name, and when it begins to run; and so is what a traced process creates. It
 * stays so until it exits: what has a begin has an end. Idle tasks are not traced.
 *
 * It is the process and not the task, since a task that executes a program can get another tid.
 *
 * Of other tasks there is only what has to be known of all: when they run, that they are woken,
 * created, renamed or gone, without stacks. Where a traced task is woken, there is the stack of who
 * wakes it. What is freed may have been allocated by a traced task. So all frees are recorded.
 * Interrupts are of no task.
 */
#include <linux/errno.h>
#include <linux/mm.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/threads.h>
#include <uapi/linux/kmprof.h>

#include "core/conditions.h"
#include "core/task_filter.h"
#include "trace/filter.h"

DEFINE_STATIC_KEY_FALSE(kmprof_trace_filters);
unsigned long *kmprof_trace_wanted;

/* Written while nothing is recorded. */
static struct kmprof_task_filter filter;
static char filter_text[KMPROF_TEXT_LEN];

/**
 * kmprof_trace_filter_look() - trace a process from now on, if the conditions hold for a task of it
 * @task: the task
 * @comm: its name, or the one that it gets
 *
 * Context: Any but NMI, while there is a filter. Preemption off, or in an RCU read-side critical
 * section.
 */
noinline void kmprof_trace_filter_look(struct task_struct *task, const char *comm)
{
	/* Another process may have the id of one that exits. */
	if (!task->tgid || READ_ONCE(task->flags) & PF_EXITING)
		return;
	if (!test_bit(task->tgid, kmprof_trace_wanted) &&
	    kmprof_task_filter_wants(&filter, task, comm))
		set_bit(task->tgid, kmprof_trace_wanted);
}

/**
 * kmprof_trace_filter_inherit() - trace a new process, or not, whatever the last one of its id was
 * @child: a task that the current one has created
 *
 * Context: Task, while there is a filter. Preemption off.
 */
noinline void kmprof_trace_filter_inherit(struct task_struct *child)
{
	if (child->tgid == current->tgid)
		return;
	/* It may not have been looked at yet. */
	kmprof_trace_filter_look(current, current->comm);
	assign_bit(child->tgid, kmprof_trace_wanted,
		   test_bit(current->tgid, kmprof_trace_wanted) ||
		   kmprof_task_filter_wants(&filter, child, child->comm));
}

static int add_condition(void *f, const char *key, char *value)
{
	return kmprof_task_filter_parse(f, key, value);
}

/**
 * kmprof_trace_filter_begin() - set the filter
 * @text: its text; empty: there is none, all tasks are traced
 *
 * Context: Process context, while nothing is recorded. Sleeps.
 * Return: 0; -EINVAL, with a message in the log: the text is none of a filter, or its cgroup is
 * not there; or -ENOMEM.
 */
int kmprof_trace_filter_begin(const char *text)
{
	memset(&filter, 0, sizeof(filter));
	*filter_text = '\0';
	if (!*text)
		return 0;
	if (kmprof_conditions_parse("filter", filter_text, text, add_condition, &filter))
		return -EINVAL;
	kmprof_trace_wanted = kvcalloc(BITS_TO_LONGS(PID_MAX_LIMIT), sizeof(*kmprof_trace_wanted),
				       GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!kmprof_trace_wanted)
		return -ENOMEM;
	static_branch_enable(&kmprof_trace_filters);
	return 0;
}

/**
 * kmprof_trace_filter_choose() - look at all tasks that are there
 *
 * Context: Process context. New tasks are recorded already.
 */
void kmprof_trace_filter_choose(void)
{
	struct task_struct *process, *thread;

	if (!kmprof_trace_wanted)
		return;
	rcu_read_lock();
	for_each_process_thread(process, thread)
		kmprof_trace_filter_look(thread, thread->comm);
	rcu_read_unlock();
}

/**
 * kmprof_trace_filter_end() - have no filter
 *
 * Context: Process context, when nothing is recorded any more. Sleeps.
 */
void kmprof_trace_filter_end(void)
{
	if (!kmprof_trace_wanted)
		return;
	static_branch_disable(&kmprof_trace_filters);
	kvfree(kmprof_trace_wanted);
	kmprof_trace_wanted = NULL;
}

/**
 * kmprof_trace_filter_text() - get the text of the filter
 *
 * Context: Process context, from kmprof_trace_filter_begin() to its end.
 * Return: the text, without blanks around it; empty: there is none.
 */
const char *kmprof_trace_filter_text(void)
{
	return filter_text;
}
