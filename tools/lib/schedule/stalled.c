// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "schedule/collect.h"
#include "schedule/stalled.h"
#include "util/merge.h"
#include "util/saturate.h"

static int by_key(const void *a, const void *b)
{
	const struct kmprof_stalled *x = a, *y = b;

	return x->kind == y->kind ? kmprof_compare_u64(x->name, y->name) :
				    kmprof_compare_u64(x->kind, y->kind);
}

static int by_time(const void *a, const void *b)
{
	const struct kmprof_stalled *x = a, *y = b;

	return x->times.ns == y->times.ns ? by_key(a, b) :
					    kmprof_compare_u64(y->times.ns, x->times.ns);
}

static void add(void *sum, const void *more)
{
	struct kmprof_stalled *to = sum;
	const struct kmprof_stalled *one = more;

	kmprof_times_add(&to->times, &one->times);
	to->pages = kmprof_saturated_count(to->pages, one->pages);
}

static int add_those_of(struct kmprof_growing *stalled, const struct kmprof_schedule *schedule,
			const struct kmprof_life *life)
{
	const struct kmprof_stall *stall;
	struct kmprof_stalled one;
	size_t i, nr;
	int ret = 0;

	(void)schedule;
	stall = kmprof_life_stalls(life, &nr);
	for (i = 0; !ret && i < nr; i++) {
		one = (struct kmprof_stalled){
			.times	= kmprof_times_once(stall[i].span.to_ns - stall[i].span.from_ns),
			.pages	= stall[i].pages,
			.kind	= stall[i].kind,
			.name	= life->name,
		};
		ret = kmprof_growing_add(stalled, &one, sizeof(one));
	}
	return ret;
}

int kmprof_schedule_stalled(const struct kmprof_schedule *schedule,
			    struct kmprof_stalled **stalled, size_t *nr, struct kmprof_error *err)
{
	static const struct kmprof_collection collection = {
		.what		= "reclaim",
		.size		= sizeof(**stalled),
		.add_those_of	= add_those_of,
		.by_key		= by_key,
		.add		= add,
		.by_rank	= by_time,
	};
	void *entries = NULL;
	int ret;

	ret = kmprof_schedule_collect(schedule, &collection, &entries, nr, err);
	*stalled = entries;
	return ret;
}
