/* SPDX-License-Identifier: GPL-2.0 */
/* The order of numbers, for qsort(). */
#ifndef KMPROF_UTIL_BY_NUMBER_H
#define KMPROF_UTIL_BY_NUMBER_H

#include <linux/types.h>

/* Compares __u64, or structures that begin with one. */
static inline int kmprof_by_number(const void *a, const void *b)
{
	const __u64 *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

#endif
