// SPDX-License-Identifier: GPL-2.0
/*
 * The text of a trace's filter, and its parts:
 *
 * pid=, comm=, cgroup=	which processes: see trace/filter_process.c
 * cpu=LIST		which CPUs: see trace/filter_cpu.c
 * duration=TIME	how long something lasts at least: see trace/brief.c
 */
#include <linux/bits.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/string.h>
#include <uapi/linux/kmprof.h>

#include "core/conditions.h"
#include "core/task_filter.h"
#include "trace/filter.h"

/**
 * struct parts - a filter, taken apart
 * @tasks: conditions on tasks
 * @has: which of the others: bits of their keys
 * @cpus: the CPUs; none: all
 * @least_ns: the least duration; 0: any
 */
struct parts {
	struct kmprof_task_filter tasks;
	u32 has;
	struct cpumask cpus;
	u64 least_ns;
};

DEFINE_STATIC_KEY_FALSE(kmprof_trace_filters);

/* Written while nothing is recorded. */
static struct parts parts;
static char filter_text[KMPROF_TEXT_LEN];

static int add_condition(void *filter, const char *key, char *value)
{
	enum { CPU, DURATION };
	static const char *const keys[] = { [CPU] = "cpu", [DURATION] = "duration" };
	struct parts *to = filter;

	switch (kmprof_condition_claim(keys, ARRAY_SIZE(keys), key, &to->has)) {
	case CPU:
		return kmprof_trace_filter_cpus_parse(&to->cpus, value);
	case DURATION:
		return kmprof_condition_duration(value, &to->least_ns);
	case -ENOENT:
		return kmprof_task_filter_parse(&to->tasks, key, value);
	default:
		return -EINVAL;
	}
}

/**
 * kmprof_trace_filter_begin() - set the filter
 * @text: its text; empty: there is none, all is traced
 * @ticks_per_s: ticks in a second
 *
 * Context: Process context, while nothing is recorded. Sleeps.
 * Return: 0; -EINVAL, with a message in the log: the text is none of a filter, or its cgroup is
 * not there; or -ENOMEM.
 */
int kmprof_trace_filter_begin(const char *text, u64 ticks_per_s)
{
	int err;

	memset(&parts, 0, sizeof(parts));
	*filter_text = '\0';
	if (!*text)
		return 0;
	if (kmprof_conditions_parse("filter", filter_text, text, add_condition, &parts))
		return -EINVAL;
	err = kmprof_trace_processes_begin(&parts.tasks);
	if (err)
		return err;
	kmprof_trace_filter_cpus_begin(&parts.cpus);
	kmprof_trace_brief_begin(parts.least_ns, ticks_per_s);
	static_branch_enable(&kmprof_trace_filters);
	return 0;
}

/**
 * kmprof_trace_filter_end() - have no filter
 *
 * Context: Process context, when nothing is recorded any more. Sleeps.
 */
void kmprof_trace_filter_end(void)
{
	static_branch_disable(&kmprof_trace_filters);
	kmprof_trace_processes_end();
}

/**
 * kmprof_trace_filter_text() - get the text of the filter
 *
 * Context: Process context, from kmprof_trace_filter_begin() to its end.
 * Return: the text, without blanks around it; empty: there is none.
 */
const char *kmprof_trace_filter_text(void)
{
	return filter_text;
}
