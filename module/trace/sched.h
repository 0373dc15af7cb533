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

/* All types of records, in the order of enum kmprof_trace_event. */
extern const struct kmprof_trace_type kmprof_trace_types[KMPROF_TRACE_NR_TYPES];

u64 kmprof_trace_sched_events(void);
int kmprof_trace_sched_attach(u64 events);
void kmprof_trace_sched_detach(void);

#endif
