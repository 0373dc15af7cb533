// SPDX-License-Identifier: GPL-2.0
/*
 * With heap_rate=1 every object is counted, for the right chain and size, when
 * it is allocated and when it is freed, whatever the context, the CPU, the
 * allocator function and the way to free it.
 */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/tally.h"

#define SIZE(bytes) bytes,
static const unsigned int all_sizes[] = {
	KMPROF_TEST_CONST_SIZES(SIZE)
	KMPROF_TEST_CACHE_SIZES(SIZE)
	48, 100, 1500, 5100, 9000, 12288, 40000
};

#undef SIZE

enum {
	NR_SIZES = ARRAY_SIZE(all_sizes),
	CELL_SLOTS = 16,	/* slots per chain and size */
};

static_assert(KMPROF_TEST_CHAINS * NR_SIZES * CELL_SLOTS <= KMPROF_TEST_SLOTS,
	      "slots for every cell");

STORE_FIXTURE(exact, "heap_rate=1 heap_call_rcu=1 " GUEST_ROOMY);

/* Few of the big ones: interrupts cannot wait for memory. */
static unsigned int cell_count(unsigned int chain, unsigned int i)
{
	unsigned int count = 2 + (chain * 7 + i * 3) % (CELL_SLOTS - 2);

	return all_sizes[i] > 8192 ? 2 + count % 3 : count;
}

static unsigned int cell_first(unsigned int chain, unsigned int i)
{
	return (chain * NR_SIZES + i) * CELL_SLOTS;
}

/* A quick run has every fourth one, of each chain and size some. */
static int cell_is_run(unsigned int chain, unsigned int i)
{
	enum { STEP = 4 };

	return guest_effort(100) >= 20 || (chain + i) % STEP == 0;
}

/* A method for a cell: another one for every chain. */
static unsigned int cell_method(unsigned int chain, unsigned int i, unsigned int context)
{
	unsigned int method = (chain + i) % KMPROF_TEST_NR_METHODS;

	while (!order_can_alloc(method, all_sizes[i], context))
		method = (method + 1) % KMPROF_TEST_NR_METHODS;
	return method;
}

static unsigned int cell_free(unsigned int turn, unsigned int method, unsigned int size,
			      unsigned int context)
{
	unsigned int free = turn % KMPROF_TEST_NR_FREE_METHODS;

	/* Each of these waits for a grace period of its own. */
	while (free == KMPROF_TEST_KFREE_RCU_MIGHTSLEEP ||
	       !order_can_free(free, method, size, context))
		free = (free + 1) % KMPROF_TEST_NR_FREE_METHODS;
	return free;
}

/*
 * Compares what was counted for every cell with what the test knows
 * (@allocs[chain][size]) and with what the module counted. Returns the number
 * of cells that differ.
 */
static unsigned int compare(struct __test_metadata *_metadata, FIXTURE_DATA(exact) *self,
			    const uint32_t allocs[][NR_SIZES], const uint32_t frees[][NR_SIZES])
{
	struct snapshot snapshot;
	uint64_t total = 0;
	struct tally tally;
	unsigned int chain, i, different = 0;

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_EQ(snapshot_scalar(&snapshot, "total.alloc_calls"),
		  snapshot_scalar(&snapshot, "sampled"));
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));

	for (chain = 0; chain < KMPROF_TEST_CHAINS; chain++) {
		for (i = 0; i < NR_SIZES; i++) {
			struct cell cell = tally_cell(&tally, chain, all_sizes[i]);
			struct kmprof_test_truth truth;

			ASSERT_EQ(0, order_truth(self->store, chain, all_sizes[i], &truth));
			ASSERT_EQ(allocs[chain][i], truth.allocs);
			ASSERT_EQ(frees[chain][i], truth.frees);
			total += truth.allocs;
			if (cell.allocs == truth.allocs && cell.frees == truth.frees)
				continue;
			if (different++ < 10)
				TH_LOG("chain %u size %u: allocs %llu frees %llu, really %llu %llu",
				       chain, all_sizes[i],
				       (unsigned long long)cell.allocs,
				       (unsigned long long)cell.frees,
				       (unsigned long long)truth.allocs,
				       (unsigned long long)truth.frees);
		}
	}
	/* Nothing under a size that was never asked for. */
	EXPECT_EQ(total, tally_total(&tally).allocs);
	if (different || total != tally_total(&tally).allocs)
		snapshot_print_losses(&snapshot);
	tally_free(&tally);
	snapshot_free(&snapshot);
	return different;
}

/* All chains and sizes: allocate on CPU 0, free in two parts elsewhere. */
static void run_cells(struct __test_metadata *_metadata, FIXTURE_DATA(exact) *self,
		      unsigned int context)
{
	static uint32_t allocs[KMPROF_TEST_CHAINS][NR_SIZES];
	static uint32_t frees[KMPROF_TEST_CHAINS][NR_SIZES];
	unsigned int chain, i, part;

	for (chain = 0; chain < KMPROF_TEST_CHAINS; chain++) {
		for (i = 0; i < NR_SIZES; i++) {
			struct kmprof_test_op op = {
				.op = KMPROF_TEST_ALLOC,
				.chain = chain,
				.method = cell_method(chain, i, context),
				.context = context,
				.size = all_sizes[i],
				.first = cell_first(chain, i),
				.count = cell_count(chain, i),
			};

			if (!cell_is_run(chain, i))
				continue;
			ASSERT_EQ(0, order_run(self->store, &op));
			ASSERT_EQ(op.count, op.done);
			allocs[chain][i] += op.done;
		}
	}
	EXPECT_EQ(0, compare(_metadata, self, allocs, frees));

	/* First part: other CPU, other context. Second: other CPU, same one. */
	for (part = 0; part < 2; part++) {
		unsigned int where = part ? context : (context + 1) % order_contexts();

		for (chain = 0; chain < KMPROF_TEST_CHAINS; chain++) {
			for (i = 0; i < NR_SIZES; i++) {
				unsigned int count = cell_count(chain, i);
				unsigned int half = count / 2;
				struct kmprof_test_op op = {
					.op = KMPROF_TEST_FREE,
					.free = cell_free(chain + 3 * i + part,
							  cell_method(chain, i, context),
							  all_sizes[i], where),
					.context = where,
					.cpu = 1,
					.first = cell_first(chain, i) + (part ? half : 0),
					.count = part ? count - half : half,
				};

				if (!cell_is_run(chain, i))
					continue;
				ASSERT_EQ(0, order_run(self->store, &op));
				frees[chain][i] += op.done;
			}
		}
		EXPECT_EQ(0, compare(_metadata, self, allocs, frees));
	}
}

TEST_F(exact, from_task)
{
	run_cells(_metadata, self, KMPROF_TEST_TASK);
}

TEST_F(exact, from_softirq)
{
	run_cells(_metadata, self, KMPROF_TEST_SOFTIRQ);
}

TEST_F(exact, from_hardirq)
{
	if (order_contexts() <= KMPROF_TEST_HARDIRQ)
		SKIP(return, "PREEMPT_RT allows no allocation in a hard interrupt");
	run_cells(_metadata, self, KMPROF_TEST_HARDIRQ);
}

/* Expects exactly @allocs and @frees for one chain, summed over all sizes. */
static struct cell expect_chain(struct __test_metadata *_metadata, FIXTURE_DATA(exact) *self,
				unsigned int chain, unsigned int size, uint64_t allocs,
				uint64_t frees)
{
	struct snapshot snapshot;
	struct tally tally;
	struct cell cell;

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	cell = tally_cell(&tally, chain, size);
	EXPECT_EQ(allocs, cell.allocs);
	EXPECT_EQ(frees, cell.frees);
	if (allocs != cell.allocs || frees != cell.frees) {
		TH_LOG("chain %u size %u", chain, size);
		snapshot_print_losses(&snapshot);
	}
	tally_free(&tally);
	snapshot_free(&snapshot);
	return cell;
}

/* A size that every method has. */
static unsigned int method_size(unsigned int method)
{
	return order_can_alloc(method, 200, KMPROF_TEST_TASK) ? 200 : 512;
}

/*
 * Every way to allocate with every way to free, each combination by itself: the
 * chain tells the way to free, so that one snapshot shows all of them.
 */
TEST_F(exact, every_method_and_free)
{
	unsigned int sizes[] = { 0, 16384, 7000 };
	unsigned int method, free, k, chains;

	for (k = 0; k < ARRAY_SIZE(sizes); k++) {
		for (method = 0; method < KMPROF_TEST_NR_METHODS; method++) {
			unsigned int size = sizes[k] ?: method_size(method);
			struct snapshot snapshot;
			struct tally tally;

			if (!order_can_alloc(method, size, KMPROF_TEST_TASK))
				continue;
			ASSERT_EQ(0, guest_reset(self->dev));
			for (chains = 0, free = 0; free < KMPROF_TEST_NR_FREE_METHODS; free++) {
				struct kmprof_test_op op = {
					.op = KMPROF_TEST_ALLOC, .chain = free,
					.method = method, .free = free,
					.cpu = KMPROF_TEST_CPU_ANY, .size = size, .count = 5,
				};

				if (!order_can_free(free, method, size, KMPROF_TEST_TASK))
					continue;
				ASSERT_EQ(0, order_run(self->store, &op));
				op.op = KMPROF_TEST_FREE;
				ASSERT_EQ(0, order_run(self->store, &op));
				chains++;
			}
			ASSERT_LT(1, chains);

			ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
			EXPECT_IMAGE(&snapshot);
			ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
			EXPECT_EQ(5 * chains, tally_total(&tally).allocs);
			EXPECT_EQ(5 * chains, tally_total(&tally).frees);
			for (free = 0; free < KMPROF_TEST_NR_FREE_METHODS; free++) {
				struct cell cell = tally_cell(&tally, free, size);

				EXPECT_EQ(cell.allocs, cell.frees)
					TH_LOG("method %u, free %u, size %u", method, free, size);
			}
			tally_free(&tally);
			snapshot_free(&snapshot);
		}
	}
}

/*
 * kfree_rcu() is a free at once; the memory is pending until it comes back. The kernel
 * collects such objects for 5 s, or until more come to a CPU than a page has pointers.
 */
TEST_F(exact, kfree_rcu_pends)
{
	enum { CHAIN = 4, OTHER = 5, COUNT = 300, MORE = 600, SIZE = 256, TRIES = 600 };
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .size = SIZE, .count = COUNT,
		.free = KMPROF_TEST_KFREE_RCU,
	};
	struct cell cell;
	int tries;

	ASSERT_EQ(0, order_run(self->store, &op));
	expect_chain(_metadata, self, CHAIN, SIZE, COUNT, 0);
	op.op = KMPROF_TEST_FREE;
	op.cpu = 1;
	ASSERT_EQ(0, order_run(self->store, &op));
	cell = expect_chain(_metadata, self, CHAIN, SIZE, COUNT, COUNT);
	EXPECT_LT(0, cell.rcu_pending);

	if (guest_is_quick("that the kernel gives them back by itself")) {
		op.op = KMPROF_TEST_ALLOC;
		op.chain = OTHER;
		op.count = MORE;
		ASSERT_EQ(0, order_run(self->store, &op));
		op.op = KMPROF_TEST_FREE;
		ASSERT_EQ(0, order_run(self->store, &op));
	}
	for (tries = 0; cell.rcu_pending && tries < TRIES; tries++) {
		usleep(100000);
		cell = expect_chain(_metadata, self, CHAIN, SIZE, COUNT, COUNT);
	}
	EXPECT_EQ(0, cell.rcu_pending);
}

/*
 * call_rcu() is a free at once, wherever the rcu_head is, if the callback frees the object. The
 * memory is pending until then, which may be before the snapshot.
 */
TEST_F(exact, call_rcu_pends)
{
	enum { CHAIN = 5, COUNT = 20, TRIES = 50 };
	const unsigned int sizes[] = { 40, 64, 192, 4096, 16384 };
	struct kmprof_test_op op = {
		.chain = CHAIN, .method = KMPROF_TEST_KMALLOC_VARIABLE, .count = COUNT,
		.free = KMPROF_TEST_CALL_RCU,
	};
	unsigned int i, tries, count;
	struct cell cell;

	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint64_t pending = 0;

		count = 0;
		op.size = sizes[i];
		for (tries = 0; !pending && tries < TRIES; tries++) {
			count += COUNT;
			op.op = KMPROF_TEST_ALLOC;
			ASSERT_EQ(0, order_run(self->store, &op));
			op.op = KMPROF_TEST_FREE;
			ASSERT_EQ(0, order_run(self->store, &op));
			cell = expect_chain(_metadata, self, CHAIN, sizes[i], count, count);
			pending = cell.rcu_pending;
		}
		EXPECT_LT(0, pending)
			TH_LOG("size %u", sizes[i]);
		ASSERT_EQ(0, guest_settle(self->dev));
		cell = expect_chain(_metadata, self, CHAIN, sizes[i], count, count);
		EXPECT_EQ(0, cell.rcu_pending)
			TH_LOG("size %u", sizes[i]);
	}
}

/* "call_rcu (" is a line of the list. */
static bool call_rcu_is_probed(struct __test_metadata *_metadata)
{
	bool found;
	char *list;

	ASSERT_EQ(0, guest_read_file("/sys/kernel/tracing/enabled_functions", &list, NULL));
	found = !strncmp(list, "call_rcu ", 9) || strstr(list, "\ncall_rcu ");
	free(list);
	return found;
}

/* Without it, the free counts when it happens; to turn it off waits for what is pending. */
TEST_F(exact, call_rcu_is_a_setting)
{
	enum { CHAIN = 6, COUNT = 20, SIZE = 64, ROUNDS = 6 };
	struct kmprof_test_op op = {
		.chain = CHAIN, .method = KMPROF_TEST_KMALLOC_VARIABLE, .size = SIZE,
		.count = COUNT, .free = KMPROF_TEST_CALL_RCU,
	};
	struct cell cell;
	unsigned int i;
	int ret;

	for (i = 1; i <= ROUNDS; i++) {
		ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_CALL_RCU, i % 2));
		EXPECT_EQ(i % 2, call_rcu_is_probed(_metadata));
		op.op = KMPROF_TEST_ALLOC;
		ASSERT_EQ(0, order_run(self->store, &op));
		op.op = KMPROF_TEST_FREE;
		ASSERT_EQ(0, order_run(self->store, &op));
		ret = i % 2 ? guest_set(self->dev, KMPROF_SETTING_HEAP_CALL_RCU, 0) :
			      guest_settle(self->dev);
		ASSERT_EQ(0, ret);
		cell = expect_chain(_metadata, self, CHAIN, SIZE, i * COUNT, i * COUNT);
		EXPECT_EQ(0, cell.rcu_pending);
	}
	/* Only while slabs are probed. */
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_CALL_RCU, 1));
	EXPECT_TRUE(call_rcu_is_probed(_metadata));
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	EXPECT_FALSE(call_rcu_is_probed(_metadata));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	EXPECT_TRUE(call_rcu_is_probed(_metadata));
}

/* An object that krealloc() leaves where it is keeps its size and stack. */
TEST_F(exact, krealloc_in_place_is_no_event)
{
	enum { CHAIN = 7, OTHER = 8, COUNT = 10 };
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .size = 65, .count = COUNT,
		.method = KMPROF_TEST_KMALLOC_VARIABLE,
	};

	ASSERT_EQ(0, order_run(self->store, &op));
	op.op = KMPROF_TEST_RESIZE;
	op.chain = OTHER;
	op.size = 90;
	ASSERT_EQ(0, order_run(self->store, &op));
	ASSERT_EQ(0, op.done);
	op.size = 33;
	ASSERT_EQ(0, order_run(self->store, &op));
	ASSERT_EQ(0, op.done);
	expect_chain(_metadata, self, CHAIN, 65, COUNT, 0);
	expect_chain(_metadata, self, OTHER, 90, 0, 0);
	expect_chain(_metadata, self, OTHER, 33, 0, 0);

	op.op = KMPROF_TEST_FREE;
	ASSERT_EQ(0, order_run(self->store, &op));
	expect_chain(_metadata, self, CHAIN, 65, COUNT, COUNT);
}

/* One that it moves is freed there and allocated here. */
TEST_F(exact, krealloc_moves)
{
	enum { CHAIN = 9, OTHER = 10, COUNT = 10 };
	static const unsigned int steps[] = { 96, 100, 4000, 9000, 20000 };
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .size = 96, .count = COUNT,
		.method = KMPROF_TEST_KMALLOC,
	};
	unsigned int i;

	ASSERT_EQ(0, order_run(self->store, &op));
	for (i = 1; i < ARRAY_SIZE(steps); i++) {
		op.op = KMPROF_TEST_RESIZE;
		op.chain = OTHER;
		op.size = steps[i];
		op.cpu = i % 2;
		ASSERT_EQ(0, order_run(self->store, &op));
		ASSERT_EQ(COUNT, op.done);
		expect_chain(_metadata, self, OTHER, steps[i], COUNT, 0);
		expect_chain(_metadata, self, i > 1 ? OTHER : CHAIN, steps[i - 1], COUNT, COUNT);
	}
	op.op = KMPROF_TEST_FREE;
	op.free = KMPROF_TEST_KREALLOC_ZERO;
	ASSERT_EQ(0, order_run(self->store, &op));
	expect_chain(_metadata, self, OTHER, 20000, COUNT, COUNT);
}

/* Objects that change hands between CPUs and contexts, at the same addresses. */
TEST_F(exact, addresses_reused)
{
	enum { CHAIN = 11, SIZE = 128, COUNT = 100, ROUNDS = 50 };
	unsigned int round;

	for (round = 0; round < ROUNDS; round++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .size = SIZE, .count = COUNT,
			.cpu = round % 2, .context = round % order_contexts(),
		};

		ASSERT_EQ(0, order_run(self->store, &op));
		op.op = KMPROF_TEST_FREE;
		op.cpu = round / 2 % 2;
		op.context = (round / 3) % order_contexts();
		ASSERT_EQ(0, order_run(self->store, &op));
	}
	expect_chain(_metadata, self, CHAIN, SIZE, COUNT * ROUNDS, COUNT * ROUNDS);
}

struct churner {
	pthread_t thread;
	unsigned int number;
	int ret;
};

enum { CHURNERS = 4, CHURN_ROUNDS = 20, CHURN_COUNT = 200, CHURN_SIZE = 192 };

/* Task, softirq and hardirq on both CPUs, all through the same chain. */
static void *churn(void *arg)
{
	struct churner *churner = arg;
	int store = order_open();
	unsigned int round;

	churner->ret = store < 0 ? store : 0;
	for (round = 0; !churner->ret && round < CHURN_ROUNDS; round++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_CHURN, .chain = 12,
			.size = CHURN_SIZE, .count = CHURN_COUNT,
			.cpu = churner->number % 2,
			.context = (churner->number + round) % order_contexts(),
		};

		churner->ret = order_run(store, &op);
	}
	if (store >= 0)
		close(store);
	return NULL;
}

TEST_F(exact, in_parallel)
{
	struct churner churners[CHURNERS];
	uint64_t all = CHURNERS * CHURN_ROUNDS * CHURN_COUNT, lost;
	struct snapshot snapshot;
	struct tally tally;
	struct cell cell;
	int i;

	for (i = 0; i < CHURNERS; i++) {
		churners[i].number = i;
		ASSERT_EQ(0, pthread_create(&churners[i].thread, NULL, churn, &churners[i]));
	}
	for (i = 0; i < CHURNERS; i++) {
		ASSERT_EQ(0, pthread_join(churners[i].thread, NULL));
		EXPECT_EQ(0, churners[i].ret);
	}

	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	ASSERT_EQ(0, tally_take(&tally, &snapshot, &self->symbols));
	cell = tally_cell(&tally, 12, CHURN_SIZE);
	lost = snapshot_lost(&snapshot, "heap") - snapshot_loss(&snapshot, "own");
	/* The ledger knows of everything that is not there. */
	EXPECT_GE(all, cell.allocs);
	EXPECT_LE(all, cell.allocs + lost);
	EXPECT_EQ(cell.allocs, cell.frees);
	snapshot_print_losses(&snapshot);
	tally_free(&tally);
	snapshot_free(&snapshot);
}

TEST_HARNESS_MAIN
