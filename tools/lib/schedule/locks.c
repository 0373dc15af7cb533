// SPDX-License-Identifier: GPL-2.0
#include <errno.h>

#include "schedule/collect.h"
#include "schedule/locks.h"
#include "util/merge.h"

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

	return x->times.ns == y->times.ns ? by_lock(a, b) :
					    kmprof_compare_u64(y->times.ns, x->times.ns);
}

static int add_those_of(struct kmprof_growing *locks, const struct kmprof_schedule *schedule,
			const struct kmprof_life *life)
{
	const struct kmprof_leg *leg;
	struct kmprof_lock_waits one;
	__u64 from_ns;
	__u32 owner;
	size_t i, nr;

	leg = kmprof_life_legs(life, &nr);
	for (i = 0; i < nr;) {
		one = (struct kmprof_lock_waits){
			.lock = leg[i].lock, .kind = leg[i].kind, .owner = KMPROF_NO_TASK,
		};
		from_ns = leg[i].span.from_ns;
		do {
			owner = leg[i].owner;
			/* The first one that is known. */
			if (one.owner == KMPROF_NO_TASK && owner != KMPROF_NO_TASK)
				one.owner = schedule->life[owner].name;
		} while (++i < nr && leg[i].goes_on);
		/* Legs of one wait follow each other without a gap. */
		one.times = kmprof_times_once(leg[i - 1].span.to_ns - from_ns);
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
		.add		= kmprof_times_add,
		.by_rank	= by_time,
	};
	void *entries = NULL;
	int ret;

	ret = kmprof_schedule_collect(schedule, &collection, &entries, nr, err);
	*locks = entries;
	return ret;
}
