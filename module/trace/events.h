/* SPDX-License-Identifier: GPL-2.0 */
/* The events of a trace, of all files that have some. */
#ifndef KMPROF_TRACE_EVENTS_H
#define KMPROF_TRACE_EVENTS_H

#include <linux/types.h>

struct kmprof_trace_type;

enum {
	KMPROF_TRACE_NR_TYPES	= 28,
};

u64 kmprof_trace_events(void);
void kmprof_trace_types(struct kmprof_trace_type *types, bool has_stacks);
int kmprof_trace_attach(u64 events, bool has_stacks);
void kmprof_trace_detach(void);
void kmprof_trace_events_exit(void);

#endif
