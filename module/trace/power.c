// SPDX-License-Identifier: GPL-2.0
/*
 * The events of power management: the idle states of a CPU, and its frequency.
 *
 * Source: traceProcStart() and traceProcStop() of Go's trace.go: a P that has nothing to run.
 */
#include <linux/preempt.h>
#include <trace/events/power.h>

#include "trace/buffer.h"
#include "trace/filter.h"
#include "trace/point.h"
#include "trace/power.h"

/*
 * Called on the CPU that it is about, by its idle task or one that injects idle time, while RCU
 * watches, with preemption off. That a state is left is PWR_EVENT_EXIT, -1: it becomes 0.
 */
static void on_cpu_idle(void *data, unsigned int state, unsigned int cpu)
{
	struct kmprof_trace_record r;

	if (!kmprof_trace_wants_cpu(cpu) || !kmprof_trace_begin_here(&r, KMPROF_TRACE_CPU_IDLE))
		return;
	r.to = kmprof_trace_put(r.to, state + 1);
	kmprof_trace_end(&r);
}

/* Also of another CPU than this one: those that share a clock change together. */
static void on_cpu_frequency(void *data, unsigned int khz, unsigned int cpu)
{
	struct kmprof_trace_record r;

	if (in_nmi() || !kmprof_trace_wants_cpu(cpu) ||
	    !kmprof_trace_begin_here(&r, KMPROF_TRACE_CPU_FREQUENCY))
		return;
	r.to = kmprof_trace_put(r.to, cpu);
	r.to = kmprof_trace_put(r.to, khz);
	kmprof_trace_end(&r);
}

#define TYPE(id, name, args)	KMPROF_TRACE_TYPE(KMPROF_TRACE_##id, name, args, 0)

const struct kmprof_trace_point kmprof_trace_power_points[KMPROF_TRACE_NR_POWER] = {
	{ TYPE(CPU_IDLE, "cpu_idle", 1), "cpu_idle", on_cpu_idle },
	{ TYPE(CPU_FREQUENCY, "cpu_frequency", 2), "cpu_frequency", on_cpu_frequency },
};

/* Has the compiler hold the handlers against the kernel's prototypes. */
static void __maybe_unused check_prototypes(void)
{
	check_trace_callback_type_cpu_idle(on_cpu_idle);
	check_trace_callback_type_cpu_frequency(on_cpu_frequency);
}
