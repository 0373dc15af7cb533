// SPDX-License-Identifier: GPL-2.0
#include "schedule/grace_periods.h"

void kmprof_grace_periods_note(struct kmprof_grace_periods *periods,
			       const struct kmprof_event *event)
{
	/* If one begins while another one goes on, the end of that was lost. */
	if (event->type == KMPROF_TRACE_GRACE_PERIOD_END)
		kmprof_grace_periods_end(periods, event->ns);
	kmprof_grace_period_note(&periods->now, event);
}

void kmprof_grace_periods_end(struct kmprof_grace_periods *periods, __u64 ns)
{
	struct kmprof_times once;

	if (!kmprof_grace_period_end(&periods->now, &ns) || ns == periods->now.from_ns)
		return;
	once = kmprof_times_once(ns - periods->now.from_ns);
	if (once.ns > periods->times.longest_ns)
		periods->longest_from_ns = periods->now.from_ns;
	kmprof_times_add(&periods->times, &once);
}
