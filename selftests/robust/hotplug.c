// SPDX-License-Identifier: GPL-2.0
/*
 * CPUs go offline and come back: what happens on their way is seen, everything goes
 * on, and the module can be unloaded, also while one of them is gone.
 */
#include <errno.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/balance.h"
#include "lib/cpus.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/tally.h"
#include "lib/watch.h"

enum { CPU = 1, UNLOADED_MS = 60000, POLL_MS = 10 };

FIXTURE(hotplug) {
	int dev;
	int store;
	struct symbols symbols;
	unsigned int cpus;
};

GUEST_SOURCE_VARIANTS(hotplug);

FIXTURE_SETUP(hotplug)
{
	self->cpus = sysconf(_SC_NPROCESSORS_CONF);
	ASSERT_LT(CPU, self->cpus);
	/* A test that was killed by its time limit leaves them offline. */
	ASSERT_EQ(0, cpus_use(self->cpus));
}

FIXTURE_TEARDOWN(hotplug)
{
	EXPECT_EQ(0, cpus_use(self->cpus));
	EXPECT_EQ(0, guest_unload());
}

static void load(struct __test_metadata *_metadata, FIXTURE_DATA(hotplug) *self,
		 const char *source, const char *rates)
{
	char params[256];

	snprintf(params, sizeof(params), "wait_source=%s %s %s",
		 watch_can(source) ? source : "tracepoint", watch_max_waits(), rates);
	ASSERT_EQ(0, guest_load_anew(source, params));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->store = order_open();
	ASSERT_LE(0, self->store);
	ASSERT_EQ(0, symbols_load(&self->symbols));
}

static void close_all(FIXTURE_DATA(hotplug) *self)
{
	symbols_free(&self->symbols);
	close(self->store);
	close(self->dev);
}

/* Returns what rmmod has, or -ETIMEDOUT. */
static int ends(pid_t pid)
{
	unsigned int ms;
	int status;

	for (ms = 0; ms < UNLOADED_MS * guest_slow(); ms += POLL_MS) {
		if (waitpid(pid, &status, WNOHANG) == pid)
			return WIFEXITED(status) ? -WEXITSTATUS(status) : -EINTR;
		usleep(POLL_MS * 1000);
	}
	return -ETIMEDOUT;
}

/*
 * The unload waits for what is on its way. If that got lost with a CPU, the CPU's next
 * way out is said to find it: that leaves a guest for the other tests.
 */
static void expect_unloads(struct __test_metadata *_metadata, unsigned int cpus)
{
	pid_t pid = fork();
	int ret;

	if (!pid)
		_exit(-guest_rmmod("kmprof"));
	ASSERT_LT(0, pid);
	ret = ends(pid);
	EXPECT_EQ(0, ret);
	if (ret == -ETIMEDOUT) {
		EXPECT_EQ(0, cpus_use(cpus));
		EXPECT_EQ(0, cpus_use(1));
		EXPECT_EQ(0, ends(pid));
	}
}

/* Takes a snapshot that keeps the promises. What was in the rings has its buckets then. */
static void take(struct __test_metadata *_metadata, int dev, struct snapshot *snapshot)
{
	ASSERT_EQ(0, snapshot_take(dev, snapshot));
	EXPECT_IMAGE(snapshot);
}

/*
 * With interrupts off for good, and nobody else running. On its way there the CPU
 * allocates, too: once through, these stacks are known, and the new one finds the ring
 * empty.
 */
TEST_F(hotplug, from_dying)
{
	enum { CHAIN = 4, OTHER = 5, SIZE = 512, COUNT = 10 };
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = OTHER, .size = SIZE, .count = COUNT,
		.context = KMPROF_TEST_DYING, .cpu = CPU,
	};
	struct snapshot snapshot;
	struct tally tally;
	struct cell cell;
	uint64_t seen = !strcmp(variant->source, "kprobe") ? COUNT : 0;

	if (order_contexts() <= KMPROF_TEST_HARDIRQ)
		SKIP(return, "allocators take locks that sleep");
	load(_metadata, self, variant->source, "heap_rate=1 " GUEST_ROOMY);
	ASSERT_EQ(0, order_run(self->store, &op));
	take(_metadata, self->dev, &snapshot);
	snapshot_free(&snapshot);
	op.chain = CHAIN;
	op.first = COUNT;
	ASSERT_EQ(0, order_run(self->store, &op));
	op.op = KMPROF_TEST_FREE;
	op.context = KMPROF_TEST_TASK;
	ASSERT_EQ(0, order_run(self->store, &op));

	take(_metadata, self->dev, &snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	cell = tally_cell(&tally, CHAIN, SIZE);
	/* The kernel's tracepoints are silent on a CPU that is not online. */
	EXPECT_EQ(seen, cell.allocs);
	EXPECT_EQ(seen, cell.frees);
	tally_free(&tally);
	snapshot_free(&snapshot);
	close_all(self);
	expect_unloads(_metadata, self->cpus);
}

TEST_F(hotplug, unloads_while_one_is_away)
{
	load(_metadata, self, variant->source,
	     "heap_rate=4096 heap_peak=1 block_rate=1 mutex_fraction=1");
	ASSERT_EQ(0, cpus_use(self->cpus - 1));
	close_all(self);
	expect_unloads(_metadata, self->cpus);
}

static atomic_int stop;

/*
 * A CPU has to report to RCU on its way out, and finds its locks taken. As long as it is
 * alone, the kernel does not make it wait.
 */
static void *ask_for_grace_periods(void *arg)
{
	while (!stop) {
		syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0);
		usleep(500);
	}
	return arg;
}

TEST_F_TIMEOUT(hotplug, under_load, 300)
{
	static const char *const hackbench[] = { "hackbench", "-g", "2", "-l", "100000000", NULL };
	enum { THREADS = 4, LEAST_ROUNDS = 3, MOST_S = 60 };
	unsigned int rounds = guest_effort(40), i;
	pthread_t threads[THREADS];
	struct snapshot snapshot;
	uint64_t until;
	int load_pid;

	load(_metadata, self, variant->source,
	     "heap_rate=4096 heap_peak=1 block_rate=1 mutex_fraction=1 " GUEST_ROOMY);
	/* Waits that end before the mutex profile is on are not told to be anybody's. */
	ASSERT_EQ(0, guest_reset(self->dev));
	load_pid = guest_spawn(hackbench);
	ASSERT_LT(0, load_pid);
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, pthread_create(&threads[i], NULL, ask_for_grace_periods, NULL));
	until = guest_now_ns() + MOST_S * guest_slow() * 1000000000ULL;
	for (i = 0; i < LEAST_ROUNDS || (i < rounds && guest_now_ns() < until); i++) {
		ASSERT_EQ(0, cpus_use(1));
		take(_metadata, self->dev, &snapshot);
		snapshot_free(&snapshot);
		ASSERT_EQ(0, cpus_use(self->cpus));
	}
	TH_LOG("%u rounds", i);
	stop = 1;
	for (i = 0; i < THREADS; i++)
		ASSERT_EQ(0, pthread_join(threads[i], NULL));
	EXPECT_EQ(0, guest_stop(load_pid));
	ASSERT_EQ(0, take_balanced(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	expect_balanced_totals(_metadata, &snapshot);
	snapshot_free(&snapshot);
	close_all(self);
	/* The last way out was one under load. */
	expect_unloads(_metadata, self->cpus);
}

TEST_HARNESS_MAIN
