/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the records of a trace, one after the other, do to its tasks. Where a record does not fit
 * what a task was thought to do, because others were lost or not recorded, the task is put right
 * first. What a CPU does in a hole of its records is charged to no task.
 */
#ifndef KMPROF_TRACE_STORY_H
#define KMPROF_TRACE_STORY_H

#include "trace/early.h"
#include "trace/order.h"
#include "trace/table.h"

/**
 * struct kmprof_known - what is known of a trace once it has been looked through
 * @task: array: the tasks that were there when it was started, as they were
 * @nr: how many
 * @early: wake-ups of tasks that still ran
 */
struct kmprof_known {
	struct kmprof_task *task;
	size_t nr;
	struct kmprof_early early;
};

/**
 * struct kmprof_story - how far it has been told
 * @trace: the trace
 * @tasks: its tasks
 * @ran: array: the task that runs on each CPU by its records; NULL: not known. The same as @on_cpu
 *	of @tasks, unless another CPU's records have it
 * @holes: CPUs that do now what is not seen
 * @turns: how often a CPU has begun or ceased to do that; 0: all was seen so far
 * @early: where to note wake-ups that were early. NULL: they are known, and so are the tasks
 * @visitor: who is told
 * @to: handed to it
 */
struct kmprof_story {
	const struct kmprof_trace *trace;
	struct kmprof_tasks tasks;
	struct kmprof_task_entry **ran;
	__u32 holes;
	__u64 turns;
	struct kmprof_early *early;
	const struct kmprof_visitor *visitor;
	void *to;
};

/**
 * kmprof_story_begin() - put the tasks into their first state
 * @story: filled in; released by kmprof_story_release(), also after a failure
 * @trace: the trace; without @known, what a task did at first is found out
 * @visitor: who is told
 * @to: handed to it
 * @early: where to note early wake-ups; NULL if @known of @trace is there
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_story_begin(struct kmprof_story *story, const struct kmprof_trace *trace,
		       const struct kmprof_visitor *visitor, void *to, struct kmprof_early *early,
		       struct kmprof_error *err);
void kmprof_story_release(struct kmprof_story *story);

/* When the trace starts, this task runs on a CPU, or KMPROF_TID_UNKNOWN. Return: as above. */
int kmprof_story_runs(struct kmprof_story *story, __u32 cpu, __u32 tid, struct kmprof_error *err);

/* Goes on. Return: 0 or a negative errno, also of the visitor. */
int kmprof_story_go_on(struct kmprof_story *story, const struct kmprof_item *item,
		       struct kmprof_error *err);

/* What a task that was not seen did from the start on. */
enum kmprof_task_state kmprof_story_unseen(const struct kmprof_story *story);

/* Can a task be switched to now, as far as is known? @story: struct kmprof_story */
bool kmprof_story_is_ready(const void *story, __u32 tid);

#endif
