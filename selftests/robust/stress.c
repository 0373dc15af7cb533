// SPDX-License-Identifier: GPL-2.0
/*
 * What holds in every snapshot also holds under hackbench and stress-ng, with a
 * snapshot every 50 ms, and the estimates stay within their intervals.
 */
#include <math.h>
#include <time.h>
#include <unistd.h>

#include "lib/balance.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"
#include "lib/tally.h"

enum {
	EVERY_MS = 50,
	STRETCH_MS = 1000,
	INTERVALS_MIN = 5,
	/* Of fewer, the square root says too little about how far off their number is. */
	SAMPLES_MIN = 12,
	/* What a quick run has to see: snapshots, and allocations between the first and last. */
	QUICK_SNAPSHOTS = 12,
	QUICK_CALLS = 20000,
};

FIXTURE(stress) {
	int dev;
	int load[2];
};

GUEST_SOURCE_VARIANTS(stress);

FIXTURE_SETUP(stress)
{
	ASSERT_EQ(0, guest_load(variant->source, "heap_rate=0 heap_peak=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
}

/* Probes are armed before there is load: see "Emulated guests" in testing.rst. */
static void start_load(struct __test_metadata *_metadata, FIXTURE_DATA(stress) *self,
		       uint64_t rate)
{
	static const char *const hackbench[] = { "hackbench", "-g", "2", "-l", "100000000", NULL };
	static const char *const stress[] = {
		"stress-ng", "--dentry", "1", "--sock", "1", "--fork", "1", "--pipe", "1",
		"--temp-path", "/tmp", "--timeout", "86400", NULL
	};

	ASSERT_EQ(0, guest_set_rate(self->dev, rate));
	self->load[0] = guest_spawn(hackbench);
	ASSERT_LT(0, self->load[0]);
	self->load[1] = guest_spawn(stress);
	ASSERT_LT(0, self->load[1]);
}

/* A test without its load has shown nothing. */
static void stop_load(struct __test_metadata *_metadata, FIXTURE_DATA(stress) *self)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(self->load); i++) {
		EXPECT_LT(0, self->load[i]);
		if (self->load[i] <= 0)
			continue;
		EXPECT_EQ(0, guest_stop(self->load[i]));
	}
}

FIXTURE_TEARDOWN(stress)
{
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* A bucket, reduced to what identifies it and what may only grow. */
struct brief {
	uint64_t key;
	uint64_t allocs;
	uint64_t frees;
};

struct briefs {
	struct brief *all;
	uint32_t count;
};

static uint64_t mix(uint64_t hash, uint64_t value)
{
	hash ^= value;
	hash *= 0x9e3779b97f4a7c15ULL;
	return hash ^ (hash >> 29);
}

static int by_key(const void *a, const void *b)
{
	const struct brief *left = a, *right = b;

	return left->key < right->key ? -1 : left->key > right->key;
}

static int briefs_take(struct briefs *briefs, const struct snapshot *snapshot)
{
	uint32_t i, k;

	briefs->count = snapshot_rows(snapshot, "heap");
	briefs->all = calloc(briefs->count + 1, sizeof(*briefs->all));
	if (!briefs->all)
		return -1;
	for (i = 0; i < briefs->count; i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
		const uint64_t *frames = snapshot_frames(snapshot, &sample->row);
		uint64_t key = mix(sample->period, sample->object_size);

		for (k = 0; k < sample->row.nr_frames; k++)
			key = mix(key, frames[k]);
		briefs->all[i] = (struct brief){ key, sample->allocs, sample->frees };
	}
	qsort(briefs->all, briefs->count, sizeof(*briefs->all), by_key);
	return 0;
}

/* Counts buckets that appear twice, vanished, or lost allocations or frees. */
static unsigned int briefs_wrong(const struct briefs *old, const struct briefs *new)
{
	unsigned int wrong = 0;
	uint32_t i, k = 0;

	for (i = 1; i < new->count; i++)
		wrong += new->all[i].key == new->all[i - 1].key;
	for (i = 0; i < old->count; i++) {
		while (k < new->count && new->all[k].key < old->all[i].key)
			k++;
		if (k == new->count || new->all[k].key != old->all[i].key ||
		    new->all[k].allocs < old->all[i].allocs ||
		    new->all[k].frees < old->all[i].frees)
			wrong++;
	}
	return wrong;
}

/**
 * struct sums - all buckets and the exact totals of a snapshot
 * @estimate: estimated bytes allocated
 * @variance: of the estimate
 * @exact: bytes really allocated
 * @lost: samples that are not in the estimate
 */
struct sums {
	double estimate;
	double variance;
	double exact;
	uint64_t lost;
};

static struct sums sums_take(const struct snapshot *snapshot)
{
	struct sums sums = {
		.exact = snapshot_scalar(snapshot, "total.alloc_bytes"),
		.lost = snapshot_lost(snapshot, "heap"),
	};
	uint32_t i;

	for (i = 0; i < snapshot_rows(snapshot, "heap"); i++)
		estimate_add(snapshot_sample(snapshot, i), &sums.estimate, &sums.variance);
	return sums;
}

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000ULL + now.tv_nsec / 1000000;
}

/**
 * struct run - what a run under load has shown
 * @snapshots: taken
 * @intervals: stretches of a second or more, of samples enough, without lost ones
 * @covered: of these, where the 95 % interval held the exact number
 * @total: sums of the last snapshot
 * @quick: ends when it has seen enough, and not after a time
 * @calls: allocations from the first snapshot to the last one
 */
struct run {
	unsigned int snapshots;
	unsigned int intervals;
	unsigned int covered;
	struct sums total;
	int quick;
	uint64_t calls;
};

/*
 * Enough to judge an estimate by? A snapshot's own memory can be sampled, and then its stretch does
 * not count. At a high rate that is so in every stretch of many snapshots.
 */
static int has_enough(const struct run *run, uint64_t rate)
{
	if (run->quick)
		return run->snapshots >= QUICK_SNAPSHOTS && run->calls >= QUICK_CALLS;
	return rate == 1 || run->intervals >= INTERVALS_MIN;
}

static void run_load(struct __test_metadata *_metadata, FIXTURE_DATA(stress) *self,
		     uint64_t rate, unsigned int seconds, struct run *run)
{
	uint64_t end, next, second, cycle = 0, calls = 0, first_calls = 0, now;
	struct briefs old = { NULL, 0 }, new;
	struct sums before = { 0 };
	struct snapshot snapshot;
	const char *what;

	memset(run, 0, sizeof(*run));
	run->quick = guest_is_quick("how good the estimates are, and a minute of load");
	/* Waits for grace periods: not part of the time. */
	ASSERT_EQ(0, guest_reset(self->dev));
	next = now_ms();
	end = run->quick ? next : next + 1000 * guest_effort(seconds);
	second = next + STRETCH_MS;
	while ((now = now_ms()) < end || !has_enough(run, rate)) {
		if (now < next)
			usleep((next - now) * 1000);
		next = now < end ? next + EVERY_MS : now + STRETCH_MS * 3 / 2;

		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		what = snapshot_wrong(&snapshot);
		ASSERT_EQ(NULL, what)
			TH_LOG("snapshot %u: %s", run->snapshots, what);
		ASSERT_LT(cycle, snapshot.header->cycle);
		ASSERT_LE(calls, snapshot_scalar(&snapshot, "total.alloc_calls"));
		cycle = snapshot.header->cycle;
		calls = snapshot_scalar(&snapshot, "total.alloc_calls");
		if (!run->snapshots)
			first_calls = calls;
		run->calls = calls - first_calls;
		if (rate == 1)
			ASSERT_EQ(snapshot_scalar(&snapshot, "total.alloc_calls"),
				  snapshot_scalar(&snapshot, "sampled"))
				snapshot_print_losses(&snapshot);

		ASSERT_EQ(0, briefs_take(&new, &snapshot));
		ASSERT_EQ(0, briefs_wrong(&old, &new));
		free(old.all);
		old = new;

		run->snapshots++;
		run->total = sums_take(&snapshot);
		if (now_ms() >= second &&
		    run->total.exact - before.exact >= SAMPLES_MIN * (double)rate) {
			double error = (run->total.estimate - before.estimate) -
				       (run->total.exact - before.exact);
			double deviation = sqrt(run->total.variance - before.variance);

			if (run->total.lost == before.lost) {
				run->intervals++;
				run->covered += fabs(error) <= 1.96 * deviation;
			}
			before = run->total;
			second = now_ms() + STRETCH_MS;
		}
		if (now_ms() + EVERY_MS >= end && has_enough(run, rate))
			snapshot_print_losses(&snapshot);
		snapshot_free(&snapshot);
	}
	free(old.all);
}

/* How likely it is that of @count intervals of 95 % no more than @covered hold the truth. */
static double chance_of(unsigned int covered, unsigned int count)
{
	double chance = pow(0.05, count), sum = chance;
	unsigned int i;

	for (i = 0; i < covered; i++) {
		chance *= 0.95 / 0.05 * (count - i) / (i + 1);
		sum += chance;
	}
	return sum;
}

static void expect_estimates(struct __test_metadata *_metadata, const struct run *run)
{
	const struct sums *total = &run->total;
	double error = total->estimate - total->exact, deviation = sqrt(total->variance);

	TH_LOG("%u snapshots; %.0f bytes estimated, %.0f exact: %+.2f standard errors; "
	       "%u of %u stretches covered",
	       run->snapshots, total->estimate, total->exact,
	       error / deviation, run->covered, run->intervals);
	if (run->quick)
		return;
	/* 95 % of them; of 10000 runs, one may have so few. */
	ASSERT_LE(INTERVALS_MIN, run->intervals);
	EXPECT_LE(0.0001, chance_of(run->covered, run->intervals));
	/* One number gets one chance: the interval in which 99.99 % end up. */
	EXPECT_LE(fabs(error), 3.9 * deviation);
	/* The interval says something. */
	EXPECT_LE(deviation, 0.2 * total->exact);
}

TEST_F_TIMEOUT(stress, default_rate, 300)
{
	struct run run;

	start_load(_metadata, self, 524288);
	run_load(_metadata, self, 524288, 60, &run);
	stop_load(_metadata, self);
	expect_estimates(_metadata, &run);
}

TEST_F_TIMEOUT(stress, high_rate, 300)
{
	struct run run;

	start_load(_metadata, self, 16384);
	run_load(_metadata, self, 16384, 20, &run);
	stop_load(_metadata, self);
	expect_estimates(_metadata, &run);
}

TEST_F_TIMEOUT(stress, everything, 300)
{
	struct snapshot snapshot;
	struct run run;

	ASSERT_EQ(0, guest_set_block_rate(self->dev, 1));
	ASSERT_EQ(0, guest_set_mutex_fraction(self->dev, 1));
	start_load(_metadata, self, 1);
	run_load(_metadata, self, 1, 60, &run);
	stop_load(_metadata, self);
	TH_LOG("%u snapshots, %.0f bytes exact, %.0f counted", run.snapshots,
	       run.total.exact, run.total.estimate);
	/* Less than everything only by what is in the ledger. */
	EXPECT_LE(run.total.estimate, run.total.exact);
	if (!run.total.lost)
		EXPECT_EQ(run.total.estimate, run.total.exact);

	ASSERT_EQ(0, take_balanced(self->dev, &snapshot));
	expect_balanced_totals(_metadata, &snapshot);
	snapshot_free(&snapshot);
}

TEST_HARNESS_MAIN
