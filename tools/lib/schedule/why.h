/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why it took so long: the time of a task as a tree of causes. A task that waits for a CPU waits
 * for those that the CPU runs meanwhile. A task that sleeps waits for the task that wakes it, and
 * so for all that this one does meanwhile: runs, waits, sleeps until a third one wakes it, or has
 * not been created yet.
 * Causes that are the same in the same place are added up. Tasks of the same name are taken as one.
 *
 * Where it could be looked into, the time of a cause is the sum of those below it. A sum that would
 * be too large stays at the largest number.
 */
#ifndef KMPROF_SCHEDULE_WHY_H
#define KMPROF_SCHEDULE_WHY_H

#include "schedule/schedule.h"

/**
 * enum kmprof_why - what a task does
 * @KMPROF_WHY_ALL: the root: all of it
 * @KMPROF_WHY_RUNS: it runs
 * @KMPROF_WHY_RUNNABLE: it waits for a CPU; the causes below are what the CPU ran
 * @KMPROF_WHY_BEHIND: below that: another task
 * @KMPROF_WHY_IDLE: below that: nothing: the CPU was about to take the task up
 * @KMPROF_WHY_ASLEEP: it sleeps until a task wakes it; the causes below are what that task does
 * @KMPROF_WHY_INTERRUPT: it sleeps until an interrupt wakes it
 * @KMPROF_WHY_ALONE: it sleeps, and what ended that is not in the trace
 * @KMPROF_WHY_ABSENT: it has not been created; the causes below are what the task that creates it
 *	does
 * @KMPROF_WHY_UNKNOWN: events are missing
 * @KMPROF_WHY_DEEPER: the chain goes on, but is not followed further
 */
enum kmprof_why {
	KMPROF_WHY_ALL,
	KMPROF_WHY_RUNS,
	KMPROF_WHY_RUNNABLE,
	KMPROF_WHY_BEHIND,
	KMPROF_WHY_IDLE,
	KMPROF_WHY_ASLEEP,
	KMPROF_WHY_INTERRUPT,
	KMPROF_WHY_ALONE,
	KMPROF_WHY_ABSENT,
	KMPROF_WHY_UNKNOWN,
	KMPROF_WHY_DEEPER,
};

/**
 * struct kmprof_cause - a node of the tree
 * @why: what the task does
 * @reason: of the three kinds of sleep: enum kmprof_trace_state
 * @stack: the same: number of the stack with which it went to sleep; 0: not known
 * @context: KMPROF_WHY_INTERRUPT: which: enum kmprof_trace_context
 * @name: KMPROF_WHY_BEHIND: of that task; KMPROF_WHY_ASLEEP: of the one that wakes;
 *	KMPROF_WHY_ABSENT: of the one that creates: @name of struct kmprof_life
 * @ns: for how long
 * @count: how often it was the cause
 * @causes: the first of those below, the longest first
 * @next: the next one beside it
 * @edges: what is yet to be explained, while the tree is made
 */
struct kmprof_cause {
	enum kmprof_why why;
	__u32 reason;
	__u32 stack;
	__u32 context;
	__u32 name;
	__u64 ns;
	__u64 count;
	struct kmprof_cause *causes;
	struct kmprof_cause *next;
	struct kmprof_growing edges;
};

/**
 * kmprof_why_ask() - ask for an explanation of the time of a task
 * @root: of kind KMPROF_WHY_ALL, with nothing below it
 * @task: number of the task, not 0; each task once
 * @from_ns: from when on: CLOCK_MONOTONIC
 * @to_ns: until when, not before that
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_why_ask(struct kmprof_cause *root, __u32 task, __u64 from_ns, __u64 to_ns,
		   struct kmprof_error *err);

/**
 * kmprof_why_explain() - explain what has been asked for
 * @root: the tree; the longest causes are first in it
 * @schedule: the trace
 * @err: explanation
 *
 * The time before a task was created and after it has exited needs no explanation.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_why_explain(struct kmprof_cause *root, const struct kmprof_schedule *schedule,
		       struct kmprof_error *err);

/* Frees what is below. */
void kmprof_why_release(struct kmprof_cause *root);

#endif
