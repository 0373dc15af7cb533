/* SPDX-License-Identifier: GPL-2.0 */
/* The events of the scheduler. */
#ifndef KMPROF_TRACE_SCHED_H
#define KMPROF_TRACE_SCHED_H

#include <linux/types.h>

#include "probe/tracepoint.h"

struct kmprof_trace_type;

enum {
	KMPROF_TRACE_NR_TYPES	= 8,
};

u64 kmprof_trace_sched_events(void);
void kmprof_trace_sched_types(struct kmprof_trace_type *types, bool has_stacks);
int kmprof_trace_sched_attach(u64 events, bool has_stacks);
void kmprof_trace_sched_detach(void);

#endif
