// SPDX-License-Identifier: GPL-2.0
#include <stdio.h>

#include "trace/words.h"

static const char *const states[] = {
	[KMPROF_TRACE_RUNNABLE]		= "RUNNABLE",
	[KMPROF_TRACE_PREEMPTED]	= "PREEMPTED",
	[KMPROF_TRACE_SLEEPING]		= "SLEEPING",
	[KMPROF_TRACE_BLOCKED]		= "BLOCKED",
	[KMPROF_TRACE_IDLE]		= "IDLE",
	[KMPROF_TRACE_STOPPED]		= "STOPPED",
	[KMPROF_TRACE_PARKED]		= "PARKED",
	[KMPROF_TRACE_DEAD]		= "DEAD",
	[KMPROF_TRACE_FROZEN]		= "FROZEN",
};

/* Two bits of a record, all of whose values have a word. */
static const char *const contexts[] = {
	[KMPROF_TRACE_IN_TASK]		= "",
	[KMPROF_TRACE_IN_SOFTIRQ]	= "softirq",
	[KMPROF_TRACE_IN_HARDIRQ]	= "hardirq",
	[3]				= "context 3",
};

/* As the kernel numbers them. */
static const char *const softirqs[] = {
	"HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER",
	"RCU",
};

/* enum compact_result of the kernel, the same since v4.20. */
static const char *const compact_results[] = {
	"not_suitable_zone", "skipped", "deferred", "no_suitable_page", "continue", "complete",
	"partial_skipped", "contended", "success",
};

const char *kmprof_trace_state_word(char text[KMPROF_STATE_TEXT], __u64 state)
{
	if (state < ARRAY_SIZE(states))
		return states[state];
	snprintf(text, KMPROF_STATE_TEXT, "state %llu", state);
	return text;
}

const char *kmprof_trace_context_word(__u32 context)
{
	return contexts[context % ARRAY_SIZE(contexts)];
}

const char *kmprof_trace_softirq_word(char text[KMPROF_SOFTIRQ_TEXT], __u64 number)
{
	if (number < ARRAY_SIZE(softirqs))
		return softirqs[number];
	snprintf(text, KMPROF_SOFTIRQ_TEXT, "%llu", number);
	return text;
}

const char *kmprof_trace_compact_word(char text[KMPROF_COMPACT_TEXT], __u64 result)
{
	if (result < ARRAY_SIZE(compact_results))
		return compact_results[result];
	snprintf(text, KMPROF_COMPACT_TEXT, "result %llu", result);
	return text;
}

const char *kmprof_task_text(char text[KMPROF_TASK_TEXT], const struct kmprof_task *task)
{
	if (!task->number)
		return task->comm;
	snprintf(text, KMPROF_TASK_TEXT, "%s-%u", task->comm[0] ? task->comm : "?", task->tid);
	return text;
}
