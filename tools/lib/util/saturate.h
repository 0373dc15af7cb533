/* SPDX-License-Identifier: GPL-2.0 */
/* Sums that stay at the largest number instead of turning over. */
#ifndef KMPROF_UTIL_SATURATE_H
#define KMPROF_UTIL_SATURATE_H

#include <limits.h>

#include <linux/types.h>

/* a + b of what is counted, so not negative; or LLONG_MAX where that is too much. */
static inline __s64 kmprof_saturated_sum(__s64 a, __s64 b)
{
	__s64 sum;

	return __builtin_add_overflow(a, b, &sum) ? LLONG_MAX : sum;
}

/* The same without a sign, up to the largest number that there is. */
static inline __u64 kmprof_saturated_count(__u64 a, __u64 b)
{
	__u64 sum;

	return __builtin_add_overflow(a, b, &sum) ? ~0ULL : sum;
}

#endif
