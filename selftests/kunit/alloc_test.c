// SPDX-License-Identifier: GPL-2.0
/*
 * The sampled path: every sample is booked once, as what became of it, and one
 * that is lost leaves nothing behind.
 */
#include <kunit/test.h>
#include <linux/mutex.h>
#include <linux/preempt.h>

#include "mem/alloc.c"
#include "chance.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "core/ring.h"
#include "core/sampler.h"
#include "events.h"
#include "rig.h"

enum {
	LIVE_CAPACITY	= KMPROF_LIVE_LINE * KMPROF_LIVE_GROUP,
};

static int alloc_test_init(struct kunit *test)
{
	return rig_create(test, &rig_narrow_limits) ?: rig_pin();
}

/* The worker that a sample wakes may be on its way: it has had its turn then. */
static void settle(void)
{
	kmprof_drain_stop();
}

static struct kmprof_bucket *bucket_of_kind(u32 kind, unsigned long site, size_t size,
					    u64 period)
{
	struct kmprof_bucket *b, *found = NULL;

	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b)
		if (b->frames[0] == site && b->key.size == size && b->key.period == period &&
		    b->key.detail == kind)
			found = b;
	mutex_unlock(&kmprof_cycle_lock);
	return found;
}

static struct kmprof_bucket *bucket_of(unsigned long site, size_t size, u64 period)
{
	return bucket_of_kind(KMPROF_KIND_SLAB, site, size, period);
}

static long allocs(const struct kmprof_bucket *b)
{
	long sum = 0;
	int slot;

	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++)
		sum += atomic_long_read(&b->future[slot].allocs);
	return sum;
}

static long frees(const struct kmprof_bucket *b)
{
	long sum = 0;
	int slot;

	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++)
		sum += atomic_long_read(&b->future[slot].frees);
	return sum;
}

/* The ledger moved by one sample, which became @what. */
static void expect_booked(struct kunit *test, const struct kmprof_stats *before,
			  enum kmprof_counter what)
{
	struct kmprof_stats after;
	int i;

	rig_stats(&after);
	KUNIT_EXPECT_EQ(test, after.totals.alloc_calls - before->totals.alloc_calls, 1);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_SAMPLED] - before->counter[KMPROF_SAMPLED], 1);
	/* A truncated stack is counted, too. */
	for (i = 0; i < KMPROF_NR_COUNTERS; i++) {
		if (i == KMPROF_SAMPLED || i == KMPROF_LOSS_STACK_TRUNCATED)
			continue;
		KUNIT_EXPECT_EQ_MSG(test, after.counter[i] - before->counter[i], i == what,
				    "counter %d", i);
	}
}

static void a_counted_sample_is_in_its_bucket(struct kunit *test)
{
	struct kmprof_stats before;
	struct kmprof_bucket *b;
	unsigned int i;

	/* New, known, and known from a record that has not been drained. */
	for (i = 0; i < 6; i++) {
		rig_stats(&before);
		event_alloc(rig_object(i), 64, 4096, event_site(1));
		if (i != 1)
			settle();
		if (i == 1)
			continue;
		if (i != 2)
			expect_booked(test, &before, KMPROF_COUNTED);
		b = bucket_of(event_site(1), 64, 4096);
		KUNIT_ASSERT_NOT_NULL(test, b);
		KUNIT_EXPECT_EQ(test, allocs(b), i + 1);
	}
	KUNIT_EXPECT_EQ(test, b->key.nr_words, 2);
	KUNIT_EXPECT_EQ(test, b->frames[1], event_site(1) + 0x100);
	KUNIT_EXPECT_EQ(test, rig_nr_buckets(), 1);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 6);
	for (i = 0; i < 6; i++)
		event_free(rig_object(i));
	KUNIT_EXPECT_EQ(test, frees(b), 6);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
}

/* Labels come behind the stack. A free needs none: the object knows its bucket. */
static void labels_are_part_of_the_key(struct kunit *test)
{
	static const u32 labels[] = { KMPROF_LABEL_PID, 0, KMPROF_LABEL_COMM, KMPROF_LABELS };
	struct kmprof_bucket *b, *unlabelled = NULL;
	unsigned int i, found = 0;

	for (i = 0; i < 2 * ARRAY_SIZE(labels); i++) {
		kmprof_alloc_set_labels(labels[i % ARRAY_SIZE(labels)]);
		event_alloc(rig_object(i), 64, 4096, event_site(1));
		settle();
	}
	kmprof_alloc_set_labels(0);
	KUNIT_EXPECT_EQ(test, rig_nr_buckets(), ARRAY_SIZE(labels));
	for (i = 0; i < 2 * ARRAY_SIZE(labels); i++)
		event_free(rig_object(i));
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b) {
		u32 has = kmprof_bucket_labels(&b->key);

		if (!has)
			unlabelled = b;
		found |= 1 << has;
		KUNIT_EXPECT_EQ(test, allocs(b), 2);
		KUNIT_EXPECT_EQ(test, frees(b), 2);
		KUNIT_EXPECT_EQ(test, kmprof_bucket_nr_frames(&b->key), 2);
		KUNIT_EXPECT_EQ(test, b->key.nr_words, 2 + kmprof_label_words(has));
		if (has == KMPROF_LABEL_PID)
			KUNIT_EXPECT_EQ(test, b->frames[2], task_tgid_nr(current));
	}
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_EXPECT_NOT_NULL(test, unlabelled);
	KUNIT_EXPECT_EQ(test, found, 1 << KMPROF_LABEL_PID | 1 << 0 | 1 << KMPROF_LABEL_COMM |
				     1 << KMPROF_LABELS);
}

static void a_failed_allocation_is_no_object(struct kunit *test)
{
	static const void * const none[] = { NULL, ZERO_SIZE_PTR };
	struct kmprof_stats before;
	int i;

	for (i = 0; i < ARRAY_SIZE(none); i++) {
		rig_stats(&before);
		event_alloc(none[i], 64, 4096, event_site(1));
		settle();
		expect_booked(test, &before, KMPROF_LOSS_ALLOC_FAILED);
		event_free(none[i]);
	}
	rig_stats(&before);
	KUNIT_EXPECT_EQ(test, before.totals.free_calls, 0);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
	KUNIT_EXPECT_EQ(test, rig_nr_buckets(), 0);
}

static void own_memory_is_not_counted(struct kunit *test)
{
	struct kmprof_stats before;

	rig_stats(&before);
	event_alloc(rig_object(1), 64, 4096, event_site(1) | SITE_OWN);
	settle();
	expect_booked(test, &before, KMPROF_LOSS_OWN);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
	KUNIT_EXPECT_EQ(test, rig_nr_buckets(), 0);
}

static void a_truncated_stack_is_counted_and_told(struct kunit *test)
{
	struct kmprof_stats before;

	rig_stats(&before);
	event_alloc(rig_object(1), 64, 4096, event_site(1) | SITE_TRUNCATED);
	settle();
	expect_booked(test, &before, KMPROF_COUNTED);
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_LOSS_STACK_TRUNCATED), 1);
}

/* On one level one sample at a time; the level is free again afterwards. */
static void a_nested_sample_is_dropped(struct kunit *test)
{
	struct kmprof_scratch *scratch;
	struct kmprof_stats before;

	rig_stats(&before);
	preempt_disable();
	scratch = kmprof_guard_enter();
	event_alloc(rig_object(1), 64, 4096, event_site(1));
	if (scratch)
		kmprof_guard_leave(scratch);
	preempt_enable();
	settle();
	KUNIT_EXPECT_NOT_NULL(test, scratch);
	expect_booked(test, &before, KMPROF_LOSS_NESTED);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);

	rig_stats(&before);
	event_alloc(rig_object(1), 64, 4096, event_site(1));
	settle();
	expect_booked(test, &before, KMPROF_COUNTED);
}

/* With no slot left for an object, known stack or new: no count, no record. */
static void a_full_live_table_loses_the_sample(struct kunit *test)
{
	struct kmprof_stats before;
	struct kmprof_bucket *b;
	unsigned int i, pass;

	event_alloc(rig_object(0), 64, 4096, event_site(1));
	settle();
	/* The narrowest table is one group. */
	for (i = 1; i < LIVE_CAPACITY; i++)
		event_alloc(rig_object(i), 64, 4096, event_site(1));
	KUNIT_ASSERT_EQ(test, kmprof_live_count(), LIVE_CAPACITY);
	b = bucket_of(event_site(1), 64, 4096);
	KUNIT_ASSERT_NOT_NULL(test, b);
	KUNIT_ASSERT_EQ(test, allocs(b), LIVE_CAPACITY);

	for (pass = 1; pass <= 2; pass++) {
		rig_stats(&before);
		event_alloc(rig_object(i), 64, 4096, event_site(pass));
		settle();
		expect_booked(test, &before, KMPROF_LOSS_LIVE_FULL);
		KUNIT_EXPECT_EQ(test, rig_nr_buckets(), 1);
		KUNIT_EXPECT_EQ(test, allocs(b), LIVE_CAPACITY);
		event_free(rig_object(i));
		KUNIT_EXPECT_EQ(test, frees(b), 0);
	}
}

/* With no room in the ring: told, and nothing of the object in the live table. */
static void a_full_ring_loses_the_sample(struct kunit *test)
{
	struct kmprof_stats before, after;
	unsigned int i, fit = 0, live;

	rig_stats(&before);
	mutex_lock(&kmprof_drain_lock);	/* the worker waits */
	for (i = 0; i < 40; i++)
		kmprof_alloc_sampled(rig_object(i), 64, 4096, event_site(19 + i * 20),
				     NULL);
	live = kmprof_live_count();
	mutex_unlock(&kmprof_drain_lock);
	settle();

	rig_stats(&after);
	for (i = 0; i < 40; i++)
		fit += !!bucket_of(event_site(19 + i * 20), 64, 4096);
	KUNIT_EXPECT_GT(test, fit, 10);
	KUNIT_EXPECT_LT(test, fit, 20);
	/* There are 16 buckets: what is in the table is what fitted both. */
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), fit);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_COUNTED], fit);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_LOSS_RING_FULL], 40 - live);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_LOSS_BUCKET_FULL], live - fit);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_SAMPLED], 40);
}

/* The quota is used up before the drain gets there: the object is let go of. */
static void a_hash_full_at_the_drain_loses_the_sample(struct kunit *test)
{
	struct kmprof_stats before, after;
	unsigned int i, live;

	for (i = 0; i < KMPROF_BUCKETS_MIN - 1; i++) {
		event_alloc(rig_object(i), 64, 4096, event_site(i));
		settle();
	}
	live = kmprof_live_count();
	rig_stats(&before);
	mutex_lock(&kmprof_drain_lock);
	for (i = 0; i < 3; i++)
		event_alloc(rig_object(100 + i), 64, 4096, event_site(100 + i));
	/* The second one gets no bucket, and is freed before the drain; the third one after. */
	event_free(rig_object(101));
	mutex_unlock(&kmprof_drain_lock);
	settle();
	rig_stats(&after);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_SAMPLED] - before.counter[KMPROF_SAMPLED], 3);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_COUNTED] - before.counter[KMPROF_COUNTED], 1);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_LOSS_BUCKET_FULL] -
			before.counter[KMPROF_LOSS_BUCKET_FULL], 2);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), live + 1);
	event_free(rig_object(102));
	event_free(rig_object(100));
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), live);
}

/* No bucket is left: the sample is lost at once, without a record for the drain. */
static void a_full_hash_loses_the_sample(struct kunit *test)
{
	struct kmprof_stats before;
	unsigned int i;

	for (i = 0; i < KMPROF_BUCKETS_MIN; i++) {
		event_alloc(rig_object(i), 64, 4096, event_site(i));
		settle();
	}
	KUNIT_ASSERT_EQ(test, rig_nr_buckets(), KMPROF_BUCKETS_MIN);
	for (i = 0; i < 3; i++) {
		unsigned int live = kmprof_live_count();

		rig_stats(&before);
		event_alloc(rig_object(100), 64, 4096, event_site(100 + i));
		/* Freed before the drain, after it, or not at all. */
		if (i == 0)
			event_free(rig_object(100));
		KUNIT_EXPECT_TRUE(test, kmprof_ring_all_empty());
		settle();
		expect_booked(test, &before, KMPROF_LOSS_BUCKET_FULL);
		KUNIT_EXPECT_EQ(test, kmprof_live_count(), live);
		if (i == 1)
			event_free(rig_object(100));
	}
	KUNIT_EXPECT_EQ(test, rig_nr_buckets(), KMPROF_BUCKETS_MIN);
}

/* A pointer that comes again: its free was missed, and is made up for. */
static void a_reused_pointer_is_healed(struct kunit *test)
{
	struct kmprof_bucket *first, *second;
	unsigned int i;

	/* The first object is known, pending, or dying. */
	for (i = 0; i < 3; i++) {
		u64 before = rig_counter(KMPROF_LOSS_MISSED_FREE);

		event_alloc(rig_object(i), 64, 4096, event_site(2 * i));
		if (i != 1)
			settle();
		if (i == 2)
			event_defer(rig_object(i));
		event_alloc(rig_object(i), 64, 4096, event_site(2 * i + 1));
		settle();
		KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_LOSS_MISSED_FREE) - before, 1);
		KUNIT_EXPECT_EQ(test, kmprof_live_count(), 1);
		first = bucket_of(event_site(2 * i), 64, 4096);
		second = bucket_of(event_site(2 * i + 1), 64, 4096);
		KUNIT_ASSERT_NOT_NULL(test, first);
		KUNIT_ASSERT_NOT_NULL(test, second);
		KUNIT_EXPECT_EQ(test, frees(first), 1);
		KUNIT_EXPECT_EQ(test, frees(second), 0);
		event_free(rig_object(i));
		KUNIT_EXPECT_EQ(test, frees(first), 1);
		KUNIT_EXPECT_EQ(test, frees(second), 1);
	}
}

/* Picked or not, an allocation is in the totals once; and what is none, never. */
static void totals_are_exact_at_every_rate(struct kunit *test)
{
	static const u64 rates[] = { 1, 100, 4096, 0 };
	struct kmprof_stats before, after;
	u64 calls, bytes, sampled, period;
	struct rnd_state r;
	unsigned int i, k;

	prandom_seed_state(&r, 1);
	for (k = 0; k < ARRAY_SIZE(rates); k++) {
		kmprof_sampler_set_rate(rates[k]);
		calls = 0, bytes = 0, sampled = 0;
		rig_stats(&before);
		for (i = 0; i < 2000; i++) {
			static const size_t none[] = { 0, KMALLOC_MAX_SIZE + 1, SIZE_MAX };
			size_t size = 1 + chance_below(&r, 8192);

			if (i % 16 == 0)
				size = none[i / 16 % 3];
			else if (i % 16 == 1)
				size = KMALLOC_MAX_SIZE;
			preempt_disable();
			period = kmprof_alloc_hit(size) ? kmprof_alloc_pick(size) : 0;
			preempt_enable();
			if (period) {
				KUNIT_ASSERT_EQ(test, period, rates[k]);
				event_alloc(rig_object(1), size, period, event_site(0) | SITE_OWN);
			}
			if (i % 16 == 0) {
				KUNIT_ASSERT_EQ(test, period, 0);
				continue;
			}
			sampled += !!period;
			calls++;
			bytes += size;
		}
		rig_stats(&after);
		KUNIT_EXPECT_EQ(test, after.totals.alloc_calls - before.totals.alloc_calls, calls);
		KUNIT_EXPECT_EQ(test, after.totals.alloc_bytes - before.totals.alloc_bytes, bytes);
		KUNIT_EXPECT_EQ(test, after.counter[KMPROF_SAMPLED] -
				before.counter[KMPROF_SAMPLED], sampled);
		if (rates[k] == 1)
			KUNIT_EXPECT_EQ(test, sampled, calls);
		if (rates[k] == 0)
			KUNIT_EXPECT_EQ(test, sampled, 0);
	}
}

static void alloc_percpu_of(const void *ptr, size_t size, unsigned long site)
{
	preempt_disable();
	kmprof_alloc_kind(KMPROF_KIND_PERCPU, site, ptr, size);
	preempt_enable();
}

static void free_percpu_of(const void *ptr)
{
	preempt_disable();
	kmprof_free_kind(KMPROF_KIND_PERCPU, ptr);
	preempt_enable();
}

/* The same pointer, size and stack, as an object of a slab and as per-CPU memory. */
static void kinds_have_buckets_and_totals_of_their_own(struct kunit *test)
{
	struct kmprof_bucket *slab, *percpu;
	struct kmprof_stats before, after;
	unsigned int i;

	kmprof_sampler_set_rate(1);
	rig_stats(&before);
	/* The bucket is new, and known. */
	for (i = 0; i < 2; i++) {
		event_alloc(rig_object(i), 64, 1, event_site(1));
		alloc_percpu_of(rig_object(i), 64, event_site(1));
		settle();
	}
	slab = bucket_of(event_site(1), 64, 1);
	percpu = bucket_of_kind(KMPROF_KIND_PERCPU, event_site(1), 64, 1);
	KUNIT_ASSERT_NOT_NULL(test, slab);
	KUNIT_ASSERT_NOT_NULL(test, percpu);
	KUNIT_EXPECT_EQ(test, allocs(slab), 2);
	KUNIT_EXPECT_EQ(test, allocs(percpu), 2);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 4);

	free_percpu_of(rig_object(0));
	KUNIT_EXPECT_EQ(test, frees(slab), 0);
	KUNIT_EXPECT_EQ(test, frees(percpu), 1);
	event_free(rig_object(0));
	event_free(rig_object(1));
	KUNIT_EXPECT_EQ(test, frees(slab), 2);
	KUNIT_EXPECT_EQ(test, frees(percpu), 1);
	/* An object from before the probes, too, is a free. */
	free_percpu_of(rig_object(7));
	KUNIT_EXPECT_EQ(test, frees(percpu), 1);

	rig_stats(&after);
	kmprof_sampler_set_rate(0);
	KUNIT_EXPECT_EQ(test, after.totals.alloc_calls - before.totals.alloc_calls, 2);
	KUNIT_EXPECT_EQ(test, after.totals.alloc_bytes - before.totals.alloc_bytes, 128);
	KUNIT_EXPECT_EQ(test, after.totals.free_calls - before.totals.free_calls, 2);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_PERCPU_CALLS], 2);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_PERCPU_BYTES], 128);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_PERCPU_FREES], 2);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_SAMPLED] - before.counter[KMPROF_SAMPLED], 4);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_COUNTED] - before.counter[KMPROF_COUNTED], 4);
}

/* Of several entries of the live table. */
enum {
	LARGE_ORDER	= KMPROF_BLOCK_ORDER + 2,
	LARGE_PAGES	= 1 << LARGE_ORDER,
};

static u32 detail_of_block(unsigned long site, unsigned int order)
{
	const u32 class = kmprof_gfp_class(event_gfp(site));

	return kmprof_bucket_detail(KMPROF_KIND_PAGE, order | class << KMPROF_GFP_CLASS_SHIFT, 0);
}

/* A block is a sample of as many objects as it has pages; what others take is none. */
static void pages_are_sampled_by_blocks(struct kunit *test, unsigned int order)
{
	enum { RATE = 1 << 20 };
	const unsigned int pages = 1 << order;
	const u32 detail = detail_of_block(event_site(2), order);
	const void *ptr = rig_object(0);
	struct kmprof_stats before, after;
	struct kmprof_bucket *b;
	unsigned int i;
	u64 period;

	rig_stats(&before);
	for (period = 1; period <= RATE; period *= RATE) {
		kmprof_sampler_set_rate(period);
		/* Until one is sampled, which at the first rate is the first one. */
		while (!event_alloc_pages(ptr, order, event_site(2)))
			KUNIT_ASSERT_NE(test, period, 1);
		event_free_page(ptr, pages - 1);
		settle();
		event_free_page(ptr, pages / 2);
		b = bucket_of_kind(detail, event_site(2), PAGE_SIZE, max_t(u64, period / pages, 1));
		KUNIT_ASSERT_NOT_NULL(test, b);
		KUNIT_EXPECT_EQ(test, allocs(b), pages);
		KUNIT_EXPECT_EQ(test, frees(b), 2);
		/* It is allocated again, and nobody has seen the others freed. */
		kmprof_sampler_set_rate(1);
		KUNIT_EXPECT_TRUE(test, event_alloc_pages(ptr, order, event_site(3)));
		KUNIT_EXPECT_EQ(test, frees(b), pages);
		for (i = 0; i < pages; i++)
			event_free_page(ptr, i);
		settle();
		KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
		/* Its pages are of another class. */
		KUNIT_EXPECT_NULL(test, bucket_of_kind(detail, event_site(3), PAGE_SIZE, 1));
		b = bucket_of_kind(detail_of_block(event_site(3), order), event_site(3),
				   PAGE_SIZE, 1);
		KUNIT_ASSERT_NOT_NULL(test, b);
		KUNIT_EXPECT_EQ(test, kmprof_gfp_class_of(b->key.detail), KMPROF_GFP_RECLAIMABLE);
		KUNIT_EXPECT_EQ(test, kmprof_block_together(b->key.detail), pages);
	}
	KUNIT_EXPECT_FALSE(test, event_alloc_pages(ptr, order, event_site(4) | SITE_TAKER));
	kmprof_sampler_set_rate(0);
	settle();
	KUNIT_EXPECT_NULL(test, bucket_of_kind(detail, event_site(4) | SITE_TAKER, PAGE_SIZE, 1));
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);

	rig_stats(&after);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_SAMPLED] - before.counter[KMPROF_SAMPLED],
			4 * pages);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_COUNTED] - before.counter[KMPROF_COUNTED],
			4 * pages);
	KUNIT_EXPECT_EQ(test, after.counter[KMPROF_LOSS_MISSED_FREE] -
			      before.counter[KMPROF_LOSS_MISSED_FREE], 2 * (pages - 2));
	KUNIT_EXPECT_LE(test, 5 * pages, after.counter[KMPROF_PAGES_ALLOCATED] -
					 before.counter[KMPROF_PAGES_ALLOCATED]);
}

static void a_small_block_is_one_sample(struct kunit *test)
{
	pages_are_sampled_by_blocks(test, 2);
}

static void a_large_block_is_one_sample(struct kunit *test)
{
	pages_are_sampled_by_blocks(test, LARGE_ORDER);
}

static struct kmprof_bucket *bucket_of_large_block(unsigned long site)
{
	return bucket_of_kind(detail_of_block(site, LARGE_ORDER), site, PAGE_SIZE, 1);
}

static void alloc_large_block(struct kunit *test, unsigned long site)
{
	kmprof_sampler_set_rate(1);
	KUNIT_EXPECT_TRUE(test, event_alloc_pages(rig_object(0), LARGE_ORDER, site));
	kmprof_sampler_set_rate(0);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), LARGE_PAGES / KMPROF_BLOCK_MAX);
}

static void free_large_block(struct kunit *test, const struct kmprof_bucket *b)
{
	unsigned int i;

	for (i = 0; i < LARGE_PAGES; i++)
		event_free_page(rig_object(0), i);
	KUNIT_EXPECT_EQ(test, allocs(b), LARGE_PAGES);
	KUNIT_EXPECT_EQ(test, frees(b), LARGE_PAGES);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
}

/* It does not fill the ring, nor wait for the drain; nor does it after a reset. */
static void a_large_block_has_its_bucket_at_once(struct kunit *test)
{
	struct kmprof_bucket *b;

	unsigned int i;

	for (i = 0; i < 2; i++) {
		alloc_large_block(test, event_site(5));
		KUNIT_EXPECT_TRUE(test, kmprof_ring_all_empty());
		b = bucket_of_large_block(event_site(5));
		KUNIT_ASSERT_NOT_NULL(test, b);
		free_large_block(test, b);
		rig_reset();
	}
}

/* A bucket that is created now would outlive the reset, with an event from before it. */
static void a_large_block_waits_for_the_end_of_a_reset(struct kunit *test)
{
	struct kmprof_arena dead;
	struct kmprof_bucket *b;
	unsigned int i;

	mutex_lock(&kmprof_drain_lock);
	kmprof_bucket_unhash_all(&dead);
	alloc_large_block(test, event_site(6));
	KUNIT_EXPECT_EQ(test, rig_nr_buckets(), 0);
	KUNIT_EXPECT_FALSE(test, kmprof_ring_all_empty());
	/* One page of each entry, while it has no bucket. */
	for (i = 3; i < LARGE_PAGES; i += KMPROF_BLOCK_MAX)
		event_free_page(rig_object(0), i);
	kmprof_bucket_end_reset();
	mutex_unlock(&kmprof_drain_lock);
	kmprof_arena_free(&dead);
	settle();
	b = bucket_of_large_block(event_site(6));
	KUNIT_ASSERT_NOT_NULL(test, b);
	KUNIT_EXPECT_EQ(test, frees(b), LARGE_PAGES / KMPROF_BLOCK_MAX);
	free_large_block(test, b);
}

/* Objects larger than a slab has them, at each rate: totals are exact, all samples are booked. */
static void a_kind_is_sampled_by_bytes(struct kunit *test)
{
	static const u64 rates[] = { 1, 4096, 64 << 20, 0 };
	const size_t size = 3 * KMALLOC_MAX_SIZE + 4;
	struct kmprof_stats before, after;
	unsigned int i, k;
	u64 sampled;

	kmprof_sampler_init();
	for (k = 0; k < ARRAY_SIZE(rates); k++) {
		kmprof_sampler_set_rate(rates[k]);
		rig_stats(&before);
		for (i = 0; i < 500; i++) {
			alloc_percpu_of(rig_object(1), size, event_site(1));
			free_percpu_of(rig_object(1));
			/* Until there is a bucket, each sample takes room in the ring. */
			settle();
		}
		rig_stats(&after);
		sampled = after.counter[KMPROF_SAMPLED] - before.counter[KMPROF_SAMPLED];
		KUNIT_EXPECT_EQ(test, after.counter[KMPROF_PERCPU_CALLS] -
				before.counter[KMPROF_PERCPU_CALLS], 500);
		KUNIT_EXPECT_EQ(test, after.counter[KMPROF_PERCPU_BYTES] -
				before.counter[KMPROF_PERCPU_BYTES], 500 * size);
		KUNIT_EXPECT_EQ(test, after.counter[KMPROF_COUNTED] -
				before.counter[KMPROF_COUNTED], sampled);
		/* 12 MiB each: all; of one in 64 MiB, 17 %: 85 of 500, by 9 standard errors. */
		if (rates[k] == 1 || rates[k] == 4096) {
			KUNIT_EXPECT_EQ(test, sampled, 500);
		} else if (rates[k]) {
			KUNIT_EXPECT_GT(test, sampled, 10);
			KUNIT_EXPECT_LT(test, sampled, 160);
		} else {
			KUNIT_EXPECT_EQ(test, sampled, 0);
		}
		KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
	}
}

static struct kunit_case alloc_cases[] = {
	KUNIT_CASE(a_counted_sample_is_in_its_bucket),
	KUNIT_CASE(labels_are_part_of_the_key),
	KUNIT_CASE(a_failed_allocation_is_no_object),
	KUNIT_CASE(own_memory_is_not_counted),
	KUNIT_CASE(a_truncated_stack_is_counted_and_told),
	KUNIT_CASE(a_nested_sample_is_dropped),
	KUNIT_CASE(a_full_live_table_loses_the_sample),
	KUNIT_CASE(a_full_ring_loses_the_sample),
	KUNIT_CASE(a_hash_full_at_the_drain_loses_the_sample),
	KUNIT_CASE(a_full_hash_loses_the_sample),
	KUNIT_CASE(a_reused_pointer_is_healed),
	KUNIT_CASE(totals_are_exact_at_every_rate),
	KUNIT_CASE(kinds_have_buckets_and_totals_of_their_own),
	KUNIT_CASE(a_small_block_is_one_sample),
	KUNIT_CASE(a_large_block_is_one_sample),
	KUNIT_CASE(a_large_block_has_its_bucket_at_once),
	KUNIT_CASE(a_large_block_waits_for_the_end_of_a_reset),
	KUNIT_CASE(a_kind_is_sampled_by_bytes),
	{}
};

static struct kunit_suite alloc_suite = {
	.name		= "kmprof_alloc",
	.init		= alloc_test_init,
	.test_cases	= alloc_cases,
};

kunit_test_suite(alloc_suite);
