// SPDX-License-Identifier: GPL-2.0
/*
 * An unprivileged user floods the block and mutex profiles: threads that fight for one
 * mmap_lock, and take another name before each try, so that the labels make ever new buckets.
 * When these profiles have all buckets that they may have, the heap profile still loses
 * nothing: it has a quota of its own, and room in the rings.
 */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"

#define PROFILES "heap_rate=4096 block_rate=1 mutex_fraction=1"

enum {
	THREADS		= 8,
	MAPPED		= 64 * 1024,
	NOBODY		= 65534,
	MOST_S		= 120,
	LEAST_SAMPLES	= 100,
};

FIXTURE(flood) {
	int dev;
	pid_t user;
};

GUEST_SOURCE_VARIANTS(flood);

static void *fight(void *number)
{
	unsigned int i;
	char name[16];
	void *memory;

	for (i = 0;; i++) {
		snprintf(name, sizeof(name), "%lx.%x", (long)number, i);
		prctl(PR_SET_NAME, name);
		memory = mmap(NULL, MAPPED, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
		if (memory != MAP_FAILED)
			munmap(memory, MAPPED);
	}
	return NULL;
}

/* Returns the process, or a negative errno. */
static pid_t start_user(void)
{
	pid_t pid = fork();
	pthread_t thread;
	long i;

	if (pid)
		return pid < 0 ? -errno : pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (setgid(NOBODY) || setuid(NOBODY))
		_exit(1);
	for (i = 0; i < THREADS; i++)
		if (pthread_create(&thread, NULL, fight, (void *)i))
			_exit(1);
	for (;;)
		pause();
}

FIXTURE_SETUP(flood)
{
	ASSERT_EQ(0, guest_load(variant->source,
				PROFILES " labels=comm max_buckets=1024 ring_bytes=65536"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->user = start_user();
	ASSERT_LT(0, self->user);
}

FIXTURE_TEARDOWN(flood)
{
	if (self->user > 0) {
		kill(self->user, SIGKILL);
		waitpid(self->user, NULL, 0);
	}
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
		ASSERT_EQ(0, kill(self->user, 0));
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
