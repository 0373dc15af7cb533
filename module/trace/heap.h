/* SPDX-License-Identifier: GPL-2.0 */
/* The events of memory. */
#ifndef KMPROF_TRACE_HEAP_H
#define KMPROF_TRACE_HEAP_H

#include "trace/point.h"

enum {
	KMPROF_TRACE_NR_HEAP	= 2,
};

extern const struct kmprof_trace_point kmprof_trace_heap_points[KMPROF_TRACE_NR_HEAP];

#endif
