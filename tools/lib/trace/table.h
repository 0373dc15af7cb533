/* SPDX-License-Identifier: GPL-2.0 */
/* struct kmprof_tasks for those who change it: by id, by number, and on which CPU. */
#ifndef KMPROF_TRACE_TABLE_H
#define KMPROF_TRACE_TABLE_H

#include <stddef.h>

#include "trace/tasks.h"

/**
 * struct kmprof_wake - a task was woken
 * @by: number of the task that ran there
 * @cpu: where
 * @context: enum kmprof_trace_context
 * @stack: number of the stack; 0: there is none
 */
struct kmprof_wake {
	__u32 by;
	__u32 cpu;
	__u32 context;
	__u32 stack;
};

/**
 * struct kmprof_task_entry - a task, and what only the walk has to know
 * @task: what others see; first, so that either can be had from the other
 * @next: the next one with the same hash, or NULL
 * @is_woken: it was woken while it ran: it may have been on its way to sleep
 * @wake: that
 * @is_known: its state is. Only while a trace is looked through, at first, it can be unknown
 * @was_there: when the trace started
 * @was_named: it had its first name when the trace started
 * @first: what it was when the trace started
 * @has_exited: its KMPROF_TRACE_EXIT was seen: it runs on until it is switched out for the last
 *	time
 * @heir: after that, a thread of its process has named its id: perhaps because that one has it now.
 *	NULL: none
 * @may_be_early: it has gone to sleep with @is_woken, and what it does next tells whether it was on
 *	its way
 * @early_number: of that switch; see struct kmprof_item
 * @early_cpu: of that switch
 * @early_turns: @turns of the story by then
 */
struct kmprof_task_entry {
	struct kmprof_task task;
	struct kmprof_task_entry *next;
	bool is_woken;
	struct kmprof_wake wake;
	bool is_known;
	bool was_there;
	bool was_named;
	struct kmprof_task first;
	bool has_exited;
	struct kmprof_task_entry *heir;
	bool may_be_early;
	__u64 early_number;
	__u32 early_cpu;
	__u64 early_turns;
};

/**
 * struct kmprof_tasks - all tasks
 * @by_number: array
 * @nr: how many
 * @room: places in @by_number
 * @by_tid: hash table of those whose ids are in use, or were last
 * @bits: its size is 1 << bits
 * @multiplier: of the hash: random, so that no file can be made for it
 * @on_cpu: array: what runs on each CPU; NULL: not known
 * @nr_cpus: how many
 */
struct kmprof_tasks {
	struct kmprof_task_entry **by_number;
	__u32 nr;
	__u32 room;
	struct kmprof_task_entry **by_tid;
	unsigned int bits;
	__u32 multiplier;
	struct kmprof_task_entry **on_cpu;
	__u32 nr_cpus;
};

/* Makes it, with the idle task. Return: 0 or -ENOMEM; it is to be released all the same. */
int kmprof_tasks_init(struct kmprof_tasks *tasks, __u32 nr_cpus);
void kmprof_tasks_release(struct kmprof_tasks *tasks);

/* Return: the task that has an id now, or had it last; NULL: none has had it. */
struct kmprof_task_entry *kmprof_tasks_find(const struct kmprof_tasks *tasks, __u32 tid);

/*
 * Adds a task, absent, with a number of its own; its id is no longer that of another one. Return:
 * the task, or NULL: no memory.
 */
struct kmprof_task_entry *kmprof_tasks_add(struct kmprof_tasks *tasks, __u32 tid);

/* Gives a task another id, which is then no longer that of another one. */
void kmprof_tasks_rename(struct kmprof_tasks *tasks, struct kmprof_task_entry *entry, __u32 tid);

/* Sets the name of a task, made printable; a longer one is cut off. */
void kmprof_task_name(struct kmprof_task *task, const char *comm, size_t length);

#endif
