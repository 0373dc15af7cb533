/* SPDX-License-Identifier: GPL-2.0 */
/* The events of RCU's grace periods. */
#ifndef KMPROF_TRACE_GRACE_PERIOD_H
#define KMPROF_TRACE_GRACE_PERIOD_H

#include "trace/point.h"

enum {
	KMPROF_TRACE_NR_GRACE_PERIOD	= 2,
};

extern const struct kmprof_trace_point
	kmprof_trace_grace_period_points[KMPROF_TRACE_NR_GRACE_PERIOD];

#endif
