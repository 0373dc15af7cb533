// SPDX-License-Identifier: GPL-2.0
/*
 * Tells whoever traces that a CPU has another frequency, though it has not: guests have no driver
 * that changes it.
 */
#include <linux/cpumask.h>
#include <trace/events/power.h>

#include "frequency.h"

int frequency_run(const struct kmprof_test_frequency *order)
{
	if (order->cpu >= nr_cpu_ids)
		return -EINVAL;
	trace_cpu_frequency(order->khz, order->cpu);
	return 0;
}
