/* SPDX-License-Identifier: GPL-2.0 */
/* The few of the kernel's macros that are missed in userspace, and a number. */
#ifndef KMPROF_UTIL_UTIL_H
#define KMPROF_UTIL_UTIL_H

#include <limits.h>

#include <linux/types.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#ifndef __printf
#define __printf(f, a)		__attribute__((__format__(__printf__, f, a)))
#endif

#ifndef __noreturn
#define __noreturn		__attribute__((__noreturn__))
#endif

/* JSON and pprof have signed numbers only; none but a made-up image has more. */
static inline __s64 kmprof_signed(__u64 v)
{
	return v > LLONG_MAX ? LLONG_MAX : (__s64)v;
}

#endif
