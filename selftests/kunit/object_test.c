// SPDX-License-Identifier: GPL-2.0
/*
 * Objects: each is counted once, in the bucket of its stack, from when it is added until it
 * is removed; whoever else adds, removes, closes cycles or resets at the same time.
 */
#include <kunit/test.h>
#include <linux/ptrace.h>

#include "object/object.c"
#include "chance.h"
#include "core/cycle.h"
#include "events.h"
#include "rig.h"
#include "show/objects.h"

enum {
	NR_OWNERS	= 2,
	SITES		= 30,
	KEYS		= 300,
};

static const struct kmprof_column object_columns[] = {
	KMPROF_OBJECT_COLUMN("objects", "count", objects),
	KMPROF_OBJECT_COLUMN("weight", "bytes", weight),
};

static struct kmprof_object_profile owners[NR_OWNERS];

static const struct kmprof_view owner_views[NR_OWNERS] = {
	{ "object_test_0", &owners[0].profile, &kmprof_objects_form },
	{ "object_test_1", &owners[1].profile, &kmprof_objects_form },
};

static int register_owner(unsigned int i)
{
	owners[i] = (struct kmprof_object_profile) {
		.profile = {
			.name		= owner_views[i].name,
			.ops		= &kmprof_object_profile_ops,
			.format		= KMPROF_ROWS_OBJECTS,
			.row_size	= sizeof(struct kmprof_object_row),
			.columns	= object_columns,
			.nr_columns	= ARRAY_SIZE(object_columns),
			.views		= &owner_views[i],
			.nr_views	= 1,
		},
	};
	return kmprof_profile_register(&owners[i].profile);
}

static int create(struct kunit *test, unsigned int max_objects, unsigned int max_buckets)
{
	struct kmprof_limits limits = rig_wide_limits;
	unsigned int i;
	int err;

	limits.max_objects = max_objects;
	limits.max_buckets = max_buckets;
	err = rig_create(test, &limits);
	for (i = 0; i < NR_OWNERS && !err; i++)
		err = register_owner(i);
	return err ?: kmprof_object_prepare();
}

static const void *key_of(unsigned int n)
{
	return rig_object(n);
}

/* The stack is the site's: see events.h. */
static int add_at(unsigned int owner, unsigned int n, u64 weight, unsigned int site)
{
	struct pt_regs regs = {};
	struct kmprof_stack_start start = { .at = KMPROF_STACK_AT_RELEASE, .regs = &regs };

	instruction_pointer_set(&regs, event_site(site));
	return kmprof_object_add(&owners[owner], key_of(n), weight, &start, 0);
}

static int remove(unsigned int owner, unsigned int n)
{
	return kmprof_object_remove(&owners[owner], key_of(n));
}

/**
 * struct model - what should be counted
 * @site: of each object that is there, 1 + its site
 * @weight: its weight
 * @forgotten: it was there at the last reset
 * @want: counts since the last reset
 */
struct model {
	u8 site[NR_OWNERS][KEYS];
	u16 weight[NR_OWNERS][KEYS];
	bool forgotten[NR_OWNERS][KEYS];
	struct kmprof_bucket_counts want[NR_OWNERS][SITES];
};

static void model_add(struct kunit *test, struct model *m, struct rnd_state *r)
{
	unsigned int owner = chance_below(r, NR_OWNERS), n = chance_below(r, KEYS);
	unsigned int site = chance_below(r, SITES), weight = chance_below(r, 1000);
	int err = add_at(owner, n, weight, site);

	if (m->site[owner][n]) {
		KUNIT_ASSERT_EQ(test, err, -EEXIST);
		return;
	}
	KUNIT_ASSERT_EQ(test, err, 0);
	m->site[owner][n] = 1 + site;
	m->weight[owner][n] = weight;
	m->forgotten[owner][n] = false;
	m->want[owner][site].objects++;
	m->want[owner][site].added++;
	m->want[owner][site].weight += weight;
}

static void model_remove(struct kunit *test, struct model *m, struct rnd_state *r)
{
	unsigned int owner = chance_below(r, NR_OWNERS), n = chance_below(r, KEYS);
	int err = remove(owner, n);
	struct kmprof_bucket_counts *want;

	if (!m->site[owner][n]) {
		KUNIT_ASSERT_EQ(test, err, -ENOENT);
		return;
	}
	KUNIT_ASSERT_EQ(test, err, 0);
	want = &m->want[owner][m->site[owner][n] - 1];
	if (!m->forgotten[owner][n]) {
		want->objects--;
		want->weight -= m->weight[owner][n];
	}
	m->site[owner][n] = 0;
}

static void model_reset(struct model *m)
{
	unsigned int owner, n;

	rig_reset();
	memset(m->want, 0, sizeof(m->want));
	for (owner = 0; owner < NR_OWNERS; owner++)
		for (n = 0; n < KEYS; n++)
			m->forgotten[owner][n] = true;
}

/* Every stack has one bucket, with its counts as they should be after a cycle. */
static void model_compare(struct kunit *test, const struct model *m)
{
	unsigned int owner, site, n, shown = 0, wanted = 0;
	struct kmprof_bucket *b;

	rig_advance();
	for (owner = 0; owner < NR_OWNERS; owner++)
		for (site = 0; site < SITES; site++)
			wanted += !!m->want[owner][site].added;
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b) {
		owner = b->key.profile == &owners[1].profile;
		site = event_site_number(b->frames[0]);
		n = b->key.nr_words;
		KUNIT_EXPECT_EQ(test, n, 1 + site % SITE_FRAMES_MAX);
		KUNIT_EXPECT_EQ(test, b->active.objects, m->want[owner][site].objects);
		KUNIT_EXPECT_EQ(test, b->active.weight, m->want[owner][site].weight);
		KUNIT_EXPECT_EQ(test, b->active.added, m->want[owner][site].added);
		shown += kmprof_object_profile_ops.is_shown(b);
	}
	mutex_unlock(&kmprof_cycle_lock);
	KUNIT_EXPECT_EQ(test, shown, wanted);
}

/* Whatever order: with cycles and resets in between, and the same keys of two profiles. */
static void each_object_is_counted_once(struct kunit *test)
{
	struct model *m = kunit_kzalloc(test, sizeof(*m), GFP_KERNEL);
	struct rnd_state r;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, m);
	KUNIT_ASSERT_EQ(test, create(test, NR_OWNERS * KEYS, 64), 0);
	prandom_seed_state(&r, 1);
	for (i = 0; i < 20000; i++) {
		if (chance_below(&r, 2))
			model_add(test, m, &r);
		else
			model_remove(test, m, &r);
		if (i % 1000 == 999)
			model_compare(test, m);
		if (i % 5000 == 2500)
			model_reset(m);
	}
	KUNIT_EXPECT_EQ(test, atomic64_read(&owners[0].lost), 0);
}

/* An error changes nothing but the number of losses. */
static void a_refused_object_is_a_loss(struct kunit *test)
{
	enum { MAX = 20, STACKS = 16 };
	unsigned int i;

	KUNIT_ASSERT_EQ(test, create(test, MAX, STACKS), 0);
	/* One profile has all buckets of its quota; the other one has the rest of the objects. */
	for (i = 0; i < STACKS; i++)
		KUNIT_ASSERT_EQ(test, add_at(0, i, 1, i), 0);
	KUNIT_EXPECT_EQ(test, add_at(0, 100, 1, STACKS), -ENOSPC);
	KUNIT_EXPECT_EQ(test, remove(0, 100), -ENOENT);
	KUNIT_EXPECT_EQ(test, add_at(0, 0, 1, 0), -EEXIST);
	KUNIT_EXPECT_EQ(test, kmprof_object_lost(&owners[0].profile), 1);
	for (i = STACKS; i < MAX; i++)
		KUNIT_ASSERT_EQ(test, add_at(1, i, 1, STACKS), 0);
	KUNIT_EXPECT_EQ(test, add_at(1, 100, 1, STACKS), -ENOSPC);
	KUNIT_EXPECT_EQ(test, kmprof_object_lost(&owners[1].profile), 1);
	KUNIT_EXPECT_EQ(test, remove(1, STACKS), 0);
	KUNIT_EXPECT_EQ(test, add_at(1, 100, 1, STACKS), 0);
	rig_reset();
	KUNIT_EXPECT_EQ(test, kmprof_object_lost(&owners[1].profile), 0);
	for (i = 0; i < STACKS; i++)
		KUNIT_EXPECT_EQ(test, remove(0, i), 0);
}

static u64 objects_of(unsigned int owner, u64 *added)
{
	struct kmprof_bucket *b;
	u64 sum = 0;

	*added = 0;
	rig_advance();
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_for_each_bucket(b) {
		if (b->key.profile != &owners[owner].profile)
			continue;
		sum += b->active.objects;
		*added += b->active.added;
	}
	mutex_unlock(&kmprof_cycle_lock);
	return sum;
}

/* All at once: removed, they are counted no more; left, they are. */
static void all_objects_go_or_are_left(struct kunit *test)
{
	unsigned int owner, i;
	u64 added;

	KUNIT_ASSERT_EQ(test, create(test, 2 * KEYS, 64), 0);
	for (owner = 0; owner < NR_OWNERS; owner++)
		for (i = 0; i < KEYS; i++)
			KUNIT_ASSERT_EQ(test, add_at(owner, i, 1, i % SITES), 0);
	kmprof_object_remove_all(&owners[0]);
	KUNIT_EXPECT_EQ(test, objects_of(0, &added), 0);
	KUNIT_EXPECT_EQ(test, added, KEYS);
	KUNIT_EXPECT_EQ(test, objects_of(1, &added), KEYS);
	kmprof_object_leave_all(&owners[1]);
	KUNIT_EXPECT_EQ(test, objects_of(1, &added), KEYS);
	KUNIT_EXPECT_EQ(test, remove(1, 0), -ENOENT);
	/* Their entries and keys are free. */
	for (i = 0; i < 2 * KEYS; i++)
		KUNIT_ASSERT_EQ(test, add_at(1, i, 1, i % SITES), 0);
	KUNIT_EXPECT_EQ(test, objects_of(1, &added), 3 * KEYS);
}

/* An object of which no stack is known has a bucket without frames. */
static void an_unknown_stack_is_one_too(struct kunit *test)
{
	u64 added;

	KUNIT_ASSERT_EQ(test, create(test, KEYS, 64), 0);
	KUNIT_EXPECT_EQ(test, kmprof_object_add_unknown(&owners[0], key_of(1), 5), 0);
	KUNIT_EXPECT_EQ(test, kmprof_object_add_unknown(&owners[0], key_of(1), 5), -EEXIST);
	KUNIT_EXPECT_EQ(test, kmprof_object_add_unknown(&owners[0], key_of(2), 5), 0);
	KUNIT_EXPECT_EQ(test, owners[0].profile.nr_buckets, 1);
	KUNIT_EXPECT_EQ(test, objects_of(0, &added), 2);
	KUNIT_EXPECT_EQ(test, remove(0, 1), 0);
	KUNIT_EXPECT_EQ(test, objects_of(0, &added), 1);
}

/**
 * struct crowd - workers that add and remove
 * @removed: objects removed, by worker
 * @failed: calls that have failed
 * @round: of each worker
 */
struct crowd {
	u64 removed[RIG_WORKERS];
	atomic_t failed;
	u32 round[RIG_WORKERS];
};

enum { CROWD_KEYS = 50 };

/* Each has keys of its own; all have the same stacks, of which there are new ones. */
static void crowd_work(void *data, unsigned int worker)
{
	struct crowd *c = data;
	u32 round = c->round[worker]++;
	unsigned int i;

	for (i = 0; i < CROWD_KEYS; i++)
		if (add_at(0, worker * CROWD_KEYS + i, 1, (round / 64 + i) % 200))
			atomic_inc(&c->failed);
	for (i = 0; i < CROWD_KEYS; i++)
		if (remove(0, worker * CROWD_KEYS + i))
			atomic_inc(&c->failed);
	WRITE_ONCE(c->removed[worker], c->removed[worker] + CROWD_KEYS);
}

/* In a closed cycle there are never more objects than there can be. */
static void crowd_watch(struct kunit *test, void *data)
{
	struct crowd *c = data;
	unsigned int i;
	u64 added;

	/* Without an other CPU, the worker runs while this one sleeps. */
	for (i = 0; i < 150 || READ_ONCE(c->removed[0]) < 200 * CROWD_KEYS; i++) {
		schedule_timeout_uninterruptible(1);
		KUNIT_EXPECT_LE(test, objects_of(0, &added), RIG_WORKERS * CROWD_KEYS);
		if (i % 10 == 9)
			rig_reset();
	}
}

static void a_crowd_loses_nothing(struct kunit *test)
{
	struct crowd *c = kunit_kzalloc(test, sizeof(*c), GFP_KERNEL);
	u64 added;

	KUNIT_ASSERT_NOT_NULL(test, c);
	KUNIT_ASSERT_EQ(test, create(test, RIG_WORKERS * CROWD_KEYS, 256), 0);
	rig_run(test, crowd_work, crowd_watch, c);
	KUNIT_EXPECT_EQ(test, atomic_read(&c->failed), 0);
	KUNIT_EXPECT_GT(test, c->removed[0], 0);
	KUNIT_EXPECT_EQ(test, objects_of(0, &added), 0);
	KUNIT_EXPECT_EQ(test, atomic64_read(&owners[0].lost), 0);
}

static struct kunit_case object_cases[] = {
	KUNIT_CASE(each_object_is_counted_once),
	KUNIT_CASE(a_refused_object_is_a_loss),
	KUNIT_CASE(all_objects_go_or_are_left),
	KUNIT_CASE(an_unknown_stack_is_one_too),
	KUNIT_CASE(a_crowd_loses_nothing),
	{}
};

static struct kunit_suite object_suite = {
	.name		= "kmprof_object",
	.test_cases	= object_cases,
};

kunit_test_suite(object_suite);
