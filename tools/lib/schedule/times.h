/* SPDX-License-Identifier: GPL-2.0 */
/* How long something took, and how often, for entries that are added up. */
#ifndef KMPROF_SCHEDULE_TIMES_H
#define KMPROF_SCHEDULE_TIMES_H

#include <linux/types.h>

/**
 * struct kmprof_times - times of one thing or several
 * @ns: their sum
 * @longest_ns: the longest of them
 * @count: how many
 */
struct kmprof_times {
	__u64 ns;
	__u64 longest_ns;
	__u64 count;
};

/* It took so long, once. */
static inline struct kmprof_times kmprof_times_once(__u64 ns)
{
	return (struct kmprof_times){ .ns = ns, .longest_ns = ns, .count = 1 };
}

/* Adds up. Both are a struct kmprof_times, or begin with one. */
void kmprof_times_add(void *sum, const void *more);

#endif
