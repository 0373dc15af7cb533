/* SPDX-License-Identifier: GPL-2.0 */
/* The events of the scheduler. */
#ifndef KMPROF_TRACE_SCHED_H
#define KMPROF_TRACE_SCHED_H

#include "trace/point.h"

enum {
	KMPROF_TRACE_NR_SCHED	= 7,
};

extern const struct kmprof_trace_point kmprof_trace_sched_points[KMPROF_TRACE_NR_SCHED];

#endif
