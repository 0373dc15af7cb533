/* SPDX-License-Identifier: GPL-2.0 */
/* Has a flight recorder's trace found in a dump of the memory. */
#ifndef KMPROF_TRACE_CRASH_H
#define KMPROF_TRACE_CRASH_H

struct kmprof_trace_header;

void kmprof_trace_crash_begin(struct kmprof_trace_header *const *head);
void kmprof_trace_crash_stopped(void);
void kmprof_trace_crash_end(void);

#endif
