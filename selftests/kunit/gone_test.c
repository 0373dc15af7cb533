// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that goes: its addresses in buckets move to where nothing else is, its symbols go
 * along, and later events at the same addresses have buckets of their own.
 */
#include "stack/gone.c"

#include <kunit/test.h>

#include "core/profile.h"
#include "events.h"
#include "lock/booking.h"
#include "lock/lock_profile.h"
#include "mem/heap.h"
#include "rig.h"
#include "stack/stack.h"

enum {
	SITES		= 40,
	PERIOD		= 1,
	SYMBOL_BYTES	= 0x200,	/* of two frames */
};

/* Two pieces, with a gap; the first and last site are in neither. */
static const struct kmprof_extent memory[] = {
	{ SITE_BASE + (2UL << SITE_SHIFT), SITE_BASE + (9UL << SITE_SHIFT) },
	{ SITE_BASE + (20UL << SITE_SHIFT), SITE_BASE + (30UL << SITE_SHIFT) + 0x300 },
};

static const u8 some_id[] = { 1, 2, 3, 4, 5 };

static int gone_test_init(struct kunit *test)
{
	return rig_create(test, &rig_wide_limits) ?: rig_pin();
}

static void gone_test_exit(struct kunit *test)
{
	kmprof_gone_exit();
}

static unsigned int get_id(const void *data, u8 id[KMPROF_BUILD_ID_LEN])
{
	memcpy(id, some_id, sizeof(some_id));
	return sizeof(some_id);
}

/* Every second symbol has a name: that of its number. */
static void get_symbols(const void *data, const unsigned long *addrs, unsigned int nr,
			struct kmprof_symbol *symbols)
{
	static char names[(SITES << SITE_SHIFT) / SYMBOL_BYTES][8];
	unsigned int i, number;

	for (i = 0; i < nr; i++) {
		number = (addrs[i] - SITE_BASE) / SYMBOL_BYTES;
		snprintf(names[number], sizeof(names[number]), "s%u", number);
		symbols[i] = (struct kmprof_symbol) {
			.start	= SITE_BASE + number * SYMBOL_BYTES,
			.size	= SYMBOL_BYTES,
			.name	= number % 2 ? names[number] : NULL,
		};
	}
}

static const struct kmprof_going whole = {
	.nr_pieces	= ARRAY_SIZE(memory),
	.pieces		= { memory[0], memory[1] },
	.name		= "brief",
	.build_id	= get_id,
	.symbols	= get_symbols,
};

/* A contended lock of the site, at its address. */
static void delay(unsigned int site)
{
	unsigned long words[SITE_FRAMES_MAX];
	const struct kmprof_delay d = {
		.profile	= &kmprof_block_profile,
		.kind		= KMPROF_LOCK_MUTEX,
		.lock		= (void *)event_site(site),
		.ns		= 100,
		.period		= 1,
	};
	struct kmprof_stack stack;

	event_stack(words, event_site(site), &stack);
	preempt_disable();
	kmprof_booking_add(&d, &stack, kmprof_slot());
	preempt_enable();
}

/* An object, from @first on, and a delay of each site. */
static void fill(unsigned int first)
{
	unsigned int i;

	for (i = 0; i < SITES; i++) {
		event_alloc(rig_object(first + i), 64, PERIOD, event_site(i));
		delay(i);
		kmprof_drain();
	}
}

static void expect_moved(struct kunit *test, const struct kmprof_gone *gone, unsigned long now,
			 unsigned long was, bool is_frame)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(memory); i++) {
		if (was - is_frame < memory[i].begin || was - is_frame >= memory[i].end)
			continue;
		KUNIT_EXPECT_EQ(test, now, was - memory[i].begin + gone->at[i]);
		return;
	}
	KUNIT_EXPECT_EQ(test, now, was);
}

/* The n-th bucket of a profile is of the n-th site. */
static void expect_buckets(struct kunit *test, const struct kmprof_profile *profile,
			   const struct kmprof_gone *gone)
{
	unsigned long frames[SITE_FRAMES_MAX];
	struct kmprof_stack stack;
	struct kmprof_bucket *b;
	unsigned int site = 0, i;

	list_for_each_entry(b, &kmprof_buckets, list) {
		if (b->key.profile != profile || site == SITES)
			continue;
		event_stack(frames, event_site(site), &stack);
		KUNIT_ASSERT_EQ(test, kmprof_bucket_nr_frames(&b->key), stack.nr);
		for (i = 0; i < stack.nr; i++)
			expect_moved(test, gone, b->frames[i], frames[i], true);
		if (profile == &kmprof_block_profile.profile)
			expect_moved(test, gone, b->key.lock, event_site(site), false);
		site++;
	}
	KUNIT_EXPECT_EQ(test, site, SITES);
}

static struct kmprof_gone *only_one(struct kunit *test)
{
	KUNIT_ASSERT_TRUE(test, list_is_singular(&kmprof_gone_list));
	return list_first_entry(&kmprof_gone_list, struct kmprof_gone, list);
}

static void addresses_move(struct kunit *test)
{
	struct kmprof_gone *gone;

	fill(0);
	kmprof_gone_retire(&whole);
	gone = only_one(test);
	expect_buckets(test, &kmprof_heap_profile, gone);
	expect_buckets(test, &kmprof_block_profile.profile, gone);
	KUNIT_EXPECT_GE(test, gone->at[0], HOLE_START);
	/* The address behind the first piece is that of no other. */
	KUNIT_EXPECT_GT(test, gone->at[1], gone->at[0] + kmprof_gone_size(gone, 0));
	KUNIT_EXPECT_GT(test, hole_next, gone->at[1] + kmprof_gone_size(gone, 1));
}

static void names_go_along(struct kunit *test)
{
	unsigned long was, end = 0, begin;
	struct kmprof_gone *gone;
	unsigned int i, piece;
	char name[8];

	fill(0);
	kmprof_gone_retire(&whole);
	gone = only_one(test);
	KUNIT_EXPECT_STREQ(test, gone->name, "brief");
	KUNIT_EXPECT_EQ(test, gone->build_id_size, sizeof(some_id));
	KUNIT_EXPECT_MEMEQ(test, gone->build_id, some_id, sizeof(some_id));
	KUNIT_EXPECT_GT(test, gone->nr_symbols, 2);
	for (i = 0; i < gone->nr_symbols; i++) {
		begin = gone->symbols[i].start;
		KUNIT_EXPECT_GE(test, begin, end);
		end = begin + gone->symbols[i].size;
		piece = kmprof_gone_has(gone, 1, begin);
		KUNIT_ASSERT_TRUE(test, kmprof_gone_has(gone, piece, begin));
		was = begin - gone->at[piece] + memory[piece].begin;
		snprintf(name, sizeof(name), "s%lu", (was - SITE_BASE) / SYMBOL_BYTES);
		KUNIT_EXPECT_STREQ(test, gone->symbols[i].name, name);
	}
}

/* What counted before counts on; what comes later is of another life. */
static void lives_do_not_merge(struct kunit *test)
{
	unsigned int i, once, lives = 0, shared = 0;
	struct kmprof_gone *gone, *before = NULL;
	struct kmprof_bucket *b;

	fill(0);
	once = rig_nr_buckets();
	kmprof_gone_retire(&whole);
	fill(SITES);
	/* Those without an address of the memory are the same. */
	list_for_each_entry(b, &kmprof_buckets, list)
		shared += !hlist_unhashed(&b->node);
	KUNIT_EXPECT_EQ(test, shared, once);
	KUNIT_EXPECT_GT(test, rig_nr_buckets(), once);
	KUNIT_EXPECT_LT(test, rig_nr_buckets(), 2 * once);
	kmprof_gone_retire(&whole);
	list_for_each_entry(gone, &kmprof_gone_list, list) {
		if (before)
			KUNIT_EXPECT_GT(test, gone->at[0], before->at[1]);
		before = gone;
		lives++;
	}
	KUNIT_EXPECT_EQ(test, lives, 2);

	for (i = 0; i < 2 * SITES; i++)
		event_free(rig_object(i));
	rig_advance();
	list_for_each_entry(b, &kmprof_buckets, list) {
		if (b->key.profile != &kmprof_heap_profile)
			continue;
		KUNIT_EXPECT_EQ(test, b->active.allocs, hlist_unhashed(&b->node) ? 1 : 2);
		KUNIT_EXPECT_EQ(test, b->active.frees, b->active.allocs);
	}
}

static void what_nobody_has_leaves_nothing(struct kunit *test)
{
	unsigned long next = hole_next;

	kmprof_gone_retire(&whole);
	KUNIT_EXPECT_TRUE(test, list_empty(&kmprof_gone_list));
	KUNIT_EXPECT_EQ(test, hole_next, next);
}

/* Addresses without a name move, too; and then there are none left. */
static void without_names_and_without_room(struct kunit *test)
{
	const struct kmprof_going unnamed = {
		.nr_pieces = ARRAY_SIZE(memory), .pieces = { memory[0], memory[1] },
	};
	unsigned long next = hole_next;
	struct kmprof_gone *gone;

	fill(0);
	hole_next = HOLE_END - PAGE_SIZE;
	kmprof_gone_retire(&whole);
	KUNIT_EXPECT_TRUE(test, list_empty(&kmprof_gone_list));
	hole_next = next;
	kmprof_gone_retire(&unnamed);
	gone = only_one(test);
	KUNIT_EXPECT_STREQ(test, gone->name, "");
	KUNIT_EXPECT_EQ(test, gone->nr_symbols, 0);
	expect_buckets(test, &kmprof_heap_profile, gone);
}

static void a_reset_forgets(struct kunit *test)
{
	fill(0);
	kmprof_gone_retire(&whole);
	rig_reset();
	fill(SITES);
	kmprof_gone_retire(&whole);
	mutex_lock(&kmprof_cycle_lock);
	kmprof_gone_forget_reset();
	mutex_unlock(&kmprof_cycle_lock);
	expect_buckets(test, &kmprof_heap_profile, only_one(test));
	rig_reset();
	mutex_lock(&kmprof_cycle_lock);
	kmprof_gone_forget_reset();
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_EXPECT_TRUE(test, list_empty(&kmprof_gone_list));
}

static struct kunit_case gone_cases[] = {
	KUNIT_CASE(addresses_move),
	KUNIT_CASE(names_go_along),
	KUNIT_CASE(lives_do_not_merge),
	KUNIT_CASE(what_nobody_has_leaves_nothing),
	KUNIT_CASE(without_names_and_without_room),
	KUNIT_CASE(a_reset_forgets),
	{}
};

static struct kunit_suite gone_suite = {
	.name		= "kmprof_gone",
	.init		= gone_test_init,
	.exit		= gone_test_exit,
	.test_cases	= gone_cases,
};

kunit_test_suite(gone_suite);
