/* SPDX-License-Identifier: GPL-2.0 */
/* The events of reclaim and compaction. */
#ifndef KMPROF_TRACE_RECLAIM_H
#define KMPROF_TRACE_RECLAIM_H

#include "trace/point.h"

enum {
	KMPROF_TRACE_NR_RECLAIM	= 6,
};

extern const struct kmprof_trace_point kmprof_trace_reclaim_points[KMPROF_TRACE_NR_RECLAIM];

#endif
