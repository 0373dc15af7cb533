// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "schedule/collect.h"
#include "schedule/sleeps.h"
#include "util/merge.h"

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

	return x->times.ns == y->times.ns ? by_place(a, b) :
					    kmprof_compare_u64(y->times.ns, x->times.ns);
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
			.times		= kmprof_times_once(ns),
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
	static const struct kmprof_collection collection = {
		.what		= "sleeps",
		.size		= sizeof(**sleeps),
		.add_those_of	= add_those_of,
		.by_key		= by_place,
		.add		= kmprof_times_add,
		.by_rank	= by_time,
	};
	void *entries = NULL;
	int ret;

	ret = kmprof_schedule_collect(schedule, &collection, &entries, nr, err);
	*sleeps = entries;
	return ret;
}
