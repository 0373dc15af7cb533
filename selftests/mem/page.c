// SPDX-License-Identifier: GPL-2.0
/*
 * Pages as a kind of memory: with heap_rate=1 every page is counted, for the right chain, whichever
 * function has allocated it, and however the pages of a block are freed.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
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

/* The source is that of slab memory, which is off here: one will do. */
STORE_FIXTURE_OF(page, "tracepoint", "heap_rate=1 heap_peak=1 heap=page " GUEST_ROOMY);

static const char *const inner[] = {
	"__alloc_pages", "alloc_pages", "__get_free_pages", "get_free_pages", "get_zeroed_page",
	"__folio_alloc", "folio_alloc", "__alloc_pages_bulk", "alloc_pages_bulk", NULL
};

static const struct kind page_kind = { KMPROF_KIND_PAGE, 'g', inner };

static int run(int store, struct kmprof_test_page *op)
{
	int error;

	if (!ioctl(store, KMPROF_TEST_IOC_PAGE, op))
		return 0;
	error = errno;
	fprintf(stderr, "# page op %u how %u context %u chain %u order %u pages %u: %u of %u: %s\n",
		op->op, op->how, op->context, op->chain, op->order, op->pages, op->done,
		op->count, strerror(error));
	return -error;
}

/* Allocates blocks and splits them. @op is an order to free a part of each of them then. */
static void alloc_parts(struct __test_metadata *_metadata, FIXTURE_DATA(page) *self,
			struct kmprof_test_page *op, unsigned int parts)
{
	op->op = KMPROF_TEST_ALLOC;
	ASSERT_EQ(0, run(self->store, op));
	op->op = KMPROF_TEST_PAGE_SPLIT;
	ASSERT_EQ(0, run(self->store, op));
	op->op = KMPROF_TEST_FREE;
	op->how = KMPROF_TEST_PAGE_FREE_PARTS;
	op->parts = parts;
}

static struct cell look(struct __test_metadata *_metadata, FIXTURE_DATA(page) *self,
			unsigned int chain)
{
	struct snapshot snapshot = take(_metadata, self->dev);
	struct cell cell = kind_cell(&page_kind, &snapshot, &self->symbols, chain, PAGE);

	snapshot_free(&snapshot);
	return cell;
}

/* Allocates, finds all in use, frees, finds nothing in use. */
static void come_and_go(struct __test_metadata *_metadata, FIXTURE_DATA(page) *self,
			struct kmprof_test_page op, unsigned int way, uint64_t pages)
{
	struct cell before = look(_metadata, self, op.chain), cell;

	op.op = KMPROF_TEST_ALLOC;
	ASSERT_EQ(0, run(self->store, &op));
	cell = look(_metadata, self, op.chain);
	EXPECT_EQ(pages, cell.allocs - cell.frees)
		TH_LOG("how %u order %u pages %u", op.how, op.order, op.pages);
	if (way == KMPROF_TEST_PAGE_FREE_PARTS && op.how != KMPROF_TEST_PAGE_EXACT) {
		op.op = KMPROF_TEST_PAGE_SPLIT;
		ASSERT_EQ(0, run(self->store, &op));
	}
	op.op = KMPROF_TEST_FREE;
	op.how = way;
	op.parts = 2;
	for (op.part = 0; op.part < (way == KMPROF_TEST_PAGE_FREE_PARTS ? 2 : 1); op.part++)
		ASSERT_EQ(0, run(self->store, &op));
	cell = look(_metadata, self, op.chain);
	EXPECT_EQ(0, cell.allocs - cell.frees)
		TH_LOG("freed %u, order %u pages %u", way, op.order, op.pages);
	EXPECT_LE(before.allocs + pages, cell.allocs);
}

static int can_free(unsigned int how, unsigned int way)
{
	switch (how) {
	case KMPROF_TEST_PAGE_COMPOUND:
		return way == KMPROF_TEST_PAGE_FREE_WHOLE || way == KMPROF_TEST_PAGE_FREE_PUT;
	case KMPROF_TEST_PAGE_EXACT:
		return way == KMPROF_TEST_PAGE_FREE_PARTS;
	default:
		return way != KMPROF_TEST_PAGE_FREE_PUT;
	}
}

/* Each way to allocate with each way to free that goes with it, of some orders. */
TEST_F(page, every_way)
{
	static const unsigned int orders[] = { 0, 1, 3, KMPROF_TEST_PAGE_ORDER_MAX };
	enum { COUNT = 3 };
	unsigned int how, way, i, chain = 0;
	struct snapshot snapshot;

	for (how = 0; how < KMPROF_TEST_PAGE_EXACT; how++) {
		for (way = 0; way < KMPROF_TEST_NR_PAGE_FREE_HOWS; way++) {
			for (i = 0; i < ARRAY_SIZE(orders) && can_free(how, way); i++) {
				unsigned int order = how == KMPROF_TEST_PAGE_ZEROED ? 0 : orders[i];
				struct kmprof_test_page op = {
					.how = how, .chain = chain, .order = order, .count = COUNT,
				};

				come_and_go(_metadata, self, op, way, COUNT << order);
				chain = (chain + 1) % KMPROF_TEST_PAGE_CHAINS;
			}
		}
	}
	for (i = 1; i < 40; i += 9) {
		struct kmprof_test_page op = {
			.how = KMPROF_TEST_PAGE_EXACT, .chain = chain, .pages = i, .count = COUNT,
		};

		come_and_go(_metadata, self, op, KMPROF_TEST_PAGE_FREE_PARTS, COUNT * i);
	}
	snapshot = take(_metadata, self->dev);
	EXPECT_EQ(0, snapshot_loss(&snapshot, "missed_free"));
	EXPECT_EQ(0, snapshot_scalar(&snapshot, "total.alloc_calls"));
	EXPECT_LE(snapshot_scalar(&snapshot, "counted"),
		  snapshot_scalar(&snapshot, "total.pages_allocated"));
	snapshot_free(&snapshot);
}

TEST_F(page, every_context)
{
	unsigned int context;

	for (context = 0; context < order_contexts(); context++) {
		struct kmprof_test_page op = { .context = context, .order = 1, .count = 4 };

		come_and_go(_metadata, self, op, KMPROF_TEST_PAGE_FREE_WHOLE, 8);
	}
}

static uint64_t scalar(struct __test_metadata *_metadata, int dev, const char *name)
{
	struct snapshot snapshot = take(_metadata, dev);
	uint64_t value = snapshot_scalar(&snapshot, name);

	snapshot_free(&snapshot);
	return value;
}

static uint64_t lacks(struct __test_metadata *_metadata, int dev)
{
	struct kmprof_info info = { .size = sizeof(info) };

	EXPECT_EQ(0, ioctl(dev, KMPROF_IOC_INFO, &info));
	return info.lacks;
}

/*
 * Pages that come in bulk, into an array or a list. Some calls hand out all; some ask the page
 * allocator for one, whose event is seen: it counts once.
 */
TEST_F(page, in_bulk)
{
	static const unsigned int counts[] = { 1, 2, 7, 100, 512 };
	struct snapshot snapshot;
	unsigned int how, i, context;

	EXPECT_EQ(0, lacks(_metadata, self->dev));
	for (how = KMPROF_TEST_PAGE_BULK_ARRAY; how <= KMPROF_TEST_PAGE_BULK_ONE; how++) {
		for (i = 0; i < ARRAY_SIZE(counts); i++) {
			struct kmprof_test_page op = {
				.how = how, .chain = i % KMPROF_TEST_PAGE_CHAINS,
				.count = counts[i],
			};

			come_and_go(_metadata, self, op, KMPROF_TEST_PAGE_FREE_WHOLE, counts[i]);
		}
		for (context = 0; context < order_contexts(); context++) {
			struct kmprof_test_page op = {
				.how = how, .chain = context % KMPROF_TEST_PAGE_CHAINS,
				.context = context, .count = 5,
			};

			come_and_go(_metadata, self, op, KMPROF_TEST_PAGE_FREE_WHOLE, 5);
		}
	}
	snapshot = take(_metadata, self->dev);
	EXPECT_EQ(0, snapshot_loss(&snapshot, "missed_probe"));
	EXPECT_EQ(0, snapshot_loss(&snapshot, "missed_free"));
	snapshot_free(&snapshot);
}

/* The same at another rate, by the exact total: each page is in it once. */
TEST_F(page, in_bulk_by_the_total)
{
	enum { CALLS = 20, COUNT = 30, OTHERS = 300 };
	struct kmprof_test_page op = { .count = COUNT };
	uint64_t total;
	unsigned int how, i;

	ASSERT_EQ(0, guest_set_rate(self->dev, 1 << 30));
	for (how = KMPROF_TEST_PAGE_BULK_ARRAY; how <= KMPROF_TEST_PAGE_BULK_ONE; how++) {
		ASSERT_EQ(0, guest_reset(self->dev));
		for (i = 0; i < CALLS; i++) {
			op.op = KMPROF_TEST_ALLOC;
			op.how = how;
			ASSERT_EQ(0, run(self->store, &op));
			op.op = KMPROF_TEST_FREE;
			op.how = KMPROF_TEST_PAGE_FREE_WHOLE;
			op.parts = 1;
			ASSERT_EQ(0, run(self->store, &op));
			op.parts = 0;
		}
		total = scalar(_metadata, self->dev, "total.pages_allocated");
		EXPECT_LE(CALLS * COUNT, total)
			TH_LOG("how %u", how);
		/* Those of slabs, page tables and the like. */
		EXPECT_GE(CALLS * COUNT + OTHERS, total)
			TH_LOG("how %u", how);
	}
}

/* What is in the array before the call stays there, and is not counted. */
TEST_F(page, in_bulk_into_holes)
{
	/* One entry in three is full; all but the last one; all but the first one. */
	static const struct { unsigned int count, part, parts, holes; } arrays[] = {
		{ 90, 1, 3, 60 }, { 2, 0, 2, 1 }, { 2, 1, 2, 1 }, { 512, 0, 2, 256 },
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(arrays); i++) {
		struct kmprof_test_page op = {
			.op = KMPROF_TEST_ALLOC, .how = KMPROF_TEST_PAGE_BULK_ARRAY, .chain = i,
			.count = arrays[i].count, .part = arrays[i].part, .parts = arrays[i].parts,
		};
		struct cell cell;

		ASSERT_EQ(0, run(self->store, &op));
		cell = look(_metadata, self, i);
		EXPECT_EQ(arrays[i].holes, cell.allocs - cell.frees)
			TH_LOG("%u entries", arrays[i].count);
		op = (struct kmprof_test_page){
			.op = KMPROF_TEST_FREE, .count = arrays[i].holes, .parts = 1,
		};
		ASSERT_EQ(0, run(self->store, &op));
		cell = look(_metadata, self, i);
		EXPECT_EQ(cell.allocs, cell.frees);
	}
}

/* Behind the first 512 entries of an array, pages are a loss, and counted as one. */
TEST_F(page, in_bulk_of_too_many)
{
	enum { LOOKED_AT = 512, COUNT = 700 };
	struct kmprof_test_page op = {
		.op = KMPROF_TEST_ALLOC, .how = KMPROF_TEST_PAGE_BULK_ARRAY, .count = COUNT,
	};
	struct snapshot snapshot;
	struct cell cell;

	ASSERT_EQ(0, run(self->store, &op));
	snapshot = take(_metadata, self->dev);
	cell = kind_cell(&page_kind, &snapshot, &self->symbols, 0, PAGE);
	EXPECT_LE(LOOKED_AT, cell.allocs);
	EXPECT_EQ(COUNT, cell.allocs + snapshot_loss(&snapshot, "missed_probe"));
	EXPECT_EQ(0, cell.frees);
	snapshot_free(&snapshot);
	op.op = KMPROF_TEST_FREE;
	op.how = KMPROF_TEST_PAGE_FREE_WHOLE;
	op.parts = 1;
	ASSERT_EQ(0, run(self->store, &op));
	cell = look(_metadata, self, 0);
	EXPECT_EQ(cell.allocs, cell.frees);
}

/* Turns pages off and on while a file holds "0". Returns the result, and in @lacking what lacks. */
static int on_without(struct __test_metadata *_metadata, FIXTURE_DATA(page) *self,
		      const char *file, uint64_t *lacking)
{
	int ret;

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP, 0));
	ASSERT_EQ(0, guest_write_file(file, "0"));
	ret = guest_set(self->dev, KMPROF_SETTING_HEAP, KMPROF_HEAP_PAGE);
	*lacking = lacks(_metadata, self->dev);
	EXPECT_EQ(0, guest_write_file(file, "1"));
	return ret;
}

/* Where the function cannot be probed, that is lacking, until the kind is turned on again. */
TEST_F(page, in_bulk_without_probes)
{
	struct kmprof_test_page plain = { .count = 5 };
	struct kmprof_test_page bulk = {
		.op = KMPROF_TEST_ALLOC, .how = KMPROF_TEST_PAGE_BULK_ARRAY, .chain = 1, .count = 5,
	};
	uint64_t lacking;

	ASSERT_EQ(0, on_without(_metadata, self, "/proc/sys/kernel/ftrace_enabled", &lacking));
	EXPECT_EQ(KMPROF_LACKS_BULK_PAGES | KMPROF_LACKS_KPROBES, lacking);
	ASSERT_EQ(0, on_without(_metadata, self, "/sys/kernel/debug/kprobes/enabled", &lacking));
	EXPECT_EQ(KMPROF_LACKS_BULK_PAGES | KMPROF_LACKS_KPROBES, lacking);
	EXPECT_EQ(KMPROF_LACKS_BULK_PAGES, lacks(_metadata, self->dev));
	come_and_go(_metadata, self, plain, KMPROF_TEST_PAGE_FREE_WHOLE, 5);
	ASSERT_EQ(0, run(self->store, &bulk));
	EXPECT_EQ(0, look(_metadata, self, 1).allocs);
	bulk.op = KMPROF_TEST_FREE;
	bulk.how = KMPROF_TEST_PAGE_FREE_WHOLE;
	bulk.parts = 1;
	ASSERT_EQ(0, run(self->store, &bulk));

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP, 0));
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP, KMPROF_HEAP_PAGE));
	EXPECT_EQ(0, lacks(_metadata, self->dev));
	plain.how = KMPROF_TEST_PAGE_BULK_ARRAY;
	come_and_go(_metadata, self, plain, KMPROF_TEST_PAGE_FREE_WHOLE, 5);
}

/* Memory of user space and the page cache. */
TEST_F(page, movable_ones_are_none)
{
	struct kmprof_test_page op = {
		.op = KMPROF_TEST_CHURN, .how = KMPROF_TEST_PAGE_MOVABLE, .count = 10,
	};

	ASSERT_EQ(0, run(self->store, &op));
	EXPECT_EQ(0, look(_metadata, self, 0).allocs);
}

/* Sampled pages in use that were asked for as movable. */
static uint64_t movable(struct __test_metadata *_metadata, FIXTURE_DATA(page) *self)
{
	struct snapshot snapshot = take(_metadata, self->dev);
	uint64_t pages = 0;
	uint32_t i;

	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);

		if (sample->gfp_class == KMPROF_GFP_MOVABLE)
			pages += sample->allocs - sample->frees;
	}
	snapshot_free(&snapshot);
	return pages;
}

/* ... unless the user wants them. What is in use when they are not wanted any more is freed. */
TEST_F(page, movable_ones_are_asked_for)
{
	enum { USED = 1024 };
	struct kmprof_test_page op = {
		.op = KMPROF_TEST_ALLOC, .how = KMPROF_TEST_PAGE_MOVABLE, .order = 1, .count = 10,
	};
	struct kmprof_test_page plain = {
		.op = KMPROF_TEST_CHURN, .chain = 1, .order = 1, .count = 4,
	};
	uint64_t before, with;
	struct cell cell;
	void *memory;

	EXPECT_EQ(-EINVAL, guest_set(self->dev, KMPROF_SETTING_HEAP, KMPROF_HEAP_MOVABLE));
	EXPECT_EQ(-EINVAL, guest_set(self->dev, KMPROF_SETTING_HEAP,
				     KMPROF_HEAP_MOVABLE | KMPROF_HEAP_SLAB));
	ASSERT_EQ(0, run(self->store, &plain));
	EXPECT_EQ(0, movable(_metadata, self));

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP,
			       KMPROF_HEAP_MOVABLE | KMPROF_HEAP_PAGE));
	ASSERT_EQ(0, run(self->store, &op));
	EXPECT_EQ(20, look(_metadata, self, 0).allocs);
	before = movable(_metadata, self);
	EXPECT_LE(20, before);
	/* Memory of user space, page by page or as huge pages. */
	memory = mmap(NULL, USED * PAGE, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	ASSERT_NE(MAP_FAILED, memory);
	with = movable(_metadata, self);
	EXPECT_LE(before + USED, with);
	ASSERT_EQ(0, munmap(memory, USED * PAGE));
	EXPECT_GE(with - USED / 2, movable(_metadata, self));

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP, KMPROF_HEAP_PAGE));
	op.op = KMPROF_TEST_FREE;
	op.how = KMPROF_TEST_PAGE_FREE_WHOLE;
	op.parts = 1;
	ASSERT_EQ(0, run(self->store, &op));
	cell = look(_metadata, self, 0);
	EXPECT_EQ(20, cell.allocs);
	EXPECT_EQ(20, cell.frees);
	op.op = KMPROF_TEST_CHURN;
	op.how = KMPROF_TEST_PAGE_MOVABLE;
	ASSERT_EQ(0, run(self->store, &op));
	EXPECT_EQ(20, look(_metadata, self, 0).allocs);
	come_and_go(_metadata, self, plain, KMPROF_TEST_PAGE_FREE_WHOLE, 8);
}

/**
 * struct part - a thread that frees a part of each block
 * @store: the test module
 * @op: its order
 * @ret: what became of it
 */
struct part {
	int store;
	struct kmprof_test_page op;
	int ret;
};

static void *free_part(void *arg)
{
	struct part *part = arg;

	part->ret = run(part->store, &part->op);
	return NULL;
}

/*
 * The parts of a block are freed on several CPUs at once, and some while the drain looks for the
 * bucket of its stack: whoever comes first, all of them are counted once.
 */
TEST_F_TIMEOUT(page, parts_at_the_same_time, 300)
{
	enum { BLOCKS = 200, ORDER = 3, PARTS = 4 };
	const unsigned int rounds = 4 + guest_effort(60);
	struct part parts[PARTS];
	pthread_t threads[PARTS];
	unsigned int round, i;
	struct cell cell;

	for (round = 0; round < rounds; round++) {
		struct kmprof_test_page op = {
			.chain = round % KMPROF_TEST_PAGE_CHAINS, .order = ORDER, .count = BLOCKS,
		};

		/* Now and then there are no buckets yet. */
		if (round % 2)
			ASSERT_EQ(0, guest_reset(self->dev));
		alloc_parts(_metadata, self, &op, PARTS);
		for (i = 0; i < PARTS; i++) {
			op.part = i;
			parts[i] = (struct part){ .store = self->store, .op = op };
			ASSERT_EQ(0, pthread_create(&threads[i], NULL, free_part, &parts[i]));
		}
		for (i = 0; i < PARTS; i++) {
			ASSERT_EQ(0, pthread_join(threads[i], NULL));
			EXPECT_EQ(0, parts[i].ret);
		}
		cell = look(_metadata, self, op.chain);
		EXPECT_LE(BLOCKS << ORDER, cell.allocs);
		EXPECT_EQ(cell.allocs, cell.frees)
			TH_LOG("round %u", round);
	}
}

/* A reset while parts are freed: what is left of the blocks is not counted any more. */
TEST_F_TIMEOUT(page, reset_meanwhile, 300)
{
	enum { BLOCKS = 400, ORDER = 3 };
	const unsigned int rounds = 4 + guest_effort(40);
	unsigned int round;

	for (round = 0; round < rounds; round++) {
		struct kmprof_test_page op = { .order = ORDER, .count = BLOCKS };
		struct part part;
		pthread_t thread;
		struct cell cell;

		alloc_parts(_metadata, self, &op, 1);
		part = (struct part){ .store = self->store, .op = op };
		ASSERT_EQ(0, pthread_create(&thread, NULL, free_part, &part));
		ASSERT_EQ(0, guest_reset(self->dev));
		ASSERT_EQ(0, pthread_join(thread, NULL));
		EXPECT_EQ(0, part.ret);
		cell = look(_metadata, self, 0);
		EXPECT_EQ(cell.allocs, cell.frees);
	}
}

/* Frees the first or the last page of a split block of four. */
static void break_block(struct __test_metadata *_metadata, FIXTURE_DATA(page) *self,
			unsigned int page)
{
	struct kmprof_test_page op = { .order = 2, .count = 1 };

	alloc_parts(_metadata, self, &op, 4);
	op.part = page;
	ASSERT_EQ(0, run(self->store, &op));
}

static void mend_block(struct __test_metadata *_metadata, FIXTURE_DATA(page) *self,
		       unsigned int page)
{
	struct kmprof_test_page op = {
		.op = KMPROF_TEST_FREE, .how = KMPROF_TEST_PAGE_FREE_PARTS, .count = 1, .parts = 4,
	};
	struct cell cell;

	for (op.part = 0; op.part < 4; op.part++)
		if (op.part != page)
			ASSERT_EQ(0, run(self->store, &op));
	cell = look(_metadata, self, 0);
	EXPECT_EQ(cell.allocs, cell.frees);
}

/*
 * A page that has been freed is allocated again at once, and freed again. That is no free of the
 * block that it was part of, whether the page is followed now or not.
 */
TEST_F(page, a_reused_page_is_another_one)
{
	static const unsigned int hows[] = { KMPROF_TEST_PAGE_PLAIN, KMPROF_TEST_PAGE_MOVABLE };
	unsigned int i, page;
	struct snapshot snapshot;
	struct cell cell;

	for (i = 0; i < ARRAY_SIZE(hows); i++) {
		for (page = 0; page < 4; page += 3) {
			struct kmprof_test_page op = {
				.op = KMPROF_TEST_CHURN, .how = hows[i], .chain = 1, .count = 50,
			};

			break_block(_metadata, self, page);
			ASSERT_EQ(0, run(self->store, &op));
			cell = look(_metadata, self, 0);
			EXPECT_EQ(3, cell.allocs - cell.frees)
				TH_LOG("page %u, how %u", page, hows[i]);
			mend_block(_metadata, self, page);
		}
	}
	snapshot = take(_metadata, self->dev);
	EXPECT_EQ(0, snapshot_loss(&snapshot, "missed_free"));
	snapshot_free(&snapshot);
}

/* What other allocators make their objects of is theirs: no stack begins in one of them. */
TEST_F(page, taken_pages_are_none)
{
	static const char *const takers[] = {
		"allocate_slab", "new_slab", "___slab_alloc", "__slab_alloc", "kmalloc_large",
		"__kmalloc_large", "___kmalloc_large", "__vmalloc", "vm_area_alloc_pages",
		"pcpu_populate_chunk", "pcpu_alloc_pages", "alloc_pages_bulk", "__alloc_pages_bulk",
	};
	struct kmprof_test_op slabs = {
		.op = KMPROF_TEST_ALLOC, .cpu = KMPROF_TEST_CPU_ANY, .size = 2048, .count = 1000,
	};
	struct kmprof_test_op large = {
		.op = KMPROF_TEST_CHURN, .cpu = KMPROF_TEST_CPU_ANY, .size = 64 << 10, .count = 20,
	};
	struct kmprof_test_vmalloc areas = {
		.op = KMPROF_TEST_CHURN, .size = 16 * PAGE, .count = 20,
	};
	struct kmprof_test_percpu percpu = {
		.op = KMPROF_TEST_ALLOC, .cpu = KMPROF_TEST_CPU_ANY, .size = 32768, .count = 100,
	};
	struct snapshot snapshot;
	uint32_t i, k, found = 0;

	ASSERT_EQ(0, order_run(self->store, &slabs));
	ASSERT_EQ(0, order_run(self->store, &large));
	ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_VMALLOC, &areas));
	ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_PERCPU, &percpu));
	snapshot = take(_metadata, self->dev);
	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);
		const uint64_t *frames = snapshot_frames(&snapshot, &sample->row);
		const struct symbol *symbol = symbols_caller(&self->symbols, frames[0]);

		EXPECT_EQ(KMPROF_KIND_PAGE, sample->kind);
		found++;
		for (k = 0; symbol && k < ARRAY_SIZE(takers); k++)
			EXPECT_NE(0, strncmp(symbol->name, takers[k], strlen(takers[k])))
				TH_LOG("%s", symbol->name);
	}
	/* The page tables of the new areas, at least. */
	EXPECT_LT(0, found);
	/* What the others have taken is in the total. */
	EXPECT_LT(snapshot_scalar(&snapshot, "sampled") + 1000 * 2048 / PAGE,
		  snapshot_scalar(&snapshot, "total.pages_allocated"));
	snapshot_free(&snapshot);
	percpu.op = KMPROF_TEST_FREE;
	EXPECT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_PERCPU, &percpu));
	slabs.op = KMPROF_TEST_FREE;
	EXPECT_EQ(0, order_run(self->store, &slabs));
}

static int alloc_slot(int store, unsigned int slot)
{
	struct kmprof_test_page op = { .op = KMPROF_TEST_ALLOC, .first = slot, .count = 1 };

	return run(store, &op);
}

static int alloc_slot_in_bulk(int store, unsigned int slot)
{
	struct kmprof_test_page op = {
		.op = KMPROF_TEST_ALLOC, .how = KMPROF_TEST_PAGE_BULK_ARRAY, .first = slot,
		.count = 2, .part = 1, .parts = 2,
	};

	return run(store, &op);
}

static int free_slots(int store, unsigned int count)
{
	struct kmprof_test_page op = { .op = KMPROF_TEST_FREE, .count = count, .parts = 1 };

	return run(store, &op);
}

static struct kind_orders orders_of(const FIXTURE_DATA(page) *self)
{
	return (struct kind_orders){
		.kind = &page_kind, .dev = self->dev, .store = self->store,
		.symbols = &self->symbols, .alloc = alloc_slot, .free = free_slots,
	};
}

TEST_F(page, whole_stacks)
{
	const struct kind_orders orders = orders_of(self);

	expect_whole_stacks(_metadata, &orders);
}

TEST_F(page, whole_stacks_in_bulk)
{
	struct kind_orders orders = orders_of(self);

	orders.alloc = alloc_slot_in_bulk;
	expect_whole_stacks(_metadata, &orders);
}

TEST_F(page, whole_stacks_beside_tracers)
{
	const struct kind_orders orders = orders_of(self);

	expect_whole_stacks_beside_tracers(_metadata, &orders);
}

TEST_F(page, whole_stacks_in_bulk_beside_tracers)
{
	struct kind_orders orders = orders_of(self);

	orders.alloc = alloc_slot_in_bulk;
	expect_whole_stacks_beside_tracers(_metadata, &orders);
}

/* What goes is dropped, a block in part, too; and what was allocated meanwhile is not known. */
TEST_F(page, comes_and_goes)
{
	struct kmprof_test_page op = { .order = 2, .count = 2 };
	struct snapshot snapshot;
	struct cell cell;

	alloc_parts(_metadata, self, &op, 4);
	ASSERT_EQ(0, run(self->store, &op));
	cell = look(_metadata, self, 0);
	EXPECT_EQ(8, cell.allocs);
	EXPECT_EQ(2, cell.frees);
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP, KMPROF_HEAP_SLAB));
	snapshot = take(_metadata, self->dev);
	EXPECT_EQ(0, kind_inuse(&snapshot, KMPROF_KIND_PAGE));
	EXPECT_LE(6, snapshot_loss(&snapshot, "untracked"));
	snapshot_free(&snapshot);
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP,
			       KMPROF_HEAP_SLAB | KMPROF_HEAP_PAGE));
	for (op.part = 1; op.part < 4; op.part++)
		ASSERT_EQ(0, run(self->store, &op));
	cell = look(_metadata, self, 0);
	EXPECT_EQ(cell.allocs, cell.frees);
}

/*
 * At a rate the estimate is right within five standard errors, of each order. The pages of a block
 * come together.
 */
TEST_F(page, estimates)
{
	static const unsigned int orders[] = { 0, 3, 5 };
	enum { RATE = 262144, COUNT = 3000 };
	struct snapshot snapshot;
	unsigned int i;

	ASSERT_EQ(0, guest_set_rate(self->dev, RATE));
	ASSERT_EQ(0, guest_reset(self->dev));
	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		struct kmprof_test_page op = {
			.op = KMPROF_TEST_CHURN, .chain = i, .order = orders[i], .count = COUNT,
		};

		ASSERT_EQ(0, run(self->store, &op));
	}
	snapshot = take(_metadata, self->dev);
	for (i = 0; i < ARRAY_SIZE(orders); i++) {
		struct cell cell = kind_cell(&page_kind, &snapshot, &self->symbols, i, PAGE);
		double size = PAGE << orders[i], exact = COUNT * size;
		/* The variance of the estimate of what is known exactly. */
		double p = -expm1(-size / RATE), error = sqrt(COUNT * (1 - p) / p) * size;

		EXPECT_GE(5 * error, fabs(cell.estimate - exact))
			TH_LOG("order %u: %.0f of %.0f bytes, standard error %.0f", orders[i],
			       cell.estimate, exact, error);
		/* The error that the samples tell is about that. */
		EXPECT_GT(1.5, sqrt(cell.variance) / error);
		EXPECT_LT(0.5, sqrt(cell.variance) / error);
		EXPECT_EQ(cell.allocs, cell.frees);
	}
	snapshot_free(&snapshot);
}

TEST_HARNESS_MAIN
