// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "schedule/called.h"
#include "schedule/collect.h"
#include "util/merge.h"

static int by_key(const void *a, const void *b)
{
	const struct kmprof_called *x = a, *y = b;

	return x->number == y->number ? kmprof_compare_u64(x->name, y->name) :
					kmprof_compare_u64(x->number, y->number);
}

static int by_time(const void *a, const void *b)
{
	const struct kmprof_called *x = a, *y = b;

	return x->times.ns == y->times.ns ? by_key(a, b) :
					    kmprof_compare_u64(y->times.ns, x->times.ns);
}

static void add(void *sum, const void *more)
{
	struct kmprof_called *to = sum;
	const struct kmprof_called *one = more;

	kmprof_times_add(&to->times, &one->times);
	to->failed += one->failed;
}

static int add_those_of(struct kmprof_growing *called, const struct kmprof_schedule *schedule,
			const struct kmprof_life *life)
{
	const struct kmprof_call *call;
	struct kmprof_called one;
	size_t i, nr;
	int ret = 0;

	(void)schedule;
	call = kmprof_life_calls(life, &nr);
	for (i = 0; !ret && i < nr; i++) {
		one = (struct kmprof_called){
			.times	= kmprof_times_once(call[i].span.to_ns - call[i].span.from_ns),
			.failed	= call[i].has_failed,
			.number	= call[i].number,
			.name	= life->name,
		};
		ret = kmprof_growing_add(called, &one, sizeof(one));
	}
	return ret;
}

int kmprof_schedule_called(const struct kmprof_schedule *schedule, struct kmprof_called **called,
			   size_t *nr, struct kmprof_error *err)
{
	static const struct kmprof_collection collection = {
		.what		= "system calls",
		.size		= sizeof(**called),
		.add_those_of	= add_those_of,
		.by_key		= by_key,
		.add		= add,
		.by_rank	= by_time,
	};
	void *entries = NULL;
	int ret;

	ret = kmprof_schedule_collect(schedule, &collection, &entries, nr, err);
	*called = entries;
	return ret;
}
