/* SPDX-License-Identifier: GPL-2.0 */
/* Ticks of a trace as ns of CLOCK_MONOTONIC: the formula of uapi/linux/kmprof.h. */
#ifndef KMPROF_TRACE_CLOCK_H
#define KMPROF_TRACE_CLOCK_H

#include "trace/trace.h"

/* a * b / c, or LLONG_MAX if that is more. */
static inline __u64 kmprof_trace_scale(__u64 a, __u64 b, __u64 c)
{
	unsigned __int128 scaled = (unsigned __int128)a * b / c;

	return scaled > LLONG_MAX ? LLONG_MAX : (__u64)scaled;
}

/**
 * kmprof_trace_ns() - when something was recorded
 * @trace: the trace, whose header, and @end if there is one, have been checked
 * @ticks: of the record
 *
 * Return: ns; those of the start for what is a little older than that; LLONG_MAX if it is more.
 */
static inline __u64 kmprof_trace_ns(const struct kmprof_trace *trace, __u64 ticks)
{
	const struct kmprof_trace_clock *start = &trace->header.start, *end = &trace->end.end;
	bool is_measured = trace->has_end && end->ticks > start->ticks;
	__u64 every = is_measured ? end->ticks - start->ticks : trace->header.ticks_per_s;
	__u64 ns = is_measured ? end->mono_ns - start->mono_ns : 1000000000;

	if (ticks <= start->ticks)
		return start->mono_ns;
	/* Neither is more than LLONG_MAX. */
	ns = start->mono_ns + kmprof_trace_scale(ticks - start->ticks, ns, every);
	return ns > LLONG_MAX ? LLONG_MAX : ns;
}

#endif
