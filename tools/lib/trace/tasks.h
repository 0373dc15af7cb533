/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tasks of a trace, and what each of them does at the moment to which the trace has been
 * walked. Ids of tasks are used again: a task has a number of its own, too.
 */
#ifndef KMPROF_TRACE_TASKS_H
#define KMPROF_TRACE_TASKS_H

#include <stdbool.h>

#include <linux/kmprof.h>

struct kmprof_event;
struct kmprof_tasks;

/**
 * enum kmprof_task_state - what a task does
 * @KMPROF_TASK_ABSENT: it has not been created yet
 * @KMPROF_TASK_UNKNOWN: not known: what would tell was lost, was not recorded, or was cut off. The
 *	time in it belongs to none of the others
 * @KMPROF_TASK_ASLEEP: it waits to be woken
 * @KMPROF_TASK_RUNNABLE: it waits for a CPU
 * @KMPROF_TASK_RUNNING: it runs
 * @KMPROF_TASK_DEAD: it has exited, and will not run again
 */
enum kmprof_task_state {
	KMPROF_TASK_ABSENT	= 0,
	KMPROF_TASK_UNKNOWN	= 1,
	KMPROF_TASK_ASLEEP	= 2,
	KMPROF_TASK_RUNNABLE	= 3,
	KMPROF_TASK_RUNNING	= 4,
	KMPROF_TASK_DEAD	= 5,
};

/* Of @reason of struct kmprof_task: it has not been seen. */
#define KMPROF_REASON_UNKNOWN	(~0U)
/* A CPU that is not known. */
#define KMPROF_CPU_UNKNOWN	(~0U)

/**
 * struct kmprof_task - a task
 * @number: unique in the trace, from 1 on without gaps; 0: the idle tasks, all of which are one
 * @tid: its id; 0: idle. After KMPROF_TRACE_EXEC by another thread than the main one, it is
 *	another one
 * @tgid: id of its process; 0: not known
 * @comm: its name at this time, printable ASCII, NUL-terminated; empty: not known
 * @state: what it does; always KMPROF_TASK_RUNNING of the idle tasks
 * @reason: enum kmprof_trace_state, or a value of a later version: how it was last switched out;
 *	KMPROF_REASON_UNKNOWN before that
 * @cpu: where it runs, has last run or was moved to; or KMPROF_CPU_UNKNOWN
 * @since_ns: since when it is in @state: CLOCK_MONOTONIC. What was so at the start is so since then
 * @parent: number of the task that created it; 0: not known, or the idle task
 */
struct kmprof_task {
	__u32 number;
	__u32 tid;
	__u32 tgid;
	char comm[KMPROF_COMM_LEN];
	enum kmprof_task_state state;
	__u32 reason;
	__u32 cpu;
	__u64 since_ns;
	__u32 parent;
};

/**
 * struct kmprof_change - a task changes its state
 * @task: the task, in its new state, since @ns
 * @ns: when
 * @cpu: where it stops or starts to run; for what makes it runnable, the CPU on which it was woken
 *	or created; KMPROF_CPU_UNKNOWN: not known
 * @from: the state before
 * @from_ns: since when it was in that
 * @event: the event that causes it; NULL: it must have changed before this time, as the next event
 *	shows, but that was lost or not recorded; or, to KMPROF_TASK_UNKNOWN, it may have
 *	changed since this time
 * @waker: from KMPROF_TASK_ASLEEP to KMPROF_TASK_RUNNABLE: the task that ran where it was woken;
 *	NULL: not known
 * @waker_context: enum kmprof_trace_context: whether it was that task or an interrupt
 * @stack: number of a stack: where the task stopped to run, or was woken; 0: there is none
 *
 * A task can be woken on its way to sleep, before it is switched out. Then its two changes, to
 * KMPROF_TASK_ASLEEP and on to KMPROF_TASK_RUNNABLE, both come with the switch. A task that is
 * woken while it is runnable, or was not going to sleep, does not change.
 */
struct kmprof_change {
	const struct kmprof_task *task;
	__u64 ns;
	__u32 cpu;
	enum kmprof_task_state from;
	__u64 from_ns;
	const struct kmprof_event *event;
	const struct kmprof_task *waker;
	__u32 waker_context;
	__u32 stack;
};

/* Number of tasks so far, with the idle one: all @number are less. */
__u32 kmprof_tasks_count(const struct kmprof_tasks *tasks);

/**
 * kmprof_tasks_at() - a task by its number
 * @tasks: the tasks
 * @number: less than kmprof_tasks_count()
 *
 * Return: the task. It stays where it is until the walk ends.
 */
const struct kmprof_task *kmprof_tasks_at(const struct kmprof_tasks *tasks, __u32 number);

/* Return: the task that runs on a CPU: number 0 when it is idle; NULL: not known. */
const struct kmprof_task *kmprof_tasks_on_cpu(const struct kmprof_tasks *tasks, __u32 cpu);

#endif
