/* SPDX-License-Identifier: GPL-2.0 */
/* The events of power management. */
#ifndef KMPROF_TRACE_POWER_H
#define KMPROF_TRACE_POWER_H

#include "trace/point.h"

enum {
	KMPROF_TRACE_NR_POWER	= 2,
};

extern const struct kmprof_trace_point kmprof_trace_power_points[KMPROF_TRACE_NR_POWER];

#endif
