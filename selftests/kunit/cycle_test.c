// SPDX-License-Identifier: GPL-2.0
/*
 * Cycles: a closed one has all that happened in it and nothing that came later,
 * for every bucket, whoever runs at the same time; and the numbers go round.
 */
#include <kunit/test.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/kthread.h>
#include <linux/preempt.h>

#include "events.h"

#include "core/cycle.c"
#include "chance.h"
#include "core/ring.h"
#include "core/sampler.h"
#include "mem/block.h"
#include "mem/callbacks.h"
#include "mem/heap.h"
#include "mem/live.h"
#include "rig.h"

/* The slots are a ring of three: current, closing, and folded are distinct. */
static void three_slots_go_round(struct kunit *test)
{
	unsigned int slot;

	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
		unsigned int next = kmprof_slot_next(slot), after = kmprof_slot_next(next);

		KUNIT_EXPECT_EQ(test, next, (slot + 1) % KMPROF_NR_SLOTS);
		KUNIT_EXPECT_NE(test, next, slot);
		KUNIT_EXPECT_NE(test, after, slot);
		KUNIT_EXPECT_NE(test, after, next);
		KUNIT_EXPECT_EQ(test, kmprof_slot_next(after), slot);
	}
}

/*
 * From any slot, and when the number wraps: each cycle adds one to the number,
 * moves the slot by one, and shows what has happened since the one before.
 */
static void a_cycle_is_counted_round_the_end(struct kunit *test)
{
	unsigned int i, slot, n;

	KUNIT_ASSERT_EQ(test, rig_create(test, &rig_wide_limits), 0);
	for (i = 0; i < 24; i++) {
		u64 cycle, allocs = kmprof_published.stats.totals.alloc_calls;

		/* Every slot meets the wrap. */
		if (i % 8 == 0)
			kmprof_published.cycle = U64_MAX - 2 - i / 8;
		cycle = kmprof_cycle_number();
		for (n = 0; n <= i; n++)
			event_alloc(rig_object(1000 * i + n), 8, 1, event_site(0));
		slot = kmprof_slot_current;
		rig_advance();
		KUNIT_EXPECT_EQ(test, kmprof_cycle_number(), cycle + 1);
		KUNIT_EXPECT_EQ(test, kmprof_slot_current, (slot + 1) % KMPROF_NR_SLOTS);
		KUNIT_EXPECT_EQ(test, kmprof_slot_cycle(kmprof_slot_current),
				(u32)(kmprof_published.cycle + 1));
		KUNIT_EXPECT_EQ(test, kmprof_published.stats.totals.alloc_calls - allocs, i + 1);
	}
	KUNIT_EXPECT_EQ(test, kmprof_published.stats.counter[KMPROF_COUNTED], 24 * 25 / 2);
}

/* What was published is whole: in each bucket, and in the ledger. */
static bool published_is_whole(void)
{
	const struct kmprof_stats *s = &kmprof_published.stats;
	u64 allocs = 0;
	struct kmprof_bucket *b;
	bool ok = true;

	lockdep_assert_held(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b) {
		ok &= b->active.frees <= b->active.allocs;
		ok &= b->active.pending <= b->active.frees;
		allocs += b->active.allocs;
	}
	ok &= allocs == s->counter[KMPROF_COUNTED];
	ok &= s->counter[KMPROF_SAMPLED] == s->counter[KMPROF_COUNTED] +
	      rig_sum(&kmprof_heap_profile, KMPROF_SCALAR_LOST, s);
	ok &= s->totals.alloc_calls + s->counter[KMPROF_PAGES_ALLOCATED] ==
	      s->counter[KMPROF_SAMPLED];
	return ok;
}

enum {
	SITES		= 60,
	OBJECTS		= 2000,
};

/**
 * struct cycle_model - what the profiler should know
 * @site_of: of each object that is live, 1 + its site
 * @dying: it was handed to kfree_rcu()
 * @now: counts of the open cycle and all closed ones, by site
 * @frees: free events
 */
struct cycle_model {
	u8 site_of[OBJECTS];
	bool dying[OBJECTS];
	struct kmprof_bucket_counts now[SITES];
	u64 frees;
};

static void model_compare(struct kunit *test, const struct cycle_model *m)
{
	struct kmprof_bucket *b;
	unsigned int i, live = 0, buckets = 0, wrong = 0;

	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b) {
		i = event_site_number(b->frames[0]);
		wrong += i >= SITES || memcmp(&b->active, &m->now[i], sizeof(b->active));
		buckets++;
	}
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_ASSERT_EQ(test, wrong, 0);
	for (i = 0; i < SITES; i++)
		buckets -= m->now[i].allocs != 0;
	KUNIT_ASSERT_EQ(test, buckets, 0);
	for (i = 0; i < OBJECTS; i++)
		live += m->site_of[i] != 0;
	KUNIT_ASSERT_EQ(test, kmprof_live_count(), live);
	KUNIT_ASSERT_EQ(test, kmprof_published.stats.totals.free_calls, m->frees);
}

/*
 * With room for all: each closed cycle is what the model says, to the object,
 * whether the drain had been there in between or not.
 */
static void closed_cycles_are_what_happened(struct kunit *test)
{
	struct cycle_model *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	unsigned int i, object, site;
	struct rnd_state r;
	bool whole;

	KUNIT_ASSERT_NOT_NULL(test, m);
	KUNIT_ASSERT_EQ(test, rig_create(test, &rig_wide_limits), 0);
	prandom_seed_state(&r, 1);
	for (i = 0; i < 40000; i++) {
		object = chance_below(&r, OBJECTS);
		site = m->site_of[object];
		if (!site) {
			site = chance_below(&r, SITES);
			event_alloc(rig_object(object), 64, 4096, event_site(site));
			m->site_of[object] = site + 1;
			m->now[site].allocs++;
		} else if (!m->dying[object] && chance_below(&r, 3) == 0) {
			event_defer(rig_object(object));
			m->dying[object] = true;
			m->now[site - 1].frees++;
			m->now[site - 1].pending++;
		} else {
			event_free(rig_object(object));
			m->frees++;
			if (m->dying[object])
				m->now[site - 1].pending--;
			else
				m->now[site - 1].frees++;
			m->dying[object] = false;
			m->site_of[object] = 0;
		}
		if (chance_below(&r, 400) == 0) {
			rig_advance();
			mutex_lock(&kmprof_cycle_lock);
			whole = published_is_whole();
			mutex_unlock(&kmprof_cycle_lock);
			KUNIT_ASSERT_TRUE(test, whole);
			model_compare(test, m);
		} else if (chance_below(&r, 400) == 0) {
			kmprof_drain();
		} else if (chance_below(&r, 4000) == 0) {
			rig_reset();
			KUNIT_ASSERT_EQ(test, rig_nr_buckets(), 0);
			memset(m, 0, sizeof(*m));
			KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
		}
	}
	kmprof_for_each_profile(p)
		KUNIT_EXPECT_EQ_MSG(test, rig_sum(p, KMPROF_SCALAR_LEDGER,
						  &kmprof_published.stats), 0, "%s", p->name);
}

/* Nothing of an open cycle is seen before it is closed. */
static void an_open_cycle_is_not_seen(struct kunit *test)
{
	struct kmprof_bucket *b;
	u64 sum = 0;

	KUNIT_ASSERT_EQ(test, rig_create(test, &rig_wide_limits), 0);
	event_alloc(rig_object(1), 64, 1, event_site(1));
	rig_advance();
	event_alloc(rig_object(2), 64, 1, event_site(1));
	event_alloc(rig_object(3), 64, 1, event_site(2));
	event_free(rig_object(1));
	kmprof_drain();
	KUNIT_EXPECT_EQ(test, kmprof_published.stats.totals.alloc_calls, 1);
	KUNIT_EXPECT_EQ(test, kmprof_published.stats.totals.free_calls, 0);
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b)
		sum += b->active.allocs + 100 * b->active.frees;
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_EXPECT_EQ(test, sum, 1);
}

/* Objects that were live when the profiler was turned off end there, as untracked. */
static void forgotten_objects_are_booked(struct kunit *test)
{
	struct kmprof_bucket *b;
	unsigned int i;

	KUNIT_ASSERT_EQ(test, rig_create(test, &rig_wide_limits), 0);
	for (i = 0; i < 100; i++)
		event_alloc(rig_object(i), 64, 1, event_site(i % 10));
	kmprof_heap_forget_live(KMPROF_HEAP_KINDS);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
	rig_advance();
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b) {
		KUNIT_EXPECT_EQ(test, b->active.allocs, 10);
		KUNIT_EXPECT_EQ(test, b->active.frees, 10);
	}
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_EXPECT_EQ(test, kmprof_published.stats.counter[KMPROF_LOSS_UNTRACKED], 100);
}

/* Another drain, which takes its time. */
static int slow_drain(void *held)
{
	mutex_lock(&kmprof_drain_lock);
	complete(held);
	msleep(500);
	mutex_unlock(&kmprof_drain_lock);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

static struct task_struct *slow_drain_start(struct kunit *test)
{
	DECLARE_COMPLETION_ONSTACK(held);
	struct task_struct *task = kthread_run(slow_drain, &held, "slow_drain");

	KUNIT_ASSERT_NOT_ERR_OR_NULL(test, task);
	wait_for_completion(&held);
	return task;
}

/* Records are waited for: what a cycle has sampled is in its buckets when it closes. */
static void a_cycle_waits_for_its_records(struct kunit *test)
{
	struct kmprof_stats *s = &kmprof_published.stats;
	struct task_struct *task;
	unsigned int i;
	bool whole;

	KUNIT_ASSERT_EQ(test, rig_create(test, &rig_wide_limits), 0);
	for (i = 0; i < KMPROF_NR_SLOTS; i++) {
		task = slow_drain_start(test);
		event_alloc(rig_object(i), 64, 1, event_site(i));
		rig_advance();
		kthread_stop(task);
		mutex_lock(&kmprof_cycle_lock);
		whole = published_is_whole();
		mutex_unlock(&kmprof_cycle_lock);
		KUNIT_EXPECT_TRUE(test, whole);
		KUNIT_EXPECT_EQ(test, s->counter[KMPROF_COUNTED], i + 1);
	}

	/* So is an object forgotten whose bucket is not known yet. */
	task = slow_drain_start(test);
	event_alloc(rig_object(i), 64, 1, event_site(i));
	kmprof_heap_forget_live(KMPROF_HEAP_KINDS);
	kthread_stop(task);
	rig_advance();
	KUNIT_EXPECT_EQ(test, s->counter[KMPROF_LOSS_UNTRACKED], i + 1);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
}

/**
 * struct load - allocations, frees on other CPUs, kfree_rcu(), and call_rcu() with callbacks that
 * free the object or do not
 * @shelf: objects that anybody may free
 * @next: of each worker
 * @random: of each worker
 */
struct load {
	const void *shelf[128];
	u64 next[RIG_WORKERS];
	struct rnd_state random[RIG_WORKERS];
};

static void load_work(void *data, unsigned int worker)
{
	struct load *l = data;
	struct rnd_state *r = &l->random[worker];
	const void *old, *new = NULL;

	if (chance_below(r, 4)) {
		new = rig_object(((u64)worker << 32) + l->next[worker]++);
		event_alloc(new, 64, 1, event_site(chance_below(r, 40)));
	}
	old = xchg(&l->shelf[chance_below(r, ARRAY_SIZE(l->shelf))], new);
	if (!old)
		return;
	switch (chance_below(r, 4)) {
	case 0:
		event_defer(old);
		break;
	case 1:
		event_queue(old);
		/* Then somebody else has it. */
		if (chance_below(r, 2))
			old = xchg(&l->shelf[chance_below(r, ARRAY_SIZE(l->shelf))], old);
		break;
	}
	if (old)
		event_free(old);
}

static void load_watch(struct kunit *test, void *data)
{
	unsigned int i, torn = 0;

	for (i = 0; i < 50; i++) {
		mutex_lock(&kmprof_cycle_lock);
		kmprof_cycle_advance();
		torn += !published_is_whole();
		mutex_unlock(&kmprof_cycle_lock);
		if (!kmprof_callbacks_settle_begin())
			kmprof_callbacks_settle_end(true);
		if (i % 8 == 5)
			rig_reset();
		/* With one CPU, the workers run now only. */
		schedule_timeout_uninterruptible(1);
	}
	KUNIT_EXPECT_EQ(test, torn, 0);
}

/* Blocks of pages of up to eight entries of the live table, freed one by one. */
static void blocks_work(void *data, unsigned int worker)
{
	struct load *l = data;
	struct rnd_state *r = &l->random[worker];
	const void *ptr = rig_object(((u64)worker << 32) + PAGE_SIZE * l->next[worker]++);
	unsigned int i, order = chance_below(r, KMPROF_BLOCK_ORDER + 4);

	event_alloc_pages(ptr, order, event_site(chance_below(r, 20)));
	for (i = 0; i < 1 << order; i++)
		event_free_page(ptr, i);
}

static void load_run(struct kunit *test, const struct kmprof_limits *limits,
		     void (*work)(void *data, unsigned int worker))
{
	struct load *l = kunit_kzalloc(test, sizeof(*l), GFP_KERNEL);
	struct kmprof_bucket *b;
	unsigned int i, held = 0, pending = 0;

	KUNIT_ASSERT_NOT_NULL(test, l);
	KUNIT_ASSERT_EQ(test, rig_create(test, limits), 0);
	for (i = 0; i < RIG_WORKERS; i++)
		prandom_seed_state(&l->random[i], 1 + i);
	rig_run(test, work, load_watch, l);

	for (i = 0; i < ARRAY_SIZE(l->shelf); i++)
		if (l->shelf[i])
			event_free(l->shelf[i]);
	rig_advance();
	mutex_lock(&kmprof_cycle_lock);
	KUNIT_EXPECT_TRUE(test, published_is_whole());
	kmprof_cycle_for_each_bucket(b) {
		held += b->active.allocs - b->active.frees;
		pending += b->active.pending;
	}
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_EXPECT_EQ(test, held, 0);
	KUNIT_EXPECT_EQ(test, pending, 0);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
	KUNIT_EXPECT_GT(test, kmprof_published.stats.counter[KMPROF_COUNTED], 0);
	KUNIT_EXPECT_EQ(test, kmprof_published.stats.counter[KMPROF_LOSS_MISSED_FREE], 0);
}

static u64 heap_losses(void)
{
	return rig_sum(&kmprof_heap_profile, KMPROF_SCALAR_LOST, &kmprof_published.stats);
}

/* On all CPUs at once, with snapshots and resets: whole every time, and all freed. */
static void cycles_are_whole_under_load(struct kunit *test)
{
	const u64 *counter = kmprof_published.stats.counter;

	load_run(test, &rig_wide_limits, load_work);
	/* A reset keeps the drain out of the rings: they may run full. */
	KUNIT_EXPECT_EQ(test, heap_losses(),
			counter[KMPROF_LOSS_RING_FULL]);
}

/* The same where ring, table and hash are full most of the time. */
static void cycles_are_whole_when_samples_are_lost(struct kunit *test)
{
	load_run(test, &rig_narrow_limits, load_work);
	KUNIT_EXPECT_GT(test, heap_losses(), 0);
}

/* The same of blocks of pages, whose buckets do not wait for the drain. */
static void blocks_run(struct kunit *test, const struct kmprof_limits *limits)
{
	kmprof_sampler_set_rate(1);
	load_run(test, limits, blocks_work);
	kmprof_sampler_set_rate(0);
}

static void blocks_are_whole_under_load(struct kunit *test)
{
	blocks_run(test, &rig_wide_limits);
}

static void blocks_are_whole_when_samples_are_lost(struct kunit *test)
{
	blocks_run(test, &rig_narrow_limits);
	KUNIT_EXPECT_GT(test, heap_losses(), 0);
}

static struct kunit_case cycle_cases[] = {
	KUNIT_CASE(three_slots_go_round),
	KUNIT_CASE(a_cycle_is_counted_round_the_end),
	KUNIT_CASE_SLOW(closed_cycles_are_what_happened),
	KUNIT_CASE(an_open_cycle_is_not_seen),
	KUNIT_CASE(forgotten_objects_are_booked),
	KUNIT_CASE_SLOW(a_cycle_waits_for_its_records),
	KUNIT_CASE_SLOW(cycles_are_whole_under_load),
	KUNIT_CASE_SLOW(cycles_are_whole_when_samples_are_lost),
	KUNIT_CASE_SLOW(blocks_are_whole_under_load),
	KUNIT_CASE_SLOW(blocks_are_whole_when_samples_are_lost),
	{}
};

static struct kunit_suite cycle_suite = {
	.name		= "kmprof_cycle",
	.test_cases	= cycle_cases,
};

kunit_test_suite(cycle_suite);
