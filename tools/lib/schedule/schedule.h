/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A whole trace in memory: what each task did, and which task each CPU ran, from when to when. It
 * takes 32 bytes for each change of a task, 16 for each switch, 40 for each part of a wait for a
 * lock, 16 for each begin and each end of an interrupt, 32 for each stall and each system call, 24
 * for each idle state and each frequency, and up to as much again, since the tables double as they
 * grow.
 */
#ifndef KMPROF_SCHEDULE_SCHEDULE_H
#define KMPROF_SCHEDULE_SCHEDULE_H

#include "schedule/calls.h"
#include "schedule/cpu_states.h"
#include "schedule/flow.h"
#include "schedule/grace_periods.h"
#include "schedule/interruptions.h"
#include "schedule/legs.h"
#include "schedule/stalls.h"
#include "trace/trace.h"
#include "util/growing.h"

/* Numbers of a context, in two bits of a record. */
enum { KMPROF_SCHEDULE_CONTEXTS = 4 };

/**
 * struct kmprof_stretch - a time for which a task is in one state
 * @from_ns: when it begins: CLOCK_MONOTONIC. It ends when the next one of the task begins, the last
 *	one when the trace ends
 * @cpu: where the task runs, has last run or was moved to; of one that has not run, where it was
 *	woken or created; or KMPROF_CPU_UNKNOWN
 * @waker: runnable after sleep: number of the task that ran where this one was woken, or
 *	KMPROF_NO_TASK
 * @reason: asleep: enum kmprof_trace_state, or a value of a later version
 * @stack: asleep: number of the stack with which it went to sleep; runnable after sleep: with which
 *	it was woken. Of those that are the same, that of the first one; 0: not known
 * @state: enum kmprof_task_state
 * @waker_context: enum kmprof_trace_context: whether @waker was on the CPU, or an interrupt
 * @is_inferred: no event tells of it; it must have begun before the next one of the task
 */
struct kmprof_stretch {
	__u64 from_ns;
	__u32 cpu;
	__u32 waker;
	__u32 reason;
	__u32 stack;
	__u8 state;
	__u8 waker_context;
	bool is_inferred;
};

/**
 * struct kmprof_move - a task that waits for a CPU waits for another one from now on
 * @from_ns: when
 * @cpu: the other one
 */
struct kmprof_move {
	__u64 from_ns;
	__u32 cpu;
};

/**
 * struct kmprof_life - a task of a trace
 * @tid: its id at the end
 * @comm: its name at the end; empty: not known
 * @name: number of the first task with the same name: tasks of one name are often shown as one. The
 *	idle task has none: 0
 * @parent: number of the task that created it; 0: not known
 * @stretches: table of struct kmprof_stretch; before the first one, it had not been created
 * @moves: table of struct kmprof_move
 * @legs: table of struct kmprof_leg: the waits of the task for locks, but not those of interrupts
 * @stalls: table of struct kmprof_stall
 * @calls: table of struct kmprof_call
 * @flow: memory that it has allocated and freed, but not that of interrupts
 * @softirq: the one that it has left its CPU with
 */
struct kmprof_life {
	__u32 tid;
	char comm[KMPROF_COMM_LEN];
	__u32 name;
	__u32 parent;
	struct kmprof_growing stretches;
	struct kmprof_growing moves;
	struct kmprof_growing legs;
	struct kmprof_growing stalls;
	struct kmprof_growing calls;
	struct kmprof_flow flow;
	struct kmprof_softirq softirq;
};

/**
 * struct kmprof_turn - a time for which a CPU runs one task
 * @from_ns: when it begins. It ends when the next one of the CPU begins, the last one when the
 *	trace ends. Before the first one, it is not known what the CPU runs
 * @task: number of the task; 0: idle; KMPROF_NO_TASK
 */
struct kmprof_turn {
	__u64 from_ns;
	__u32 task;
};

/**
 * struct kmprof_schedule - a trace in memory
 * @from_ns: when it was started: CLOCK_MONOTONIC
 * @to_ns: when it ended
 * @life: by the number of the task. The idle task, 0, has no stretches
 * @nr_lives: how many
 * @turns: by CPU: table of struct kmprof_turn
 * @interruptions: by CPU: table of struct kmprof_interruption
 * @idle_states: by CPU: table of struct kmprof_cpu_state
 * @frequencies: the same
 * @grace_periods: of RCU
 * @handlers: what interrupts were for
 * @nr_cpus: how many
 * @flow: memory of interrupts, by enum kmprof_trace_context; KMPROF_TRACE_IN_TASK: of idle tasks
 */
struct kmprof_schedule {
	__u64 from_ns;
	__u64 to_ns;
	struct kmprof_life *life;
	__u32 nr_lives;
	struct kmprof_growing *turns;
	struct kmprof_growing *interruptions;
	struct kmprof_growing *idle_states;
	struct kmprof_growing *frequencies;
	struct kmprof_grace_periods grace_periods;
	struct kmprof_handlers handlers;
	__u32 nr_cpus;
	struct kmprof_flow flow[KMPROF_SCHEDULE_CONTEXTS];
};

/**
 * kmprof_schedule_read() - walk a trace, and keep what its tasks did
 * @schedule: filled in; released by kmprof_schedule_release(), also after a failure
 * @trace: the trace
 * @same: by number of a stack: that of the first one that is the same, which is kept
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_schedule_read(struct kmprof_schedule *schedule, const struct kmprof_trace *trace,
			 const __u32 *same, struct kmprof_error *err);
void kmprof_schedule_release(struct kmprof_schedule *schedule);

/* The stretches of a task, and their number. */
const struct kmprof_stretch *kmprof_life_stretches(const struct kmprof_life *life, size_t *nr);

/* The moves of a task, and their number. */
const struct kmprof_move *kmprof_life_moves(const struct kmprof_life *life, size_t *nr);

/* The waits of a task for locks, and the number of their legs. */
const struct kmprof_leg *kmprof_life_legs(const struct kmprof_life *life, size_t *nr);

/* The stalls of a task, and their number. */
const struct kmprof_stall *kmprof_life_stalls(const struct kmprof_life *life, size_t *nr);

/* The system calls of a task, and their number. */
const struct kmprof_call *kmprof_life_calls(const struct kmprof_life *life, size_t *nr);

/* The lock for which a task slept that went to sleep at @ns: a leg; NULL: for none. */
const struct kmprof_leg *kmprof_life_sleeps_for(const struct kmprof_life *life, __u64 ns);

/* When a stretch ends. @i: its index among those of @life */
__u64 kmprof_stretch_end(const struct kmprof_schedule *schedule, const struct kmprof_life *life,
			 size_t i);

/**
 * kmprof_life_cpu_at() - the CPU for which a task waits
 * @schedule: the trace
 * @life: the task
 * @i: index of the stretch in which it waits
 * @ns: a time in that
 * @next: returns the index of its next move
 *
 * Return: the CPU, or KMPROF_CPU_UNKNOWN.
 */
__u32 kmprof_life_cpu_at(const struct kmprof_schedule *schedule, const struct kmprof_life *life,
			 size_t i, __u64 ns, size_t *next);

/* The turns of a CPU, and their number; none of a CPU that is not known. */
const struct kmprof_turn *kmprof_schedule_turns(const struct kmprof_schedule *schedule, __u32 cpu,
						size_t *nr);

/* What interrupts a CPU, and the number of entries; none of a CPU that is not known. */
const struct kmprof_interruption *kmprof_schedule_interruptions(const struct kmprof_schedule *s,
								__u32 cpu, size_t *nr);

/**
 * kmprof_first_at() - the entry of a table that a time belongs to
 * @entries: the first one; each begins with a __u64: the time from which on it holds
 * @nr: number of entries, not 0
 * @size: bytes of an entry
 * @ns: the time
 *
 * Return: the last entry that does not begin after @ns; the first one if all do.
 */
size_t kmprof_first_at(const void *entries, size_t nr, size_t size, __u64 ns);

#endif
