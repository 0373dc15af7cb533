/* SPDX-License-Identifier: GPL-2.0 */
/* The events of interrupts. */
#ifndef KMPROF_TRACE_INTERRUPT_H
#define KMPROF_TRACE_INTERRUPT_H

#include "trace/point.h"

enum {
	KMPROF_TRACE_NR_INTERRUPT	= 4,
};

extern const struct kmprof_trace_point kmprof_trace_interrupt_points[KMPROF_TRACE_NR_INTERRUPT];

#endif
