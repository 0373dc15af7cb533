/* SPDX-License-Identifier: GPL-2.0 */
/* The trace: there is at most one. */
#ifndef KMPROF_TRACE_SESSION_H
#define KMPROF_TRACE_SESSION_H

#include <linux/types.h>

struct file;
struct kmprof_trace_stop;

struct file *kmprof_trace_start(u64 events, const char *filter, u32 flags, u32 *buffer_bytes);
int kmprof_trace_stop(struct kmprof_trace_stop *arg);
int kmprof_trace_snapshot(void);
ssize_t kmprof_trace_mark(const char __user *text, size_t bytes);

#endif
