/* SPDX-License-Identifier: GPL-2.0 */
/* How long RCU's grace periods took. */
#ifndef KMPROF_SCHEDULE_GRACE_PERIODS_H
#define KMPROF_SCHEDULE_GRACE_PERIODS_H

#include "schedule/times.h"
#include "trace/grace_period.h"

/**
 * struct kmprof_grace_periods - those of a trace
 * @times: of those that were seen to begin, as far as they were seen to go on
 * @longest_from_ns: when the longest of them has begun
 * @now: the one that goes on
 */
struct kmprof_grace_periods {
	struct kmprof_times times;
	__u64 longest_from_ns;
	struct kmprof_grace_period now;
};

/* A grace period begins or ends, with such an event. */
void kmprof_grace_periods_note(struct kmprof_grace_periods *periods,
			       const struct kmprof_event *event);

/* The one that goes on ends at @ns, or it is not known how it goes on from then. */
void kmprof_grace_periods_end(struct kmprof_grace_periods *periods, __u64 ns);

#endif
