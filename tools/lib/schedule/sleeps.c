// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "schedule/sleeps.h"
#include "util/merge.h"
#include "util/saturate.h"

static int by_place(const void *a, const void *b)
{
	const struct kmprof_sleeps *x = a, *y = b;

	if (x->name != y->name)
		return kmprof_compare_u64(x->name, y->name);
	if (x->reason != y->reason)
		return kmprof_compare_u64(x->reason, y->reason);
	return kmprof_compare_u64(x->stack, y->stack);
}

static int by_time(const void *a, const void *b)
{
	const struct kmprof_sleeps *x = a, *y = b;

	return x->ns == y->ns ? by_place(a, b) : kmprof_compare_u64(y->ns, x->ns);
}

static void add(void *sum, const void *more)
{
	struct kmprof_sleeps *to = sum;
	const struct kmprof_sleeps *from = more;

	to->count += from->count;
	to->ns = kmprof_saturated_count(to->ns, from->ns);
	if (from->longest_ns > to->longest_ns)
		to->longest_ns = from->longest_ns;
}

static int add_those_of(struct kmprof_growing *sleeps, const struct kmprof_schedule *schedule,
			const struct kmprof_life *life)
{
	const struct kmprof_stretch *stretch;
	struct kmprof_sleeps one;
	size_t i, nr;
	__u64 ns;

	stretch = kmprof_life_stretches(life, &nr);
	for (i = 0; i < nr; i++) {
		if (stretch[i].state != KMPROF_TASK_ASLEEP || !stretch[i].stack)
			continue;
		ns = kmprof_stretch_end(schedule, life, i) - stretch[i].from_ns;
		one = (struct kmprof_sleeps){
			.ns		= ns,
			.longest_ns	= ns,
			.count		= 1,
			.name		= life->name,
			.reason		= stretch[i].reason,
			.stack		= stretch[i].stack,
		};
		if (kmprof_growing_add(sleeps, &one, sizeof(one)))
			return -ENOMEM;
	}
	return 0;
}

int kmprof_schedule_sleeps(const struct kmprof_schedule *schedule, struct kmprof_sleeps **sleeps,
			   size_t *nr, struct kmprof_error *err)
{
	struct kmprof_growing all = { 0 };
	int ret = 0;
	__u32 i;

	for (i = 1; !ret && i < schedule->nr_lives; i++)
		ret = add_those_of(&all, schedule, &schedule->life[i]);
	if (ret) {
		free(all.bytes);
		return kmprof_error_set(err, ret, NULL, "out of memory for the sleeps");
	}
	*sleeps = (struct kmprof_sleeps *)all.bytes;
	*nr = all.used / sizeof(**sleeps);
	if (*nr) {
		*nr = kmprof_merge(*sleeps, *nr, sizeof(**sleeps), by_place, add);
		qsort(*sleeps, *nr, sizeof(**sleeps), by_time);
	}
	return 0;
}
