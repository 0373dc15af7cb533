// SPDX-License-Identifier: GPL-2.0
/*
 * The rig, and the parts of the profiler that every suite needs and none looks
 * inside.
 */
#include "core/limits.c"
#include "core/stats.c"
#include "core/guard.c"
#include "core/kick.c"
#include "core/drain.c"
#include "profiles.c"
#include "task/threadcreate.c"
#include "tables.c"

#include <kunit/test.h>
#include <linux/kthread.h>

#include "chance.h"
#include "core/cycle.h"
#include "rig.h"

const struct kmprof_limits rig_narrow_limits = {
	.max_buckets	= KMPROF_BUCKETS_MIN,
	.max_live	= 1,
	.stack_depth	= KMPROF_STACK_DEPTH_MAX,
	.ring_bytes	= KMPROF_RING_MIN,
	.max_snapshots	= 1,
	.max_waits	= KMPROF_WAITS_MIN,
	.max_objects	= KMPROF_OBJECTS_MIN,
};

const struct kmprof_limits rig_wide_limits = {
	.max_buckets	= 256,
	.max_live	= 16384,
	.stack_depth	= KMPROF_STACK_DEPTH_MAX,
	.ring_bytes	= 256 * 1024,
	.max_snapshots	= 8,
	.max_waits	= 64,
	.max_objects	= KMPROF_OBJECTS_MIN,
};

static void rig_destroy(void *unused)
{
	struct kmprof_arena dead;

	kmprof_drain_stop();
	mutex_lock(&kmprof_drain_lock);
	kmprof_bucket_unhash_all(&dead);
	kmprof_bucket_end_reset();
	mutex_unlock(&kmprof_drain_lock);
	synchronize_rcu();
	kmprof_arena_free(&dead);
	kmprof_tables_exit();
}

/**
 * rig_create() - set the profiler up, all counters zero
 * @test: test case, whose end takes it down
 * @limits: rounded by kmprof_limits_init()
 *
 * Return: 0 or a negative errno.
 */
int rig_create(struct kunit *test, const struct kmprof_limits *limits)
{
	struct kmprof_stats discarded = {};
	unsigned int slot;
	int err;

	kmprof_limits = *limits;
	err = kmprof_limits_init();
	if (err)
		return err;
	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
		kmprof_stats_close();
		kmprof_stats_fold(slot, &discarded);
	}
	memset(&kmprof_published, 0, sizeof(kmprof_published));
	kmprof_slot_cycles[kmprof_slot_current] = 1;

	err = kmprof_tables_init();
	if (err)
		return err;
	return kunit_add_action_or_reset(test, rig_destroy, NULL);
}

int rig_pin(void)
{
	return set_cpus_allowed_ptr(current, cpumask_of(raw_smp_processor_id()));
}

void rig_advance(void)
{
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_advance();
	mutex_unlock(&kmprof_cycle_lock);
}

void rig_reset(void)
{
	mutex_lock(&kmprof_cycle_lock);
	kmprof_cycle_reset();
	mutex_unlock(&kmprof_cycle_lock);
}

unsigned int rig_nr_buckets(void)
{
	unsigned int sum = 0;

	kmprof_for_each_profile(p)
		sum += READ_ONCE(p->nr_buckets);
	return sum;
}

void rig_stats(struct kmprof_stats *sum)
{
	struct kmprof_totals hot;
	unsigned int slot;
	int cpu, i;

	memset(sum, 0, sizeof(*sum));
	for_each_possible_cpu(cpu) {
		const struct kmprof_stats_cpu *s = per_cpu_ptr(&kmprof_stats_cpu, cpu);

		for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
			sum->totals.alloc_calls += s->slot[slot].alloc_calls;
			sum->totals.alloc_bytes += s->slot[slot].alloc_bytes;
			for (i = 0; i < KMPROF_NR_COUNTERS; i++)
				sum->counter[i] += s->slot[slot].counter[i];
		}
	}
	for (i = 0; i < KMPROF_NR_TURNS; i++) {
		hot = hot_totals(i);
		sum->totals.alloc_calls += hot.alloc_calls - hot_folded[i].alloc_calls;
		sum->totals.alloc_bytes += hot.alloc_bytes - hot_folded[i].alloc_bytes;
		sum->totals.free_calls += hot.free_calls - hot_folded[i].free_calls;
	}
}

u64 rig_counter(enum kmprof_counter counter)
{
	struct kmprof_stats sum;

	rig_stats(&sum);
	return sum.counter[counter];
}

/* The sum of all reasons for which no release is blamed. */
u64 rig_unblamed(const struct kmprof_stats *stats)
{
	u64 sum = 0;
	int i;

	for (i = KMPROF_UNBLAMED_SPINNING; i <= KMPROF_UNBLAMED_NOT_FOLLOWED; i++)
		sum += stats->counter[i];
	return sum;
}

void rig_expect_stats(struct kunit *test, const struct kmprof_stats *want)
{
	struct kmprof_stats now;
	int i;

	rig_stats(&now);
	KUNIT_EXPECT_MEMEQ(test, &now.totals, &want->totals, sizeof(now.totals));
	for (i = 0; i < KMPROF_NR_COUNTERS; i++)
		if (i < KMPROF_UNBLAMED_SPINNING || i > KMPROF_UNBLAMED_NOT_FOLLOWED)
			KUNIT_EXPECT_EQ_MSG(test, now.counter[i], want->counter[i],
					    "counter %d", i);
	KUNIT_EXPECT_EQ(test, rig_unblamed(&now), now.counter[KMPROF_UNBLAMED_NS]);
}

u64 rig_sum(const struct kmprof_profile *p, u32 flags, const struct kmprof_stats *stats)
{
	unsigned int i;
	u64 sum = 0;

	for (i = 0; i < p->nr_scalars; i++)
		if (p->scalars[i].flags & flags && !p->scalars[i].read)
			sum += rig_scalar(&p->scalars[i], stats);
	return sum;
}

struct rig_worker {
	void (*work)(void *data, unsigned int worker);
	void *data;
	unsigned int number;
};

static int rig_worker_fn(void *arg)
{
	const struct rig_worker *w = arg;

	while (!kthread_should_stop()) {
		w->work(w->data, w->number);
		rig_let_others_run();
	}
	return 0;
}

void rig_run(struct kunit *test, void (*work)(void *data, unsigned int worker),
	     void (*meanwhile)(struct kunit *test, void *data), void *data)
{
	struct task_struct *task[RIG_WORKERS];
	struct rig_worker worker[RIG_WORKERS];
	unsigned int nr = 0;
	int cpu;

	for_each_online_cpu(cpu) {
		if (nr == RIG_WORKERS)
			break;
		worker[nr] = (struct rig_worker){ work, data, nr };
		task[nr] = kthread_run_on_cpu(rig_worker_fn, &worker[nr], cpu, "rig/%u");
		if (IS_ERR(task[nr])) {
			KUNIT_FAIL(test, "no thread: %pe", task[nr]);
			break;
		}
		nr++;
	}
	meanwhile(test, data);
	while (nr)
		kthread_stop(task[--nr]);
}

/* Of the parts above, what can be said without the others. */

/*
 * Folding moves each slot's numbers of all CPUs, once, and nothing else; and what
 * has come in no slot since the last time.
 */
static void a_fold_moves_one_slot(struct kunit *test)
{
	struct kmprof_stats sum = {}, again;
	u64 cpus = num_possible_cpus();
	unsigned int slot;
	int cpu, i;

	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
		kmprof_stats_close();
		kmprof_stats_fold(slot, &sum);
	}
	for_each_possible_cpu(cpu) {
		struct kmprof_stats_cpu *s = per_cpu_ptr(&kmprof_stats_cpu, cpu);

		for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
			s->slot[slot].alloc_calls = 1ULL << (8 * slot);
			s->slot[slot].alloc_bytes = 2ULL << (8 * slot);
			for (i = 0; i < KMPROF_NR_COUNTERS; i++)
				s->slot[slot].counter[i] = (4ULL + i) << (8 * slot);
		}
	}
	for (slot = 0; slot < KMPROF_NR_SLOTS; slot++) {
		u64 n = (u64)num_possible_cpus() << (8 * slot);

		for_each_possible_cpu(cpu) {
			struct kmprof_totals *t = per_cpu(kmprof_hot, cpu).totals;

			t += hot_turn();
			t->alloc_calls += 100 + slot;
			t->alloc_bytes += 200 + slot;
			t->free_calls += 300 + slot;
		}
		kmprof_stats_close();
		memset(&sum, 0, sizeof(sum));
		kmprof_stats_fold(slot, &sum);
		KUNIT_EXPECT_EQ(test, sum.totals.alloc_calls, n + (100 + slot) * cpus);
		KUNIT_EXPECT_EQ(test, sum.totals.alloc_bytes, 2 * n + (200 + slot) * cpus);
		KUNIT_EXPECT_EQ(test, sum.totals.free_calls, (300 + slot) * cpus);
		for (i = 0; i < KMPROF_NR_COUNTERS; i++)
			KUNIT_EXPECT_EQ(test, sum.counter[i], (4 + i) * n);
		again = sum;
		kmprof_stats_fold(slot, &again);
		KUNIT_EXPECT_MEMEQ(test, &again, &sum, sizeof(sum));
	}
}

/* Whatever is asked for: powers of two, never less, and whole groups; or an error. */
static void limits_are_rounded_or_refused(struct kunit *test)
{
	struct kmprof_limits l;
	struct rnd_state r;
	int i;

	prandom_seed_state(&r, 1);
	for (i = 0; i < 1000; i++) {
		unsigned int objects;

		l = (struct kmprof_limits){
			.max_buckets = KMPROF_BUCKETS_MIN,
			.max_live = 1 + chance_magnitude(&r) % KMPROF_LIVE_MAX,
			.stack_depth = 1 + prandom_u32_state(&r) % KMPROF_STACK_DEPTH_MAX,
			.ring_bytes = KMPROF_RING_MIN + prandom_u32_state(&r) %
				      (KMPROF_RING_MAX - KMPROF_RING_MIN + 1),
			.max_snapshots = 1,
			.max_waits = KMPROF_WAITS_MIN,
			.max_objects = KMPROF_OBJECTS_MIN,
		};
		kmprof_limits = l;
		KUNIT_ASSERT_EQ(test, kmprof_limits_init(), 0);
		objects = kmprof_live_round(kmprof_limits.max_live);
		KUNIT_ASSERT_TRUE(test, is_power_of_2(objects));
		KUNIT_ASSERT_GE(test, objects, KMPROF_LIVE_GROUP * KMPROF_LIVE_MEAN);
		KUNIT_ASSERT_GE(test, objects, l.max_live);
		if (objects > KMPROF_LIVE_GROUP * KMPROF_LIVE_MEAN)
			KUNIT_ASSERT_LT(test, objects / 2, l.max_live);
		KUNIT_ASSERT_TRUE(test, is_power_of_2(kmprof_limits.ring_bytes));
		KUNIT_ASSERT_GE(test, kmprof_limits.ring_bytes, l.ring_bytes);
		KUNIT_ASSERT_LT(test, kmprof_limits.ring_bytes / 2, l.ring_bytes);

		if (i >= 10)
			continue;	/* each refusal is a line in the log */
		kmprof_limits = l;
		kmprof_limits.max_live = i & 1 ? 0 : KMPROF_LIVE_MAX + 1 + i;
		KUNIT_ASSERT_EQ(test, kmprof_limits_init(), -EINVAL);
		kmprof_limits = l;
		kmprof_limits.ring_bytes = i & 1 ? KMPROF_RING_MIN - i : KMPROF_RING_MAX + 1 + i;
		KUNIT_ASSERT_EQ(test, kmprof_limits_init(), -EINVAL);
	}
}

static struct kunit_case rig_cases[] = {
	KUNIT_CASE(a_fold_moves_one_slot),
	KUNIT_CASE(limits_are_rounded_or_refused),
	{}
};

static struct kunit_suite rig_suite = {
	.name		= "kmprof_stats",
	.test_cases	= rig_cases,
};

kunit_test_suite(rig_suite);
