/* SPDX-License-Identifier: GPL-2.0 */
/* Which CPUs are traced: see trace/filter_cpu.c. */
#ifndef KMPROF_TRACE_FILTER_CPU_H
#define KMPROF_TRACE_FILTER_CPU_H

#include <linux/cpumask.h>

/* While there is a filter: the CPUs that are traced. */
extern struct cpumask kmprof_trace_wanted_cpus;

int kmprof_trace_filter_cpus_parse(struct cpumask *cpus, char *value);
void kmprof_trace_filter_cpus_begin(const struct cpumask *wanted);

/**
 * kmprof_trace_cpu_is_wanted() - does the filter want a CPU?
 * @cpu: the CPU
 *
 * Context: Any, while there is a filter.
 * Return: true if so.
 */
static __always_inline bool kmprof_trace_cpu_is_wanted(unsigned int cpu)
{
	return cpumask_test_cpu(cpu, &kmprof_trace_wanted_cpus);
}

#endif
