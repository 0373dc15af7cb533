// SPDX-License-Identifier: GPL-2.0
/*
 * How old memory in use is, and whose: each sampled object has the cycle and the time of its
 * allocation, and on request the task that has allocated it, for as long as it is in use, and no
 * longer. That objects and rows of an image agree is checked of
 * every image that any test takes (lib/invariants.c).
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

enum { CHAIN = 3, SIZE = 200, COUNT = 50 };

STORE_FIXTURE(ages, "heap_rate=1 " GUEST_ROOMY);

static int run(FIXTURE_DATA(ages) *self, unsigned int code, unsigned int first,
	       unsigned int count, unsigned int free)
{
	struct kmprof_test_op op = {
		.op = code, .chain = CHAIN, .cpu = KMPROF_TEST_CPU_ANY, .free = free,
		.method = KMPROF_TEST_KMALLOC_VARIABLE, .size = SIZE,
		.first = first, .count = count,
	};

	return order_run(self->store, &op);
}

/**
 * struct chain - what an image has of the chain
 * @inuse: objects in use, of its rows
 * @oldest_ns: the oldest of them, of its rows
 * @objects: its objects in the table
 * @nr: how many
 */
struct chain {
	uint64_t inuse;
	uint64_t oldest_ns;
	struct kmprof_image_object *objects;
	unsigned int nr;
};

static int is_of_chain(FIXTURE_DATA(ages) *self, const struct snapshot *snapshot, uint32_t row)
{
	return symbols_chain(&self->symbols, snapshot, snapshot_sample(snapshot, row)) == CHAIN;
}

static int by_address(const void *one, const void *other)
{
	const struct kmprof_image_object *a = one, *b = other;

	return a->address < b->address ? -1 : a->address > b->address;
}

/* Takes a snapshot. Returns its cycle. */
static uint64_t look_with(struct __test_metadata *_metadata, FIXTURE_DATA(ages) *self,
			  uint32_t flags, struct chain *chain)
{
	struct snapshot snapshot;
	uint64_t cycle;
	uint32_t i;

	free(chain->objects);
	*chain = (struct chain){ 0 };
	ASSERT_EQ(0, snapshot_take_with(self->dev, flags | KMPROF_SNAPSHOT_OBJECTS, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < snapshot_rows(&snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, i);

		if (!is_of_chain(self, &snapshot, i))
			continue;
		chain->inuse += sample->allocs - sample->frees;
		if (chain->oldest_ns < sample->oldest_ns)
			chain->oldest_ns = sample->oldest_ns;
	}
	chain->objects = calloc(snapshot.header->objects.count + 1, sizeof(*chain->objects));
	ASSERT_NE(NULL, chain->objects);
	for (i = 0; i < snapshot.header->objects.count; i++) {
		const struct kmprof_image_object *object =
			snapshot_entry(&snapshot, &snapshot.header->objects, i);

		if (is_of_chain(self, &snapshot, object->row))
			memcpy(&chain->objects[chain->nr++], object,
			       snapshot.header->objects.entry_size);
	}
	qsort(chain->objects, chain->nr, sizeof(*chain->objects), by_address);
	for (i = 1; i < chain->nr; i++)
		EXPECT_LT(chain->objects[i - 1].address, chain->objects[i].address);
	cycle = snapshot.header->cycle;
	snapshot_free(&snapshot);
	return cycle;
}

static uint64_t look(struct __test_metadata *_metadata, FIXTURE_DATA(ages) *self,
		     struct chain *chain)
{
	return look_with(_metadata, self, 0, chain);
}

static unsigned int of_cycle(const struct chain *chain, uint64_t cycle)
{
	unsigned int i, count = 0;

	for (i = 0; i < chain->nr; i++)
		count += chain->objects[i].cycle == cycle;
	return count;
}

/* The cycle that a snapshot closes is that of what came since the one before. */
TEST_F(ages, objects_have_their_cycle)
{
	struct chain chain = { 0 };
	uint64_t first, second;

	ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, 0, COUNT, 0));
	first = look(_metadata, self, &chain);
	EXPECT_EQ(COUNT, chain.nr);
	EXPECT_EQ(COUNT, of_cycle(&chain, first));

	ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, COUNT, 2 * COUNT, 0));
	second = look(_metadata, self, &chain);
	EXPECT_LT(first, second);
	EXPECT_EQ(3 * COUNT, chain.nr);
	EXPECT_EQ(COUNT, of_cycle(&chain, first));
	EXPECT_EQ(2 * COUNT, of_cycle(&chain, second));

	ASSERT_EQ(0, run(self, KMPROF_TEST_FREE, 0, 2 * COUNT, KMPROF_TEST_KFREE));
	look(_metadata, self, &chain);
	EXPECT_EQ(COUNT, chain.inuse);
	EXPECT_EQ(COUNT, chain.nr);
	EXPECT_EQ(COUNT, of_cycle(&chain, second));

	ASSERT_EQ(0, run(self, KMPROF_TEST_FREE, 2 * COUNT, COUNT, KMPROF_TEST_KFREE));
	look(_metadata, self, &chain);
	EXPECT_EQ(0, chain.nr);
	EXPECT_EQ(0, chain.oldest_ns);
	free(chain.objects);
}

/*
 * Is it an age by the clock of this test: no less than @from to @to, and no more than @before to
 * @after?
 */
static int is_age(uint64_t age, uint64_t from, uint64_t to, uint64_t before, uint64_t after)
{
	const uint64_t exact = 40000000;

	return age + exact >= to - from && age <= after - before + exact;
}

/*
 * Of the objects in use, the oldest one is told; once it is freed, it is the next one. The kernel's
 * tick may come late on a busy host, and a time is then too early by that: a scene of several is
 * exact.
 */
TEST_F(ages, the_oldest_in_use_is_told)
{
	struct chain chain = { 0 };
	int tries, exact = 0;

	for (tries = 0; tries < 10 && !exact; tries++) {
		uint64_t begin, first, second, there, look_from, look_to;

		begin = guest_now_ns();
		ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, 0, 1, 0));
		first = guest_now_ns();
		usleep(300000);
		second = guest_now_ns();
		ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, 1, COUNT - 1, 0));
		there = guest_now_ns();
		usleep(200000);

		look_from = guest_now_ns();
		look(_metadata, self, &chain);
		look_to = guest_now_ns();
		EXPECT_EQ(COUNT, chain.nr);
		exact = is_age(chain.oldest_ns, first, look_from, begin, look_to);
		ASSERT_EQ(0, run(self, KMPROF_TEST_FREE, 0, 1, KMPROF_TEST_KFREE));

		look_from = guest_now_ns();
		look(_metadata, self, &chain);
		look_to = guest_now_ns();
		EXPECT_EQ(COUNT - 1, chain.nr);
		exact = exact && is_age(chain.oldest_ns, there, look_from, second, look_to);
		if (!exact)
			TH_LOG("the oldest of the others is %" PRIu64 " ns old, not %" PRIu64
			       " to %" PRIu64, chain.oldest_ns, look_from - there,
			       look_to - second);
		ASSERT_EQ(0, run(self, KMPROF_TEST_FREE, 1, COUNT - 1, KMPROF_TEST_KFREE));
	}
	EXPECT_TRUE(exact);
	free(chain.objects);
}

/* What was passed to kfree_rcu() is not in use, though its memory may wait for a grace period. */
TEST_F(ages, rcu_pending_is_not_in_use)
{
	struct chain chain = { 0 };

	ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, 0, 2 * COUNT, 0));
	ASSERT_EQ(0, run(self, KMPROF_TEST_FREE, 0, COUNT, KMPROF_TEST_KFREE_RCU));
	look(_metadata, self, &chain);
	EXPECT_EQ(COUNT, chain.inuse);
	EXPECT_EQ(COUNT, chain.nr);
	ASSERT_EQ(0, run(self, KMPROF_TEST_FREE, COUNT, COUNT, KMPROF_TEST_KFREE_RCU));
	look(_metadata, self, &chain);
	EXPECT_EQ(0, chain.nr);
	EXPECT_EQ(0, chain.oldest_ns);
	free(chain.objects);
}

/* An image has objects if they are asked for; after a reset, none that came before it. */
TEST_F(ages, only_on_request)
{
	struct chain chain = { 0 };
	struct snapshot snapshot;

	ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, 0, COUNT, 0));
	ASSERT_EQ(0, snapshot_take_with(self->dev, 0, &snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_EQ(0, snapshot.header->objects.count);
	snapshot_free(&snapshot);

	ASSERT_EQ(0, snapshot_take_with(self->dev,
					KMPROF_SNAPSHOT_OBJECTS | KMPROF_SNAPSHOT_PUBLISHED,
					&snapshot));
	EXPECT_IMAGE(&snapshot);
	EXPECT_LE(COUNT, snapshot.header->objects.count);
	snapshot_free(&snapshot);

	ASSERT_EQ(0, guest_reset(self->dev));
	look(_metadata, self, &chain);
	EXPECT_EQ(0, chain.nr);
	free(chain.objects);
}

/**
 * struct task - a task that allocates
 * @comm: its name
 * @tid: its id
 */
struct task {
	char comm[KMPROF_COMM_LEN];
	uint32_t tid;
};

/* Runs a process under this name, which fills slots, and ends. */
static void allocate_as(struct __test_metadata *_metadata, FIXTURE_DATA(ages) *self,
			struct task *task, unsigned int first, unsigned int count)
{
	pid_t pid = fork();
	int status;

	ASSERT_LE(0, pid);
	if (!pid) {
		prctl(PR_SET_NAME, task->comm);
		_exit(!!run(self, KMPROF_TEST_ALLOC, first, count, 0));
	}
	task->tid = pid;
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
}

/* How many of the objects have this owner. */
static unsigned int of_task(const struct chain *chain, const struct task *task)
{
	unsigned int i, count = 0;

	for (i = 0; i < chain->nr; i++)
		count += chain->objects[i].tid == task->tid &&
			 !strcmp(chain->objects[i].comm, task->comm);
	return count;
}

/* Names that are not there, each of which the kernel keeps in an object that it can free. */
static void look_up_names(void)
{
	char path[40];
	unsigned int i;

	for (i = 0; i < COUNT; i++) {
		snprintf(path, sizeof(path), "/tmp/not-there-%d-%u", getpid(), i);
		access(path, F_OK);
	}
}

/* A slab's objects are of the class of their cache. */
TEST_F(ages, the_class_is_told)
{
	struct snapshot snapshot;
	unsigned int dentries = 0;
	uint32_t row;

	look_up_names();
	ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, 0, COUNT, 0));
	ASSERT_EQ(0, snapshot_take_with(self->dev, 0, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (row = 0; row < snapshot_rows(&snapshot, "heap"); row++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, row);
		int is_dentry = !strcmp(sample->cache, "dentry");

		if (is_dentry || is_of_chain(self, &snapshot, row))
			EXPECT_EQ(is_dentry ? KMPROF_GFP_RECLAIMABLE : KMPROF_GFP_UNMOVABLE,
				  sample->gfp_class)
				TH_LOG("%s", sample->cache);
		dentries += is_dentry ? sample->allocs : 0;
	}
	EXPECT_LE(COUNT, dentries);
	snapshot_free(&snapshot);
}

/* Rows say the slab cache of their objects; what is not in a slab has none. */
TEST_F(ages, the_cache_is_told)
{
	static const struct {
		unsigned int method;
		unsigned int size;
		const char *begin;
		const char *end;
	} ways[] = {
		{ KMPROF_TEST_CACHE, 200, "kmprof_test_200", "" },
		{ KMPROF_TEST_CACHE_BULK, 520, "kmprof_test_520", "" },
		{ KMPROF_TEST_KMALLOC_VARIABLE, 500, "kmalloc-", "512" },
		{ KMPROF_TEST_KMALLOC, 65536, "", "" },
	};
	struct snapshot snapshot;
	unsigned int i, found = 0;
	const char *cache;
	uint32_t row;

	for (i = 0; i < ARRAY_SIZE(ways); i++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .cpu = KMPROF_TEST_CPU_ANY,
			.method = ways[i].method, .size = ways[i].size, .first = i * COUNT,
			.count = COUNT,
		};

		ASSERT_EQ(0, order_run(self->store, &op));
	}
	ASSERT_EQ(0, snapshot_take_with(self->dev, 0, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (row = 0; row < snapshot_rows(&snapshot, "heap"); row++) {
		const struct kmprof_image_sample *sample = snapshot_sample(&snapshot, row);

		for (i = 0; i < ARRAY_SIZE(ways); i++) {
			if (!is_of_chain(self, &snapshot, row) ||
			    sample->object_size != ways[i].size)
				continue;
			found |= 1U << i;
			cache = sample->cache;
			EXPECT_TRUE(!strncmp(cache, ways[i].begin, strlen(ways[i].begin)) &&
				    strlen(cache) >= strlen(ways[i].end) &&
				    !strcmp(cache + strlen(cache) - strlen(ways[i].end),
					    ways[i].end) &&
				    (*ways[i].begin || !*cache))
				TH_LOG("size %u: '%s'", ways[i].size, cache);
		}
	}
	EXPECT_EQ((1U << ARRAY_SIZE(ways)) - 1, found);
	snapshot_free(&snapshot);
}

/* Tasks that are gone are known, whatever tasks have come since; but only while it is on. */
TEST_F(ages, the_owner_is_told)
{
	enum { TASKS = 40, EACH = 3 };
	struct task task[TASKS], nobody = { .tid = 0 };
	struct chain chain = { 0 };
	unsigned int i;

	memset(task, 0, sizeof(task));
	look(_metadata, self, &chain);
	for (i = 0; i < TASKS; i++) {
		/* The first one, and those of the second half, while it is on. */
		if (i <= 1 || i == TASKS / 2)
			ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_OWNERS, i != 1));
		snprintf(task[i].comm, sizeof(task[i].comm), "owner %u", i);
		allocate_as(_metadata, self, &task[i], i * EACH, EACH);
	}
	look(_metadata, self, &chain);
	EXPECT_EQ(TASKS * EACH, chain.nr);
	for (i = 0; i < TASKS; i++)
		EXPECT_EQ(!i || i >= TASKS / 2 ? EACH : 0, of_task(&chain, &task[i]))
			TH_LOG("task %u", i);
	EXPECT_EQ((TASKS / 2 - 1) * EACH, of_task(&chain, &nobody));

	/* This task frees what others have allocated, and allocates itself. */
	ASSERT_EQ(0, run(self, KMPROF_TEST_FREE, 0, (TASKS - 1) * EACH, KMPROF_TEST_KFREE));
	ASSERT_EQ(0, run(self, KMPROF_TEST_ALLOC, 0, EACH, 0));
	look(_metadata, self, &chain);
	EXPECT_EQ(2 * EACH, chain.nr);
	EXPECT_EQ(EACH, of_task(&chain, &task[TASKS - 1]));
	task[0].tid = getpid();
	ASSERT_EQ(0, prctl(PR_GET_NAME, task[0].comm));
	EXPECT_EQ(EACH, of_task(&chain, &task[0]));
	free(chain.objects);
}

/* In an interrupt the task that it has interrupted is not the owner. */
TEST_F(ages, an_interrupt_is_no_task)
{
	struct task interrupt[] = {
		[KMPROF_TEST_SOFTIRQ] = { .comm = "[softirq]" },
		[KMPROF_TEST_HARDIRQ] = { .comm = "[hardirq]" },
	};
	struct chain chain = { 0 };
	unsigned int context;

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_OWNERS, 1));
	for (context = KMPROF_TEST_SOFTIRQ;
	     context < order_contexts() && context <= KMPROF_TEST_HARDIRQ; context++) {
		struct kmprof_test_op op = {
			.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .context = context,
			.method = KMPROF_TEST_KMALLOC_VARIABLE, .size = SIZE, .count = COUNT,
		};

		ASSERT_EQ(0, order_run(self->store, &op));
		look(_metadata, self, &chain);
		EXPECT_EQ(COUNT, chain.nr);
		EXPECT_EQ(COUNT, of_task(&chain, &interrupt[context]));
		op.op = KMPROF_TEST_FREE;
		ASSERT_EQ(0, order_run(self->store, &op));
	}
	free(chain.objects);
}

/* Names that change all the time, on all CPUs: each object has a name that its task had. */
static void churn_names(FIXTURE_DATA(ages) *self, unsigned int process, unsigned int rounds)
{
	enum { EACH = 16 };
	char comm[KMPROF_COMM_LEN];
	unsigned int i, slot;

	for (i = 0; i < rounds; i++) {
		/* The name says whose it is. */
		snprintf(comm, sizeof(comm), "%u of %u", i % 40, getpid());
		prctl(PR_SET_NAME, comm);
		slot = (process * 40 + i % 40) * EACH;
		if (i >= 40 && run(self, KMPROF_TEST_FREE, slot, EACH, KMPROF_TEST_KFREE))
			_exit(1);
		if (run(self, KMPROF_TEST_ALLOC, slot, EACH, 0))
			_exit(1);
	}
	_exit(0);
}

TEST_F(ages, names_that_change_are_not_mixed_up)
{
	enum { PROCESSES = 4 };
	unsigned int rounds = guest_effort(4000), i, left = PROCESSES, known = 0, looks = 0;
	struct chain chain = { 0 };
	pid_t pids[PROCESSES];
	int status;

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_OWNERS, 1));
	for (i = 0; i < PROCESSES; i++) {
		pids[i] = fork();
		ASSERT_LE(0, pids[i]);
		if (!pids[i])
			churn_names(self, i, rounds);
	}
	while (left) {
		/* What has been freed, and is somebody else's, is read as well, and told nobody. */
		look_with(_metadata, self, KMPROF_SNAPSHOT_BYTES, &chain);
		looks++;
		for (i = 0; i < chain.nr; i++) {
			const struct kmprof_image_object *object = &chain.objects[i];
			const char *of = strstr(object->comm, " of ");

			/* With more names than places near their ids, some are not known. */
			if (!object->tid && !object->comm[0])
				continue;
			known++;
			EXPECT_TRUE(of && strtoul(of + strlen(" of "), NULL, 10) == object->tid)
				TH_LOG("task %u: '%s'", object->tid, object->comm);
		}
		if (waitpid(-1, &status, WNOHANG) > 0) {
			EXPECT_EQ(0, status);
			left--;
		}
	}
	TH_LOG("%u snapshots, %u objects with an owner", looks, known);
	EXPECT_LT(0, known);
	free(chain.objects);
}

/* Of strings of this test, what is in them. */
static void expect_strings(struct __test_metadata *_metadata, FIXTURE_DATA(ages) *self,
			   unsigned int size)
{
	struct kmprof_test_op op = {
		.op = KMPROF_TEST_ALLOC, .chain = CHAIN, .cpu = KMPROF_TEST_CPU_ANY,
		.method = KMPROF_TEST_KSTRDUP, .size = size, .count = COUNT,
	};
	const unsigned int nr = size < KMPROF_OBJECT_BYTES ? size : KMPROF_OBJECT_BYTES;
	struct chain chain = { 0 };
	char expected[KMPROF_OBJECT_BYTES] = "";
	unsigned int i;

	memset(expected, 'x', size <= sizeof(expected) ? size - 1 : sizeof(expected));
	ASSERT_EQ(0, order_run(self->store, &op));
	look_with(_metadata, self, KMPROF_SNAPSHOT_BYTES, &chain);
	EXPECT_EQ(COUNT, chain.nr);
	for (i = 0; i < chain.nr; i++) {
		EXPECT_EQ(nr, chain.objects[i].nr_bytes);
		EXPECT_EQ(0, memcmp(expected, chain.objects[i].bytes, sizeof(expected)));
	}
	look(_metadata, self, &chain);
	for (i = 0; i < chain.nr; i++)
		EXPECT_EQ(0, chain.objects[i].nr_bytes);
	op.op = KMPROF_TEST_FREE;
	ASSERT_EQ(0, order_run(self->store, &op));
	free(chain.objects);
}

TEST_F(ages, the_first_bytes)
{
	expect_strings(_metadata, self, 8);
	expect_strings(_metadata, self, KMPROF_OBJECT_BYTES);
	expect_strings(_metadata, self, SIZE);
}

TEST_HARNESS_MAIN
