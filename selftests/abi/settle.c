// SPDX-License-Identifier: GPL-2.0
/*
 * KMPROF_IOC_SETTLE: memory that was passed to kfree_rcu() before the call is free after it. What
 * it rejects, and from whom, is tested with all other commands in ioctl.c.
 */
#include <errno.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/tally.h"

enum { CPUS = 2, SIZE = 256 };

STORE_FIXTURE(settle, "heap_rate=1 " GUEST_ROOMY);

static struct cell take_cell(struct __test_metadata *_metadata, FIXTURE_DATA(settle) *self,
			     unsigned int chain)
{
	struct snapshot snapshot;
	struct tally tally;
	struct cell cell;

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	cell = tally_cell(&tally, chain, SIZE);
	tally_free(&tally);
	snapshot_free(&snapshot);
	return cell;
}

/* Allocates on one CPU after the other, and passes all objects to kfree_rcu() there. */
static void free_later(struct __test_metadata *_metadata, FIXTURE_DATA(settle) *self,
		       unsigned int chain, unsigned int count)
{
	struct kmprof_test_op op = {
		.chain = chain, .size = SIZE, .count = count, .free = KMPROF_TEST_KFREE_RCU,
	};

	for (op.cpu = 0; op.cpu < CPUS; op.cpu++) {
		op.op = KMPROF_TEST_ALLOC;
		ASSERT_EQ(0, order_run(self->store, &op));
		op.op = KMPROF_TEST_FREE;
		ASSERT_EQ(0, order_run(self->store, &op));
	}
}

TEST_F(settle, kfree_rcu_is_complete)
{
	/* Fewer than a page of pointers, and more: then the kernel does not wait for 5 s. */
	const unsigned int counts[] = { 1, 300, 2000 };
	struct cell cell;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(counts); i++) {
		free_later(_metadata, self, i, counts[i]);
		cell = take_cell(_metadata, self, i);
		if (counts[i] == 300)
			EXPECT_LT(0, cell.rcu_pending);
		ASSERT_EQ(0, guest_settle(self->dev));
		cell = take_cell(_metadata, self, i);
		EXPECT_EQ(CPUS * counts[i], cell.allocs);
		EXPECT_EQ(cell.allocs, cell.frees);
		EXPECT_EQ(0, cell.rcu_pending)
			TH_LOG("%u objects on each CPU", counts[i]);
	}
}

/* Both batches of a CPU can be busy when the call comes. */
TEST_F(settle, kfree_rcu_in_the_middle)
{
	enum { CHAIN = 3, PARTS = 8, COUNT = 200 };
	struct cell cell;
	unsigned int i;

	for (i = 0; i < PARTS; i++)
		free_later(_metadata, self, CHAIN, COUNT);
	ASSERT_EQ(0, guest_settle(self->dev));
	cell = take_cell(_metadata, self, CHAIN);
	EXPECT_EQ(PARTS * CPUS * COUNT, cell.frees);
	EXPECT_EQ(0, cell.rcu_pending);
}

/* What is held by somebody stays in use. */
TEST_F(settle, others_stay)
{
	enum { CHAIN = 4, COUNT = 10 };
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .size = SIZE, .count = COUNT,
	};
	struct cell cell;

	ASSERT_EQ(0, order_run(self->store, &op));
	ASSERT_EQ(0, guest_settle(self->dev));
	cell = take_cell(_metadata, self, CHAIN);
	EXPECT_EQ(COUNT, cell.allocs);
	EXPECT_EQ(0, cell.frees);
}

static void ignore(int signal)
{
	(void)signal;
}

/* Has a callback of call_rcu() queued, which takes longer than it takes for the next signal. */
static void queue_callback(struct __test_metadata *_metadata)
{
	int fd = memfd_create("settle", 0);

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, close(fd));
}

TEST_F(settle, a_signal_interrupts)
{
	enum { TRIES = 200 };
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } }, never = { 0 };
	const struct sigaction action = { .sa_handler = ignore };
	int i, ret = 0;

	ASSERT_EQ(0, sigaction(SIGALRM, &action, NULL));
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &often, NULL));
	for (i = 0; i < TRIES && !ret; i++) {
		queue_callback(_metadata);
		ret = guest_settle(self->dev);
	}
	ASSERT_EQ(0, setitimer(ITIMER_REAL, &never, NULL));
	EXPECT_EQ(-EINTR, ret);
	EXPECT_EQ(0, guest_settle(self->dev));
}

TEST_HARNESS_MAIN
