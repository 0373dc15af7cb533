/* SPDX-License-Identifier: GPL-2.0 */
/* Who waits for whom at one moment of a trace. A task waits for one other task at most. */
#ifndef KMPROF_SCHEDULE_GRAPH_H
#define KMPROF_SCHEDULE_GRAPH_H

#include "schedule/causes.h"
#include "schedule/schedule.h"

/**
 * struct kmprof_node - a task that waits for another one, or that another one waits for
 * @task: number of the task
 * @on: number of the one that it waits for; 0: none
 * @why: what it does: KMPROF_WHY_RUNS; KMPROF_WHY_RUNNABLE: @on runs on its CPU; KMPROF_WHY_ASLEEP:
 *	until @on wakes it; KMPROF_WHY_INTERRUPT; KMPROF_WHY_ALONE; KMPROF_WHY_ABSENT: until @on
 *	creates it; or KMPROF_WHY_UNKNOWN
 * @cpu: on which it runs, or waits to run
 * @reason: asleep: enum kmprof_trace_state
 * @stack: asleep: number of the stack with which it went to sleep; 0: not known
 * @lock: the lock that it sleeps for; 0: for none
 * @kind: of that: enum kmprof_lock_kind
 * @context: KMPROF_WHY_INTERRUPT: which: enum kmprof_trace_context
 */
struct kmprof_node {
	__u32 task;
	__u32 on;
	enum kmprof_why why;
	__u32 cpu;
	__u32 reason;
	__u32 stack;
	__u64 lock;
	__u32 kind;
	__u32 context;
};

/**
 * kmprof_schedule_graph() - tell who waits for whom
 * @schedule: the trace
 * @ns: when: CLOCK_MONOTONIC
 * @nodes: array, in the order of the tasks' numbers; to be freed
 * @nr: entries
 * @err: explanation
 *
 * Tasks that wait for no other one are left out, unless one waits for them.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_schedule_graph(const struct kmprof_schedule *schedule, __u64 ns,
			  struct kmprof_node **nodes, size_t *nr, struct kmprof_error *err);

#endif
