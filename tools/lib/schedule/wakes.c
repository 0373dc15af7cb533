// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "schedule/collect.h"
#include "schedule/wakes.h"
#include "util/merge.h"

static int by_pair(const void *a, const void *b)
{
	const struct kmprof_wakes *x = a, *y = b;

	if (x->waker != y->waker)
		return kmprof_compare_u64(x->waker, y->waker);
	if (x->context != y->context)
		return kmprof_compare_u64(x->context, y->context);
	if (x->woken != y->woken)
		return kmprof_compare_u64(x->woken, y->woken);
	return kmprof_compare_u64(x->stack, y->stack);
}

static int by_count(const void *a, const void *b)
{
	const struct kmprof_wakes *x = a, *y = b;

	if (x->times.count == y->times.count)
		return by_pair(a, b);
	return kmprof_compare_u64(y->times.count, x->times.count);
}

/*
 * A hardirq has nothing to do with the task that it interrupts. A softirq need not have: it may
 * deliver a packet which that task has just sent.
 */
static __u32 waker_of(const struct kmprof_schedule *schedule, const struct kmprof_stretch *stretch)
{
	if (stretch->waker == KMPROF_NO_TASK)
		return KMPROF_NO_TASK;
	return stretch->waker_context == KMPROF_TRACE_IN_TASK ?
	       schedule->life[stretch->waker].name : 0;
}

static int add_those_of(struct kmprof_growing *wakes, const struct kmprof_schedule *schedule,
			const struct kmprof_life *life)
{
	const struct kmprof_stretch *stretch;
	struct kmprof_wakes one;
	size_t i, nr;
	__u64 ns;

	stretch = kmprof_life_stretches(life, &nr);
	for (i = 1; i < nr; i++) {
		if (stretch[i].state != KMPROF_TASK_RUNNABLE ||
		    stretch[i - 1].state != KMPROF_TASK_ASLEEP || stretch[i].is_inferred)
			continue;
		ns = kmprof_stretch_end(schedule, life, i) - stretch[i].from_ns;
		one = (struct kmprof_wakes){
			.times		= kmprof_times_once(ns),
			.waker		= waker_of(schedule, &stretch[i]),
			.context	= stretch[i].waker_context,
			.woken		= life->name,
			.stack		= stretch[i].stack,
		};
		if (kmprof_growing_add(wakes, &one, sizeof(one)))
			return -ENOMEM;
	}
	return 0;
}

int kmprof_schedule_wakes(const struct kmprof_schedule *schedule, struct kmprof_wakes **wakes,
			  size_t *nr, struct kmprof_error *err)
{
	static const struct kmprof_collection collection = {
		.what		= "wake-ups",
		.size		= sizeof(**wakes),
		.add_those_of	= add_those_of,
		.by_key		= by_pair,
		.add		= kmprof_times_add,
		.by_rank	= by_count,
	};
	void *entries = NULL;
	int ret;

	ret = kmprof_schedule_collect(schedule, &collection, &entries, nr, err);
	*wakes = entries;
	return ret;
}
