// SPDX-License-Identifier: GPL-2.0
/*
 * Owners: what is remembered of a task stays for as long as an object refers to it, and no
 * longer; who finds no place is counted.
 */
#include <kunit/test.h>

#include "mem/owners.c"
#include "core/drain.h"
#include "events.h"
#include "mem/heap.h"
#include "mem/live.h"
#include "rig.h"

enum { PERIOD = 4096 };

static char comm_before[KMPROF_COMM_LEN];

static int owners_test_init(struct kunit *test)
{
	memcpy(comm_before, current->comm, sizeof(comm_before));
	return rig_create(test, &rig_wide_limits) ?: rig_pin() ?: kmprof_owners_set(1);
}

static void owners_test_exit(struct kunit *test)
{
	kmprof_owners_set(0);
	memcpy(current->comm, comm_before, sizeof(comm_before));
}

/* The name with a number. */
static void be(unsigned int n)
{
	char name[KMPROF_COMM_LEN] = {};

	snprintf(name, sizeof(name), "owner %u", n);
	memcpy(current->comm, name, sizeof(name));
}

static void note(u32 entry)
{
	preempt_disable();
	kmprof_owner_note(entry, kmprof_slot());
	preempt_enable();
}

/* Is the owner of an entry this task under the name with a number? */
static bool is_owned_by(u32 entry, unsigned int n)
{
	struct kmprof_image_object o = {};
	char name[KMPROF_COMM_LEN];

	snprintf(name, sizeof(name), "owner %u", n);
	kmprof_owner_read(entry, &o);
	return o.tid == current->pid && !strcmp(o.comm, name);
}

static bool is_unknown(u32 entry)
{
	struct kmprof_image_object o = {};

	kmprof_owner_read(entry, &o);
	return !o.tid && !o.comm[0];
}

static u32 places_in_use(void)
{
	u32 i, nr = 0;

	for (i = 0; i <= owners_mask; i++)
		nr += !!state_entries(atomic64_read(&owners[i].state));
	return nr;
}

/* Objects of one task share a place; under another name it has another one. */
static void a_name_stays_while_objects_refer_to_it(struct kunit *test)
{
	u32 i;

	be(1);
	for (i = 0; i < 10; i++)
		note(i);
	KUNIT_EXPECT_EQ(test, places_in_use(), 1);
	be(2);
	for (; i < 20; i++)
		note(i);
	KUNIT_EXPECT_EQ(test, places_in_use(), 2);
	for (i = 0; i < 20; i++)
		KUNIT_EXPECT_TRUE(test, is_owned_by(i, 1 + i / 10));
	for (i = 0; i < 9; i++) {
		kmprof_owner_forget(i);
		KUNIT_EXPECT_TRUE(test, is_unknown(i));
	}
	KUNIT_EXPECT_TRUE(test, is_owned_by(9, 1));
	kmprof_owner_forget(9);
	kmprof_owner_forget(9);
	KUNIT_EXPECT_EQ(test, places_in_use(), 1);
	be(3);
	note(0);
	KUNIT_EXPECT_TRUE(test, is_owned_by(0, 3));
	for (i = 10; i < 20; i++)
		KUNIT_EXPECT_TRUE(test, is_owned_by(i, 2));
	kmprof_owner_forget(0);
	for (i = 10; i < 20; i++)
		kmprof_owner_forget(i);
	KUNIT_EXPECT_EQ(test, places_in_use(), 0);
}

/* As many names as there are places in a window; the next one is counted, until one goes. */
static void a_full_window_is_counted(struct kunit *test)
{
	u64 before = rig_counter(KMPROF_LOSS_OWNER_FULL);
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		be(i);
		note(i);
	}
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_LOSS_OWNER_FULL), before);
	be(WINDOW);
	note(WINDOW);
	KUNIT_EXPECT_TRUE(test, is_unknown(WINDOW));
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_LOSS_OWNER_FULL), before + 1);
	/* Those that are there are found nevertheless. */
	be(WINDOW / 2);
	note(WINDOW + 1);
	KUNIT_EXPECT_TRUE(test, is_owned_by(WINDOW + 1, WINDOW / 2));
	kmprof_owner_forget(WINDOW - 1);
	be(WINDOW);
	note(WINDOW);
	KUNIT_EXPECT_TRUE(test, is_owned_by(WINDOW, WINDOW));
	for (i = 0; i < WINDOW - 1; i++)
		KUNIT_EXPECT_TRUE(test, is_owned_by(i, i));
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_LOSS_OWNER_FULL), before + 1);
	for (i = 0; i <= WINDOW + 1; i++)
		kmprof_owner_forget(i);
	KUNIT_EXPECT_EQ(test, places_in_use(), 0);
}

/* What is known stays known, and is forgotten with its object; what comes has no owner. */
static void off_forgets_nothing(struct kunit *test)
{
	be(1);
	note(1);
	KUNIT_ASSERT_EQ(test, kmprof_owners_set(0), 0);
	note(2);
	KUNIT_EXPECT_TRUE(test, is_owned_by(1, 1));
	KUNIT_EXPECT_TRUE(test, is_unknown(2));
	kmprof_owner_forget(2);
	kmprof_owner_forget(1);
	KUNIT_EXPECT_TRUE(test, is_unknown(1));
	KUNIT_EXPECT_EQ(test, places_in_use(), 0);
	KUNIT_ASSERT_EQ(test, kmprof_owners_set(1), 0);
	note(2);
	KUNIT_EXPECT_TRUE(test, is_owned_by(2, 1));
	kmprof_owner_forget(2);
}

/* A state that another CPU is writing is nobody's, and is left alone. */
static void a_place_that_is_being_taken_is_left_alone(struct kunit *test)
{
	const u32 tid = current->pid;
	struct owner *first;

	be(1);
	first = &owners[place(tid, 0)];
	atomic64_set(&first->state, state_of(TID_BUSY, 1));
	note(0);
	KUNIT_EXPECT_TRUE(test, is_owned_by(0, 1));
	KUNIT_EXPECT_EQ(test, atomic64_read(&first->state), state_of(TID_BUSY, 1));
	/* The other one is done: it was this task under another name. */
	strscpy((char *)first->name, "other", sizeof(first->name));
	atomic64_set(&first->state, state_of(tid, 1));
	note(1);
	KUNIT_EXPECT_TRUE(test, is_owned_by(1, 1));
	KUNIT_EXPECT_EQ(test, atomic64_read(&first->state), state_of(tid, 1));
	atomic64_set(&first->state, 0);
	kmprof_owner_forget(0);
	kmprof_owner_forget(1);
	KUNIT_EXPECT_EQ(test, places_in_use(), 0);
}

/* However an entry of the live table is released, and if it is never used: no reference is left. */
static void the_live_table_gives_owners_back(struct kunit *test)
{
	enum { OBJECTS = 200 };
	u64 before = rig_counter(KMPROF_LOSS_OWNER_FULL);
	unsigned int i, round;

	for (round = 0; round < 20; round++) {
		for (i = 0; i < OBJECTS; i++) {
			be(round * 8 + i % 8);
			event_alloc(rig_object(i), 8, PERIOD, event_site(i % 40));
		}
		/* Those of the first half are known by a bucket then. */
		if (round % 2)
			rig_advance();
		KUNIT_EXPECT_EQ(test, places_in_use(), 8);
		for (i = 0; i < OBJECTS / 4; i++)
			event_free(rig_object(i));
		/* What is in the place of an object whose free was missed goes. */
		for (; i < OBJECTS / 2; i++)
			event_alloc(rig_object(i), 8, PERIOD, event_site(i % 40));
		switch (round % 4) {
		case 0:
			rig_reset();
			break;
		case 1:
			kmprof_heap_forget_live(BIT(KMPROF_KIND_SLAB));
			break;
		default:
			for (; i; i--)
				event_free(rig_object(i - 1));
			for (i = OBJECTS / 2; i < OBJECTS; i++)
				event_free(rig_object(i));
		}
		KUNIT_EXPECT_EQ(test, kmprof_live_count(), 0);
		KUNIT_EXPECT_EQ(test, places_in_use(), 0);
	}
	KUNIT_EXPECT_EQ(test, rig_counter(KMPROF_LOSS_OWNER_FULL), before);
}

/* The stacks find no bucket: the drain drops the objects. */
static void a_dropped_object_has_no_owner(struct kunit *test)
{
	unsigned int i, max = kmprof_limits.max_buckets;

	be(1);
	for (i = 0; i < 100; i++)
		event_alloc(rig_object(i), 8, PERIOD, event_site(i));
	kmprof_limits.max_buckets = 1;
	kmprof_drain();
	kmprof_limits.max_buckets = max;
	KUNIT_EXPECT_EQ(test, places_in_use(), !!kmprof_live_count());
	rig_reset();
	KUNIT_EXPECT_EQ(test, places_in_use(), 0);
}

static struct kunit_case owners_cases[] = {
	KUNIT_CASE(a_name_stays_while_objects_refer_to_it),
	KUNIT_CASE(a_full_window_is_counted),
	KUNIT_CASE(off_forgets_nothing),
	KUNIT_CASE(a_place_that_is_being_taken_is_left_alone),
	KUNIT_CASE(the_live_table_gives_owners_back),
	KUNIT_CASE(a_dropped_object_has_no_owner),
	{}
};

static struct kunit_suite owners_suite = {
	.name		= "kmprof_owners",
	.init		= owners_test_init,
	.exit		= owners_test_exit,
	.test_cases	= owners_cases,
};

kunit_test_suite(owners_suite);
