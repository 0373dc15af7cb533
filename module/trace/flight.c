// SPDX-License-Identifier: GPL-2.0
/*
 * Makes a trace of what a flight recorder has. A busy CPU has written over blocks that are newer
 * than what another one still has. So the trace starts with the youngest of the oldest blocks:
 *
 *	CPU 0	[ ][ ][ ][ ][ ]
 *	CPU 1	[   ][        ][     ][    ]
 *	        left out      ^ start
 *
 * The block in which it starts is kept: its switches tell which task runs.
 */
#include <linux/cpumask.h>
#include <linux/minmax.h>
#include <linux/percpu.h>

#include "trace/buffer.h"
#include "trace/flight.h"

/* Leave out what was overwritten. Returns when the rest begins; 0: all is there. */
static u64 leave_overwritten(struct kmprof_trace_cpu *c)
{
	unsigned long nr_blocks = c->mask + 1;

	if (c->head <= nr_blocks)
		return 0;
	c->tail = c->head - nr_blocks;
	return kmprof_trace_block(c, c->tail)->ticks;
}

/* Leave out the blocks that end before the start. Count events from the first one that is left. */
static void leave_before(struct kmprof_trace_cpu *c, u64 start)
{
	unsigned long n;
	u64 first;

	while (c->tail + 1 < c->head && kmprof_trace_block(c, c->tail + 1)->ticks < start)
		c->tail++;
	if (!c->tail)
		return;
	first = kmprof_trace_block(c, c->tail)->number;
	for (n = c->tail; n != c->head; n++)
		kmprof_trace_block(c, n)->number -= first;
	c->number -= first;
	c->told -= first;
	/* Events are lost only before there is a block. */
	c->lost = 0;
}

/**
 * kmprof_trace_flight_cut() - leave out what is not there on all CPUs
 * @start: ticks when the trace was started
 *
 * Context: Process context, once, after kmprof_trace_buffer_close() and before a reader.
 * Return: ticks from which on all events are there.
 */
u64 kmprof_trace_flight_cut(u64 start)
{
	int cpu;

	for_each_possible_cpu(cpu)
		start = max(start, leave_overwritten(per_cpu_ptr(kmprof_trace_cpus, cpu)));
	for_each_possible_cpu(cpu)
		leave_before(per_cpu_ptr(kmprof_trace_cpus, cpu), start);
	return start;
}
