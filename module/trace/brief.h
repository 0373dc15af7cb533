/* SPDX-License-Identifier: GPL-2.0 */
/* What is too brief for the filter of a trace: see trace/brief.c. */
#ifndef KMPROF_TRACE_BRIEF_H
#define KMPROF_TRACE_BRIEF_H

#include <linux/types.h>

struct kmprof_trace_cpu;

void kmprof_trace_brief_note(struct kmprof_trace_cpu *c, u64 key);
bool kmprof_trace_brief_take_back(u8 type, u64 key);

void kmprof_trace_brief_begin(u64 least_ns, u64 ticks_per_s);

#endif
