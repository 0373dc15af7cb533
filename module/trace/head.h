/* SPDX-License-Identifier: GPL-2.0 */
/* What a trace begins with: header, types, tasks. */
#ifndef KMPROF_TRACE_HEAD_H
#define KMPROF_TRACE_HEAD_H

#include <linux/types.h>

struct kmprof_trace_clock;
struct kmprof_trace_header;

struct kmprof_trace_header *kmprof_trace_head_create(u64 events, bool has_stacks, u64 ticks_per_s,
						     const struct kmprof_trace_clock *start);
void kmprof_trace_head_destroy(struct kmprof_trace_header *head);
size_t kmprof_trace_head_bytes(const struct kmprof_trace_header *head);

#endif
