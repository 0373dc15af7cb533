/* SPDX-License-Identifier: GPL-2.0 */
/* The few of the kernel's macros that are missed in userspace. */
#ifndef KMPROF_LIB_UTIL_H
#define KMPROF_LIB_UTIL_H

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#ifndef __printf
#define __printf(f, a)		__attribute__((__format__(__printf__, f, a)))
#endif

#ifndef __noreturn
#define __noreturn		__attribute__((__noreturn__))
#endif

#endif
