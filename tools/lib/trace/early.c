// SPDX-License-Identifier: GPL-2.0
#include <stdlib.h>
#include <string.h>

#include "trace/early.h"

struct place {
	__u64 number;
	__u32 cpu;
	__u32 __reserved;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->cpu != y->cpu)
		return x->cpu < y->cpu ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static size_t count(const struct kmprof_early *early)
{
	return early->switches.used / sizeof(struct place);
}

int kmprof_early_add(struct kmprof_early *early, __u32 cpu, __u64 number)
{
	const struct place place = { .number = number, .cpu = cpu };

	return kmprof_growing_add(&early->switches, &place, sizeof(place));
}

void kmprof_early_sort(struct kmprof_early *early)
{
	if (count(early))
		qsort(early->switches.bytes, count(early), sizeof(struct place), by_place);
}

bool kmprof_early_has(const struct kmprof_early *early, __u32 cpu, __u64 number)
{
	const struct place place = { .number = number, .cpu = cpu };

	return count(early) && bsearch(&place, early->switches.bytes, count(early), sizeof(place),
				       by_place);
}

void kmprof_early_release(struct kmprof_early *early)
{
	free(early->switches.bytes);
	memset(early, 0, sizeof(*early));
}
