// SPDX-License-Identifier: GPL-2.0
/*
 * Which processes a filter wants. It has conditions on tasks: see core/task_filter.c. A process is
 * traced, with all its threads, as soon as they hold for one of its tasks, which is looked at when
 * the trace begins, when the task is created or creates another one, when it gets a name, and when
 * it begins to run; and so is what a traced process creates. It stays so until it exits: what has a
 * begin has an end. Idle tasks are not traced.
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
#include <linux/threads.h>

#include "core/task_filter.h"
#include "trace/filter_process.h"

unsigned long *kmprof_trace_wanted;

/* Written while nothing is recorded. */
static struct kmprof_task_filter filter;

/**
 * kmprof_trace_process_look() - trace a process from now on if the conditions hold for its task
 * @task: the task
 * @comm: its name, or the one that it gets
 *
 * Context: Any but NMI, while there is a filter. Preemption off, or in an RCU read-side critical
 * section.
 */
noinline void kmprof_trace_process_look(struct task_struct *task, const char *comm)
{
	/* Another process may have the id of one that exits. */
	if (!kmprof_trace_wanted || !task->tgid || READ_ONCE(task->flags) & PF_EXITING)
		return;
	if (!test_bit(task->tgid, kmprof_trace_wanted) &&
	    kmprof_task_filter_wants(&filter, task, comm))
		set_bit(task->tgid, kmprof_trace_wanted);
}

/**
 * kmprof_trace_process_inherit() - trace a new process, or not, whatever the last one of its id was
 * @child: a task that the current one has created
 *
 * Context: Task, while there is a filter. Preemption off.
 */
noinline void kmprof_trace_process_inherit(struct task_struct *child)
{
	if (!kmprof_trace_wanted || child->tgid == current->tgid)
		return;
	/* It may not have been looked at yet. */
	kmprof_trace_process_look(current, current->comm);
	assign_bit(child->tgid, kmprof_trace_wanted,
		   test_bit(current->tgid, kmprof_trace_wanted) ||
		   kmprof_task_filter_wants(&filter, child, child->comm));
}

/**
 * kmprof_trace_processes_begin() - trace some processes only
 * @wanted: conditions on tasks; none: all are traced
 *
 * Context: Process context, while nothing is recorded. Sleeps.
 * Return: 0 or -ENOMEM.
 */
int kmprof_trace_processes_begin(const struct kmprof_task_filter *wanted)
{
	if (!wanted->has)
		return 0;
	filter = *wanted;
	kmprof_trace_wanted = kvcalloc(BITS_TO_LONGS(PID_MAX_LIMIT), sizeof(*kmprof_trace_wanted),
				       GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	return kmprof_trace_wanted ? 0 : -ENOMEM;
}

/**
 * kmprof_trace_processes_choose() - look at all tasks that are there
 *
 * Context: Process context. New tasks are recorded already.
 */
void kmprof_trace_processes_choose(void)
{
	struct task_struct *process, *thread;

	if (!kmprof_trace_wanted)
		return;
	rcu_read_lock();
	for_each_process_thread(process, thread)
		kmprof_trace_process_look(thread, thread->comm);
	rcu_read_unlock();
}

/**
 * kmprof_trace_processes_end() - trace all processes
 *
 * Context: Process context, when nothing is recorded any more. Sleeps.
 */
void kmprof_trace_processes_end(void)
{
	kvfree(kmprof_trace_wanted);
	kmprof_trace_wanted = NULL;
}
