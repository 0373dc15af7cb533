// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "schedule/collect.h"
#include "schedule/locks.h"
#include "util/merge.h"
#include "util/saturate.h"

static int by_lock(const void *a, const void *b)
{
	const struct kmprof_lock_waits *x = a, *y = b;

	if (x->lock != y->lock)
		return kmprof_compare_u64(x->lock, y->lock);
	if (x->kind != y->kind)
		return kmprof_compare_u64(x->kind, y->kind);
	return kmprof_compare_u64(x->owner, y->owner);
}

static int by_time(const void *a, const void *b)
{
	const struct kmprof_lock_waits *x = a, *y = b;

	return x->ns == y->ns ? by_lock(a, b) : kmprof_compare_u64(y->ns, x->ns);
}

static void add(void *sum, const void *more)
{
	struct kmprof_lock_waits *to = sum;
	const struct kmprof_lock_waits *from = more;

	to->count += from->count;
	to->ns = kmprof_saturated_count(to->ns, from->ns);
	if (from->longest_ns > to->longest_ns)
		to->longest_ns = from->longest_ns;
}

static int add_those_of(struct kmprof_growing *locks, const struct kmprof_schedule *schedule,
			const struct kmprof_life *life)
{
	const struct kmprof_leg *leg;
	struct kmprof_lock_waits one;
	__u32 owner;
	size_t i, nr;

	leg = kmprof_life_legs(life, &nr);
	for (i = 0; i < nr;) {
		one = (struct kmprof_lock_waits){
			.count = 1, .lock = leg[i].lock, .kind = leg[i].kind,
			.owner = KMPROF_NO_TASK,
		};
		do {
			one.ns += leg[i].to_ns - leg[i].from_ns;
			owner = leg[i].owner;
			/* The first one that is known. */
			if (one.owner == KMPROF_NO_TASK && owner != KMPROF_NO_TASK)
				one.owner = schedule->life[owner].name;
		} while (++i < nr && leg[i].goes_on);
		one.longest_ns = one.ns;
		if (kmprof_growing_add(locks, &one, sizeof(one)))
			return -ENOMEM;
	}
	return 0;
}

int kmprof_schedule_locks(const struct kmprof_schedule *schedule, struct kmprof_lock_waits **locks,
			  size_t *nr, struct kmprof_error *err)
{
	static const struct kmprof_collection collection = {
		.what		= "waits for locks",
		.size		= sizeof(**locks),
		.add_those_of	= add_those_of,
		.by_key		= by_lock,
		.add		= add,
		.by_rank	= by_time,
	};
	void *entries = NULL;
	int ret;

	ret = kmprof_schedule_collect(schedule, &collection, &entries, nr, err);
	*locks = entries;
	return ret;
}
