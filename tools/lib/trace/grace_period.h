/* SPDX-License-Identifier: GPL-2.0 */
/* The grace period of RCU that goes on while a trace is walked: there is one at a time. */
#ifndef KMPROF_TRACE_GRACE_PERIOD_H
#define KMPROF_TRACE_GRACE_PERIOD_H

#include <stdbool.h>

#include "trace/trace.h"

/**
 * struct kmprof_grace_period - a grace period
 * @from_ns: when it has begun
 * @goes_on: there is one
 */
struct kmprof_grace_period {
	__u64 from_ns;
	bool goes_on;
};

static inline bool kmprof_is_grace_period(const struct kmprof_event *event)
{
	return event->type == KMPROF_TRACE_GRACE_PERIOD_BEGIN ||
	       event->type == KMPROF_TRACE_GRACE_PERIOD_END;
}

/**
 * kmprof_grace_period_end() - the grace period ends, or it is not known how it goes on
 * @period: the grace period
 * @ns: when; if that is before its begin, returns that: events of a loss come late
 *
 * Return: true if there was one; its begin is still in @period.
 */
static inline bool kmprof_grace_period_end(struct kmprof_grace_period *period, __u64 *ns)
{
	bool went_on = period->goes_on;

	period->goes_on = false;
	if (went_on && *ns < period->from_ns)
		*ns = period->from_ns;
	return went_on;
}

/* One that went on has been ended: now another one begins, if @event says so. */
static inline void kmprof_grace_period_note(struct kmprof_grace_period *period,
					    const struct kmprof_event *event)
{
	period->goes_on = event->type == KMPROF_TRACE_GRACE_PERIOD_BEGIN;
	period->from_ns = event->ns;
}

#endif
