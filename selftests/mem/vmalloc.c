// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of vmalloc as a kind of memory of its own: with heap_rate=1 every area is counted, for
 * the right chain and size, whichever function has allocated it and however it is freed.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kind_expect.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/settings.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

#define PAGE 4096ULL
/* Whole huge pages, in which kvmalloc() allocates. */
#define BEYOND_KMALLOC (6ULL << 20)

/* The source is that of slab memory, which is off here: one will do. */
STORE_FIXTURE_OF(vmalloc, "tracepoint", "heap_rate=1 heap_peak=1 heap=vmalloc " GUEST_ROOMY);

static const char *const inner[] = {
	"vmalloc", "__vmalloc", "vzalloc", "kvmalloc", "__kvmalloc", "__vmap_pages_range", NULL
};

static const struct kind vmalloc_kind = { KMPROF_KIND_VMALLOC, 'v', inner };

static int run(int store, struct kmprof_test_vmalloc *op)
{
	int error;

	if (!ioctl(store, KMPROF_TEST_IOC_VMALLOC, op))
		return 0;
	error = errno;
	fprintf(stderr,
		"# vmalloc op %u how %u chain %u size %llu first %u count %u: done %u: %s\n",
		op->op, op->how, op->chain, (unsigned long long)op->size, op->first, op->count,
		op->done, strerror(error));
	return -error;
}

/* Whole pages; the guard page is no memory. */
static uint64_t bytes_of(uint64_t size)
{
	return (size + PAGE - 1) / PAGE * PAGE;
}

/* What a chain has of a size. */
static struct cell look(struct __test_metadata *_metadata, FIXTURE_DATA(vmalloc) *self,
			unsigned int chain, uint64_t size)
{
	struct snapshot snapshot = take(_metadata, self->dev);
	struct cell cell = kind_cell(&vmalloc_kind, &snapshot, &self->symbols, chain,
				     bytes_of(size));

	snapshot_free(&snapshot);
	return cell;
}

/* Frees that were deferred have happened: those of a softirq within some looks. */
static void expect_freed(struct __test_metadata *_metadata, FIXTURE_DATA(vmalloc) *self,
			 unsigned int chain, uint64_t size, uint64_t allocs)
{
	struct kmprof_settle settle = { .size = sizeof(settle) };
	struct cell cell;
	unsigned int looks;

	ASSERT_EQ(0, ioctl(self->dev, KMPROF_IOC_SETTLE, &settle));
	for (looks = 0; looks < 500; looks++) {
		cell = look(_metadata, self, chain, size);
		if (cell.frees == cell.allocs && !cell.rcu_pending)
			break;
		usleep(20000);
	}
	EXPECT_EQ(allocs, cell.allocs);
	EXPECT_EQ(allocs, cell.frees);
	EXPECT_EQ(0, cell.rcu_pending);
}

/* Each way to allocate with each way to free, of some sizes. */
TEST_F(vmalloc, every_way)
{
	static const uint64_t sizes[] = { 100, PAGE, 3 * PAGE + 1, 64 * PAGE };
	enum { COUNT = 3, SIZES = ARRAY_SIZE(sizes) };
	uint64_t allocs[KMPROF_TEST_VMALLOC_CHAINS][SIZES + 1] = { 0 }, calls = 0, bytes = 0;
	struct snapshot before = take(_metadata, self->dev), after;
	unsigned int how, way, i, chain = 0;

	for (how = 0; how < KMPROF_TEST_NR_VMALLOC_HOWS; how++) {
		for (way = 0; way < KMPROF_TEST_NR_VFREE_HOWS; way++) {
			for (i = 0; i < SIZES; i++) {
				int large = how == KMPROF_TEST_KVMALLOC;
				uint64_t size = large ? BEYOND_KMALLOC : sizes[i];
				unsigned int k = large ? SIZES : i;
				struct kmprof_test_vmalloc op = {
					.op = KMPROF_TEST_ALLOC, .how = how, .chain = chain,
					.count = COUNT, .size = size,
				};
				struct cell cell;

				if (large && i)
					continue;
				ASSERT_EQ(0, run(self->store, &op));
				ASSERT_EQ(COUNT, op.done);
				cell = look(_metadata, self, chain, size);
				EXPECT_EQ(allocs[chain][k] + COUNT, cell.allocs);
				EXPECT_EQ(allocs[chain][k], cell.frees);
				allocs[chain][k] += COUNT;
				calls += COUNT;
				bytes += COUNT * bytes_of(size);

				op.op = KMPROF_TEST_FREE;
				op.how = way;
				ASSERT_EQ(0, run(self->store, &op));
				if (way == KMPROF_TEST_VFREE || way == KMPROF_TEST_KVFREE) {
					cell = look(_metadata, self, chain, size);
					EXPECT_EQ(cell.allocs, cell.frees);
				} else {
					expect_freed(_metadata, self, chain, size,
						     allocs[chain][k]);
				}
				chain = (chain + 1) % KMPROF_TEST_VMALLOC_CHAINS;
			}
		}
	}
	after = take(_metadata, self->dev);
	EXPECT_LE(calls, snapshot_scalar(&after, "total.vmalloc_calls") -
			 snapshot_scalar(&before, "total.vmalloc_calls"));
	EXPECT_LE(bytes, snapshot_scalar(&after, "total.vmalloc_bytes") -
			 snapshot_scalar(&before, "total.vmalloc_bytes"));
	EXPECT_LE(calls, snapshot_scalar(&after, "total.vmalloc_frees") -
			 snapshot_scalar(&before, "total.vmalloc_frees"));
	/* Slab memory is off: not even the descriptions of areas are counted. */
	EXPECT_EQ(0, snapshot_scalar(&after, "total.alloc_calls"));
	EXPECT_EQ(snapshot_scalar(&after, "sampled"),
		  snapshot_scalar(&after, "total.vmalloc_calls"));
	EXPECT_EQ(0, snapshot_loss(&after, "missed_free"));
	snapshot_free(&before);
	snapshot_free(&after);
}

/*
 * What was passed to kvfree_rcu() waits for a grace period: it is no longer in use, and pending
 * until it has been freed. Pending is seen while a reader holds the grace period up: here it only
 * has to be seen in one of many tries.
 */
TEST_F(vmalloc, dying_is_pending)
{
	enum { TRIES = 50, COUNT = 4 };
	unsigned int i, seen = 0;
	struct cell cell;

	for (i = 0; i < TRIES && !seen; i++) {
		struct kmprof_test_vmalloc op = {
			.op = KMPROF_TEST_ALLOC, .count = COUNT, .size = PAGE,
		};

		ASSERT_EQ(0, run(self->store, &op));
		op.op = KMPROF_TEST_FREE;
		op.how = KMPROF_TEST_KVFREE_RCU;
		ASSERT_EQ(0, run(self->store, &op));
		cell = look(_metadata, self, 0, PAGE);
		EXPECT_EQ(cell.allocs, cell.frees);
		seen += cell.rcu_pending != 0;
	}
	EXPECT_LT(0, seen);
	expect_freed(_metadata, self, 0, PAGE, cell.allocs);
}

static int alloc_slot(int store, unsigned int slot)
{
	struct kmprof_test_vmalloc op = {
		.op = KMPROF_TEST_ALLOC, .size = PAGE, .first = slot, .count = 1,
	};

	return run(store, &op);
}

static int free_slots(int store, unsigned int count)
{
	struct kmprof_test_vmalloc op = { .op = KMPROF_TEST_FREE, .count = count };

	return run(store, &op);
}

static struct kind_orders orders_of(const FIXTURE_DATA(vmalloc) *self)
{
	return (struct kind_orders){
		.kind = &vmalloc_kind, .dev = self->dev, .store = self->store,
		.symbols = &self->symbols, .alloc = alloc_slot, .free = free_slots,
	};
}

TEST_F(vmalloc, whole_stacks)
{
	const struct kind_orders orders = orders_of(self);

	expect_whole_stacks(_metadata, &orders);
}

TEST_F(vmalloc, whole_stacks_beside_tracers)
{
	const struct kind_orders orders = orders_of(self);

	expect_whole_stacks_beside_tracers(_metadata, &orders);
}

/* The pages of a chunk of per-CPU memory are mapped by the same function, and are none of it. */
TEST_F(vmalloc, chunks_are_none)
{
	enum { COUNT = 256 };
	struct kmprof_test_percpu op = {
		.op = KMPROF_TEST_ALLOC, .cpu = KMPROF_TEST_CPU_ANY, .size = 32768, .count = COUNT,
	};
	struct snapshot snapshot;
	uint32_t i, k, made = 0;

	ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_PERCPU, &op));
	snapshot = take(_metadata, self->dev);
	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);
		const uint64_t *frames = snapshot_frames(&snapshot, &sample->row);

		for (k = 0; k < sample->row.nr_frames; k++) {
			const struct symbol *symbol = symbols_caller(&self->symbols, frames[k]);

			if (!symbol)
				continue;
			EXPECT_NE(0, strcmp(symbol->name, "pcpu_populate_chunk"));
			made += !strcmp(symbol->name, "pcpu_create_chunk");
		}
	}
	/* There were new chunks: what they are described in is memory of vmalloc. */
	EXPECT_LT(0, made);
	snapshot_free(&snapshot);
	op.op = KMPROF_TEST_FREE;
	EXPECT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_PERCPU, &op));
}

/* What goes is dropped, and what was allocated meanwhile is not known. */
TEST_F(vmalloc, comes_and_goes)
{
	struct kmprof_test_vmalloc op = {
		.op = KMPROF_TEST_ALLOC, .size = PAGE, .count = 1,
	};
	struct snapshot snapshot;
	struct cell cell;

	ASSERT_EQ(0, run(self->store, &op));
	cell = look(_metadata, self, 0, PAGE);
	EXPECT_EQ(1, cell.allocs - cell.frees);
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP, KMPROF_HEAP_SLAB));
	snapshot = take(_metadata, self->dev);
	EXPECT_EQ(0, kind_inuse(&snapshot, KMPROF_KIND_VMALLOC));
	EXPECT_LE(1, snapshot_loss(&snapshot, "untracked"));
	snapshot_free(&snapshot);
	op.first = 1;
	ASSERT_EQ(0, run(self->store, &op));
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP,
			       KMPROF_HEAP_SLAB | KMPROF_HEAP_VMALLOC));
	op = (struct kmprof_test_vmalloc){ .op = KMPROF_TEST_FREE, .count = 2 };
	ASSERT_EQ(0, run(self->store, &op));
	cell = look(_metadata, self, 0, PAGE);
	EXPECT_EQ(cell.allocs, cell.frees);
	op = (struct kmprof_test_vmalloc){ .op = KMPROF_TEST_CHURN, .size = PAGE, .count = 5 };
	ASSERT_EQ(0, run(self->store, &op));
	EXPECT_EQ(cell.allocs + 5, look(_metadata, self, 0, PAGE).allocs);
	EXPECT_EQ(cell.frees + 5, look(_metadata, self, 0, PAGE).frees);
}

/* At a rate the estimate is right within five standard errors, of each size. */
TEST_F(vmalloc, estimates)
{
	static const uint64_t sizes[] = { PAGE, 8 * PAGE, 64 * PAGE };
	enum { RATE = 65536, COUNT = 500 };
	struct snapshot snapshot;
	unsigned int i;

	ASSERT_EQ(0, guest_set_rate(self->dev, RATE));
	ASSERT_EQ(0, guest_reset(self->dev));
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct kmprof_test_vmalloc op = {
			.op = KMPROF_TEST_CHURN, .chain = i, .size = sizes[i], .count = COUNT,
		};

		ASSERT_EQ(0, run(self->store, &op));
	}
	snapshot = take(_metadata, self->dev);
	for (i = 0; i < ARRAY_SIZE(sizes); i++) {
		struct cell cell = kind_cell(&vmalloc_kind, &snapshot, &self->symbols, i, sizes[i]);
		double exact = (double)COUNT * sizes[i];
		/* The variance of the estimate of what is known exactly. */
		double p = -expm1(-(double)sizes[i] / RATE);
		double error = sqrt(COUNT * (1 - p) / p) * sizes[i];

		EXPECT_GE(5 * error, fabs(cell.estimate - exact))
			TH_LOG("size %" PRIu64 ": %.0f of %.0f bytes, standard error %.0f",
			       sizes[i], cell.estimate, exact, error);
		EXPECT_EQ(cell.allocs, cell.frees);
	}
	snapshot_free(&snapshot);
}

TEST_HARNESS_MAIN
