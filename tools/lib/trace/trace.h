/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A saved trace: what was read from the descriptor of KMPROF_IOC_TRACE_START. Its events are
 * visited in the order of time, over all CPUs, with what each task does at that time. Needs
 * memory for the tasks, and an index of the batches, but not for events.
 *
 * The file is distrusted: what a visitor gets can be followed without a check. These hold:
 * ids of tasks fit into 31 bits; numbers of CPUs are less than header.nr_cpus; an event of a known
 * type has at least the arguments and the text that its type has.
 */
#ifndef KMPROF_TRACE_TRACE_H
#define KMPROF_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <linux/kmprof.h>

#include "trace/tasks.h"
#include "util/error.h"

enum {
	/* The byte that begins a record has so many types. */
	KMPROF_TRACE_TYPES	= 1 << KMPROF_TRACE_CONTEXT_SHIFT,
	/* No kernel has more: it would be no trace. */
	KMPROF_TRACE_CPUS_MOST	= 1 << 16,
	/* Bytes of the header of the first traces. */
	KMPROF_TRACE_HEADER_LEAST = offsetof(struct kmprof_trace_header, filter),
};

struct kmprof_known;
struct kmprof_trace_index;
struct kmprof_trace_stacks;

/**
 * struct kmprof_trace - an open trace
 * @name: for messages
 * @header: its header; what a shorter one does not have is 0
 * @type: by enum kmprof_trace_event: how its records are made; @name is empty if the trace does
 *	not have the type
 * @tasks: array of @header.nr_tasks: as in the file. Most want kmprof_tasks of begin() instead
 * @has_end: it has its last batch; else it was cut short, or tracing was
 * @was_suspended: the system was suspended between start and end: all times are wrong
 * @end: contents of the last batch; without it, the same as far as it is known: its time is that
 *	of the last event
 * @events: number of events that are told: those from its start to its end
 * @lost: number of events that were lost meanwhile
 * @first_ns: CLOCK_MONOTONIC when the trace was started
 * @last_ns: the same when it was stopped; of a trace that was cut short, not before the last event
 * @note: a warning, with a hint; @note.text is empty if there is none
 * @fd: the file
 * @size: bytes of it that can be used
 * @index: where the batches of each CPU are
 * @stacks: its stacks; NULL: it has none
 * @known: what its tasks did at first, and more that only its end tells
 */
struct kmprof_trace {
	const char *name;
	struct kmprof_trace_header header;
	struct kmprof_trace_type type[KMPROF_TRACE_TYPES];
	struct kmprof_trace_task *tasks;
	bool has_end;
	bool was_suspended;
	struct kmprof_trace_end end;
	__u64 events;
	__u64 lost;
	__u64 first_ns;
	__u64 last_ns;
	struct kmprof_error note;
	int fd;
	__u64 size;
	struct kmprof_trace_index *index;
	struct kmprof_trace_stacks *stacks;
	struct kmprof_known *known;
};

/**
 * struct kmprof_event - an event
 * @ns: CLOCK_MONOTONIC; never less than that of the event before. header.start has the other clocks
 *	at @first_ns
 * @cpu: the CPU on which it was recorded
 * @type: enum kmprof_trace_event, or another one that the trace has
 * @context: enum kmprof_trace_context
 * @name: the name of the type
 * @task: the task that runs there: before a KMPROF_TRACE_SWITCH, the one that goes
 * @other: the task that it is about: that is switched to, woken, moved, created or renamed, or that
 *	holds the lock; else NULL
 * @nr_args: number of arguments, without the stack
 * @args: the arguments
 * @stack: number of a stack, for kmprof_trace_stack_at(); 0: there is none
 * @text: the text, any bytes, with a NUL behind them; empty if the type has none
 * @length: bytes of the text
 *
 * @task and @other are as they were before the event. Their changes are visited after it.
 */
struct kmprof_event {
	__u64 ns;
	__u32 cpu;
	__u32 type;
	__u32 context;
	const char *name;
	const struct kmprof_task *task;
	const struct kmprof_task *other;
	__u32 nr_args;
	const __u64 *args;
	__u32 stack;
	const char *text;
	size_t length;
};

/**
 * struct kmprof_gap - events that found no room
 * @cpu: the CPU that has lost them
 * @from_ns: the last event of that CPU before them, or the start of the trace
 * @to_ns: not later than its next event
 * @count: how many
 */
struct kmprof_gap {
	__u32 cpu;
	__u64 from_ns;
	__u64 to_ns;
	__u64 count;
};

/**
 * struct kmprof_visitor - what is called while a trace is walked
 * @begin: before everything else; @tasks has all tasks that were there when the trace started, with
 *	the states that they had. kmprof_tasks_at() lists them
 * @event: each event
 * @change: each change of the state of a task: after the event that causes it, or before the one
 *	from which it is inferred
 * @runs: what a CPU runs from @ns on, if that follows from no event: idle tasks, too, which have no
 *	changes. @task is NULL if it is not known from then on. What each of them runs at the start
 *	has not to be told: see kmprof_tasks_on_cpu()
 * @loses: each loss behind an event of its CPU, in the order of @from_ns: what follows up to
 *	@to_ns, of other CPUs, is not all that has happened
 * @lost: each loss, in the order of @to_ns, before the next event of that CPU
 * @end: behind everything else
 *
 * Each may be NULL. All get the @to of kmprof_trace_walk(), and return 0, or a negative errno after
 * they have set @err, which ends the walk.
 */
struct kmprof_visitor {
	int (*begin)(void *to, const struct kmprof_trace *trace, const struct kmprof_tasks *tasks,
		     struct kmprof_error *err);
	int (*event)(void *to, const struct kmprof_event *event, struct kmprof_error *err);
	int (*change)(void *to, const struct kmprof_change *change, struct kmprof_error *err);
	int (*runs)(void *to, __u32 cpu, __u64 ns, const struct kmprof_task *task,
		    struct kmprof_error *err);
	int (*loses)(void *to, const struct kmprof_gap *gap, struct kmprof_error *err);
	int (*lost)(void *to, const struct kmprof_gap *gap, struct kmprof_error *err);
	int (*end)(void *to, const struct kmprof_trace *trace, struct kmprof_error *err);
};

/**
 * kmprof_trace_open() - open a saved trace, and look it through
 * @trace: filled in; closed by kmprof_trace_close()
 * @path: the file, "-" for standard input; must outlive @trace. What cannot be read at any place,
 *	as a pipe, is kept in memory
 * @err: explanation
 *
 * A trace that was cut short can be used up to there: see @note of struct kmprof_trace. All of it
 * is read, and read again by each walk: what a task did at the start follows from its first
 * event.
 *
 * Return: 0; -EINVAL if it is none, or damaged; another negative errno.
 */
int kmprof_trace_open(struct kmprof_trace *trace, const char *path, struct kmprof_error *err);
void kmprof_trace_close(struct kmprof_trace *trace);

/* Were all events of these types recorded? @events: bit mask, as that of the header */
static inline bool kmprof_trace_records(const struct kmprof_trace *trace, __u64 events)
{
	return !(events & ~trace->header.events);
}

/**
 * kmprof_trace_walk() - visit the events of a trace in order
 * @trace: the trace
 * @visitor: what is called
 * @to: handed to it
 * @err: explanation
 *
 * The events of a CPU come in the order in which they were recorded. Those of different CPUs come
 * by time; at the same time, what makes a task runnable comes before the switch to it.
 *
 * Return: 0; the negative errno of a call; another one if the file cannot be read, or has changed.
 */
int kmprof_trace_walk(const struct kmprof_trace *trace, const struct kmprof_visitor *visitor,
		      void *to, struct kmprof_error *err);

/* Number of its stacks. */
__u32 kmprof_trace_count_stacks(const struct kmprof_trace *trace);

/* A stack by its number, from 1 to kmprof_trace_count_stacks(). It has a frame or more. */
const struct kmprof_trace_stack *kmprof_trace_stack_at(const struct kmprof_trace *trace,
						       __u32 number);

/* All of them, one behind the other; NULL: there are none. */
const char *kmprof_trace_stack_bytes(const struct kmprof_trace *trace, size_t *size);

/* The names that were saved with it, which are not checked; NULL: there are none. */
const char *kmprof_trace_names(const struct kmprof_trace *trace, size_t *size);

/* Writes it as it is. Return: 0 or a negative errno. */
int kmprof_trace_copy(const struct kmprof_trace *trace, FILE *file, struct kmprof_error *err);

#endif
