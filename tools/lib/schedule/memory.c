// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>

#include "schedule/collect.h"
#include "schedule/memory.h"
#include "util/merge.h"

static int by_name(const void *a, const void *b)
{
	const struct kmprof_memory *x = a, *y = b;

	return kmprof_compare_u64(x->name, y->name);
}

static int by_bytes(const void *a, const void *b)
{
	const struct kmprof_memory *x = a, *y = b;
	int order = kmprof_compare_u64(y->flow.alloc_bytes, x->flow.alloc_bytes);

	if (!order)
		order = kmprof_compare_u64(y->flow.free_bytes, x->flow.free_bytes);
	if (!order)
		order = by_name(a, b);
	return order ? order : kmprof_compare_u64(x->context, y->context);
}

static void add(void *sum, const void *more)
{
	struct kmprof_memory *to = sum;
	const struct kmprof_memory *one = more;

	kmprof_flow_add(&to->flow, &one->flow);
}

static int add_that_of(struct kmprof_growing *memory, const struct kmprof_schedule *schedule,
		       const struct kmprof_life *life)
{
	const struct kmprof_memory one = {
		.flow = life->flow, .name = life->name, .context = KMPROF_TRACE_IN_TASK,
	};

	(void)schedule;
	if (kmprof_flow_is_none(&life->flow))
		return 0;
	return kmprof_growing_add(memory, &one, sizeof(one));
}

static int add_others(struct kmprof_memory **memory, size_t *nr,
		      const struct kmprof_schedule *schedule)
{
	struct kmprof_memory *more, *one;
	__u32 i;

	more = realloc(*memory, (*nr + KMPROF_SCHEDULE_CONTEXTS) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	for (i = 0; i < KMPROF_SCHEDULE_CONTEXTS; i++) {
		if (kmprof_flow_is_none(&schedule->flow[i]))
			continue;
		one = &more[(*nr)++];
		one->flow = schedule->flow[i];
		one->name = i == KMPROF_TRACE_IN_TASK ? 0 : KMPROF_NO_TASK;
		one->context = i;
	}
	qsort(more, *nr, sizeof(*more), by_bytes);
	*memory = more;
	return 0;
}

int kmprof_schedule_memory(const struct kmprof_schedule *schedule, struct kmprof_memory **memory,
			   size_t *nr, struct kmprof_error *err)
{
	static const struct kmprof_collection collection = {
		.what		= "memory",
		.size		= sizeof(**memory),
		.add_those_of	= add_that_of,
		.by_key		= by_name,
		.add		= add,
		.by_rank	= by_bytes,
	};
	void *entries = NULL;
	int ret;

	ret = kmprof_schedule_collect(schedule, &collection, &entries, nr, err);
	*memory = entries;
	if (ret)
		return ret;
	ret = add_others(memory, nr, schedule);
	return ret ? kmprof_error_set(err, ret, NULL, "out of memory for the memory") : 0;
}
