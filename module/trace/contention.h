/* SPDX-License-Identifier: GPL-2.0 */
/* The events of locks. */
#ifndef KMPROF_TRACE_CONTENTION_H
#define KMPROF_TRACE_CONTENTION_H

#include "trace/point.h"

enum {
	KMPROF_TRACE_NR_CONTENTION	= 2,
};

extern const struct kmprof_trace_point kmprof_trace_contention_points[KMPROF_TRACE_NR_CONTENTION];

#endif
