/* SPDX-License-Identifier: GPL-2.0 */
/* System calls of a trace: their names and results. */
#ifndef KMPROF_TRACE_SYSCALLS_H
#define KMPROF_TRACE_SYSCALLS_H

#include <stdbool.h>

#include "trace/trace.h"

enum { KMPROF_SYSCALL_NAME = 48, KMPROF_SYSCALL_RESULT = 32 };

static inline bool kmprof_is_syscall(const struct kmprof_event *event)
{
	return event->type == KMPROF_TRACE_SYSCALL_ENTER ||
	       event->type == KMPROF_TRACE_SYSCALL_EXIT;
}

/* The result of a call that ends: @argument of its event. */
static inline __s64 kmprof_syscall_result(__u64 argument)
{
	return (__s64)(argument >> 1 ^ -(argument & 1));
}

/*
 * Is a result an errno? Not those by which the kernel tells itself what to do after a signal: no
 * program sees them.
 */
static inline bool kmprof_syscall_has_failed(__s64 result)
{
	return result < 0 && result > -512;
}

/*
 * Has a call no number? It ends without one if it is sigreturn() or rt_sigreturn(), and then it has
 * no result, either; or it has begun without one, as syscall(-1).
 */
static inline bool kmprof_syscall_has_no_number(__u64 number)
{
	return (__u32)number == ~0U;
}

/* Return: "openat"; "open (i386)"; "#999" for a number that has no name. */
const char *kmprof_syscall_name(char text[KMPROF_SYSCALL_NAME], __u64 number);

/* Return: "3", "-ENOENT"; "0x7f0123456000" for what is as large as an address. */
const char *kmprof_syscall_result_text(char text[KMPROF_SYSCALL_RESULT], __s64 result);

#endif
