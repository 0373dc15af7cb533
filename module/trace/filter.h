/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The filter of a trace: see trace/filter.c. Here is what events ask. Without a filter, what asks
 * is a nop.
 */
#ifndef KMPROF_TRACE_FILTER_H
#define KMPROF_TRACE_FILTER_H

#include <linux/jump_label.h>
#include <linux/smp.h>

#include "trace/brief.h"
#include "trace/buffer.h"
#include "trace/filter_cpu.h"
#include "trace/filter_process.h"

DECLARE_STATIC_KEY_FALSE(kmprof_trace_filters);

int kmprof_trace_filter_begin(const char *text, u64 ticks_per_s);
void kmprof_trace_filter_end(void);
const char *kmprof_trace_filter_text(void);

/**
 * kmprof_trace_has_filter() - is there a filter?
 *
 * Context: Any, while events are recorded.
 * Return: true if so.
 */
static __always_inline bool kmprof_trace_has_filter(void)
{
	return static_branch_unlikely(&kmprof_trace_filters);
}

/**
 * kmprof_trace_wants() - is the process of a task traced?
 * @task: the task; of an interrupt, the one that it has interrupted
 *
 * Context: Any, while events are recorded.
 * Return: true if so.
 */
static __always_inline bool kmprof_trace_wants(const struct task_struct *task)
{
	return !kmprof_trace_has_filter() || kmprof_trace_process_is_wanted(task);
}

/**
 * kmprof_trace_wants_cpu() - is a CPU traced?
 * @cpu: the CPU
 *
 * Context: Any, while events are recorded.
 * Return: true if so.
 */
static __always_inline bool kmprof_trace_wants_cpu(unsigned int cpu)
{
	return !kmprof_trace_has_filter() || kmprof_trace_cpu_is_wanted(cpu);
}

/**
 * kmprof_trace_wants_this_cpu() - is this CPU traced?
 *
 * Context: Any, while events are recorded. Preemption off.
 * Return: true if so.
 */
static __always_inline bool kmprof_trace_wants_this_cpu(void)
{
	return !kmprof_trace_has_filter() || kmprof_trace_cpu_is_wanted(smp_processor_id());
}

/**
 * kmprof_trace_wants_here() - is what a task does on this CPU traced?
 * @task: the task; of an interrupt, the one that it has interrupted
 *
 * Context: Any, while events are recorded. Preemption off.
 * Return: true if so.
 */
static __always_inline bool kmprof_trace_wants_here(const struct task_struct *task)
{
	return !kmprof_trace_has_filter() || (kmprof_trace_cpu_is_wanted(smp_processor_id()) &&
					      kmprof_trace_process_is_wanted(task));
}

/**
 * kmprof_trace_begun() - tell that a record is the begin of something, and its only one
 * @r: the record, whose kmprof_trace_end() is still due, and which has no stack yet
 * @key: which one of its type, as its end knows, too; 0: there is one at a time
 *
 * Context: As for kmprof_trace_begin().
 */
static __always_inline void kmprof_trace_begun(const struct kmprof_trace_record *r, u64 key)
{
	if (kmprof_trace_has_filter())
		kmprof_trace_brief_note(r->cpu, key);
}

/**
 * kmprof_trace_wants_end() - is the end of something that the current task has begun traced?
 * @type: enum kmprof_trace_event of its begin
 * @key: as of its begin
 *
 * Context: Any but NMI. Preemption off.
 * Return: true if so. Else it is not to be recorded: its begin was not, or was taken back.
 */
static __always_inline bool kmprof_trace_wants_end(u8 type, u64 key)
{
	return !kmprof_trace_has_filter() || (kmprof_trace_process_is_wanted(current) &&
					      !kmprof_trace_brief_take_back(type, key));
}

#endif
