// SPDX-License-Identifier: GPL-2.0
/*
 * An unprivileged user floods the block and mutex profiles: threads that fight for one
 * mmap_lock, and take another name before each try, so that the labels make ever new buckets.
 * When these profiles have all buckets that they may have, the heap profile still loses
 * nothing: it has a quota of its own, and room in the rings.
 */
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"
#include "lib/user.h"

#define PROFILES "heap_rate=4096 block_rate=1 mutex_fraction=1"

enum {
	MOST_S		= 120,
	LEAST_SAMPLES	= 100,
};

FIXTURE(flood) {
	int dev;
	pid_t user;
};

GUEST_SOURCE_VARIANTS(flood);

FIXTURE_SETUP(flood)
{
	ASSERT_EQ(0, guest_load(variant->source,
				PROFILES " labels=comm max_buckets=1024 ring_bytes=65536"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->user = user_start(user_fights);
	ASSERT_LT(0, self->user);
}

FIXTURE_TEARDOWN(flood)
{
	/* It has gone on until now. */
	EXPECT_EQ(0, user_stop(self->user));
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static int is_flooded(const struct snapshot *snapshot)
{
	return snapshot_loss(snapshot, "wait_bucket_full") &&
	       snapshot_loss(snapshot, "delay_bucket_full");
}

TEST_F_TIMEOUT(flood, of_labels_leaves_the_heap_alone, 300)
{
	uint64_t until = guest_now_ns() + MOST_S * guest_slow() * 1000000000ULL;
	uint64_t sampled, flooded_at = 0;
	struct snapshot snapshot;
	int done;

	/* The flood goes on until the heap profile has had enough samples since. */
	do {
		usleep(100000);
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		EXPECT_EQ(0, snapshot_loss(&snapshot, "bucket_full"));
		EXPECT_EQ(0, snapshot_loss(&snapshot, "ring_full"));
		EXPECT_EQ(0, snapshot_loss(&snapshot, "live_full"));
		sampled = snapshot_scalar(&snapshot, "sampled");
		if (!flooded_at && is_flooded(&snapshot))
			flooded_at = sampled;
		done = flooded_at && sampled > flooded_at + LEAST_SAMPLES;
		if (done)
			snapshot_print_losses(&snapshot);
		snapshot_free(&snapshot);
	} while (!done && _metadata->passed && guest_now_ns() < until);
	EXPECT_TRUE(done)
		TH_LOG("no flood, or no samples after it: %llu at the flood",
		       (unsigned long long)flooded_at);
}

TEST_HARNESS_MAIN
