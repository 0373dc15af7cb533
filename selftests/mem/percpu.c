// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU memory as a kind of memory of its own: with heap_rate=1 every object is counted, for
 * the right chain and size on all CPUs, whatever the context; and the kinds come and go by
 * themselves, without a trace of what was not seen.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/cpus.h"
#include "lib/harness.h"
#include "lib/kind_expect.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/settings.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"
#include "lib/tally.h"

#define BOTH (KMPROF_HEAP_SLAB | KMPROF_HEAP_PERCPU)

/* The source is that of slab memory, which is beside it here: one will do. */
STORE_FIXTURE_OF(percpu, "tracepoint", "heap_rate=1 heap_peak=1 heap=slab,percpu " GUEST_ROOMY);

/* The allocator rounds up to four bytes. */
static uint64_t bytes_of(unsigned int size)
{
	return (uint64_t)(size + 3) / 4 * 4 * cpus_possible();
}

static int run(int store, struct kmprof_test_percpu *op)
{
	int error;

	if (!ioctl(store, KMPROF_TEST_IOC_PERCPU, op))
		return 0;
	error = errno;
	fprintf(stderr,
		"# percpu op %u chain %u context %u cpu %d size %u first %u count %u: done %u: %s\n",
		op->op, op->chain, op->context, op->cpu, op->size, op->first, op->count, op->done,
		strerror(error));
	return -error;
}

static const char *const inner[] = { "pcpu_alloc", "__alloc_percpu", NULL };
static const struct kind percpu = { KMPROF_KIND_PERCPU, 'p', inner };

static void expect_cell(struct __test_metadata *_metadata, FIXTURE_DATA(percpu) *self,
			unsigned int chain, uint64_t size, uint64_t allocs, uint64_t frees)
{
	struct snapshot snapshot = take(_metadata, self->dev);
	struct cell cell = kind_cell(&percpu, &snapshot, &self->symbols, chain, size);

	EXPECT_EQ(allocs, cell.allocs);
	EXPECT_EQ(frees, cell.frees);
	if (allocs != cell.allocs || frees != cell.frees) {
		TH_LOG("chain %u, %" PRIu64 " bytes", chain, size);
		snapshot_print_losses(&snapshot);
	}
	snapshot_free(&snapshot);
}

static int set_kinds(int dev, uint64_t kinds)
{
	return guest_set(dev, KMPROF_SETTING_HEAP, kinds);
}

/* Every context, both ways to ask, on both CPUs; freed in another context, elsewhere. */
TEST_F(percpu, every_context)
{
	static const unsigned int sizes[] = { 1, 4, 8, 30, 64, 200 };
	enum { COUNT = 8 };
	unsigned int context, i, first = 0, runs = 0;
	struct snapshot before = take(_metadata, self->dev), after;
	uint64_t allocs[ARRAY_SIZE(sizes)] = { 0 }, bytes = 0;
	struct kmprof_test_percpu op;

	for (context = 0; context < order_contexts(); context++) {
		for (i = 0; i < ARRAY_SIZE(sizes); i++, runs++) {
			op = (struct kmprof_test_percpu){
				.op = KMPROF_TEST_ALLOC, .chain = i % KMPROF_TEST_PERCPU_CHAINS,
				.context = context, .cpu = runs % 2, .size = sizes[i],
				.first = first, .count = COUNT,
				.atomic = context != KMPROF_TEST_TASK || i % 2,
			};
			ASSERT_EQ(0, run(self->store, &op));
			ASSERT_EQ(COUNT, op.done);
			first += COUNT;
			allocs[i] += COUNT;
			bytes += COUNT * bytes_of(sizes[i]);
		}
	}
	/* 1 and 4 bytes are one size: they go through chains of their own. */
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		expect_cell(_metadata, self, i % KMPROF_TEST_PERCPU_CHAINS, bytes_of(sizes[i]),
			    allocs[i], 0);

	for (i = 0; i < first; i += COUNT / 2) {
		op = (struct kmprof_test_percpu){
			.op = KMPROF_TEST_FREE, .context = i / 4 % order_contexts(),
			.cpu = i / 8 % 2, .first = i, .count = COUNT / 2,
		};
		ASSERT_EQ(0, run(self->store, &op));
	}
	for (i = 0; i < ARRAY_SIZE(sizes); i++)
		expect_cell(_metadata, self, i % KMPROF_TEST_PERCPU_CHAINS, bytes_of(sizes[i]),
			    allocs[i], allocs[i]);

	after = take(_metadata, self->dev);
	EXPECT_LE(first, snapshot_scalar(&after, "total.percpu_calls") -
			 snapshot_scalar(&before, "total.percpu_calls"));
	EXPECT_LE(bytes, snapshot_scalar(&after, "total.percpu_bytes") -
			 snapshot_scalar(&before, "total.percpu_bytes"));
	EXPECT_LE(first, snapshot_scalar(&after, "total.percpu_frees") -
			 snapshot_scalar(&before, "total.percpu_frees"));
	/* Every allocation of both kinds is a sample, and in the totals of its own kind only. */
	EXPECT_EQ(snapshot_scalar(&after, "sampled"),
		  snapshot_scalar(&after, "total.alloc_calls") +
		  snapshot_scalar(&after, "total.percpu_calls"));
	snapshot_free(&before);
	snapshot_free(&after);
}

static int alloc_slot(int store, unsigned int slot)
{
	struct kmprof_test_percpu op = {
		.op = KMPROF_TEST_ALLOC, .cpu = KMPROF_TEST_CPU_ANY, .size = 64,
		.first = slot, .count = 1,
	};

	return run(store, &op);
}

static int free_slots(int store, unsigned int count)
{
	struct kmprof_test_percpu op = {
		.op = KMPROF_TEST_FREE, .cpu = KMPROF_TEST_CPU_ANY, .count = count,
	};

	return run(store, &op);
}

static struct kind_orders orders_of(const FIXTURE_DATA(percpu) *self)
{
	return (struct kind_orders){
		.kind = &percpu, .dev = self->dev, .store = self->store,
		.symbols = &self->symbols, .alloc = alloc_slot, .free = free_slots,
	};
}

TEST_F(percpu, whole_stacks)
{
	const struct kind_orders orders = orders_of(self);

	expect_whole_stacks(_metadata, &orders);
}

TEST_F(percpu, whole_stacks_beside_tracers)
{
	const struct kind_orders orders = orders_of(self);

	expect_whole_stacks_beside_tracers(_metadata, &orders);
}

/* One object of each kind through the chains 0. */
static void one_of_each(struct __test_metadata *_metadata, int store, unsigned int op)
{
	struct kmprof_test_percpu percpu = {
		.op = op, .cpu = KMPROF_TEST_CPU_ANY, .size = 64, .count = 1,
	};
	struct kmprof_test_op slab = {
		.op = op, .cpu = KMPROF_TEST_CPU_ANY, .size = 64, .count = 1,
	};

	ASSERT_EQ(0, run(store, &percpu));
	ASSERT_EQ(0, order_run(store, &slab));
}

static struct cell slab_cell(struct __test_metadata *_metadata, FIXTURE_DATA(percpu) *self,
			     const struct snapshot *snapshot)
{
	struct cell cell;
	struct tally tally;

	EXPECT_EQ(0, tally_take(&tally, snapshot, &self->symbols));
	cell = tally_cell(&tally, 0, 64);
	tally_free(&tally);
	return cell;
}

/* One step of kinds_come_and_go(): objects of both kinds, then other kinds, then the frees. */
static void change_kinds(struct __test_metadata *_metadata, FIXTURE_DATA(percpu) *self,
			 uint64_t from, uint64_t to)
{
	struct snapshot before, after;
	struct cell slab, cell;
	uint64_t untracked;

	ASSERT_EQ(0, guest_reset(self->dev));
	one_of_each(_metadata, self->store, KMPROF_TEST_ALLOC);
	before = take(_metadata, self->dev);
	slab = slab_cell(_metadata, self, &before);
	cell = kind_cell(&percpu, &before, &self->symbols, 0, bytes_of(64));
	EXPECT_EQ(!!(from & KMPROF_HEAP_SLAB), slab.allocs);
	EXPECT_EQ(!!(from & KMPROF_HEAP_PERCPU), cell.allocs);
	EXPECT_EQ(0, slab.frees + cell.frees);
	if (!(from & KMPROF_HEAP_SLAB))
		EXPECT_EQ(0, snapshot_scalar(&before, "total.alloc_calls") +
			     snapshot_scalar(&before, "total.free_calls"));
	if (!(from & KMPROF_HEAP_PERCPU))
		EXPECT_EQ(0, snapshot_scalar(&before, "total.percpu_calls") +
			     snapshot_scalar(&before, "total.percpu_frees"));

	ASSERT_EQ(0, set_kinds(self->dev, to));
	EXPECT_EQ(to, value_of_setting(_metadata, self->dev, KMPROF_SETTING_HEAP));
	after = take(_metadata, self->dev);
	slab = slab_cell(_metadata, self, &after);
	cell = kind_cell(&percpu, &after, &self->symbols, 0, bytes_of(64));
	EXPECT_EQ(!!(from & to & KMPROF_HEAP_SLAB), slab.allocs - slab.frees);
	EXPECT_EQ(!!(from & to & KMPROF_HEAP_PERCPU), cell.allocs - cell.frees);
	untracked = snapshot_loss(&after, "untracked");
	EXPECT_LE(!!(from & ~to & KMPROF_HEAP_SLAB) + !!(from & ~to & KMPROF_HEAP_PERCPU),
		  untracked);
	if (!(from & ~to))
		EXPECT_EQ(0, untracked);
	if (!(to & KMPROF_HEAP_SLAB))
		EXPECT_EQ(0, kind_inuse(&after, KMPROF_KIND_SLAB));
	if (!(to & KMPROF_HEAP_PERCPU))
		EXPECT_EQ(0, kind_inuse(&after, KMPROF_KIND_PERCPU));
	snapshot_free(&before);
	snapshot_free(&after);

	/* The frees of what was not seen, or was dropped, change nothing. */
	one_of_each(_metadata, self->store, KMPROF_TEST_FREE);
	after = take(_metadata, self->dev);
	slab = slab_cell(_metadata, self, &after);
	cell = kind_cell(&percpu, &after, &self->symbols, 0, bytes_of(64));
	EXPECT_EQ(slab.allocs, slab.frees);
	EXPECT_EQ(cell.allocs, cell.frees);
	EXPECT_EQ(0, snapshot_loss(&after, "missed_free"));
	snapshot_free(&after);
}

/*
 * From each set of kinds to each other one, and to itself, while objects of both are live. What is
 * on is counted, what is off is not, and what goes is dropped: in use are the objects that were
 * allocated while their kind was on, and has been since. The tour has each change once.
 */
TEST_F(percpu, kinds_come_and_go)
{
	enum { NONE, SLAB = KMPROF_HEAP_SLAB, PERCPU = KMPROF_HEAP_PERCPU };
	static const uint64_t tour[] = {
		NONE, NONE, SLAB, SLAB, PERCPU, PERCPU, BOTH, BOTH,
		SLAB, NONE, PERCPU, SLAB, BOTH, PERCPU, NONE, BOTH, NONE,
	};
	unsigned int i;

	ASSERT_EQ(0, set_kinds(self->dev, tour[0]));
	for (i = 1; i < ARRAY_SIZE(tour); i++)
		change_kinds(_metadata, self, tour[i - 1], tour[i]);
}

/* What is not on is not probed at all: where slab is off, kmprof has kprobes on no allocator. */
TEST_F(percpu, what_is_off_is_not_probed)
{
	char *list;

	ASSERT_EQ(0, set_kinds(self->dev, KMPROF_HEAP_PERCPU));
	ASSERT_EQ(0, guest_read_file("/sys/kernel/debug/kprobes/list", &list, NULL));
	EXPECT_EQ(NULL, strstr(list, "kmalloc"));
	EXPECT_EQ(NULL, strstr(list, "kmem_cache_alloc"));
	free(list);
	ASSERT_EQ(0, guest_read_file("/sys/kernel/tracing/enabled_functions", &list, NULL));
	EXPECT_EQ(NULL, strstr(list, "kmem_cache_free_bulk"));
	EXPECT_EQ(NULL, strstr(list, "kvfree_call_rcu"));
	free(list);
	ASSERT_EQ(0, set_kinds(self->dev, KMPROF_HEAP_SLAB));
	ASSERT_EQ(0, guest_read_file("/sys/kernel/debug/kprobes/list", &list, NULL));
	EXPECT_NE(NULL, strstr(list, "kmem_cache_alloc_bulk"));
	free(list);
}

/* Words and bits that are no kinds are refused, and change nothing. */
TEST_F(percpu, unknown_kinds)
{
	static const char path[] = "/sys/module/kmprof/parameters/heap";
	static const char *const bad[] = {
		"pages", "slab,pages", "slab,", ",slab", "slab percpu", "3", "SLAB", "none,slab",
	};
	static const struct { const char *text; uint64_t kinds; } good[] = {
		{ "slab", KMPROF_HEAP_SLAB }, { "percpu", KMPROF_HEAP_PERCPU }, { "none", 0 },
		{ "percpu,slab", BOTH }, { "slab,slab,percpu\n", BOTH },
	};
	char text[64];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, guest_write_file(path, bad[i]))
			TH_LOG("heap=%s", bad[i]);
		EXPECT_EQ(BOTH, value_of_setting(_metadata, self->dev, KMPROF_SETTING_HEAP));
	}
	for (i = 0; i < 64; i++) {
		if (KMPROF_HEAP_KINDS >> i & 1)
			continue;
		/* Movable pages are none without pages. */
		EXPECT_EQ(-EINVAL, set_kinds(self->dev, KMPROF_HEAP_SLAB | 1ULL << i));
	}
	EXPECT_EQ(BOTH, value_of_setting(_metadata, self->dev, KMPROF_SETTING_HEAP));
	for (i = 0; i < ARRAY_SIZE(good); i++) {
		EXPECT_EQ(0, guest_write_file(path, good[i].text));
		EXPECT_EQ(good[i].kinds,
			  value_of_setting(_metadata, self->dev, KMPROF_SETTING_HEAP));
	}
	ASSERT_EQ(0, guest_param("heap", text, sizeof(text)));
	EXPECT_STREQ("slab,percpu", text);
}

/* While heap_rate is 0 nothing is probed; what is set then holds when it is on again. */
TEST_F(percpu, chosen_while_off)
{
	struct snapshot snapshot;
	struct cell cell;

	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, set_kinds(self->dev, KMPROF_HEAP_PERCPU));
	one_of_each(_metadata, self->store, KMPROF_TEST_ALLOC);
	one_of_each(_metadata, self->store, KMPROF_TEST_FREE);
	snapshot = take(_metadata, self->dev);
	EXPECT_EQ(0, snapshot_scalar(&snapshot, "total.alloc_calls") +
		     snapshot_scalar(&snapshot, "total.percpu_calls"));
	snapshot_free(&snapshot);

	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	one_of_each(_metadata, self->store, KMPROF_TEST_ALLOC);
	snapshot = take(_metadata, self->dev);
	cell = kind_cell(&percpu, &snapshot, &self->symbols, 0, bytes_of(64));
	EXPECT_EQ(1, cell.allocs - cell.frees);
	EXPECT_EQ(0, snapshot_scalar(&snapshot, "total.alloc_calls"));
	snapshot_free(&snapshot);
	one_of_each(_metadata, self->store, KMPROF_TEST_FREE);
	expect_cell(_metadata, self, 0, bytes_of(64), 1, 1);
}

/* At a rate the estimate is right within five standard errors, of each size. */
TEST_F(percpu, estimates)
{
	static const unsigned int sizes[] = { 8, 256, 4096 };
	enum { RATE = 8192, COUNT = 2000 };
	struct snapshot snapshot;
	unsigned int i;

	ASSERT_EQ(0, guest_set_rate(self->dev, RATE));
	ASSERT_EQ(0, guest_reset(self->dev));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct kmprof_test_percpu op = {
			.op = KMPROF_TEST_CHURN, .chain = i, .cpu = i % 2, .size = sizes[i],
			.count = COUNT,
		};

		ASSERT_EQ(0, run(self->store, &op));
	}
	snapshot = take(_metadata, self->dev);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct cell cell = kind_cell(&percpu, &snapshot, &self->symbols, i,
					     bytes_of(sizes[i]));
		double exact = (double)COUNT * bytes_of(sizes[i]);
		/* The variance of the estimate of what is known exactly. */
		double p = -expm1(-(double)bytes_of(sizes[i]) / RATE);
		double error = sqrt(COUNT * (1 - p) / p) * bytes_of(sizes[i]);

		EXPECT_GE(5 * error, fabs(cell.estimate - exact))
			TH_LOG("size %u: %.0f of %.0f bytes, standard error %.0f", sizes[i],
			       cell.estimate, exact, error);
		EXPECT_EQ(cell.allocs, cell.frees);
	}
	snapshot_free(&snapshot);
}

struct churner {
	pthread_t thread;
	unsigned int number;
	int *stop;
	uint64_t done;
	int ret;
};

static void *churn(void *arg)
{
	struct churner *churner = arg;
	int store = order_open();

	churner->ret = store < 0 ? store : 0;
	while (!churner->ret && !__atomic_load_n(churner->stop, __ATOMIC_RELAXED)) {
		struct kmprof_test_percpu op = {
			.op = KMPROF_TEST_CHURN, .chain = churner->number, .size = 64,
			.count = 50, .cpu = churner->number % 2,
		};

		churner->ret = run(store, &op);
		churner->done += op.done;
	}
	if (store >= 0)
		close(store);
	return NULL;
}

/* Snapshots keep their promises while both kinds are busy and come and go. */
TEST_F(percpu, consistent_under_churn)
{
	enum { CHURNERS = 3 };
	const unsigned int rounds = guest_effort(40);
	struct churner churners[CHURNERS];
	struct snapshot snapshot;
	unsigned int i;
	int stop = 0;

	for (i = 0; i < CHURNERS; i++) {
		churners[i] = (struct churner){ .number = i, .stop = &stop };
		ASSERT_EQ(0, pthread_create(&churners[i].thread, NULL, churn, &churners[i]));
	}
	for (i = 0; i < rounds; i++) {
		EXPECT_EQ(0, set_kinds(self->dev, i % (BOTH + 1)));
		snapshot = take(_metadata, self->dev);
		if (!(i & KMPROF_HEAP_PERCPU))
			EXPECT_EQ(0, kind_inuse(&snapshot, KMPROF_KIND_PERCPU));
		snapshot_free(&snapshot);
	}
	__atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
	for (i = 0; i < CHURNERS; i++) {
		ASSERT_EQ(0, pthread_join(churners[i].thread, NULL));
		EXPECT_EQ(0, churners[i].ret);
		EXPECT_LT(0, churners[i].done);
	}
	ASSERT_EQ(0, set_kinds(self->dev, BOTH));
	snapshot = take(_metadata, self->dev);
	for (i = 0; i < CHURNERS; i++) {
		struct cell cell = kind_cell(&percpu, &snapshot, &self->symbols, i, 0);

		EXPECT_EQ(cell.allocs, cell.frees);
	}
	EXPECT_EQ(0, snapshot_loss(&snapshot, "missed_free"));
	snapshot_free(&snapshot);
}

TEST_HARNESS_MAIN
