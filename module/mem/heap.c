// SPDX-License-Identifier: GPL-2.0
/*
 * The heap profile: counts the events of its buckets, and says what its rows and its numbers
 * are. Source: memRecord of mprof.go.
 *
 * In the sums of the closed cycles 0 <= pending <= frees <= allocs.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/string.h>
#include <uapi/linux/kmprof.h>

#include "core/bucket.h"
#include "core/cache_name.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "core/ring.h"
#include "core/stats.h"
#include "mem/block.h"
#include "mem/callbacks.h"
#include "mem/estimate.h"
#include "mem/gfp_class.h"
#include "mem/heap.h"
#include "mem/heap_source.h"
#include "mem/heap_text.h"
#include "mem/live.h"
#include "mem/marks.h"

static void resolve(const struct kmprof_record *rec, struct kmprof_bucket *b)
{
	unsigned int objects = kmprof_block_objects(rec->detail);

	if (!b) {
		kmprof_stats_add(rec->slot, KMPROF_LOSS_BUCKET_FULL, objects);
		kmprof_live_drop(rec);
		return;
	}
	/* The first one says it for all: one stack and size with two caches are rare. */
	if (!b->cache)
		WRITE_ONCE(b->cache, rec->cache);
	atomic_long_add(objects, &b->future[rec->slot].allocs);
	kmprof_stats_add(rec->slot, KMPROF_COUNTED, objects);
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

static void fill_row(void *row, const struct kmprof_bucket *b, bool addresses)
{
	const u16 slot = READ_ONCE(b->cache);
	const char *cache = kmprof_cache_slot_name(slot);
	struct kmprof_image_sample *s = row;

	s->kind = kmprof_bucket_kind(&b->key);
	s->period = b->key.period;
	s->object_size = b->key.size;
	s->allocs = b->active.allocs;
	s->frees = b->active.frees;
	s->rcu_pending = b->active.pending;
	s->together = kmprof_block_together(b->key.detail);
	s->peak = b->marks[KMPROF_MARK_PEAK];
	s->at = b->marks[KMPROF_MARK_AT];
	s->oom = b->marks[KMPROF_MARK_OOM];
	s->gfp_class = kmprof_cache_slot_is_reclaimable(slot) ? KMPROF_GFP_RECLAIMABLE :
		       kmprof_gfp_class_of(b->key.detail);
	if (cache)
		strscpy(s->cache, cache, sizeof(s->cache));
}

static u64 inuse(const struct kmprof_bucket *b, bool open_cycle)
{
	s64 nr = b->active.allocs - b->active.frees;
	unsigned int slot;

	for (slot = 0; open_cycle && slot < KMPROF_NR_SLOTS; slot++)
		nr += atomic_long_read(&b->future[slot].allocs) -
		      atomic_long_read(&b->future[slot].frees);
	/* Frees may come between the two. */
	return max(nr, 0LL);
}

/* The class of an age: see @ages of struct kmprof_image_sample. */
static unsigned int age_class(u64 age_ns)
{
	return min_t(unsigned int, fls64(age_ns >> KMPROF_AGE_SHIFT), KMPROF_AGES - 1);
}

static void add_object(void *row, const struct kmprof_image_object *o)
{
	struct kmprof_image_sample *s = row;

	s->oldest_ns = max(s->oldest_ns, o->age_ns);
	s->ages[age_class(o->age_ns)] += hweight32(o->parts);
}

/* The live table points to buckets of this profile only. */
static void forget_dead(struct kmprof_profile *profile)
{
	kmprof_live_drop_dead();
}

static const struct kmprof_profile_ops ops = {
	.resolve	= resolve,
	.discard	= kmprof_live_drop,
	.fold		= fold,
	.is_shown	= is_shown,
	.fill_row	= fill_row,
	.closed		= kmprof_marks_make,
	.forget_dead	= forget_dead,
	.settle_begin	= kmprof_callbacks_settle_begin,
	.settle_end	= kmprof_callbacks_settle_end,
	.live		= kmprof_live_count,
	.inuse		= inuse,
	.walk		= kmprof_live_walk,
	.add_object	= add_object,
};

#define TOTAL(member, unit_)							\
	{									\
		.name	= "total." #member,					\
		.unit	= (unit_),						\
		.flags	= KMPROF_SCALAR_TOTAL,					\
		.offset	= offsetof(struct kmprof_stats, totals.member),		\
	}

#define MARKED(name_, unit_, mark, member)					\
	{									\
		.name	= "mark." name_,					\
		.unit	= (unit_),						\
		.flags	= KMPROF_SCALAR_MARK,					\
		.offset	= offsetof(struct kmprof_stats, marks[mark].member),	\
	}

static const struct kmprof_scalar scalars[] = {
	TOTAL(alloc_calls, "count"),
	TOTAL(alloc_bytes, "bytes"),
	TOTAL(free_calls, "count"),
	KMPROF_COUNTER("total.percpu_calls", "count", KMPROF_SCALAR_TOTAL, KMPROF_PERCPU_CALLS),
	KMPROF_COUNTER("total.percpu_bytes", "bytes", KMPROF_SCALAR_TOTAL, KMPROF_PERCPU_BYTES),
	KMPROF_COUNTER("total.percpu_frees", "count", KMPROF_SCALAR_TOTAL, KMPROF_PERCPU_FREES),
	KMPROF_COUNTER("total.vmalloc_calls", "count", KMPROF_SCALAR_TOTAL, KMPROF_VMALLOC_CALLS),
	KMPROF_COUNTER("total.vmalloc_bytes", "bytes", KMPROF_SCALAR_TOTAL, KMPROF_VMALLOC_BYTES),
	KMPROF_COUNTER("total.vmalloc_frees", "count", KMPROF_SCALAR_TOTAL, KMPROF_VMALLOC_FREES),
	KMPROF_COUNTER("total.pages_allocated", "count", KMPROF_SCALAR_TOTAL,
		       KMPROF_PAGES_ALLOCATED),
	KMPROF_COUNTER("total.pages_freed", "count", KMPROF_SCALAR_TOTAL, KMPROF_PAGES_FREED),
	KMPROF_COUNTER("filtered", "count", KMPROF_SCALAR_FILTERED, KMPROF_FILTERED),
	KMPROF_COUNTER("filtered_bytes", "bytes", 0, KMPROF_FILTERED_BYTES),
	MARKED("peak_bytes", "bytes", KMPROF_MARK_PEAK, bytes),
	MARKED("peak_time_ns", NULL, KMPROF_MARK_PEAK, time_ns),
	MARKED("at_bytes", "bytes", KMPROF_MARK_AT, bytes),
	MARKED("at_time_ns", NULL, KMPROF_MARK_AT, time_ns),
	MARKED("oom_bytes", "bytes", KMPROF_MARK_OOM, bytes),
	MARKED("oom_time_ns", NULL, KMPROF_MARK_OOM, time_ns),
	KMPROF_COUNTER("sampled", "count", KMPROF_SCALAR_SAMPLED, KMPROF_SAMPLED),
	KMPROF_COUNTER("counted", "count", KMPROF_SCALAR_COUNTED, KMPROF_COUNTED),
	KMPROF_LOST("nested", KMPROF_LOSS_NESTED),
	KMPROF_LOST("ring_full", KMPROF_LOSS_RING_FULL),
	KMPROF_LOST("live_full", KMPROF_LOSS_LIVE_FULL),
	KMPROF_LOST("bucket_full", KMPROF_LOSS_BUCKET_FULL),
	KMPROF_LOST("alloc_failed", KMPROF_LOSS_ALLOC_FAILED),
	KMPROF_LOST("own", KMPROF_LOSS_OWN),
	KMPROF_LEDGER("missed_probe", KMPROF_LOSS_MISSED_PROBE),
	KMPROF_LEDGER("probes_off", KMPROF_LOSS_PROBES_OFF),
	KMPROF_LEDGER("missed_free", KMPROF_LOSS_MISSED_FREE),
	KMPROF_LEDGER("stack_truncated", KMPROF_LOSS_STACK_TRUNCATED),
	KMPROF_LEDGER("untracked", KMPROF_LOSS_UNTRACKED),
	KMPROF_LEDGER("owner_full", KMPROF_LOSS_OWNER_FULL),
};

#define COLUMN(member)								\
	{									\
		.name	= #member,						\
		.unit	= "count",						\
		.offset	= offsetof(struct kmprof_image_sample, member),		\
	}

static const struct kmprof_column columns[] = {
	COLUMN(allocs),
	COLUMN(frees),
	COLUMN(rcu_pending),
	COLUMN(peak),
	COLUMN(at),
	COLUMN(oom),
};

/* In estimated bytes. */
static u64 rank_inuse(const void *row)
{
	const struct kmprof_image_sample *s = row;

	return kmprof_heap_bytes(s, s->allocs - s->frees);
}

static u64 rank_allocs(const void *row)
{
	const struct kmprof_image_sample *s = row;

	return kmprof_heap_bytes(s, s->allocs);
}

static const struct kmprof_view views[] = {
	{ "heap", &kmprof_heap_profile, &kmprof_heap_form, rank_inuse },
	{ "allocs", &kmprof_heap_profile, &kmprof_heap_form, rank_allocs },
};

struct kmprof_profile kmprof_heap_profile = {
	.name		= "heap",
	.ops		= &ops,
	.source		= &kmprof_heap_source,
	.scalars	= scalars,
	.nr_scalars	= ARRAY_SIZE(scalars),
	.format		= KMPROF_ROWS_HEAP,
	.row_size	= sizeof(struct kmprof_image_sample),
	.columns	= columns,
	.nr_columns	= ARRAY_SIZE(columns),
	.views		= views,
	.nr_views	= ARRAY_SIZE(views),
};

/**
 * kmprof_heap_forget_live() - drop the live objects of some kinds, because their frees are not seen
 * @kinds: bits of enum kmprof_kind_id
 *
 * They are counted as freed in the current cycle, and in the ledger as untracked.
 *
 * Context: Process context. Takes the cycle and drain locks. No probe on allocations and frees of
 * these kinds is armed; objects can still be marked as dying (rcu_door.c).
 */
void kmprof_heap_forget_live(u64 kinds)
{
	mutex_lock(&kmprof_cycle_lock);
	kmprof_drain();
	kmprof_live_drop_kinds(kinds, kmprof_slot_current);
	mutex_unlock(&kmprof_cycle_lock);
}
