/* SPDX-License-Identifier: GPL-2.0 */
/* What events of power management say. */
#ifndef KMPROF_TRACE_POWER_H
#define KMPROF_TRACE_POWER_H

#include <stdbool.h>

#include "trace/trace.h"

/* Does a CPU enter an idle state, with KMPROF_TRACE_CPU_IDLE? Else it leaves the one it is in. */
static inline bool kmprof_idle_enters(const struct kmprof_event *event)
{
	return event->args[0];
}

/* Number of the state that it enters; if it leaves one, 0xffffffff, as the kernel tells it. */
static inline __u32 kmprof_idle_state(const struct kmprof_event *event)
{
	return (__u32)event->args[0] - 1;
}

#endif
