/* SPDX-License-Identifier: GPL-2.0 */
/* The clock of a trace. */
#ifndef KMPROF_TRACE_CLOCK_H
#define KMPROF_TRACE_CLOCK_H

#include <linux/compiler.h>
#include <linux/ktime.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

#include "compat/cycles.h"

struct kmprof_trace_clock;

enum {
	/* A tick is 16 cycles, some ns: deltas of records are short. */
	KMPROF_TRACE_TICK_SHIFT	= 4,
};

/* The CPUs' cycle counters can be compared. Else a tick is a ns of the kernel's clock. */
extern bool kmprof_trace_counts_cycles;

/**
 * kmprof_trace_ticks() - read the clock
 *
 * Source: cputicks() of Go's trace.go, with traceTickDiv.
 *
 * Context: Any.
 * Return: ticks: the same on all CPUs.
 */
static __always_inline u64 kmprof_trace_ticks(void)
{
	return likely(READ_ONCE(kmprof_trace_counts_cycles)) ?
	       kmprof_cycles() >> KMPROF_TRACE_TICK_SHIFT : ktime_get_mono_fast_ns();
}

u64 kmprof_trace_clock_init(void);
void kmprof_trace_clock_read(struct kmprof_trace_clock *clock);
void kmprof_trace_clock_between(struct kmprof_trace_clock *clock,
				const struct kmprof_trace_clock *to, u64 ticks);

#endif
