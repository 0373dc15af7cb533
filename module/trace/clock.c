// SPDX-License-Identifier: GPL-2.0
/*
 * Chooses the clock of a trace, and relates it to the kernel's clocks. Cycle counters cost a fifth
 * of what the kernel's clock does. They are taken if the kernel has found nothing wrong with them.
 */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/limits.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/timekeeping.h>
#include <uapi/linux/kmprof.h>

#include "compat/cycles.h"
#include "trace/clock.h"

enum {
	ATTEMPTS	= 4,
};

bool kmprof_trace_counts_cycles __read_mostly;

/**
 * kmprof_trace_clock_init() - choose the clock
 *
 * The kernel may find out later that the counters differ between CPUs. The choice stays as it is
 * until the next trace.
 *
 * Context: Process context. Nobody traces.
 * Return: ticks in a second.
 */
u64 kmprof_trace_clock_init(void)
{
	u64 cycles_per_s = kmprof_cycles_per_s();

	WRITE_ONCE(kmprof_trace_counts_cycles, cycles_per_s);
	return cycles_per_s ? cycles_per_s >> KMPROF_TRACE_TICK_SHIFT : NSEC_PER_SEC;
}

/* Returns how many ticks it took. */
static u64 read_once(struct kmprof_trace_clock *clock)
{
	u64 before = kmprof_trace_ticks();
	s64 took;

	clock->mono_ns = ktime_get_mono_fast_ns();
	/* Less than 0 if the kernel's clock goes back by some ns while it is adjusted. */
	took = kmprof_trace_ticks() - before;
	clock->ticks = before + took / 2;
	clock->boot_ns = ktime_get_boot_fast_ns();
	clock->real_ns = ktime_get_real_fast_ns();
	return kmprof_trace_ticks() - before;
}

/**
 * kmprof_trace_clock_read() - read all clocks at one moment
 * @clock: result; CLOCK_MONOTONIC is read within some ns of the ticks
 *
 * The CPU of a virtual machine can stand still between two clocks: the fastest of some attempts
 * counts.
 *
 * Context: Any.
 */
void kmprof_trace_clock_read(struct kmprof_trace_clock *clock)
{
	struct kmprof_trace_clock read;
	u64 took, least = U64_MAX;
	unsigned long flags;
	int i;

	local_irq_save(flags);
	for (i = 0; i < ATTEMPTS; i++) {
		took = read_once(&read);
		if (i && took >= least)
			continue;
		least = took;
		*clock = read;
	}
	local_irq_restore(flags);
}

/**
 * kmprof_trace_clock_between() - move a moment towards another one
 * @clock: the moment; result, on the line between both
 * @to: a later moment
 * @ticks: of the result, if that is before @to. A suspend in between can still be seen: boot_ns
 *	goes on as mono_ns does. The clock of the day differs from CLOCK_MONOTONIC as at @to
 *
 * Context: Any.
 */
void kmprof_trace_clock_between(struct kmprof_trace_clock *clock,
				const struct kmprof_trace_clock *to, u64 ticks)
{
	u64 all, part, part_ns;

	if (ticks <= clock->ticks || to->ticks <= clock->ticks)
		return;
	all = to->ticks - clock->ticks;
	part = min(ticks - clock->ticks, all - 1);
	part_ns = mul_u64_u64_div_u64(to->mono_ns - clock->mono_ns, part, all);
	clock->ticks += part;
	clock->mono_ns += part_ns;
	clock->boot_ns += part_ns;
	clock->real_ns = to->real_ns - (to->mono_ns - clock->mono_ns);
}
