/* SPDX-License-Identifier: GPL-2.0 */
/* The events of system calls. Not syscall.h, of which the kernel has one in trace/. */
#ifndef KMPROF_TRACE_SYSTEM_CALL_H
#define KMPROF_TRACE_SYSTEM_CALL_H

#include "trace/point.h"

enum {
	KMPROF_TRACE_NR_SYSCALL	= 2,
};

extern const struct kmprof_trace_point kmprof_trace_syscall_points[KMPROF_TRACE_NR_SYSCALL];

#endif
