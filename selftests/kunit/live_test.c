// SPDX-License-Identifier: GPL-2.0
/*
 * The live table against a model of it: every object is found until it is freed,
 * and freed once; it is refused only when its group is full, which max_live objects do not
 * make it; and its end is booked where it belongs, whatever the drain does meanwhile.
 */
#include "mem/live.c"
#include "mem/live_sweep.c"
#include "mem/callbacks.c"
#include "mem/queued.c"

#include <kunit/test.h>
#include <linux/preempt.h>
#include <linux/sizes.h>

#include "chance.h"
#include "rig.h"

enum {
	NR_BUCKETS	= 8,
	GROUP_SLOTS	= KMPROF_LIVE_LINE * KMPROF_LIVE_GROUP,
	NR_GROUPS	= 2,
	CAPACITY	= GROUP_SLOTS * NR_GROUPS,
};

static const struct kmprof_limits live_limits = {
	.max_buckets	= KMPROF_BUCKETS_MIN,
	.max_live	= KMPROF_LIVE_MEAN * KMPROF_LIVE_GROUP * NR_GROUPS,
	.stack_depth	= KMPROF_STACK_DEPTH_MAX,
	.ring_bytes	= KMPROF_RING_MIN,
	.max_snapshots	= 1,
	.max_waits	= KMPROF_WAITS_MIN,
	.max_objects	= KMPROF_OBJECTS_MIN,
};

/**
 * struct live_rig - what the table leads to
 * @bucket: NR_BUCKETS of them, in no hash
 * @records: memory of records that are in no ring
 */
struct live_rig {
	struct kmprof_bucket *bucket;
	void *records;
};

static int live_test_init(struct kunit *test)
{
	struct live_rig *rig = kunit_kzalloc(test, sizeof(*rig), GFP_KERNEL);
	int err;

	if (!rig)
		return -ENOMEM;
	rig->bucket = kunit_kcalloc(test, NR_BUCKETS, sizeof(*rig->bucket), GFP_KERNEL);
	rig->records = kunit_kzalloc(test, PAGE_SIZE, GFP_KERNEL);
	if (!rig->bucket || !rig->records)
		return -ENOMEM;
	err = rig_create(test, &live_limits);
	if (err)
		return err;
	test->priv = rig;
	return IS_ALIGNED((long)rig->records, KMPROF_RECORD_ALIGN) ? 0 : -EINVAL;
}

static struct kmprof_record *record(const struct live_rig *rig, unsigned int i)
{
	return rig->records + i * 2 * KMPROF_RECORD_ALIGN;
}

/* Of a block, its pages: as many as it can have. */
static unsigned long whole(const void *ptr)
{
	return live_is_block((long)ptr) ? kmprof_live_pages(0, KMPROF_BLOCK_ORDER) : 0;
}

static bool insert(const void *ptr, struct kmprof_bucket *b)
{
	bool ok;

	preempt_disable();
	ok = kmprof_live_insert(ptr, whole(ptr), b, 0);
	preempt_enable();
	return ok;
}

static bool insert_pending(const void *ptr, struct kmprof_record *rec)
{
	unsigned long flags;
	bool ok;

	local_irq_save(flags);
	ok = kmprof_live_insert_pending(ptr, whole(ptr), rec);
	local_irq_restore(flags);
	return ok;
}

/* As kmprof_free_seen(): what is not there is not looked for. */
static bool release(const void *ptr, unsigned int slot)
{
	bool was;

	preempt_disable();
	was = kmprof_live_may_hold(ptr) &&
	      (live_is_block((long)ptr) ? kmprof_live_free_pages(ptr, whole(ptr), slot) :
				     kmprof_live_free(ptr, slot));
	preempt_enable();
	return was;
}

static void defer(const void *ptr, unsigned int slot)
{
	preempt_disable();
	if (kmprof_live_may_hold(ptr))
		kmprof_live_defer(ptr, slot);
	preempt_enable();
}

static u32 home(const void *ptr)
{
	return home_line(kmprof_live_hash(ptr));
}

static u32 group(const void *ptr)
{
	return home(ptr) / KMPROF_LIVE_GROUP;
}

/* Objects in one line, and, with @tag not 0, of one tag; @cursor goes on. */
static void *object_of(u32 line, u8 tag, u64 *cursor)
{
	for (;;) {
		void *ptr = rig_object((*cursor)++);

		if (home(ptr) == line && (!tag || tag_of(kmprof_live_hash(ptr)) == tag))
			return ptr;
	}
}

static long booked(const struct kmprof_bucket *b)
{
	long sum = 0;
	int slot;

	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++)
		sum += atomic_long_read(&b->future[slot].frees);
	return sum;
}

/*
 * The word's test against the obvious one: no byte that equals the tag is
 * missed, the lowest byte found does equal it, and nothing is found where
 * nothing does. A line's bits are those of its tags.
 */
static void a_match_misses_no_tag(struct kunit *test)
{
	struct rnd_state r;
	unsigned int i, byte;

	prandom_seed_state(&r, 1);
	for (i = 0; i < 200000; i++) {
		u8 tag = 0x80 | chance_below(&r, 128);
		u64 tags = 0, want = 0, bits = 0, got;

		for (byte = 0; byte < KMPROF_LIVE_LINE; byte++) {
			static const u8 near[] = { 0, 1, 0xff, 0x81 };
			unsigned int kind = chance_below(&r, 8);
			u8 t = kind == 0 ? tag : kind == 1 ? tag ^ 1 :
			       kind < 5 ? 0x80 | chance_below(&r, 128) :
			       kind == 5 ? 0 : 0x80 | near[chance_below(&r, 4)];

			tags |= (u64)t << (8 * byte);
			if (t == tag)
				want |= 0x80ULL << (8 * byte);
			if (t)
				bits |= BIT_ULL(t % 64);
		}
		KUNIT_ASSERT_EQ(test, present_bits(tags), bits);
		if (chance_below(&r, 2)) {
			tags |= (u64)(1 + chance_below(&r, GROUP_SLOTS - KMPROF_LIVE_LINE)) << 56;
			KUNIT_ASSERT_EQ(test, present_bits(tags), U64_MAX);
		}
		got = match_tag(tags, tag);
		KUNIT_ASSERT_EQ_MSG(test, got & want, want, "tags %#llx tag %#x", tags, tag);
		KUNIT_ASSERT_EQ_MSG(test, got & -got, want & -want, "tags %#llx tag %#x",
				    tags, tag);
	}
}

/* A line's chain is the group that it lies in, from itself on, each line once. */
static void a_chain_is_the_lines_group(struct kunit *test)
{
	struct rnd_state r;
	unsigned int i, k;

	prandom_seed_state(&r, 2);
	for (i = 0; i < 10000; i++) {
		u32 first = home(rig_object(chance_below(&r, U32_MAX))), seen = 0;

		KUNIT_ASSERT_LT(test, first, live_nr_lines());
		KUNIT_ASSERT_EQ(test, first, chain_line(first, 0));
		for (k = 0; k < KMPROF_LIVE_GROUP; k++) {
			u32 line = chain_line(first, k);

			KUNIT_ASSERT_EQ(test, line / KMPROF_LIVE_GROUP, first / KMPROF_LIVE_GROUP);
			seen |= 1 << line % KMPROF_LIVE_GROUP;
		}
		KUNIT_ASSERT_EQ(test, seen, BIT(KMPROF_LIVE_GROUP) - 1);
	}
}

/* Objects of a slab, whatever their distance, are spread over all lines and bits. */
static void neighbours_are_spread(struct kunit *test)
{
	unsigned int shift, line, *count;
	u64 i, seen;

	count = kunit_kzalloc(test, live_nr_lines() * sizeof(*count), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, count);
	for (shift = 3; shift <= 22; shift++) {
		memset(count, 0, live_nr_lines() * sizeof(*count));
		for (i = seen = 0; i < live_nr_lines() * 256; i++) {
			u64 hash = kmprof_live_hash((void *)(0xffff888123400000UL + (i << shift)));

			count[home_line(hash)]++;
			seen |= BIT_ULL(hash % 64);
		}
		KUNIT_EXPECT_EQ(test, seen, U64_MAX);
		for (line = 0; line < live_nr_lines(); line++) {
			KUNIT_EXPECT_GT_MSG(test, count[line], 192, "shift %u", shift);
			KUNIT_EXPECT_LT_MSG(test, count[line], 320, "shift %u", shift);
		}
	}
}

/* Every line's words, and nothing but the objects that are there. */
static void expect_lines(struct kunit *test)
{
	unsigned int line, byte, away = 0, displaced = 0;

	for (line = 0; line < live_nr_lines(); line++) {
		struct kmprof_pair words = line_read(line);

		KUNIT_ASSERT_EQ(test, words.lo, present_bits(words.hi));
		away += words.hi >> AWAY_SHIFT;
		for (byte = 0; byte < KMPROF_LIVE_LINE; byte++) {
			long key = atomic_long_read(&kmprof_live_entries[line * 8 + byte].key);

			KUNIT_ASSERT_EQ(test, !!key, !!(words.hi >> byte * 8 & 0x80));
			displaced += key && home((void *)key) != line;
		}
	}
	KUNIT_ASSERT_EQ(test, away, displaced);
}

static void the_table_is_a_map(struct kunit *test)
{
	enum { OBJECTS = 3 * CAPACITY };
	struct live_rig *rig = test->priv;
	unsigned int in_group[NR_GROUPS] = {}, refused = 0, live = 0;
	long frees[NR_BUCKETS] = {};
	struct rnd_state r;
	u8 *bucket_of;
	u64 i;

	/* 0: not in the table; else 1 + number of its bucket. */
	bucket_of = kunit_kzalloc(test, OBJECTS, GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, bucket_of);

	prandom_seed_state(&r, 3);
	for (i = 0; i < 200000; i++) {
		u32 object = chance_below(&r, OBJECTS), b;
		const void *ptr = rig_object(object);
		unsigned int slot = chance_below(&r, KMPROF_NR_SLOTS);

		/* The table fills, and empties. */
		if (!bucket_of[object] && chance_below(&r, 8) < (i / 8192 % 2 ? 7 : 2)) {
			bool room = in_group[group(ptr)] < GROUP_SLOTS;

			b = chance_below(&r, NR_BUCKETS);
			KUNIT_ASSERT_EQ(test, insert(ptr, &rig->bucket[b]), room);
			if (!room) {
				refused++;
				continue;
			}
			bucket_of[object] = b + 1;
			in_group[group(ptr)]++;
			live++;
		} else if (bucket_of[object] && chance_below(&r, 2)) {
			KUNIT_ASSERT_TRUE(test, kmprof_live_may_hold(ptr));
		} else {
			KUNIT_ASSERT_EQ(test, release(ptr, slot), !!bucket_of[object]);
			if (!bucket_of[object])
				continue;
			b = bucket_of[object] - 1;
			frees[b]++;
			KUNIT_ASSERT_EQ(test, booked(&rig->bucket[b]), frees[b]);
			bucket_of[object] = 0;
			in_group[group(ptr)]--;
			live--;
		}
		if (i % 64 == 0) {
			KUNIT_ASSERT_EQ(test, kmprof_live_count(), live);
			expect_lines(test);
		}
	}
	KUNIT_EXPECT_GT(test, refused, 1000);

	for (i = 0; i < OBJECTS; i++)
		KUNIT_ASSERT_EQ(test, release(rig_object(i), 0), !!bucket_of[i]);
	KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
	expect_lines(test);
}

/*
 * All objects of one line: seven fit there, as many as its group has entries fit
 * at all, every one is found, and no other group takes any.
 */
static void a_full_line_overflows_into_its_group(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	const void *ptr[GROUP_SLOTS + 1];
	unsigned int i, round;
	struct rnd_state r;
	u64 cursor = 0;
	u32 line;

	prandom_seed_state(&r, 4);
	for (round = 0; round < 2 * live_nr_lines(); round++) {
		/* Half of the rounds with objects that the tags cannot tell apart. */
		line = round / 2;
		for (i = 0; i <= GROUP_SLOTS; i++) {
			ptr[i] = object_of(line, round & 1 ? 0xc5 : 0, &cursor);
			KUNIT_ASSERT_EQ(test, insert(ptr[i], &rig->bucket[0]), i < GROUP_SLOTS);
			KUNIT_ASSERT_EQ(test, kmprof_live_count(), min(i + 1, (u32)GROUP_SLOTS));
		}
		expect_lines(test);
		/* Refused without a trace. */
		KUNIT_ASSERT_FALSE(test, release(ptr[GROUP_SLOTS], 0));
		/* Another group is as empty as it was. */
		ptr[GROUP_SLOTS] = object_of((line + KMPROF_LIVE_GROUP) % live_nr_lines(), 0,
					     &cursor);
		KUNIT_ASSERT_TRUE(test, insert(ptr[GROUP_SLOTS], &rig->bucket[1]));

		for (i = GROUP_SLOTS + 1; i; i--) {
			unsigned int k = chance_below(&r, i);

			KUNIT_ASSERT_TRUE(test, release(ptr[k], 1));
			KUNIT_ASSERT_FALSE(test, release(ptr[k], 1));
			ptr[k] = ptr[i - 1];
		}
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
	}
}

/* A table of the size that a user asks for. */
static void resize(struct kunit *test, unsigned int objects)
{
	int err;

	kmprof_live_exit();
	kmprof_limits.max_live = objects;
	err = kmprof_live_init();
	if (err) {
		kmprof_live_lines = NULL;
		kmprof_live_entries = NULL;
	}
	KUNIT_ASSERT_EQ(test, err, 0);
}

/* An object of a slab of a size class, anywhere in 64 GiB of memory. */
static const void *slab_object(struct rnd_state *r)
{
	static const u32 sizes[] = {
		8, 16, 32, 64, 96, 128, 192, 232, 256, 512, 720, 1024, 1144, 2048, 4096, 8192
	};
	u32 size = sizes[chance_below(r, ARRAY_SIZE(sizes))];
	u32 slab = size <= 256 ? SZ_4K : SZ_32K;
	u64 base = (u64)chance_below(r, SZ_16M) * SZ_4K & -(u64)slab;

	return (void *)(0xffff888000000000UL + base + chance_below(r, slab / size) * size);
}

/* An object that is not in the table. */
static const void *new_object(struct rnd_state *r)
{
	const void *ptr;

	do {
		ptr = slab_object(r);
	} while (entry_find(ptr) >= 0);
	return ptr;
}

/* As many objects as the user has asked for, anywhere: none is refused, all are found. */
static void as_many_fit_as_were_asked_for(struct kunit *test)
{
	static const unsigned int asked[] = { 100, 1000, 16384, 65536 };
	struct live_rig *rig = test->priv;
	unsigned int i, seed, n, freed;
	struct rnd_state r;

	for (seed = 0; seed < 5 * ARRAY_SIZE(asked); seed++) {
		resize(test, asked[seed % ARRAY_SIZE(asked)]);
		n = kmprof_limits.max_live;
		KUNIT_ASSERT_GE(test, n, asked[seed % ARRAY_SIZE(asked)]);

		prandom_seed_state(&r, seed);
		for (i = 0; i < n; i++) {
			KUNIT_ASSERT_TRUE_MSG(test, insert(new_object(&r), &rig->bucket[0]),
					      "seed %u: refused after %u of %u", seed, i, n);
			rig_let_others_run();
		}
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), n);
		expect_lines(test);

		/* The same objects. Some were drawn twice, and inserted once. */
		prandom_seed_state(&r, seed);
		for (i = 0, freed = 0; i < 2 * n && freed < n; i++) {
			freed += release(slab_object(&r), 0);
			rig_let_others_run();
		}
		KUNIT_ASSERT_EQ(test, freed, n);
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
		expect_lines(test);
	}
}

/* With three objects in each line, few others need a second look. */
static void most_misses_are_seen_at_once(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	unsigned int i, maybe = 0;
	u64 cursor = 0;

	for (i = 0; i < live_nr_lines() * 3; i++)
		KUNIT_ASSERT_TRUE(test, insert(object_of(i / 3, 0, &cursor), &rig->bucket[0]));
	for (i = 0; i < 100000; i++)
		maybe += kmprof_live_may_hold(rig_object(1000000 + i));
	/* Three bits of 64 in a line, 4.7 %. */
	KUNIT_EXPECT_LT(test, maybe, 6000);
	KUNIT_EXPECT_GT(test, maybe, 3000);
}

/**
 * struct life - what happens to an object whose bucket is not known at first
 * @dying: it is handed to kfree_rcu() ...
 * @dying_slot: ... in this slot
 * @freed: it is freed ...
 * @freed_slot: ... in this slot
 * @drain: what happens before the drain comes to its record: nothing, the first
 *	of these, or both
 * @known: the drain finds a bucket for it
 */
struct life {
	bool dying, freed, known;
	unsigned int dying_slot, freed_slot, drain;
};

/* Returns whether an object that was not freed before is in the table then. */
static bool live_drain(const struct life *l, const struct kmprof_record *rec,
		       struct kmprof_bucket *b)
{
	if (l->known)
		kmprof_live_resolve(rec, b);
	else
		kmprof_live_drop(rec);
	return l->known;
}

static void life_run(struct kunit *test, const struct life *l)
{
	struct live_rig *rig = test->priv;
	struct kmprof_record *rec = record(rig, 0);
	struct kmprof_bucket *b = &rig->bucket[0];
	const void *ptr = rig_object(42);
	bool there = true;
	unsigned int slot;

	memset(b, 0, sizeof(*b));
	memset(rec, 0xa5, sizeof(*rec));
	rec->slot = 0;
	KUNIT_ASSERT_TRUE(test, insert_pending(ptr, rec));

	if (l->drain == 0)
		there = live_drain(l, rec, b);
	if (l->dying)
		defer(ptr, l->dying_slot);
	if (l->drain == 1)
		there = live_drain(l, rec, b);
	if (l->freed) {
		KUNIT_ASSERT_EQ(test, release(ptr, l->freed_slot), there);
		KUNIT_ASSERT_FALSE(test, release(ptr, l->freed_slot));
		there = false;
	}
	if (l->drain == 2)
		there &= live_drain(l, rec, b);

	KUNIT_ASSERT_EQ(test, kmprof_live_count(), there);
	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
		bool dying = l->known && l->dying && slot == l->dying_slot;
		bool freed = l->known && l->freed && slot == l->freed_slot;

		KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[slot].frees),
				l->dying ? dying : freed);
		KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[slot].pending),
				l->dying ? dying - freed : 0);
		KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[slot].allocs), 0);
	}
	KUNIT_ASSERT_EQ(test, release(ptr, 0), there);
	KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
}

/* Every order of kfree_rcu(), free and drain, in every slot. */
static void every_life_is_booked_where_it_ends(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < 2 * 2 * 2 * 3 * 3 * 3; i++) {
		struct life l = {
			.dying		= i & 1,
			.freed		= i >> 1 & 1,
			.known		= i >> 2 & 1,
			.dying_slot	= i / 8 % 3,
			.freed_slot	= i / 24 % 3,
			.drain		= i / 72,
		};

		life_run(test, &l);
	}
}

/* An object with its bucket goes by kfree_rcu(): freed at once, pending until it is. */
static void a_deferred_free_counts_once(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *b = &rig->bucket[0];
	unsigned int i;

	for (i = 0; i < KMPROF_NR_SLOTS * KMPROF_NR_SLOTS; i++) {
		unsigned int dying = i / KMPROF_NR_SLOTS, freed = i % KMPROF_NR_SLOTS, slot;

		memset(b, 0, sizeof(*b));
		KUNIT_ASSERT_TRUE(test, insert(rig_object(7), b));
		defer(rig_object(7), dying);
		defer(rig_object(7), freed);
		defer(rig_object(8), freed);
		KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[dying].frees), 1);
		KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[dying].pending), 1);
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), 1);
		KUNIT_ASSERT_TRUE(test, release(rig_object(7), freed));
		for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
			KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[slot].frees),
					slot == dying);
			KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[slot].pending),
					(slot == dying) - (slot == freed));
		}
	}
}

/* Pass an object to call_rcu(). */
static bool queue(const void *ptr, unsigned int slot)
{
	bool found;

	preempt_disable();
	found = kmprof_live_queue(ptr, slot);
	preempt_enable();
	return found;
}

/* The callbacks run that were queued before, and free nothing. */
static void settle(bool is_settled)
{
	if (!kmprof_callbacks_settle_begin())
		kmprof_callbacks_settle_end(is_settled);
}

/* In all slots: this bucket is in no list, so no cycle folds it. */
static long counted(const struct kmprof_bucket *b, bool pending)
{
	unsigned int slot;
	long sum = 0;

	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++)
		sum += atomic_long_read(pending ? &b->future[slot].pending :
					&b->future[slot].frees);
	return sum;
}

/* What a callback has not freed is in use again; its free counts as any other. */
static void a_callback_may_keep_the_object(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *b = &rig->bucket[0];
	unsigned int slot;

	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
		memset(b, 0, sizeof(*b));
		KUNIT_ASSERT_TRUE(test, insert(rig_object(7), b));
		KUNIT_ASSERT_TRUE(test, insert(rig_object(8), b));
		KUNIT_ASSERT_FALSE(test, queue(rig_object(9), slot));
		/* More than once, too. */
		KUNIT_ASSERT_TRUE(test, queue(rig_object(7), slot));
		KUNIT_ASSERT_TRUE(test, queue(rig_object(7), slot));
		KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[slot].frees), 1);
		KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[slot].pending), 1);
		settle(false);
		KUNIT_ASSERT_EQ(test, counted(b, true), 1);
		settle(true);
		KUNIT_ASSERT_EQ(test, counted(b, true), 0);
		KUNIT_ASSERT_EQ(test, counted(b, false), 0);
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), 2);

		/* Again, and this time it is freed. */
		KUNIT_ASSERT_TRUE(test, queue(rig_object(7), slot));
		KUNIT_ASSERT_EQ(test, counted(b, false), 1);
		KUNIT_ASSERT_TRUE(test, release(rig_object(7), slot));
		settle(true);
		KUNIT_ASSERT_EQ(test, counted(b, true), 0);
		KUNIT_ASSERT_EQ(test, counted(b, false), 1);
		KUNIT_ASSERT_TRUE(test, release(rig_object(8), slot));
		KUNIT_ASSERT_EQ(test, counted(b, false), 2);
	}
}

/*
 * Only callbacks that were queued before the wait began have run. An object that is passed on
 * meanwhile is in use, until it is freed or passed on again: it may be passed on for ever.
 */
static void only_callbacks_that_have_run(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *b = &rig->bucket[0];

	memset(b, 0, sizeof(*b));
	KUNIT_ASSERT_TRUE(test, insert(rig_object(7), b));
	KUNIT_ASSERT_TRUE(test, insert(rig_object(8), b));
	KUNIT_ASSERT_TRUE(test, queue(rig_object(7), 0));
	KUNIT_ASSERT_EQ(test, kmprof_callbacks_settle_begin(), 0);
	/* By its callback, and by somebody else. */
	KUNIT_ASSERT_TRUE(test, queue(rig_object(7), 0));
	KUNIT_ASSERT_TRUE(test, queue(rig_object(8), 0));
	kmprof_callbacks_settle_end(true);
	KUNIT_EXPECT_EQ(test, counted(b, true), 1);
	KUNIT_ASSERT_TRUE(test, queue(rig_object(7), 0));
	KUNIT_EXPECT_EQ(test, counted(b, true), 2);
	settle(true);
	KUNIT_EXPECT_EQ(test, counted(b, true), 0);
	KUNIT_EXPECT_EQ(test, counted(b, false), 0);
	KUNIT_ASSERT_TRUE(test, release(rig_object(7), 0));
	KUNIT_ASSERT_TRUE(test, release(rig_object(8), 0));
}

/* kfree_rcu() frees, also if a callback calls it; an entry forgets with its object. */
static void kfree_rcu_is_not_waited_for(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *b = &rig->bucket[0];
	int index;

	memset(b, 0, sizeof(*b));
	KUNIT_ASSERT_TRUE(test, insert(rig_object(7), b));
	index = entry_find(rig_object(7));
	KUNIT_ASSERT_TRUE(test, queue(rig_object(7), 0));
	KUNIT_ASSERT_TRUE(test, release(rig_object(7), 0));
	/* In the same entry. */
	KUNIT_ASSERT_TRUE(test, insert(rig_object(7), b));
	KUNIT_ASSERT_EQ(test, entry_find(rig_object(7)), index);
	defer(rig_object(7), 0);
	settle(true);
	KUNIT_EXPECT_EQ(test, counted(b, true), 1);
	KUNIT_EXPECT_EQ(test, counted(b, false), 2);
	KUNIT_ASSERT_TRUE(test, queue(rig_object(7), 0));
	defer(rig_object(7), 0);
	settle(true);
	KUNIT_EXPECT_EQ(test, counted(b, true), 1);
	KUNIT_ASSERT_TRUE(test, release(rig_object(7), 0));

	/* What comes during a wait is not waited for, whoever had the entry before. */
	KUNIT_ASSERT_TRUE(test, insert(rig_object(7), b));
	KUNIT_ASSERT_TRUE(test, queue(rig_object(7), 0));
	KUNIT_ASSERT_EQ(test, kmprof_callbacks_settle_begin(), 0);
	KUNIT_ASSERT_TRUE(test, release(rig_object(7), 0));
	KUNIT_ASSERT_TRUE(test, insert(rig_object(7), b));
	KUNIT_ASSERT_EQ(test, entry_find(rig_object(7)), index);
	KUNIT_ASSERT_TRUE(test, queue(rig_object(7), 0));
	kmprof_callbacks_settle_end(true);
	KUNIT_EXPECT_EQ(test, counted(b, true), 1);
	KUNIT_ASSERT_TRUE(test, release(rig_object(7), 0));
	KUNIT_EXPECT_EQ(test, counted(b, true), 0);
}

/* Without a bucket it keeps dying; the next wait finds it. */
static void an_object_without_a_bucket_keeps_dying(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	struct kmprof_record *rec = record(rig, 0);
	struct kmprof_bucket *b = &rig->bucket[0];

	memset(b, 0, sizeof(*b));
	rec->slot = 0;
	KUNIT_ASSERT_TRUE(test, insert_pending(rig_object(7), rec));
	KUNIT_ASSERT_TRUE(test, queue(rig_object(7), 0));
	settle(true);
	kmprof_live_resolve(rec, b);
	KUNIT_EXPECT_EQ(test, counted(b, true), 1);
	settle(true);
	KUNIT_EXPECT_EQ(test, counted(b, true), 0);
	KUNIT_EXPECT_EQ(test, counted(b, false), 0);
	KUNIT_ASSERT_TRUE(test, release(rig_object(7), 0));
	KUNIT_EXPECT_EQ(test, counted(b, false), 1);
}

/*
 * An object is freed before the drain, and its slot, pointer and all, is taken by
 * another one: the drain credits each with its own.
 */
static void a_note_is_not_read_for_another_object(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *b = rig->bucket;
	const void *ptr = rig_object(1);
	unsigned int next, known;

	for (known = 0; known < 2; known++) {
		for (next = 0; next < 3; next++) {
			memset(b, 0, 3 * sizeof(*b));
			KUNIT_ASSERT_TRUE(test, insert_pending(ptr, record(rig, 0)));
			KUNIT_ASSERT_TRUE(test, release(ptr, 0));
			/* The same pointer and slot: waiting, waiting and dying, or known. */
			if (next < 2)
				KUNIT_ASSERT_TRUE(test, insert_pending(ptr, record(rig, 1)));
			else
				KUNIT_ASSERT_TRUE(test, insert(ptr, &b[1]));
			if (next < 2)
				KUNIT_ASSERT_EQ(test, record(rig, 0)->live, record(rig, 1)->live);
			if (next == 1)
				defer(ptr, 1);

			if (known)
				kmprof_live_resolve(record(rig, 0), &b[0]);
			else
				kmprof_live_drop(record(rig, 0));
			KUNIT_ASSERT_EQ(test, booked(&b[0]), known);
			KUNIT_ASSERT_EQ(test, booked(&b[1]), 0);
			KUNIT_ASSERT_EQ(test, kmprof_live_count(), 1);

			if (next < 2)
				kmprof_live_resolve(record(rig, 1), &b[1]);
			KUNIT_ASSERT_EQ(test, booked(&b[1]), next == 1);
			KUNIT_ASSERT_TRUE(test, release(ptr, 2));
			KUNIT_ASSERT_EQ(test, booked(&b[0]), known);
			KUNIT_ASSERT_EQ(test, booked(&b[1]), 1);
			KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
		}
	}
}

/* A sweep for dead buckets takes their objects, and no others, pending or not. */
static void a_sweep_takes_what_is_dead(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *b = rig->bucket;
	unsigned int i, dead, before;
	struct rnd_state r;

	prandom_seed_state(&r, 5);
	before = rig_counter(KMPROF_LOSS_UNTRACKED);
	for (dead = 0; dead < 1 << 4; dead++) {
		u64 room = 0;

		memset(b, 0, NR_BUCKETS * sizeof(*b));
		for (i = 0; i < 100; i++) {
			KUNIT_ASSERT_TRUE(test, insert(rig_object(i), &b[i % 4]));
			if (i % 8 < 4)
				defer(rig_object(i), 0);
		}
		for (i = 0; i < 8; i++)
			KUNIT_ASSERT_TRUE(test, insert_pending(rig_object(100 + i),
							       record(rig, i)));
		for (i = 0; i < 4; i++)
			b[i].dead = dead >> i & 1;

		kmprof_live_drop_dead();
		for (i = 0; i < 4; i++)
			room += b[i].dead ? 25 : 0;
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), 108 - room);
		for (i = 0; i < 100; i++)
			KUNIT_ASSERT_EQ(test, release(rig_object(i), 1), !b[i % 4].dead);
		for (i = 0; i < 8; i++) {
			KUNIT_ASSERT_TRUE(test, release(rig_object(100 + i), 1));
			kmprof_live_resolve(record(rig, i), &b[4]);
		}
		KUNIT_ASSERT_EQ(test, booked(&b[4]), 8);
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
	}
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_LOSS_UNTRACKED), before);
}

static void forgetting_books_all_as_freed(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *b = rig->bucket;
	unsigned int i, slot;

	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
		u64 before = rig_counter(KMPROF_LOSS_UNTRACKED);

		memset(b, 0, NR_BUCKETS * sizeof(*b));
		for (i = 0; i < 100; i++)
			KUNIT_ASSERT_TRUE(test, insert(rig_object(i), &b[i % 4]));
		defer(rig_object(0), slot);
		kmprof_live_drop_kinds(KMPROF_HEAP_KINDS, slot);
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
		for (i = 0; i < 4; i++) {
			KUNIT_ASSERT_EQ(test, atomic_long_read(&b[i].future[slot].frees), 25);
			KUNIT_ASSERT_EQ(test, atomic_long_read(&b[i].future[slot].pending), 0);
		}
		KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_LOSS_UNTRACKED) - before, 100);
	}
}

/* The last bits of a page's address are 0, and of the key they are those freed. */
static void *rig_page(u64 number)
{
	return rig_object(number * (PAGE_SIZE / 64));
}

/* The same pointers as objects of each kind: each is found, freed and dropped by itself. */
static void kinds_are_apart(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *b = rig->bucket;
	unsigned int i, kind, gone, each, nr = CAPACITY / 4 / KMPROF_NR_KINDS;
	u64 before;

	for (gone = 0; gone < KMPROF_NR_KINDS; gone++) {
		memset(b, 0, NR_BUCKETS * sizeof(*b));
		for (i = 0; i < nr; i++)
			for (kind = 0; kind < KMPROF_NR_KINDS; kind++)
				KUNIT_ASSERT_TRUE(test, insert(kmprof_live_key(rig_page(i), kind),
							       &b[kind]));
		/* A pending object of another kind is left alone. */
		kind = (gone + 1) % KMPROF_NR_KINDS;
		KUNIT_ASSERT_TRUE(test, insert_pending(kmprof_live_key(rig_page(nr), kind),
						       record(rig, 0)));
		KUNIT_ASSERT_TRUE(test, release(kmprof_live_key(rig_page(0), gone), 1));
		KUNIT_ASSERT_FALSE(test, release(kmprof_live_key(rig_page(0), gone), 1));

		before = rig_counter(KMPROF_LOSS_UNTRACKED);
		kmprof_live_drop_kinds(BIT(gone), 2);
		each = gone == KMPROF_KIND_PAGE ? KMPROF_BLOCK_MAX : 1;
		KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_LOSS_UNTRACKED) - before,
				(nr - 1) * each);
		KUNIT_EXPECT_EQ(test, booked(&b[gone]), nr * each);
		KUNIT_EXPECT_EQ(test, atomic_long_read(&b[gone].future[2].frees),
				(nr - 1) * each);
		KUNIT_EXPECT_EQ(test, kmprof_live_count(), (KMPROF_NR_KINDS - 1) * nr + 1);

		kmprof_live_resolve(record(rig, 0), &b[kind]);
		for (i = 0; i <= nr; i++)
			for (kind = 0; kind < KMPROF_NR_KINDS; kind++)
				KUNIT_ASSERT_EQ(test,
						release(kmprof_live_key(rig_page(i), kind), 1),
						kind != gone && (i < nr || kind == (gone + 1) %
								 KMPROF_NR_KINDS));
		KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
	}
}

static bool release_part(const void *block, unsigned int first, unsigned int order,
			 unsigned int slot)
{
	bool was;

	preempt_disable();
	was = kmprof_live_free_pages(block, kmprof_live_pages(first, order), slot);
	preempt_enable();
	return was;
}

/**
 * struct part - pages of a block that are freed together
 * @first: the first one
 * @order: log2 of their number
 */
struct part {
	unsigned int first, order;
};

static const struct part parts[] = { { 4, 1 }, { 0, 0 }, { 7, 0 }, { 1, 0 }, { 2, 1 }, { 6, 0 } };

/* The drain comes before the part @drain, or at the end, and finds a bucket or none. */
static void parts_run(struct kunit *test, unsigned int drain, bool known)
{
	enum { ALLOCATED = 1, FREED = 2 };
	struct live_rig *rig = test->priv;
	struct kmprof_record *rec = record(rig, 0);
	struct kmprof_bucket *b = &rig->bucket[0];
	const void *block = kmprof_live_key(rig_page(42), KMPROF_KIND_PAGE);
	unsigned int i, early = 0;

	memset(b, 0, sizeof(*b));
	memset(rec, 0xa5, sizeof(*rec));
	b->key.detail = kmprof_bucket_detail(KMPROF_KIND_PAGE, KMPROF_BLOCK_ORDER, 0);
	rec->detail = b->key.detail;
	rec->slot = ALLOCATED;
	KUNIT_ASSERT_TRUE(test, insert_pending(block, rec));
	for (i = 0; i <= ARRAY_SIZE(parts); i++) {
		const struct part *part = &parts[i];

		if (i == drain && known)
			kmprof_live_resolve(rec, b);
		else if (i == drain)
			kmprof_live_drop(rec);
		if (i == ARRAY_SIZE(parts))
			break;
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), known || i < drain);
		KUNIT_ASSERT_EQ(test, release_part(block, part->first, part->order, FREED),
				known || i < drain);
		/* Freed again, they are somebody else's, and so is a block that has them. */
		KUNIT_ASSERT_FALSE(test, release_part(block, part->first, part->order, FREED));
		KUNIT_ASSERT_FALSE(test, release_part(block, 0, KMPROF_BLOCK_ORDER, FREED));
		early += i < drain ? 1 << part->order : 0;
	}
	KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
	/* Parts that were freed before the drain count where the block does, unless all were. */
	if (early == KMPROF_BLOCK_MAX)
		early = 0;
	KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[ALLOCATED].frees), known ? early : 0);
	KUNIT_ASSERT_EQ(test, atomic_long_read(&b->future[FREED].frees),
			known ? KMPROF_BLOCK_MAX - early : 0);
	KUNIT_ASSERT_EQ(test, booked(b), known ? KMPROF_BLOCK_MAX : 0);
}

static void a_block_goes_with_its_last_page(struct kunit *test)
{
	unsigned int drain;

	for (drain = 0; drain <= ARRAY_SIZE(parts); drain++) {
		parts_run(test, drain, true);
		parts_run(test, drain, false);
	}
}

/* A block without its first pages, and a younger one that begins with them. */
static void blocks_with_one_address_are_apart(struct kunit *test)
{
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *old = &rig->bucket[0], *young = &rig->bucket[1];
	const void *block = kmprof_live_key(rig_page(7), KMPROF_KIND_PAGE);
	unsigned int order, i;

	for (order = 0; order < KMPROF_BLOCK_ORDER; order++) {
		memset(rig->bucket, 0, 2 * sizeof(*rig->bucket));
		KUNIT_ASSERT_TRUE(test, insert(block, old));
		KUNIT_ASSERT_TRUE(test, release_part(block, 0, order, 0));
		KUNIT_ASSERT_TRUE(test, kmprof_live_insert(block, kmprof_live_pages(0, order),
							   young, 0));
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), 2);
		for (i = 1 << order; i < KMPROF_BLOCK_MAX; i++) {
			KUNIT_ASSERT_TRUE(test, release_part(block, i, 0, 0));
			KUNIT_ASSERT_EQ(test, booked(old), i + 1);
			KUNIT_ASSERT_EQ(test, booked(young), 0);
		}
		KUNIT_ASSERT_TRUE(test, release_part(block, 0, order, 0));
		KUNIT_ASSERT_EQ(test, booked(young), 1 << order);
		KUNIT_ASSERT_EQ(test, booked(old), KMPROF_BLOCK_MAX);
		KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
	}
}

/* What is left of blocks is booked as freed, and told, when their kind goes. */
static void the_rest_of_a_block_is_booked_once(struct kunit *test)
{
	const void *block = kmprof_live_key(rig_page(3), KMPROF_KIND_PAGE);
	u64 before = rig_counter(KMPROF_LOSS_UNTRACKED);
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *b = &rig->bucket[0];

	KUNIT_ASSERT_TRUE(test, insert(block, b));
	KUNIT_ASSERT_TRUE(test, release_part(block, 5, 0, 0));
	KUNIT_ASSERT_EQ(test, booked(b), 1);
	kmprof_live_drop_kinds(KMPROF_HEAP_PAGE, 1);
	KUNIT_ASSERT_EQ(test, booked(b), KMPROF_BLOCK_MAX);
	KUNIT_ASSERT_EQ(test, rig_counter(KMPROF_LOSS_UNTRACKED) - before, KMPROF_BLOCK_MAX - 1);
	KUNIT_ASSERT_EQ(test, kmprof_live_count(), 0);
	KUNIT_ASSERT_FALSE(test, release_part(block, 0, 0, 1));
}

/**
 * struct exchange - objects on their way from CPU to CPU
 * @shelf: each worker takes what lies there, frees it, and puts a new one
 * @rig: buckets
 * @next: a worker's next object
 * @inserted: of each worker
 * @freed: of each worker
 * @missed: objects that a free did not find
 * @random: a worker's
 */
struct exchange {
	const void *shelf[64];
	struct live_rig *rig;
	u64 next[RIG_WORKERS], inserted[RIG_WORKERS], freed[RIG_WORKERS];
	u64 missed[RIG_WORKERS];
	struct rnd_state random[RIG_WORKERS];
};

static void exchange_work(void *data, unsigned int worker)
{
	struct exchange *x = data;
	u32 place = chance_below(&x->random[worker], ARRAY_SIZE(x->shelf));
	const void *old, *new = rig_object(((u64)worker << 32) + x->next[worker]++);

	if (chance_below(&x->random[worker], 4) == 0 ||
	    !insert(new, &x->rig->bucket[worker]))
		new = NULL;
	else
		x->inserted[worker]++;
	old = xchg(&x->shelf[place], new);
	if (!old)
		return;
	if (!release(old, worker % KMPROF_NR_SLOTS))
		x->missed[worker]++;
	else
		x->freed[worker]++;
}

static void exchange_wait(struct kunit *test, void *data)
{
	schedule_timeout_uninterruptible(2 * HZ);
}

/* Handed from CPU to CPU, in a table that is crowded: no object is lost. */
static void other_cpus_find_what_they_are_given(struct kunit *test)
{
	u64 inserted = 0, freed = 0, missed = 0;
	struct live_rig *rig = test->priv;
	struct exchange *x;
	long sum = 0;
	int i;

	x = kunit_kzalloc(test, sizeof(*x), GFP_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, x);
	x->rig = rig;
	for (i = 0; i < RIG_WORKERS; i++)
		prandom_seed_state(&x->random[i], 6 + i);
	rig_run(test, exchange_work, exchange_wait, x);
	for (i = 0; i < ARRAY_SIZE(x->shelf); i++)
		if (x->shelf[i] && release(x->shelf[i], 0))
			freed++;
	for (i = 0; i < RIG_WORKERS; i++) {
		inserted += x->inserted[i];
		freed += x->freed[i];
		missed += x->missed[i];
		sum += booked(&rig->bucket[i]);
	}
	KUNIT_EXPECT_EQ(test, missed, 0);
	KUNIT_EXPECT_EQ(test, inserted, freed);
	KUNIT_EXPECT_EQ(test, sum, freed);
	KUNIT_EXPECT_GT(test, inserted, 1000);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
}

/**
 * struct visits - what a walk has visited, in its order
 * @nr: how many
 * @object: the objects
 * @bucket: their buckets
 */
struct visits {
	unsigned int nr;
	struct kmprof_image_object object[CAPACITY];
	const struct kmprof_bucket *bucket[CAPACITY];
};

static void keep_visit(void *data, const struct kmprof_bucket *b, struct kmprof_image_object *o)
{
	struct visits *v = data;

	if (v->nr == CAPACITY)
		return;
	v->object[v->nr] = *o;
	v->bucket[v->nr++] = b;
}

/* As of a cycle whose lowest 32 bits have wrapped around, at a time that has wrapped around. */
static void walk(struct visits *v)
{
	v->nr = 0;
	mutex_lock(&kmprof_cycle_lock);
	kmprof_published.cycle = BIT_ULL(32) + 1;
	kmprof_published.ticks = 5;
	kmprof_live_walk(keep_visit, v, false);
	mutex_unlock(&kmprof_cycle_lock);
}

/* The visit of an object; NULL: there was none. */
static const struct kmprof_image_object *visit_of(const struct visits *v, const void *address,
						  const struct kmprof_bucket *b)
{
	unsigned int i;

	for (i = 0; i < v->nr; i++)
		if (v->object[i].address == (unsigned long)address && v->bucket[i] == b)
			return &v->object[i];
	return NULL;
}

/* Insert an object that was allocated @ticks before walk() says that the cycle has ended. */
static bool insert_aged(const void *key, struct kmprof_bucket *b, unsigned int slot, s32 ticks)
{
	bool ok;
	int i;

	preempt_disable();
	ok = kmprof_live_insert(key, whole(key), b, slot);
	preempt_enable();
	if (!ok)
		return false;
	i = find(key, whole(key));
	if (i < 0 || live_birth_cycle(kmprof_live_births[i]) != kmprof_slot_cycle(slot) ||
	    kmprof_ticks() - live_birth_ticks(kmprof_live_births[i]) > HZ)
		return false;
	kmprof_live_births[i] = (u64)(u32)(5 - ticks) << 32 | kmprof_slot_cycle(slot);
	return true;
}

/* Of each kind: those of closed cycles that are in use, and how old they are. */
static void a_walk_visits_what_is_in_use(struct kunit *test)
{
	/* Two closed cycles, and the open one. */
	static const u32 cycles[KMPROF_NR_SLOTS] = { U32_MAX, 1, 2 };
	/* The last one is of more than half of the clock's range. */
	static const s32 ages[] = { 0, 1, 77, -1, -0x60000000 };
	struct visits *v = kunit_kzalloc(test, sizeof(*v), GFP_KERNEL);
	const struct kmprof_image_object *o;
	struct live_rig *rig = test->priv;
	struct kmprof_bucket *b = rig->bucket;
	unsigned int kind, slot, i;

	KUNIT_ASSERT_NOT_NULL(test, v);
	memcpy(kmprof_slot_cycles, cycles, sizeof(cycles));
	for (kind = 0; kind < KMPROF_NR_KINDS; kind++)
		for (i = 0; i < ARRAY_SIZE(ages); i++)
			KUNIT_ASSERT_TRUE(test, insert_aged(kmprof_live_key(rig_page(i), kind),
							    &b[kind], i % 2, ages[i]));
	KUNIT_ASSERT_TRUE(test, insert_aged(rig_page(10), &b[0], 2, 0));
	walk(v);
	KUNIT_EXPECT_EQ(test, v->nr, KMPROF_NR_KINDS * ARRAY_SIZE(ages));
	for (kind = 0; kind < KMPROF_NR_KINDS; kind++)
		for (i = 0; i < ARRAY_SIZE(ages); i++) {
			o = visit_of(v, rig_page(i), &b[kind]);
			KUNIT_ASSERT_NOT_NULL(test, o);
			KUNIT_EXPECT_EQ(test, o->cycle, i % 2 ? BIT_ULL(32) + 1 : U32_MAX);
			KUNIT_EXPECT_EQ(test, o->age_ns, ages[i] == -1 ? 0 :
					(u32)ages[i] * kmprof_ticks_span(0, 1));
			KUNIT_EXPECT_EQ(test, o->parts, kind == KMPROF_KIND_PAGE ? 0xff : 1);
		}

	/* Pending, dying, freed; in parts, and as a whole. */
	record(rig, 0)->slot = 0;
	KUNIT_ASSERT_TRUE(test, insert_pending(rig_page(11), record(rig, 0)));
	/* Of a block, the freed page is left out. */
	defer(rig_page(0), 0);
	KUNIT_ASSERT_TRUE(test, release(rig_page(1), 0));
	KUNIT_ASSERT_TRUE(test, release_part(kmprof_live_key(rig_page(0), KMPROF_KIND_PAGE),
					     1, 0, 0));
	walk(v);
	KUNIT_EXPECT_EQ(test, v->nr, KMPROF_NR_KINDS * ARRAY_SIZE(ages) - 2);
	KUNIT_EXPECT_NULL(test, visit_of(v, rig_page(0), &b[KMPROF_KIND_SLAB]));
	KUNIT_EXPECT_NULL(test, visit_of(v, rig_page(1), &b[KMPROF_KIND_SLAB]));
	o = visit_of(v, rig_page(0), &b[KMPROF_KIND_PAGE]);
	KUNIT_ASSERT_NOT_NULL(test, o);
	KUNIT_EXPECT_EQ(test, o->parts, 0xfd);

	/* Its bucket comes, and it was allocated in a closed cycle. */
	kmprof_live_resolve(record(rig, 0), &b[KMPROF_NR_KINDS]);
	walk(v);
	KUNIT_EXPECT_NOT_NULL(test, visit_of(v, rig_page(11), &b[KMPROF_NR_KINDS]));
	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++)
		kmprof_slot_cycles[slot] = 0;
	kmprof_live_drop_kinds(BIT(KMPROF_NR_KINDS) - 1, 0);
	walk(v);
	KUNIT_EXPECT_EQ(test, v->nr, 0);
	KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
}

static struct kunit_case live_cases[] = {
	KUNIT_CASE(a_match_misses_no_tag),
	KUNIT_CASE(a_chain_is_the_lines_group),
	KUNIT_CASE(neighbours_are_spread),
	KUNIT_CASE(the_table_is_a_map),
	KUNIT_CASE(a_full_line_overflows_into_its_group),
	KUNIT_CASE(as_many_fit_as_were_asked_for),
	KUNIT_CASE(most_misses_are_seen_at_once),
	KUNIT_CASE(every_life_is_booked_where_it_ends),
	KUNIT_CASE(a_deferred_free_counts_once),
	KUNIT_CASE(a_callback_may_keep_the_object),
	KUNIT_CASE(only_callbacks_that_have_run),
	KUNIT_CASE(kfree_rcu_is_not_waited_for),
	KUNIT_CASE(an_object_without_a_bucket_keeps_dying),
	KUNIT_CASE(a_note_is_not_read_for_another_object),
	KUNIT_CASE(a_sweep_takes_what_is_dead),
	KUNIT_CASE(forgetting_books_all_as_freed),
	KUNIT_CASE(kinds_are_apart),
	KUNIT_CASE(a_block_goes_with_its_last_page),
	KUNIT_CASE(blocks_with_one_address_are_apart),
	KUNIT_CASE(the_rest_of_a_block_is_booked_once),
	KUNIT_CASE(a_walk_visits_what_is_in_use),
	KUNIT_CASE_SLOW(other_cpus_find_what_they_are_given),
	{}
};

static struct kunit_suite live_suite = {
	.name		= "kmprof_live",
	.init		= live_test_init,
	.test_cases	= live_cases,
};

kunit_test_suite(live_suite);
