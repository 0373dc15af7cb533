// SPDX-License-Identifier: GPL-2.0
/*
 * The list of profiles, and what the profiles say about themselves: each counter has one
 * name, each sample one fate, each view one name.
 */
#include <kunit/test.h>

#include "core/profile.c"
#include "out/view.c"
#include "lock/lock_profile.h"
#include "mem/heap.h"
#include "rig.h"
#include "show/objects.h"
#include "task/threadcreate.h"

/**
 * struct pool - memory of the profiles of a case
 * @nr: number of @all in use
 * @all: profiles with a view each
 */
struct pool {
	unsigned int nr;
	struct {
		struct kmprof_profile profile;
		struct kmprof_view view;
		char name[KMPROF_NAME_LEN + 1];
	} all[KMPROF_PROFILES_MAX + 16];
};

/* Of what ends with a case, the rig comes first: it knows the profiles. */
static int profile_test_init(struct kunit *test)
{
	test->priv = kunit_kzalloc(test, sizeof(struct pool), GFP_KERNEL);
	return test->priv ? rig_create(test, &rig_narrow_limits) : -ENOMEM;
}

/* The names of all counters, which texts and programs know. */
static const struct {
	const char *name;
	u32 flags;
	const struct kmprof_profile *profile;
} counters[KMPROF_NR_COUNTERS] = {
#define HEAP(counter, name, flags) \
	[counter] = { name, flags, &kmprof_heap_profile }
#define BLOCK(counter, name, flags) \
	[counter] = { name, flags, &kmprof_block_profile.profile }
#define MUTEX(counter, name, flags) \
	[counter] = { name, flags, &kmprof_mutex_profile.profile }
#define NOTED	KMPROF_SCALAR_LEDGER
#define LOST	(KMPROF_SCALAR_LEDGER | KMPROF_SCALAR_LOST)
	HEAP(KMPROF_PERCPU_CALLS, "total.percpu_calls", KMPROF_SCALAR_TOTAL),
	HEAP(KMPROF_PERCPU_BYTES, "total.percpu_bytes", KMPROF_SCALAR_TOTAL),
	HEAP(KMPROF_PERCPU_FREES, "total.percpu_frees", KMPROF_SCALAR_TOTAL),
	HEAP(KMPROF_VMALLOC_CALLS, "total.vmalloc_calls", KMPROF_SCALAR_TOTAL),
	HEAP(KMPROF_VMALLOC_BYTES, "total.vmalloc_bytes", KMPROF_SCALAR_TOTAL),
	HEAP(KMPROF_VMALLOC_FREES, "total.vmalloc_frees", KMPROF_SCALAR_TOTAL),
	HEAP(KMPROF_PAGES_ALLOCATED, "total.pages_allocated", KMPROF_SCALAR_TOTAL),
	HEAP(KMPROF_PAGES_FREED, "total.pages_freed", KMPROF_SCALAR_TOTAL),
	HEAP(KMPROF_FILTERED, "filtered", KMPROF_SCALAR_FILTERED),
	HEAP(KMPROF_FILTERED_BYTES, "filtered_bytes", 0),
	HEAP(KMPROF_SAMPLED, "sampled", KMPROF_SCALAR_SAMPLED),
	HEAP(KMPROF_COUNTED, "counted", KMPROF_SCALAR_COUNTED),
	BLOCK(KMPROF_WAITS, "total.waits", KMPROF_SCALAR_TOTAL),
	BLOCK(KMPROF_WAIT_NS, "total.wait_ns", KMPROF_SCALAR_TOTAL),
	BLOCK(KMPROF_WAITS_SAMPLED, "waits_sampled", KMPROF_SCALAR_SAMPLED),
	BLOCK(KMPROF_WAITS_COUNTED, "waits_counted", KMPROF_SCALAR_COUNTED),
	MUTEX(KMPROF_RELEASES, "total.releases", KMPROF_SCALAR_TOTAL),
	MUTEX(KMPROF_BLAMED_NS, "total.blamed_ns", KMPROF_SCALAR_TOTAL),
	MUTEX(KMPROF_UNBLAMED_NS, "total.unblamed_ns", KMPROF_SCALAR_TOTAL),
	MUTEX(KMPROF_UNBLAMED_SPINNING, "total.unblamed.spinning_ns", KMPROF_SCALAR_TOTAL),
	MUTEX(KMPROF_UNBLAMED_SPUN, "total.unblamed.spun_ns", KMPROF_SCALAR_TOTAL),
	MUTEX(KMPROF_UNBLAMED_HAND_OVER, "total.unblamed.hand_over_ns", KMPROF_SCALAR_TOTAL),
	MUTEX(KMPROF_UNBLAMED_UNSEEN, "total.unblamed.unseen_ns", KMPROF_SCALAR_TOTAL),
	MUTEX(KMPROF_UNBLAMED_FAILED, "total.unblamed.failed_ns", KMPROF_SCALAR_TOTAL),
	MUTEX(KMPROF_UNBLAMED_GRACE, "total.unblamed.grace_period_ns", KMPROF_SCALAR_TOTAL),
	MUTEX(KMPROF_UNBLAMED_NOT_FOLLOWED, "total.unblamed.not_followed_ns",
	      KMPROF_SCALAR_TOTAL),
	MUTEX(KMPROF_DELAYS_SAMPLED, "delays_sampled", KMPROF_SCALAR_SAMPLED),
	MUTEX(KMPROF_DELAYS_COUNTED, "delays_counted", KMPROF_SCALAR_COUNTED),
	HEAP(KMPROF_LOSS_NESTED, "ledger.nested", LOST),
	HEAP(KMPROF_LOSS_RING_FULL, "ledger.ring_full", LOST),
	HEAP(KMPROF_LOSS_LIVE_FULL, "ledger.live_full", LOST),
	HEAP(KMPROF_LOSS_BUCKET_FULL, "ledger.bucket_full", LOST),
	HEAP(KMPROF_LOSS_ALLOC_FAILED, "ledger.alloc_failed", LOST),
	HEAP(KMPROF_LOSS_OWN, "ledger.own", LOST),
	HEAP(KMPROF_LOSS_MISSED_PROBE, "ledger.missed_probe", NOTED),
	HEAP(KMPROF_LOSS_PROBES_OFF, "ledger.probes_off", NOTED),
	HEAP(KMPROF_LOSS_MISSED_FREE, "ledger.missed_free", NOTED),
	HEAP(KMPROF_LOSS_STACK_TRUNCATED, "ledger.stack_truncated", NOTED),
	HEAP(KMPROF_LOSS_UNTRACKED, "ledger.untracked", NOTED),
	HEAP(KMPROF_LOSS_OWNER_FULL, "ledger.owner_full", NOTED),
	BLOCK(KMPROF_LOSS_WAIT_NESTED, "ledger.wait_nested", LOST),
	BLOCK(KMPROF_LOSS_WAIT_RING_FULL, "ledger.wait_ring_full", LOST),
	BLOCK(KMPROF_LOSS_WAIT_BUCKET_FULL, "ledger.wait_bucket_full", LOST),
	BLOCK(KMPROF_LOSS_WAIT_OWN, "ledger.wait_own", LOST),
	BLOCK(KMPROF_LOSS_WAIT_TABLE_FULL, "ledger.wait_table_full", LOST),
	BLOCK(KMPROF_LOSS_WAIT_UNPAIRED, "ledger.wait_unpaired", NOTED),
	MUTEX(KMPROF_LOSS_DELAY_NESTED, "ledger.delay_nested", LOST),
	MUTEX(KMPROF_LOSS_DELAY_RING_FULL, "ledger.delay_ring_full", LOST),
	MUTEX(KMPROF_LOSS_DELAY_BUCKET_FULL, "ledger.delay_bucket_full", LOST),
	MUTEX(KMPROF_LOSS_DELAY_OWN, "ledger.delay_own", LOST),
	MUTEX(KMPROF_LOSS_DELAY_TABLE_FULL, "ledger.delay_table_full", NOTED),
	MUTEX(KMPROF_LOSS_MISSED_RELEASE, "ledger.missed_release", NOTED),
	BLOCK(KMPROF_LOSS_MISSED_WAIT, "ledger.missed_wait", NOTED),
	BLOCK(KMPROF_LOSS_WAIT_DIED, "ledger.wait_died", LOST),
	BLOCK(KMPROF_LOSS_WAIT_SATURATED, "ledger.wait_saturated", NOTED),
	MUTEX(KMPROF_LOSS_DELAY_SATURATED, "ledger.delay_saturated", NOTED),
	[KMPROF_LOSS_MISSED_TASK] = {
		"ledger.threadcreate.missed", NOTED, &kmprof_threadcreate_profile.profile
	},
};

static void every_counter_is_a_scalar_of_one_profile(struct kunit *test)
{
	unsigned int found[KMPROF_NR_COUNTERS] = {}, i, c, last;

	kmprof_for_each_profile(p) {
		for (i = 0, last = 0; i < p->nr_scalars; i++) {
			const struct kmprof_scalar *s = &p->scalars[i];

			if (s->offset < offsetof(struct kmprof_stats, counter))
				continue;
			c = (s->offset - offsetof(struct kmprof_stats, counter)) / sizeof(u64);
			KUNIT_ASSERT_LT(test, c, KMPROF_NR_COUNTERS);
			found[c]++;
			KUNIT_ASSERT_NOT_NULL_MSG(test, counters[c].name, "counter %u", c);
			KUNIT_EXPECT_STREQ(test, s->name, counters[c].name);
			KUNIT_EXPECT_EQ_MSG(test, s->flags, counters[c].flags, "%s", s->name);
			KUNIT_EXPECT_PTR_EQ(test, p, counters[c].profile);
			/* In the order of the enumeration. */
			KUNIT_EXPECT_GE(test, c, last);
			last = c;
		}
	}
	for (c = 0; c < KMPROF_NR_COUNTERS; c++)
		KUNIT_EXPECT_EQ_MSG(test, found[c], 1, "counter %u", c);
}

static void scalars_have_names_of_their_own(struct kunit *test)
{
	unsigned int i, k;

	kmprof_for_each_profile(p) {
		for (i = 0; i < p->nr_scalars; i++) {
			const char *name = p->scalars[i].name;

			KUNIT_EXPECT_EQ(test, strcspn(name, " \t\n"), strlen(name));
			KUNIT_EXPECT_EQ(test, !!(p->scalars[i].flags & KMPROF_SCALAR_LEDGER),
					!strncmp(name, "ledger.", strlen("ledger.")));
			kmprof_for_each_profile(q)
				for (k = 0; k < q->nr_scalars; k++)
					if (p != q || i != k)
						KUNIT_EXPECT_STRNEQ(test, name,
								    q->scalars[k].name);
		}
	}
}

static unsigned int offset_of(enum kmprof_counter counter)
{
	return offsetof(struct kmprof_stats, counter) + counter * sizeof(u64);
}

static bool has(const struct kmprof_profile *p, u32 flag, enum kmprof_counter counter)
{
	unsigned int i;

	for (i = 0; i < p->nr_scalars; i++)
		if (p->scalars[i].flags & flag && p->scalars[i].offset == offset_of(counter))
			return true;
	return false;
}

static unsigned int number_of(const struct kmprof_profile *p, u32 flag)
{
	unsigned int i, nr = 0;

	for (i = 0; i < p->nr_scalars; i++)
		nr += !!(p->scalars[i].flags & flag);
	return nr;
}

/* What booking.c counts is what the account of the profile has. */
static void every_fate_is_in_the_account(struct kunit *test)
{
	static const struct kmprof_lock_profile * const lock_profiles[] = {
		&kmprof_block_profile, &kmprof_mutex_profile,
	};
	unsigned int i, fate;

	kmprof_for_each_profile(p) {
		if (p->format == KMPROF_ROWS_OBJECTS)
			continue;	/* nothing is sampled */
		KUNIT_EXPECT_EQ(test, number_of(p, KMPROF_SCALAR_SAMPLED), 1);
		KUNIT_EXPECT_EQ(test, number_of(p, KMPROF_SCALAR_COUNTED), 1);
		KUNIT_EXPECT_GT(test, number_of(p, KMPROF_SCALAR_LOST), 0);
	}
	/* Waits that are sampled and not booked. */
	KUNIT_EXPECT_TRUE(test, has(&kmprof_block_profile.profile, KMPROF_SCALAR_LOST,
				    KMPROF_LOSS_WAIT_TABLE_FULL));
	KUNIT_EXPECT_TRUE(test, has(&kmprof_block_profile.profile, KMPROF_SCALAR_LOST,
				    KMPROF_LOSS_WAIT_DIED));
	for (i = 0; i < ARRAY_SIZE(lock_profiles); i++) {
		const struct kmprof_profile *p = &lock_profiles[i]->profile;
		unsigned int others = p == &kmprof_block_profile.profile ? 2 : 0;

		KUNIT_EXPECT_TRUE(test, has(p, KMPROF_SCALAR_SAMPLED, lock_profiles[i]->sampled));
		for (fate = 0; fate < KMPROF_NR_DELAY_FATES; fate++)
			KUNIT_EXPECT_TRUE(test, has(p, fate == KMPROF_DELAY_COUNTED ?
						    KMPROF_SCALAR_COUNTED : KMPROF_SCALAR_LOST,
						    lock_profiles[i]->fate[fate]));
		KUNIT_EXPECT_EQ(test, number_of(p, KMPROF_SCALAR_LOST),
				KMPROF_NR_DELAY_FATES - 1 + others);
	}
}

static void a_view_is_found_by_its_name(struct kunit *test)
{
	static const char * const names[] = { "heap", "allocs", "block", "mutex", "threadcreate" };
	static const char * const tables[] = { "heap", "heap", "block", "mutex", "threadcreate" };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		const struct kmprof_view *view = kmprof_view_get(i);

		KUNIT_ASSERT_NOT_NULL(test, view);
		KUNIT_EXPECT_STREQ(test, view->name, names[i]);
		KUNIT_EXPECT_STREQ(test, view->profile->name, tables[i]);
		KUNIT_EXPECT_PTR_EQ(test, kmprof_view_find(names[i]), view);
	}
	KUNIT_EXPECT_NULL(test, kmprof_view_get(i));
	KUNIT_EXPECT_NULL(test, kmprof_view_get(U32_MAX));
	KUNIT_EXPECT_NULL(test, kmprof_view_find(""));
	KUNIT_EXPECT_NULL(test, kmprof_view_find("hea"));
	KUNIT_EXPECT_NULL(test, kmprof_view_find("heaps"));
}

static const struct kmprof_column some_column = {
	"objects", "count", sizeof(struct kmprof_image_row),
};

/* A profile with a view, both named @name. */
static struct kmprof_profile *profile_named(struct kunit *test, const char *name)
{
	struct pool *pool = test->priv;
	struct kmprof_profile *p = &pool->all[pool->nr].profile;
	struct kmprof_view *view = &pool->all[pool->nr].view;
	char *own_name = pool->all[pool->nr].name;

	KUNIT_ASSERT_LT(test, pool->nr++, ARRAY_SIZE(pool->all));
	strscpy(own_name, name, sizeof(pool->all[0].name));
	*view = (struct kmprof_view) {
		.name		= own_name,
		.profile	= p,
		.form		= &kmprof_objects_form,
	};
	*p = (struct kmprof_profile) {
		.name		= own_name,
		.row_size	= sizeof(struct kmprof_image_row) + sizeof(u64),
		.columns	= &some_column,
		.nr_columns	= 1,
		.views		= view,
		.nr_views	= 1,
	};
	return p;
}

#define NAME_31	"a_name_with_room_for_its_nul___"

static void a_profile_is_added_or_refused(struct kunit *test)
{
	static const struct {
		const char *name;
		int err;
	} names[] = {
		{ "", -EINVAL }, { NAME_31 "x", -EINVAL }, { "1st", -EINVAL },
		{ "two words", -EINVAL }, { "a/b", -EINVAL }, { "\303\244", -EINVAL },
		{ "a\303\244", -EINVAL }, { "a-b_2", 0 }, { "heap", -EEXIST },
		{ "allocs", -EEXIST }, { NAME_31, 0 }, { NAME_31, -EEXIST }, { "x", 0 },
	};
	unsigned int i, nr = 4;
	char name[8];

	static_assert(sizeof(NAME_31) == KMPROF_NAME_LEN);
	KUNIT_ASSERT_EQ(test, nr_profiles, nr);
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		struct kmprof_profile *p = profile_named(test, names[i].name);

		KUNIT_EXPECT_EQ_MSG(test, kmprof_profile_register(p), names[i].err, "%s",
				    names[i].name);
		if (names[i].err)
			continue;
		KUNIT_EXPECT_EQ(test, p->index, nr);
		KUNIT_EXPECT_PTR_EQ(test, kmprof_profile_get(nr), p);
		KUNIT_EXPECT_PTR_EQ(test, kmprof_view_find(names[i].name), &p->views[0]);
		nr++;
	}
	for (i = 0; nr < KMPROF_PROFILES_MAX; i++, nr++) {
		snprintf(name, sizeof(name), "p%u", i);
		KUNIT_ASSERT_EQ(test, kmprof_profile_register(profile_named(test, name)), 0);
	}
	KUNIT_EXPECT_EQ(test, kmprof_profile_register(profile_named(test, "one_more")), -ENOSPC);
	KUNIT_EXPECT_NULL(test, kmprof_profile_get(KMPROF_PROFILES_MAX));
}

/* A view may not have a name that a profile has, nor the other way round. */
static void names_of_views_count_as_well(struct kunit *test)
{
	struct kmprof_profile *p = profile_named(test, "other");

	p->name = "p";
	KUNIT_EXPECT_EQ(test, kmprof_profile_register(p), 0);
	KUNIT_EXPECT_EQ(test, kmprof_profile_register(profile_named(test, "other")), -EEXIST);
	p = profile_named(test, "p");
	p->name = "q";
	KUNIT_EXPECT_EQ(test, kmprof_profile_register(p), -EEXIST);
}

/* Each table that contradicts another one is found. */
static void tables_fit_together(struct kunit *test)
{
	const struct kmprof_column wrong_columns[] = {
		{ "a", "count", 0 },
		{ "a", "count", sizeof(struct kmprof_image_row) + 4 },
		{ "a", "count", sizeof(struct kmprof_image_row) + 8 },
		{ "a", "count", U32_MAX - 7 },
		{ "a", "count", sizeof(struct kmprof_image_row), 64 },
	};
	const struct kmprof_scalar wrong_scalars[] = {
		{ "a", "count", 0, 4 }, { "a", "count", 0, sizeof(struct kmprof_stats) },
	};
	const struct kmprof_view no_form = { .name = "a", .profile = &kmprof_heap_profile };
	struct kmprof_profile p;
	unsigned int i;

	kmprof_for_each_profile(builtin)
		KUNIT_EXPECT_TRUE(test, fits(builtin));
	for (i = 0; i < ARRAY_SIZE(wrong_columns); i++) {
		p = *profile_named(test, "a");
		p.columns = &wrong_columns[i];
		((struct kmprof_view *)p.views)->profile = &p;
		KUNIT_EXPECT_FALSE_MSG(test, fits(&p), "column %u", i);
		p.columns = &some_column;
		KUNIT_EXPECT_TRUE(test, fits(&p));
	}
	for (i = 0; i < ARRAY_SIZE(wrong_scalars); i++) {
		p.scalars = &wrong_scalars[i];
		p.nr_scalars = 1;
		KUNIT_EXPECT_FALSE_MSG(test, fits(&p), "scalar %u", i);
	}
	p.nr_scalars = 0;
	p.row_size = sizeof(struct kmprof_image_row) + 12;
	KUNIT_EXPECT_FALSE(test, fits(&p));
	p.row_size = 8;
	KUNIT_EXPECT_FALSE(test, fits(&p));
	p.row_size = sizeof(struct kmprof_image_row) + 8;
	KUNIT_EXPECT_TRUE(test, fits(&p));
	p.nr_columns = 0;
	KUNIT_EXPECT_FALSE(test, fits(&p));
	p.nr_columns = 1;
	p.nr_views = 0;
	KUNIT_EXPECT_FALSE(test, fits(&p));
	p.nr_views = 1;
	((struct kmprof_view *)p.views)->profile = &kmprof_heap_profile;
	KUNIT_EXPECT_FALSE(test, fits(&p));
	p = kmprof_heap_profile;
	p.views = &no_form;
	p.nr_views = 1;
	KUNIT_EXPECT_FALSE(test, fits(&p));
}

static struct kunit_case profile_cases[] = {
	KUNIT_CASE(every_counter_is_a_scalar_of_one_profile),
	KUNIT_CASE(scalars_have_names_of_their_own),
	KUNIT_CASE(every_fate_is_in_the_account),
	KUNIT_CASE(a_view_is_found_by_its_name),
	KUNIT_CASE(a_profile_is_added_or_refused),
	KUNIT_CASE(names_of_views_count_as_well),
	KUNIT_CASE(tables_fit_together),
	{}
};

static struct kunit_suite profile_suite = {
	.name		= "kmprof_profile",
	.init		= profile_test_init,
	.test_cases	= profile_cases,
};

kunit_test_suite(profile_suite);
