// SPDX-License-Identifier: GPL-2.0
/*
 * Memory in the execution trace, against the heap profile: both have the same samples, with the
 * same stacks; and each object is allocated, freed and allocated again in that order, wherever that
 * happens.
 *
 * The profile has the allocations of the test module only: nobody else's come between its reset and
 * the trace.
 */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kind_expect.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/snapshot.h"
#include "trace/memory.h"
#include "trace/session.h"

#define EVENT(name)	(1ULL << KMPROF_TRACE_##name)
#define HEAP	(EVENT(ALLOC) | EVENT(FREE))
#define KINDS	"heap=slab,page,vmalloc,percpu"

enum {
	EACH		= 24,	/* objects of an order */
	THREADS		= 4,
	ROUNDS		= 40,	/* of a thread */
	MANY		= 64,	/* objects of a thread in a round */
	RATE		= 4096,
};

/* Has the profile see the test module only. */
static int load(const char *source, const char *params, int *dev, int *store)
{
	int err = guest_load(source, params);

	if (err)
		return err;
	*dev = guest_open();
	*store = order_open();
	if (*dev < 0 || *store < 0)
		return -ENODEV;
	return guest_set_text(*dev, KMPROF_SETTING_HEAP_FILTER, "module=kmprof_test");
}

FIXTURE(samples) {
	int dev;
	int store;
	struct session s;
	struct memory memory;
	struct snapshot snapshot;
};

GUEST_SOURCE_VARIANTS(samples);

FIXTURE_SETUP(samples)
{
	ASSERT_EQ(0, load(variant->source, "heap_rate=1 " KINDS " " GUEST_ROOMY, &self->dev,
			  &self->store));
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(samples)
{
	memory_free(&self->memory);
	snapshot_free(&self->snapshot);
	session_free(&self->s);
	close(self->store);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static void begin(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self)
{
	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, session_start_stacks(self->dev, &self->s, HEAP, 64 << 20));
}

/* Once the grace periods have ended: what waits for them is freed then. */
static void end(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self)
{
	ASSERT_EQ(0, guest_settle(self->dev));
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	EXPECT_EQ(0, session_lost(&self->s));
	EXPECT_EQ(0, session_stackless(&self->s));
	ASSERT_EQ(0, memory_read(&self->memory, &self->s));
	self->snapshot = take(_metadata, self->dev);
}

static void expect_order(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self)
{
	const struct memory_step *wrong = memory_wrong(&self->memory);

	EXPECT_EQ(NULL, wrong)
		TH_LOG("%s of kind %" PRIu64 " at %#" PRIx64 ", %" PRIu64 " bytes for %" PRIu64,
		       wrong->is_alloc ? "alloc" : "free", wrong->kind, wrong->where,
		       wrong->bytes, wrong->weight);
}

static int is_of(const struct memory_step *step, const struct snapshot *snapshot,
		 const struct kmprof_image_sample *sample)
{
	return step->is_alloc && step->kind == sample->kind &&
	       step->bytes == sample->object_size &&
	       step->stack->nr_frames == sample->row.nr_frames &&
	       !memcmp(step->stack->frames, snapshot_frames(snapshot, &sample->row),
		       sample->row.nr_frames * sizeof(uint64_t));
}

/* Of a row: how many objects, and bytes that they stand for. */
static void expect_row(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self,
		       const struct kmprof_image_sample *sample, uint64_t rate, uint64_t *seen)
{
	uint64_t allocs = 0, weight = 0, i;
	double one = sample->object_size;

	if (sample->period > 1)
		one /= -expm1(-(double)sample->object_size / sample->period);
	for (i = 0; i < self->memory.nr; i++) {
		const struct memory_step *step = &self->memory.steps[i];

		if (!is_of(step, &self->snapshot, sample) ||
		    fabs(step->weight - one) > 1 + one / 1e6)
			continue;
		allocs++;
		weight += step->weight;
	}
	EXPECT_EQ(sample->allocs, allocs)
		TH_LOG("kind %u, %" PRIu64 " bytes, period %" PRIu64, sample->kind,
		       (uint64_t)sample->object_size, (uint64_t)sample->period);
	if (rate == 1)
		EXPECT_EQ(allocs * sample->object_size, weight);
	*seen += allocs;
}

/* Each sample of the profile is one of the trace, and the other way round. */
static void expect_same(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self,
			uint64_t rate)
{
	uint64_t allocs[MEMORY_KINDS] = {}, frees[MEMORY_KINDS] = {}, seen = 0;
	uint32_t i, kind;

	for (i = 0; i < snapshot_rows(&self->snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&self->snapshot, i);

		ASSERT_GT(MEMORY_KINDS, sample->kind);
		allocs[sample->kind] += sample->allocs;
		frees[sample->kind] += sample->frees;
		EXPECT_EQ(0, sample->rcu_pending);
		expect_row(_metadata, self, sample, rate, &seen);
	}
	for (kind = 0; kind < MEMORY_KINDS; kind++) {
		EXPECT_EQ(allocs[kind], self->memory.allocs[kind])
			TH_LOG("kind %u", kind);
		EXPECT_EQ(frees[kind], self->memory.frees[kind])
			TH_LOG("kind %u", kind);
		seen -= self->memory.allocs[kind];
	}
	EXPECT_EQ(0, seen);
}

static int slab(int store, unsigned int op, unsigned int how, unsigned int size,
		unsigned int context, unsigned int first, int cpu)
{
	struct kmprof_test_op order = {
		.op = op, .chain = first / EACH % KMPROF_TEST_CHAINS, .method = how, .free = how,
		.context = context, .cpu = cpu, .size = size, .first = first, .count = EACH,
	};

	return order_run(store, &order);
}

/* In each context, with the ways to free by turns; those of the last one stay in use. */
static int all_of_slab(int store)
{
	static const unsigned int frees[] = {
		KMPROF_TEST_KFREE, KMPROF_TEST_KFREE_RCU, KMPROF_TEST_CALL_RCU,
	};
	unsigned int context, first = 0, i;
	int ret = 0;

	for (context = 0; !ret && context < order_contexts(); context++) {
		for (i = 0; !ret && i < 4; i++, first += EACH) {
			ret = slab(store, KMPROF_TEST_ALLOC, KMPROF_TEST_KMALLOC_VARIABLE,
				   64 << 2 * i, context, first, i % 2);
			if (!ret && i < ARRAY_SIZE(frees))
				ret = slab(store, KMPROF_TEST_FREE, frees[i], 0, context, first,
					   1 - (int)i % 2);
		}
	}
	return ret;
}

static int percpu(int store, unsigned int op, unsigned int first)
{
	struct kmprof_test_percpu order = {
		.op = op, .chain = 1, .cpu = KMPROF_TEST_CPU_ANY, .size = 256, .first = first,
		.count = EACH,
	};

	return ioctl(store, KMPROF_TEST_IOC_PERCPU, &order) ? -errno : 0;
}

static int vmalloc(int store, unsigned int op, unsigned int how, unsigned int first)
{
	struct kmprof_test_vmalloc order = {
		.op = op, .chain = 2, .how = how, .size = 20000, .first = first, .count = EACH,
	};

	return ioctl(store, KMPROF_TEST_IOC_VMALLOC, &order) ? -errno : 0;
}

static int page(int store, unsigned int op, unsigned int how, unsigned int order,
		unsigned int first, unsigned int part, unsigned int parts)
{
	struct kmprof_test_page request = {
		.op = op, .chain = order % KMPROF_TEST_PAGE_CHAINS, .how = how, .order = order,
		.first = first, .count = EACH, .part = part, .parts = parts,
	};

	return ioctl(store, KMPROF_TEST_IOC_PAGE, &request) ? -errno : 0;
}

/* A block of this order is freed whole, one in parts; a part of a third one stays in use. */
static int pages_of(int store, unsigned int order, unsigned int first)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < 3; i++) {
		ret = page(store, KMPROF_TEST_ALLOC, KMPROF_TEST_PAGE_PLAIN, order,
			   first + i * EACH, 0, 0);
		if (!ret && i)
			ret = page(store, KMPROF_TEST_PAGE_SPLIT, 0, order, first + i * EACH, 0, 0);
	}
	if (!ret)
		ret = page(store, KMPROF_TEST_FREE, KMPROF_TEST_PAGE_FREE_WHOLE, order, first, 0,
			   1);
	for (i = 0; !ret && i < 3; i++)
		ret = page(store, KMPROF_TEST_FREE, KMPROF_TEST_PAGE_FREE_PARTS, order,
			   first + (1 + i / 2) * EACH, i % 2, 2);
	return ret;
}

/* What pages_of() has left. */
static int free_pages_of(int store, unsigned int order, unsigned int first)
{
	return page(store, KMPROF_TEST_FREE, KMPROF_TEST_PAGE_FREE_PARTS, order, first + 2 * EACH,
		    1, 2);
}

/* Each has a chain of its own. */
static const unsigned int page_orders[] = { 0, 1, 3, KMPROF_TEST_PAGE_ORDER_MAX };

static int everything(int store)
{
	unsigned int i;
	int ret = all_of_slab(store);

	if (!ret)
		ret = percpu(store, KMPROF_TEST_ALLOC, 0);
	if (!ret)
		ret = percpu(store, KMPROF_TEST_ALLOC, EACH);
	if (!ret)
		ret = percpu(store, KMPROF_TEST_FREE, 0);
	if (!ret)
		ret = vmalloc(store, KMPROF_TEST_ALLOC, KMPROF_TEST_VMALLOC_PLAIN, 0);
	if (!ret)
		ret = vmalloc(store, KMPROF_TEST_ALLOC, KMPROF_TEST_VMALLOC_ZEROED, EACH);
	if (!ret)
		ret = vmalloc(store, KMPROF_TEST_FREE, KMPROF_TEST_VFREE, 0);
	for (i = 0; !ret && i < ARRAY_SIZE(page_orders); i++)
		ret = pages_of(store, page_orders[i], 3 * EACH * i);
	return ret;
}

static int free_rest(int store)
{
	unsigned int i;
	int ret = percpu(store, KMPROF_TEST_FREE, EACH);

	if (!ret)
		ret = vmalloc(store, KMPROF_TEST_FREE, KMPROF_TEST_VFREE, EACH);
	for (i = 0; !ret && i < ARRAY_SIZE(page_orders); i++)
		ret = free_pages_of(store, page_orders[i], 3 * EACH * i);
	for (i = 0; !ret && i < order_contexts(); i++)
		ret = slab(store, KMPROF_TEST_FREE, KMPROF_TEST_KFREE, 0, KMPROF_TEST_TASK,
			   (4 * i + 3) * EACH, 0);
	return ret;
}

static void run_everything(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self,
			   uint64_t rate)
{
	ASSERT_EQ(0, guest_set_rate(self->dev, rate));
	begin(_metadata, self);
	ASSERT_EQ(0, everything(self->store));
	end(_metadata, self);
	EXPECT_EQ(0, free_rest(self->store));
	expect_order(_metadata, self);
	expect_same(_metadata, self, rate);
}

TEST_F(samples, all_are_those_of_the_profile)
{
	unsigned int i;

	run_everything(_metadata, self, 1);
	for (i = 0; i < MEMORY_KINDS; i++)
		EXPECT_LT(0, self->memory.frees[i]);
	for (i = 0; i < MEMORY_CONTEXTS; i++)
		EXPECT_EQ(i < order_contexts(), !!self->memory.in_context[i]);
}

TEST_F(samples, some_are_those_of_the_profile)
{
	run_everything(_metadata, self, RATE);
}

/* A thread that frees what another one has allocated. */
struct mover {
	pthread_t thread;
	pthread_barrier_t *barrier;
	int store;
	unsigned int number;
	unsigned int rounds;
	int ret;
};

static int move(const struct mover *mover, unsigned int op, unsigned int whose)
{
	struct kmprof_test_op order = {
		.op = op, .chain = mover->number, .cpu = KMPROF_TEST_CPU_ANY,
		.method = KMPROF_TEST_KMALLOC_VARIABLE, .size = 128, .count = MANY,
		.first = whose * MANY,
	};

	return order_run(mover->store, &order);
}

static void *run_mover(void *data)
{
	struct mover *mover = data;
	unsigned int i, other = (mover->number + 1) % THREADS;

	for (i = 0; i < mover->rounds; i++) {
		if (!mover->ret)
			mover->ret = move(mover, KMPROF_TEST_ALLOC, mover->number);
		pthread_barrier_wait(mover->barrier);
		if (!mover->ret)
			mover->ret = move(mover, KMPROF_TEST_FREE, other);
		pthread_barrier_wait(mover->barrier);
	}
	return NULL;
}

/* All objects are freed, on any CPU, and the memory is used again. */
TEST_F(samples, causes_come_before_effects)
{
	struct mover movers[THREADS] = {};
	pthread_barrier_t barrier;
	unsigned int i;

	ASSERT_EQ(0, pthread_barrier_init(&barrier, NULL, THREADS));
	begin(_metadata, self);
	for (i = 0; i < THREADS; i++) {
		movers[i] = (struct mover) {
			.barrier = &barrier, .store = self->store, .number = i,
			.rounds = 1 + guest_effort(ROUNDS),
		};
		ASSERT_EQ(0, pthread_create(&movers[i].thread, NULL, run_mover, &movers[i]));
	}
	for (i = 0; i < THREADS; i++) {
		ASSERT_EQ(0, pthread_join(movers[i].thread, NULL));
		EXPECT_EQ(0, movers[i].ret);
	}
	end(_metadata, self);
	expect_order(_metadata, self);
	expect_same(_metadata, self, 1);
	EXPECT_EQ(THREADS * MANY * movers[0].rounds, self->memory.allocs[KMPROF_KIND_SLAB]);
	EXPECT_EQ(THREADS * MANY * movers[0].rounds, self->memory.frees[KMPROF_KIND_SLAB]);
}

/* What is not followed any more is told as freed, once. */
static void expect_forgotten(struct __test_metadata *_metadata, FIXTURE_DATA(samples) *self)
{
	unsigned int i;

	ASSERT_EQ(0, free_rest(self->store));
	end(_metadata, self);
	expect_order(_metadata, self);
	for (i = 0; i < MEMORY_KINDS; i++) {
		EXPECT_LT(0, self->memory.allocs[i]);
		EXPECT_EQ(self->memory.allocs[i], self->memory.frees[i])
			TH_LOG("kind %u", i);
	}
}

TEST_F(samples, a_reset_forgets_them)
{
	begin(_metadata, self);
	ASSERT_EQ(0, everything(self->store));
	ASSERT_EQ(0, guest_reset(self->dev));
	expect_forgotten(_metadata, self);
}

TEST_F(samples, no_kind_is_followed_that_is_off)
{
	begin(_metadata, self);
	ASSERT_EQ(0, everything(self->store));
	ASSERT_EQ(0, guest_set_text(self->dev, KMPROF_SETTING_HEAP, "slab"));
	/* While all are off, the profile keeps what there was, and so does the trace. */
	ASSERT_EQ(0, guest_set_rate(self->dev, 0));
	ASSERT_EQ(0, guest_set_rate(self->dev, 1));
	expect_forgotten(_metadata, self);
}

/* Without addresses, what is told of an object is the same when it is freed. */
TEST_F(samples, numbers_without_stacks)
{
	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, session_start(self->dev, &self->s, HEAP, 0));
	ASSERT_EQ(0, slab(self->store, KMPROF_TEST_ALLOC, KMPROF_TEST_KMALLOC_VARIABLE, 512,
			  KMPROF_TEST_TASK, 0, 0));
	ASSERT_EQ(0, slab(self->store, KMPROF_TEST_FREE, KMPROF_TEST_KFREE, 0, KMPROF_TEST_TASK, 0,
			  1));
	end(_metadata, self);
	expect_order(_metadata, self);
	EXPECT_EQ(EACH, self->memory.allocs[KMPROF_KIND_SLAB]);
	EXPECT_EQ(EACH, self->memory.frees[KMPROF_KIND_SLAB]);
	EXPECT_EQ(0, self->memory.steps[0].where >> 56);
}

/* With the smallest limits, what finds no place in the profile is not in use in the trace. */
FIXTURE(few_places) {
	int dev;
	int store;
	struct session s;
};

FIXTURE_SETUP(few_places)
{
	ASSERT_EQ(0, load("tracepoint", "heap_rate=1 max_buckets=16 max_live=64 ring_bytes=4096",
			  &self->dev, &self->store));
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(few_places)
{
	session_free(&self->s);
	close(self->store);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

TEST_F(few_places, what_is_lost_is_not_in_use)
{
	uint64_t in_use = 0, losses;
	struct snapshot snapshot;
	struct memory memory;
	unsigned int i;
	uint32_t row;

	ASSERT_EQ(0, guest_reset(self->dev));
	ASSERT_EQ(0, session_start_stacks(self->dev, &self->s, HEAP, 0));
	for (i = 0; i < 12; i++)
		ASSERT_EQ(0, slab(self->store, KMPROF_TEST_ALLOC, KMPROF_TEST_KMALLOC_VARIABLE,
				  64 << i % 3, KMPROF_TEST_TASK, i * EACH, i % 2));
	for (i = 0; i < 12; i += 2)
		ASSERT_EQ(0, slab(self->store, KMPROF_TEST_FREE, KMPROF_TEST_KFREE, 0,
				  KMPROF_TEST_TASK, i * EACH, 0));
	ASSERT_EQ(0, guest_settle(self->dev));
	snapshot = take(_metadata, self->dev);
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, memory_read(&memory, &self->s));
	for (row = 0; row < snapshot_rows(&snapshot, "heap"); row++)
		in_use += snapshot_sample(&snapshot, row)->allocs -
			  snapshot_sample(&snapshot, row)->frees;
	losses = snapshot_lost(&snapshot, "heap");
	EXPECT_LT(0, losses);
	EXPECT_EQ(in_use, memory.allocs[KMPROF_KIND_SLAB] - memory.frees[KMPROF_KIND_SLAB])
		TH_LOG("%" PRIu64 " losses", losses);
	memory_free(&memory);
	snapshot_free(&snapshot);
}

TEST_HARNESS_MAIN
