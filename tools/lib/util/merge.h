/* SPDX-License-Identifier: GPL-2.0 */
/* Entries of an array put in order, and equal ones put together. */
#ifndef KMPROF_UTIL_MERGE_H
#define KMPROF_UTIL_MERGE_H

#include <stddef.h>

#include <linux/types.h>

static inline int kmprof_compare_u64(__u64 a, __u64 b)
{
	return (a > b) - (a < b);
}

/* Orders stacks, or other arrays of numbers, by their first difference. */
int kmprof_compare_stack(const __u64 *a, __u32 nr_a, const __u64 *b, __u32 nr_b);

/**
 * kmprof_merge() - sort an array and add up equal entries
 * @entries: the array
 * @nr: entries in it
 * @size: bytes of one
 * @compare: as for qsort(); 0 for those that come together
 * @add: adds an entry to the one that stays
 *
 * Return: entries that are left, at the start of the array.
 */
size_t kmprof_merge(void *entries, size_t nr, size_t size,
		    int (*compare)(const void *a, const void *b),
		    void (*add)(void *sum, const void *more));

/* As @add: nothing has to be added up. */
void kmprof_merge_keep(void *sum, const void *more);

#endif
