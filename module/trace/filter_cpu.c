// SPDX-License-Identifier: GPL-2.0
/*
 * Which CPUs a filter wants. On others, no stack is walked, and nothing begins: no wait, system
 * call, interrupt or reclaim, and nothing is allocated. What a task has begun on a CPU that is
 * traced may end on any: all such ends are recorded, and readers leave out an end without a begin.
 * When tasks run and are woken is recorded on all CPUs.
 */
#include <linux/errno.h>
#include <linux/string.h>

#include "trace/filter_cpu.h"

struct cpumask kmprof_trace_wanted_cpus;

/**
 * kmprof_trace_filter_cpus_parse() - take the value of the condition apart
 * @cpus: returns the CPUs
 * @value: CPUs, and ranges of them, with a plus between: "0-3+8"; is written to
 *
 * Context: Process context.
 * Return: 0; or a negative errno: it is none, or has a CPU that cannot be.
 */
int kmprof_trace_filter_cpus_parse(struct cpumask *cpus, char *value)
{
	int err;

	/* The kernel's lists have more, such as "all", of which nobody knows what is meant. */
	if (value[strspn(value, "0123456789-+")])
		return -EINVAL;
	strreplace(value, '+', ',');
	err = cpulist_parse(value, cpus);
	if (err)
		return err;
	return cpumask_empty(cpus) || !cpumask_subset(cpus, cpu_possible_mask) ? -EINVAL : 0;
}

/**
 * kmprof_trace_filter_cpus_begin() - choose the CPUs that are traced
 * @wanted: the CPUs; none: all are traced
 *
 * Context: Process context, while nothing is recorded.
 */
void kmprof_trace_filter_cpus_begin(const struct cpumask *wanted)
{
	if (cpumask_empty(wanted))
		cpumask_setall(&kmprof_trace_wanted_cpus);
	else
		cpumask_copy(&kmprof_trace_wanted_cpus, wanted);
}
