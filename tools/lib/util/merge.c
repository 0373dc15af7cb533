// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "util/merge.h"

int kmprof_compare_stack(const __u64 *a, __u32 nr_a, const __u64 *b, __u32 nr_b)
{
	__u32 i;

	for (i = 0; i < nr_a && i < nr_b; i++)
		if (a[i] != b[i])
			return kmprof_compare_u64(a[i], b[i]);
	return kmprof_compare_u64(nr_a, nr_b);
}

size_t kmprof_merge(void *entries, size_t nr, size_t size,
		    int (*compare)(const void *a, const void *b),
		    void (*add)(void *sum, const void *more))
{
	char *first = entries, *last = first, *entry;
	size_t i;

	if (!nr)
		return 0;
	qsort(entries, nr, size, compare);
	for (i = 1; i < nr; i++) {
		entry = first + i * size;
		if (!compare(last, entry)) {
			add(last, entry);
			continue;
		}
		last += size;
		if (last != entry)
			memcpy(last, entry, size);
	}
	return (size_t)(last - first) / size + 1;
}

void kmprof_merge_keep(void *sum, const void *more)
{
	(void)sum;
	(void)more;
}
