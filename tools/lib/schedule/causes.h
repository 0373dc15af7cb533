/* SPDX-License-Identifier: GPL-2.0 */
/* The tree of causes: what it is made of, and how. */
#ifndef KMPROF_SCHEDULE_CAUSES_H
#define KMPROF_SCHEDULE_CAUSES_H

#include "trace/stalls.h"
#include "util/growing.h"

/**
 * enum kmprof_why - what a task does
 * @KMPROF_WHY_ALL: the root: all of it
 * @KMPROF_WHY_RUNS: it runs
 * @KMPROF_WHY_SPINS: it runs, and spins for a lock
 * @KMPROF_WHY_HANDLES: it is on a CPU, where a handler of an interrupt or a softirq runs. That can
 *	be its own work, or have nothing to do with it
 * @KMPROF_WHY_STALLS: it reclaims or compacts memory; the causes below are what it does meanwhile
 * @KMPROF_WHY_CALLS: it is in a system call; the causes below are what it does meanwhile
 * @KMPROF_WHY_RUNNABLE: it waits for a CPU; the causes below are what the CPU ran
 * @KMPROF_WHY_BEHIND: below that: another task
 * @KMPROF_WHY_IDLE: below that: nothing: the CPU was about to take the task up, perhaps from an
 *	idle state, which takes time to leave
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
	KMPROF_WHY_SPINS,
	KMPROF_WHY_HANDLES,
	KMPROF_WHY_STALLS,
	KMPROF_WHY_CALLS,
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

/* Is it something that a task is in, while it does what is below it? */
static inline bool kmprof_why_is_span(enum kmprof_why why)
{
	return why == KMPROF_WHY_STALLS || why == KMPROF_WHY_CALLS;
}

/**
 * struct kmprof_place - where tasks slept
 * @ns: for how long
 * @count: how often
 * @stack: number of the stack with which they went to sleep, not 0
 */
struct kmprof_place {
	__u64 ns;
	__u64 count;
	__u32 stack;
};

/**
 * struct kmprof_cause - a node of the tree
 * @why: what the task does
 * @reason: of the three kinds of sleep: enum kmprof_trace_state
 * @context: KMPROF_WHY_INTERRUPT: which: enum kmprof_trace_context
 * @lock: the lock that the task sleeps or spins for; 0: none
 * @kind: of that: enum kmprof_lock_kind
 * @handler: KMPROF_WHY_HANDLES: which: its index
 * @stall: KMPROF_WHY_STALLS: which
 * @call: KMPROF_WHY_CALLS: its number
 * @idle: KMPROF_WHY_IDLE: 1 + number of the idle state; 0: in none
 * @name: KMPROF_WHY_SPINS: of the task that holds the lock, or KMPROF_NO_TASK; _BEHIND: of that
 *	task; _ASLEEP: of the one that wakes; _ABSENT: of the one that creates: @name of struct
 *	kmprof_life
 * @of: in a list of ends, name of the task that does it; 0: one of those that were asked for
 * @ns: for how long
 * @count: how often it was the cause
 * @places: of the three kinds of sleep: table of struct kmprof_place: where, as far as is known,
 *	the longest first
 * @causes: the first of those below, the longest first
 * @next: the next one beside it
 * @found: those below, as a tree for tsearch(), while they are made
 * @edges: what is yet to be explained, the same
 */
struct kmprof_cause {
	enum kmprof_why why;
	__u32 reason;
	__u32 context;
	__u64 lock;
	__u32 kind;
	__u32 handler;
	enum kmprof_stall_kind stall;
	__u64 call;
	__u64 idle;
	__u32 name;
	__u32 of;
	__u64 ns;
	__u64 count;
	struct kmprof_growing places;
	struct kmprof_cause *causes;
	struct kmprof_cause *next;
	void *found;
	struct kmprof_growing edges;
};

/**
 * kmprof_cause_add() - add time to a cause
 * @of: it is below that
 * @kind: the cause, as far as it is told from others; the rest is zero
 * @ns: for how long
 * @count: how often
 *
 * Return: the cause, which is new if there was none of that kind; NULL: no memory.
 */
struct kmprof_cause *kmprof_cause_add(struct kmprof_cause *of, const struct kmprof_cause *kind,
				      __u64 ns, __u64 count);

/* Adds time to a place of a cause. Return: 0 or -ENOMEM. */
int kmprof_cause_add_place(struct kmprof_cause *cause, const struct kmprof_place *place);

/* The places of a cause, and their number. */
const struct kmprof_place *kmprof_cause_places(const struct kmprof_cause *cause, size_t *nr);

/* All places of @of, and all causes below it, are there: puts the longest first. */
void kmprof_cause_finish(struct kmprof_cause *of);

/* Frees what is below. */
void kmprof_causes_release(struct kmprof_cause *root);

#endif
