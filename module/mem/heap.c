// SPDX-License-Identifier: GPL-2.0
/*
 * The heap profile: counts the events of its buckets. Source: memRecord of mprof.go.
 *
 * In the sums of the closed cycles 0 <= pending <= frees <= allocs.
 */
#include <linux/atomic.h>
#include <linux/bug.h>
#include <linux/mutex.h>

#include "core/bucket.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "core/ring.h"
#include "core/stats.h"
#include "mem/heap.h"
#include "mem/live.h"

static void resolve(const struct kmprof_record *rec, struct kmprof_bucket *b)
{
	if (!b) {
		kmprof_stats_count(rec->slot, KMPROF_LOSS_BUCKET_FULL);
		kmprof_live_drop(rec);
		return;
	}
	atomic_long_inc(&b->future[rec->slot].allocs);
	kmprof_stats_count(rec->slot, KMPROF_COUNTED);
	kmprof_live_resolve(rec, b);
}

static void fold(struct kmprof_bucket *b, unsigned int slot)
{
	struct kmprof_bucket_slot *s = &b->future[slot];

	b->active.allocs += atomic_long_read(&s->allocs);
	b->active.frees += atomic_long_read(&s->frees);
	b->active.pending += atomic_long_read(&s->pending);
	atomic_long_set(&s->allocs, 0);
	atomic_long_set(&s->frees, 0);
	atomic_long_set(&s->pending, 0);
	WARN_ON_ONCE(b->active.frees > b->active.allocs ||
		     b->active.pending > b->active.frees);
}

static bool is_shown(const struct kmprof_bucket *b)
{
	return b->active.allocs;
}

static const struct kmprof_profile_ops ops = {
	.resolve	= resolve,
	.discard	= kmprof_live_drop,
	.fold		= fold,
	.is_shown	= is_shown,
	.forget_dead	= kmprof_live_drop_dead,
};

struct kmprof_profile kmprof_heap_profile = {
	.name	= "heap",
	.id	= KMPROF_PROFILE_HEAP,
	.ops	= &ops,
};

/**
 * kmprof_heap_forget_live() - drop all live objects, because their frees were not seen
 *
 * They are counted as freed in the current cycle, and in the ledger as untracked.
 *
 * Context: Process context. Takes the cycle and drain locks. No probe is armed.
 */
void kmprof_heap_forget_live(void)
{
	mutex_lock(&kmprof_cycle_lock);
	kmprof_drain();
	kmprof_live_drop_all(kmprof_slot_current);
	mutex_unlock(&kmprof_cycle_lock);
}
