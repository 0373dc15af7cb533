// SPDX-License-Identifier: GPL-2.0
/*
 * Custom profiles: a module adds and removes objects in task, softirq and hardirq context on
 * all CPUs, and the profile has exactly these. What is left when the module goes stays, until
 * a reset.
 */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/client.h"
#include "lib/command.h"
#include "lib/harness.h"
#include "lib/klog.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/objects.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

/* Most tests have one profile, number 0 of the client. */
#define NAME "custom_test"
#define LOST "ledger." NAME ".lost"
#define DEBUGFS "/sys/kernel/debug/kmprof/"
#define PPROF "/tmp/" NAME ".pb.gz"

enum {
	CONTEXTS = KMPROF_TEST_DYING,	/* those that an object can be added in */
	CHAINS = KMPROF_CLIENT_CHAINS,
	MAX_CPUS = 16,
	CUSTOM_PROFILES = 32,
	/* Of a test that wants what does not fit. */
	FEW_OBJECTS = 16,
	FEW_BUCKETS = 16,
};

struct custom {
	int dev;
	int client;
	struct symbols symbols;
};

static void begin(struct __test_metadata *_metadata, struct custom *custom, const char *params)
{
	ASSERT_EQ(0, guest_unload());
	ASSERT_EQ(0, guest_insmod("kmprof", params));
	ASSERT_EQ(0, guest_insmod("kmprof_client", ""));
	custom->dev = guest_open();
	ASSERT_LE(0, custom->dev);
	custom->client = client_open();
	ASSERT_LE(0, custom->client);
	ASSERT_EQ(0, symbols_load(&custom->symbols));
}

static void end(struct __test_metadata *_metadata, struct custom *custom)
{
	symbols_free(&custom->symbols);
	close(custom->client);
	close(custom->dev);
	EXPECT_EQ(0, guest_unload());
}

FIXTURE(custom) {
	struct custom custom;
};

FIXTURE_SETUP(custom)
{
	begin(_metadata, &self->custom, "");
}

FIXTURE_TEARDOWN(custom)
{
	end(_metadata, &self->custom);
}

static struct kmprof_client_op add_op(uint64_t key, uint32_t count)
{
	return (struct kmprof_client_op){
		.code = KMPROF_CLIENT_ADD, .key = key, .count = count, .weight = 1,
	};
}

static int add(int client, uint64_t key, uint32_t count)
{
	struct kmprof_client_op op = add_op(key, count);

	return client_run(client, &op);
}

static int drop(int client, uint64_t key, uint32_t count)
{
	struct kmprof_client_op op = {
		.code = KMPROF_CLIENT_REMOVE, .key = key, .count = count,
	};

	return client_run(client, &op);
}

static uint64_t count_of(struct __test_metadata *_metadata, int client)
{
	uint64_t objects;

	EXPECT_EQ(0, client_count(client, 0, &objects));
	return objects;
}

/* Sums of the columns of the profile, and one scalar. */
struct sums {
	uint64_t rows;
	uint64_t objects;
	uint64_t added;
	uint64_t weight;
	uint64_t lost;
};

static struct sums sums(struct __test_metadata *_metadata, int dev)
{
	struct snapshot snapshot;
	struct sums sums;

	ASSERT_EQ(0, snapshot_take(dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	sums = (struct sums){
		.rows = snapshot_rows(&snapshot, NAME),
		.objects = objects_sum(&snapshot, NAME, "objects"),
		.added = objects_sum(&snapshot, NAME, "added"),
		.weight = objects_sum(&snapshot, NAME, "weight"),
		.lost = snapshot_scalar(&snapshot, LOST),
	};
	snapshot_free(&snapshot);
	return sums;
}

static void expect_sums(struct __test_metadata *_metadata, int dev, uint64_t objects,
			uint64_t added, uint64_t lost)
{
	struct sums is = sums(_metadata, dev);

	EXPECT_EQ(objects, is.objects);
	EXPECT_EQ(added, is.added);
	EXPECT_EQ(lost, is.lost);
}

/**
 * struct cell - objects that were added through one chain in one context
 */
struct cell {
	uint64_t objects;
	uint64_t added;
	uint64_t weight;
};

/**
 * struct cells - a snapshot of the profile
 * @cell: by context and chain
 * @added: sum over all
 * @wrong: what is wrong with it, or empty
 */
struct cells {
	struct cell cell[CONTEXTS][CHAINS];
	uint64_t added;
	char wrong[128];
};

/* Each cell has a weight of its own, so that one cannot be taken for another. */
static uint64_t weight_of(unsigned int context, unsigned int chain)
{
	return 1000 + 100 * context + chain;
}

/* Name of the client's function that a return address leads to, or "". */
static const char *client_function(const struct symbols *symbols, uint64_t address)
{
	const struct symbol *symbol = symbols_caller(symbols, address);

	return symbol && !strcmp(symbol->module, "kmprof_client") ? symbol->name : "";
}

/* Which chain's function is the leaf? -1 for none. */
static int chain_of(const struct symbols *symbols, const uint64_t *frames, uint32_t nr)
{
	int chain;

	if (!nr || sscanf(client_function(symbols, frames[0]), "kmprof_client_c%d", &chain) != 1)
		return -1;
	return chain < CHAINS ? chain : -1;
}

/* The function that a context begins with; the stack of an interrupt ends there. */
static int context_of(const struct symbols *symbols, const uint64_t *frames, uint32_t nr)
{
	static const char *const functions[CONTEXTS] = {
		[KMPROF_TEST_TASK] = "call_here",
		[KMPROF_TEST_SOFTIRQ] = "call_tasklet",
		[KMPROF_TEST_HARDIRQ] = "call_irq",
	};
	unsigned int context;
	uint32_t i;

	for (i = 0; i < nr; i++)
		for (context = 0; context < CONTEXTS; context++)
			if (!strcmp(client_function(symbols, frames[i]), functions[context]))
				return context;
	return -1;
}

static void add_row(struct cells *cells, const struct snapshot *snapshot,
		    const struct symbols *symbols, uint32_t i)
{
	const struct kmprof_image_row *row = objects_row(snapshot, NAME, i);
	const uint64_t *frames = snapshot_frames(snapshot, row);
	int context = context_of(symbols, frames, row->nr_frames);
	int chain = chain_of(symbols, frames, row->nr_frames);
	struct cell is = {
		.objects = objects_value(snapshot, NAME, i, "objects"),
		.added = objects_value(snapshot, NAME, i, "added"),
		.weight = objects_value(snapshot, NAME, i, "weight"),
	};
	struct cell *sum;

	if (context < 0 || chain < 0) {
		snprintf(cells->wrong, sizeof(cells->wrong),
			 "row %u of %u frames: context %d, chain %d", i, row->nr_frames, context,
			 chain);
		return;
	}
	/* Less than none is very many. */
	if (is.objects > is.added || is.weight != is.objects * weight_of(context, chain))
		snprintf(cells->wrong, sizeof(cells->wrong),
			 "context %d, chain %d: objects %" PRIu64 ", added %" PRIu64
			 ", weight %" PRIu64, context, chain, is.objects, is.added, is.weight);
	sum = &cells->cell[context][chain];
	sum->objects += is.objects;
	sum->added += is.added;
	sum->weight += is.weight;
	cells->added += is.added;
}

static void take_cells(struct cells *cells, int dev, const struct symbols *symbols)
{
	struct snapshot snapshot;
	uint32_t i;
	int ret;

	*cells = (struct cells){ 0 };
	ret = snapshot_take(dev, &snapshot);
	if (ret) {
		snprintf(cells->wrong, sizeof(cells->wrong), "no snapshot: %s", strerror(-ret));
		return;
	}
	for (i = 0; i < snapshot_rows(&snapshot, NAME); i++)
		add_row(cells, &snapshot, symbols, i);
	snapshot_free(&snapshot);
}

/* Takes one snapshot after the other, and keeps what is wrong with any of them. */
struct watcher {
	pthread_t thread;
	const struct symbols *symbols;
	int dev;
	int stop;
	unsigned int taken;
	char wrong[128];
};

static void *watch(void *arg)
{
	struct watcher *watcher = arg;
	struct cells cells;
	uint64_t added = 0;

	while (!__atomic_load_n(&watcher->stop, __ATOMIC_RELAXED) && !*watcher->wrong) {
		take_cells(&cells, watcher->dev, watcher->symbols);
		memcpy(watcher->wrong, cells.wrong, sizeof(watcher->wrong));
		if (cells.added < added)
			snprintf(watcher->wrong, sizeof(watcher->wrong),
				 "added %" PRIu64 ", and before %" PRIu64, cells.added, added);
		added = cells.added;
		watcher->taken++;
	}
	return NULL;
}

/**
 * struct worker - adds or removes the objects of one context of one CPU
 * @thread: orders it
 * @client: the client's device
 * @code: KMPROF_CLIENT_ADD or KMPROF_CLIENT_REMOVE
 * @cpu: CPU whose objects they are
 * @context: context whose objects they are
 * @cpus: number of CPUs
 * @first: first round
 * @step: every so many rounds
 * @end: behind the last round
 * @wrong: what has failed, or empty
 */
struct worker {
	pthread_t thread;
	int client;
	unsigned int code;
	unsigned int cpu;
	unsigned int context;
	unsigned int cpus;
	unsigned int first;
	unsigned int step;
	unsigned int end;
	char wrong[128];
};

enum {
	ADDS = 100000,	/* at least */
	COUNT = 200,	/* by one operation */
};

static unsigned int online_cpus(void)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);

	return cpus < MAX_CPUS ? cpus : MAX_CPUS;
}

/* Removes in another context than it adds in, and on another CPU. */
static struct kmprof_client_op worker_op(const struct worker *worker, unsigned int round,
					 unsigned int chain)
{
	unsigned int shift = worker->code == KMPROF_CLIENT_REMOVE;
	unsigned int number = (worker->cpu * CONTEXTS + worker->context) * worker->end + round;

	return (struct kmprof_client_op){
		.code = worker->code,
		.context = (worker->context + shift) % CONTEXTS,
		.cpu = (worker->cpu + shift) % worker->cpus,
		.chain = chain,
		.key = 0xffff888000000000 + ((uint64_t)number * CHAINS + chain) * COUNT,
		.weight = weight_of(worker->context, chain),
		.count = COUNT,
	};
}

static void *work(void *arg)
{
	struct worker *worker = arg;
	unsigned int round, chain;

	for (round = worker->first; round < worker->end; round += worker->step) {
		for (chain = 0; chain < CHAINS && !*worker->wrong; chain++) {
			struct kmprof_client_op op = worker_op(worker, round, chain);
			int ret = client_run(worker->client, &op);

			if (ret || op.done != COUNT)
				snprintf(worker->wrong, sizeof(worker->wrong),
					 "round %u, context %u, cpu %u: %u of %u: %s", round,
					 op.context, op.cpu, op.done, op.count, strerror(-ret));
		}
	}
	return NULL;
}

/* All contexts on all CPUs at once. */
static void work_all(struct __test_metadata *_metadata, int client, unsigned int code,
		     unsigned int first, unsigned int step, unsigned int end)
{
	static struct worker workers[MAX_CPUS * CONTEXTS];
	unsigned int i, cpus = online_cpus();

	for (i = 0; i < cpus * CONTEXTS; i++) {
		workers[i] = (struct worker){
			.client = client, .code = code, .cpu = i / CONTEXTS,
			.context = i % CONTEXTS, .cpus = cpus, .first = first, .step = step,
			.end = end,
		};
		ASSERT_EQ(0, pthread_create(&workers[i].thread, NULL, work, &workers[i]));
	}
	for (i = 0; i < cpus * CONTEXTS; i++) {
		ASSERT_EQ(0, pthread_join(workers[i].thread, NULL));
		EXPECT_STREQ("", workers[i].wrong);
	}
}

/* Of each cell, so many have to be there, and so many have been added. */
static void expect_cells(struct __test_metadata *_metadata, const struct custom *custom,
			 uint64_t objects, uint64_t added)
{
	unsigned int context, chain;
	struct cells cells;

	take_cells(&cells, custom->dev, &custom->symbols);
	EXPECT_STREQ("", cells.wrong);
	for (context = 0; context < CONTEXTS; context++) {
		for (chain = 0; chain < CHAINS; chain++) {
			const struct cell *cell = &cells.cell[context][chain];

			EXPECT_EQ(objects, cell->objects);
			EXPECT_EQ(added, cell->added);
			EXPECT_EQ(objects * weight_of(context, chain), cell->weight);
		}
	}
}

/* There is room for as many objects as this adds. */
FIXTURE(custom_many) {
	struct custom custom;
};

FIXTURE_SETUP(custom_many)
{
	begin(_metadata, &self->custom, "max_objects=262144");
}

FIXTURE_TEARDOWN(custom_many)
{
	end(_metadata, &self->custom);
}

TEST_F(custom_many, exact)
{
	const struct custom *custom = &self->custom;
	struct watcher watcher = { .dev = custom->dev, .symbols = &custom->symbols };
	unsigned int cpus = online_cpus(), cells = CONTEXTS * CHAINS, rounds, each;

	/* Even, for two halves. */
	rounds = (ADDS / (cells * cpus * COUNT) + 2) & ~1U;
	each = rounds * cpus * COUNT;
	ASSERT_EQ(0, client_create(custom->client, 0, NAME, "bytes"));
	ASSERT_EQ(0, pthread_create(&watcher.thread, NULL, watch, &watcher));

	work_all(_metadata, custom->client, KMPROF_CLIENT_ADD, 0, 1, rounds);
	TH_LOG("%u objects added on %u CPUs", each * cells, cpus);
	EXPECT_LE(ADDS, each * cells);
	expect_cells(_metadata, custom, each, each);
	EXPECT_EQ(each * cells, count_of(_metadata, custom->client));

	work_all(_metadata, custom->client, KMPROF_CLIENT_REMOVE, 1, 2, rounds);
	expect_cells(_metadata, custom, each / 2, each);
	EXPECT_EQ(each * cells / 2, count_of(_metadata, custom->client));

	work_all(_metadata, custom->client, KMPROF_CLIENT_REMOVE, 0, 2, rounds);
	expect_cells(_metadata, custom, 0, each);
	EXPECT_EQ(0, count_of(_metadata, custom->client));

	__atomic_store_n(&watcher.stop, 1, __ATOMIC_RELAXED);
	ASSERT_EQ(0, pthread_join(watcher.thread, NULL));
	EXPECT_STREQ("", watcher.wrong);
	EXPECT_LT(0, watcher.taken);
	TH_LOG("%u snapshots meanwhile", watcher.taken);
	expect_sums(_metadata, custom->dev, 0, (uint64_t)each * cells, 0);
}

/* Resets come between: what they forget is removed without being counted. */
TEST_F(custom, resets_meanwhile)
{
	enum { RESETS = 8, ROUNDS = 4 };
	const struct custom *custom = &self->custom;
	struct worker workers[CONTEXTS * 2] = { 0 };
	unsigned int i, reset, code, nr = online_cpus() > 1 ? CONTEXTS * 2 : CONTEXTS;
	struct cells cells;

	ASSERT_EQ(0, client_create(custom->client, 0, NAME, "bytes"));
	for (reset = 0; reset < RESETS; reset++) {
		code = reset % 2 ? KMPROF_CLIENT_REMOVE : KMPROF_CLIENT_ADD;
		for (i = 0; i < nr; i++) {
			workers[i] = (struct worker){
				.client = custom->client, .code = code, .cpu = i / CONTEXTS,
				.context = i % CONTEXTS, .cpus = nr / CONTEXTS, .step = 1,
				.end = ROUNDS,
			};
			ASSERT_EQ(0, pthread_create(&workers[i].thread, NULL, work, &workers[i]));
		}
		ASSERT_EQ(0, guest_reset(custom->dev));
		take_cells(&cells, custom->dev, &custom->symbols);
		EXPECT_STREQ("", cells.wrong);
		for (i = 0; i < nr; i++) {
			ASSERT_EQ(0, pthread_join(workers[i].thread, NULL));
			EXPECT_STREQ("", workers[i].wrong);
		}
		take_cells(&cells, custom->dev, &custom->symbols);
		EXPECT_STREQ("", cells.wrong);
	}
	/* All were removed at last. */
	EXPECT_EQ(0, count_of(_metadata, custom->client));
	EXPECT_EQ(0, sums(_metadata, custom->dev).objects);
	EXPECT_EQ(0, sums(_metadata, custom->dev).weight);
}

TEST_F(custom, reset_forgets)
{
	const struct custom *custom = &self->custom;
	int client = custom->client;

	ASSERT_EQ(0, client_create(client, 0, NAME, "bytes"));
	ASSERT_EQ(0, add(client, 1, 100));
	expect_sums(_metadata, custom->dev, 100, 100, 0);
	ASSERT_EQ(0, guest_reset(custom->dev));
	EXPECT_EQ(0, sums(_metadata, custom->dev).rows);
	EXPECT_EQ(100, count_of(_metadata, client));

	/* They are there, and counted no more. */
	EXPECT_EQ(-EEXIST, add(client, 1, 1));
	EXPECT_EQ(0, drop(client, 1, 50));
	EXPECT_EQ(-ENOENT, drop(client, 1, 1));
	EXPECT_EQ(0, sums(_metadata, custom->dev).rows);
	ASSERT_EQ(0, add(client, 1, 10));
	expect_sums(_metadata, custom->dev, 10, 10, 0);
	EXPECT_EQ(0, drop(client, 51, 50));
	expect_sums(_metadata, custom->dev, 10, 10, 0);
	EXPECT_EQ(0, drop(client, 1, 10));
	expect_sums(_metadata, custom->dev, 0, 10, 0);
	EXPECT_EQ(0, count_of(_metadata, client));
}

/* The row whose object has this weight. Fails the test when there is none. */
static const struct kmprof_image_row *row_by_weight(struct __test_metadata *_metadata,
						    const struct snapshot *snapshot,
						    uint64_t weight)
{
	uint32_t i;

	for (i = 0; i < snapshot_rows(snapshot, NAME); i++)
		if (objects_value(snapshot, NAME, i, "weight") == weight)
			return objects_row(snapshot, NAME, i);
	ASSERT_EQ(0, weight)
		TH_LOG("no row with this weight");
	return NULL;
}

TEST_F(custom, skip)
{
	enum { SAME = 3 };
	const struct custom *custom = &self->custom;
	static const uint32_t skips[] = { 0, 1, 1000 };
	const struct kmprof_image_row *rows[ARRAY_SIZE(skips)];
	const uint64_t *frames[ARRAY_SIZE(skips)];
	struct snapshot snapshot;
	unsigned int i;

	ASSERT_EQ(0, client_create(custom->client, 0, NAME, "bytes"));
	for (i = 0; i < ARRAY_SIZE(skips); i++) {
		struct kmprof_client_op op = add_op(i, 1);

		op.skip = skips[i];
		op.weight = 1000 + i;
		op.chain = 2;
		ASSERT_EQ(0, client_run(custom->client, &op));
	}
	ASSERT_EQ(0, snapshot_take(custom->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < ARRAY_SIZE(skips); i++) {
		rows[i] = row_by_weight(_metadata, &snapshot, 1000 + i);
		frames[i] = snapshot_frames(&snapshot, rows[i]);
	}
	EXPECT_EQ(2, chain_of(&custom->symbols, frames[0], rows[0]->nr_frames));
	/* The leaf is what has called the chain's function, which is of the client, too. */
	EXPECT_EQ(-1, chain_of(&custom->symbols, frames[1], rows[1]->nr_frames));
	EXPECT_STRNE("", client_function(&custom->symbols, frames[1][0]));
	ASSERT_LE(SAME + 1, rows[0]->nr_frames);
	ASSERT_LE(SAME, rows[1]->nr_frames);
	for (i = 0; i < SAME; i++)
		EXPECT_EQ(frames[0][i + 1], frames[1][i]);
	/* One frame stays, the root. */
	EXPECT_EQ(1, rows[2]->nr_frames);
	EXPECT_EQ(frames[0][rows[0]->nr_frames - 1], frames[2][0]);
	snapshot_free(&snapshot);
}

TEST_F(custom, names)
{
	static const char longest[] = "a234567890123456789012345678901";
	static const char too_long[] = "a2345678901234567890123456789012";
	static const char *const bad[] = {
		"", NULL, too_long, "1a", "_a", "-a", "a b", "a/b", "a.b", "a\n", " a", "\303\244",
	};
	static const char *const taken[] = {
		"heap", "allocs", "block", "mutex", "threadcreate", "stats", longest,
	};
	int client = self->custom.client;
	struct kmprof_profile_info info;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(bad); i++) {
		EXPECT_EQ(-EINVAL, client_create(client, 0, bad[i], "bytes"))
			TH_LOG("name %s", bad[i] ?: "NULL");
		EXPECT_EQ(-EINVAL, client_create(client, 0, "a", bad[i]))
			TH_LOG("unit %s", bad[i] ?: "NULL");
	}
	EXPECT_EQ(-ENOENT, guest_profile(self->custom.dev, "a", &info));
	ASSERT_EQ(0, client_create(client, 0, longest, longest));
	EXPECT_EQ(0, guest_profile(self->custom.dev, longest, &info));
	for (i = 0; i < ARRAY_SIZE(taken); i++)
		EXPECT_EQ(-EEXIST, client_create(client, 1, taken[i], "bytes"))
			TH_LOG("name %u of those that are taken", i);
	/* A name that was refused has used nothing up. */
	for (i = 1; i < CUSTOM_PROFILES; i++) {
		char name[32];

		snprintf(name, sizeof(name), "Z9_-%u", i);
		ASSERT_EQ(0, client_create(client, i, name, "b"));
	}
}

/* 32 profiles, also destroyed ones; these are used again under their names. */
TEST_F(custom, profiles)
{
	const struct custom *custom = &self->custom;
	struct kmprof_profile_info info;
	struct snapshot snapshot;
	unsigned int i;
	char name[32];

	for (i = 0; i < CUSTOM_PROFILES; i++) {
		struct kmprof_client_op op = add_op(7, i + 1);

		snprintf(name, sizeof(name), "profile_%u", i);
		ASSERT_EQ(0, client_create(custom->client, i, name, "bytes"));
		/* The keys are of the profile. */
		op.profile = i;
		ASSERT_EQ(0, client_run(custom->client, &op));
	}
	EXPECT_EQ(-ENOSPC, client_create(custom->client, i, "one_more", "bytes"));
	EXPECT_EQ(-ENOENT, guest_profile(custom->dev, "one_more", &info));
	ASSERT_EQ(0, snapshot_take(custom->dev, &snapshot));
	EXPECT_IMAGE(&snapshot);
	for (i = 0; i < CUSTOM_PROFILES; i++) {
		snprintf(name, sizeof(name), "profile_%u", i);
		EXPECT_EQ(i + 1, objects_sum(&snapshot, name, "objects"));
		EXPECT_EQ(0, guest_profile(custom->dev, name, &info));
		EXPECT_EQ(1, info.buckets);
		EXPECT_STREQ(name, info.table);
	}
	snapshot_free(&snapshot);

	ASSERT_EQ(0, client_destroy(custom->client, 3));
	EXPECT_EQ(-ENOSPC, client_create(custom->client, 3, "one_more", "bytes"));
	EXPECT_EQ(-EINVAL, client_create(custom->client, 3, "profile_3", "pages"));
	EXPECT_EQ(-EEXIST, client_create(custom->client, 3, "profile_4", "bytes"));
	EXPECT_EQ(0, client_create(custom->client, 3, "profile_3", "bytes"));
	EXPECT_EQ(-EEXIST, client_create(custom->client, CUSTOM_PROFILES, "profile_3", "bytes"));
}

TEST_F(custom, errors)
{
	const struct custom *custom = &self->custom;
	struct kmprof_client_op op;
	int client = custom->client;

	ASSERT_EQ(0, client_create(client, 0, NAME, "bytes"));
	ASSERT_EQ(0, add(client, 1, 10));
	EXPECT_EQ(-EEXIST, add(client, 10, 1));
	op = add_op(100, 1);
	op.weight = (uint64_t)INT64_MAX + 1;
	EXPECT_EQ(-EINVAL, client_run(client, &op));
	op.weight = UINT64_MAX;
	EXPECT_EQ(-EINVAL, client_run(client, &op));
	EXPECT_EQ(-ENOENT, drop(client, 100, 1));
	/* These are no losses: the caller has made a mistake. */
	expect_sums(_metadata, custom->dev, 10, 10, 0);
	EXPECT_EQ(10, count_of(_metadata, client));

	op.weight = INT64_MAX;
	EXPECT_EQ(0, client_run(client, &op));
	EXPECT_EQ((uint64_t)INT64_MAX + 10, sums(_metadata, custom->dev).weight);
	EXPECT_EQ(0, drop(client, 100, 1));
	EXPECT_EQ(10, sums(_metadata, custom->dev).weight);
	/* Any value is a key. */
	EXPECT_EQ(0, add(client, 0, 1));
	EXPECT_EQ(-EEXIST, add(client, 0, 1));
	EXPECT_EQ(0, drop(client, 0, 1));
	EXPECT_EQ(-ENOENT, drop(client, 0, 1));
	expect_sums(_metadata, custom->dev, 10, 12, 0);

	op = add_op(200, 5);
	op.context = KMPROF_TEST_NMI;
	EXPECT_EQ(-EBUSY, client_run(client, &op));
	EXPECT_EQ(0, op.done);
	expect_sums(_metadata, custom->dev, 10, 12, 5);
	op.code = KMPROF_CLIENT_REMOVE;
	op.key = 1;
	EXPECT_EQ(-EBUSY, client_run(client, &op));
	EXPECT_EQ(0, op.done);
	expect_sums(_metadata, custom->dev, 10, 12, 10);
	EXPECT_EQ(10, count_of(_metadata, client));

	/* A reset forgets losses, too. */
	ASSERT_EQ(0, guest_reset(custom->dev));
	EXPECT_EQ(0, sums(_metadata, custom->dev).lost);
	EXPECT_EQ(10, count_of(_metadata, client));
}

/* What the tables have no room for is refused, and counted as lost. */
FIXTURE(custom_limits) {
	struct custom custom;
};

FIXTURE_SETUP(custom_limits)
{
}

FIXTURE_TEARDOWN(custom_limits)
{
	end(_metadata, &self->custom);
}

TEST_F(custom_limits, objects)
{
	const struct custom *custom = &self->custom;
	struct kmprof_info info = { .size = sizeof(info) };
	struct kmprof_client_op op = add_op(1, FEW_OBJECTS + 4);
	int client;

	begin(_metadata, &self->custom, "max_objects=16");
	client = custom->client;
	ASSERT_EQ(0, ioctl(custom->dev, KMPROF_IOC_INFO, &info));
	EXPECT_EQ(FEW_OBJECTS, info.max_objects);
	ASSERT_EQ(0, client_create(client, 0, NAME, "bytes"));
	EXPECT_EQ(-ENOSPC, client_run(client, &op));
	EXPECT_EQ(FEW_OBJECTS, op.done);
	expect_sums(_metadata, custom->dev, FEW_OBJECTS, FEW_OBJECTS, 4);
	EXPECT_EQ(FEW_OBJECTS, count_of(_metadata, client));

	/* All profiles share the room. */
	ASSERT_EQ(0, client_create(client, 1, "another", "bytes"));
	op = add_op(1, 1);
	op.profile = 1;
	EXPECT_EQ(-ENOSPC, client_run(client, &op));
	EXPECT_EQ(0, drop(client, 1, 1));
	EXPECT_EQ(0, client_run(client, &op));
	EXPECT_EQ(-ENOSPC, add(client, 1, 1));
	expect_sums(_metadata, custom->dev, FEW_OBJECTS - 1, FEW_OBJECTS, 5);

	/* Those that a destroyed profile has left take no room. */
	ASSERT_EQ(0, client_destroy(client, 0));
	op = add_op(2, FEW_OBJECTS - 1);
	op.profile = 1;
	EXPECT_EQ(0, client_run(client, &op));
	EXPECT_EQ(FEW_OBJECTS - 1, sums(_metadata, custom->dev).objects);
}

/* Each number of callers left out is another stack. Returns how many were added. */
static unsigned int add_stacks(struct __test_metadata *_metadata, int client, uint64_t key,
			       unsigned int *refused)
{
	enum { SKIPS = 6 };
	unsigned int i, added = 0;
	int ret;

	*refused = 0;
	for (i = 0; i < CONTEXTS * CHAINS * SKIPS; i++) {
		struct kmprof_client_op op = add_op(key + i, 1);

		op.context = i % CONTEXTS;
		op.chain = i / CONTEXTS % CHAINS;
		op.skip = i / CONTEXTS / CHAINS;
		ret = client_run(client, &op);
		if (ret) {
			EXPECT_EQ(-ENOSPC, ret);
			++*refused;
		} else {
			added++;
		}
	}
	return added;
}

TEST_F(custom_limits, stacks)
{
	const struct custom *custom = &self->custom;
	struct kmprof_profile_info info;
	unsigned int added, refused;
	struct sums is;

	begin(_metadata, &self->custom, "max_buckets=16");
	ASSERT_EQ(0, client_create(custom->client, 0, NAME, "bytes"));
	added = add_stacks(_metadata, custom->client, 0, &refused);
	EXPECT_LE(FEW_BUCKETS, added);
	EXPECT_LT(0, refused);
	TH_LOG("%u objects of %u stacks, %u refused", added, FEW_BUCKETS, refused);
	is = sums(_metadata, custom->dev);
	EXPECT_EQ(FEW_BUCKETS, is.rows);
	EXPECT_EQ(added, is.objects);
	EXPECT_EQ(refused, is.lost);
	EXPECT_EQ(0, guest_profile(custom->dev, NAME, &info));
	EXPECT_EQ(FEW_BUCKETS, info.buckets);

	/* Stacks without objects keep their rows; a reset gives the room back. */
	ASSERT_EQ(0, guest_reset(custom->dev));
	added = add_stacks(_metadata, custom->client, 1000, &refused);
	EXPECT_LE(FEW_BUCKETS, added);
	expect_sums(_metadata, custom->dev, added, added, refused);
}

/* What must be in a text, for a message when it is not. */
static void expect_in(struct __test_metadata *_metadata, const char *text, const char *part)
{
	EXPECT_NE(NULL, strstr(text, part))
		TH_LOG("no \"%s\" in:\n%s", part, text);
}

/* 30 objects of chain 0 were added and 10 removed, 15 of chain 1; each weighs 7. */
static void expect_text(struct __test_metadata *_metadata, const char *text)
{
	const char *first, *second;

	ASSERT_NE(NULL, text);
	EXPECT_EQ(0, strncmp(text, NAME " profile: total 35\n# profile " NAME "\n",
			     strlen(NAME " profile: total 35\n# profile " NAME "\n")))
		TH_LOG("%s", text);
	expect_in(_metadata, text, "\n# rows 2\n");
	expect_in(_metadata, text, "\n# " LOST " 0\n");
	first = strstr(text, "\n# added 30, weight 140 bytes\n20 @ 0x");
	second = strstr(text, "\n# added 15, weight 105 bytes\n15 @ 0x");
	ASSERT_NE(NULL, first)
		TH_LOG("%s", text);
	ASSERT_NE(NULL, second)
		TH_LOG("%s", text);
	EXPECT_LT(first, second);
	expect_in(_metadata, first, "\tkmprof_client_c0+0x");
	expect_in(_metadata, second, "\tkmprof_client_c1+0x");
	EXPECT_GT(second, strstr(first, "\tkmprof_client_c0+0x"));
}

/* Does a line of the text have these three numbers, and a colon, as pprof -raw shows them? */
static int has_sample(const char *text, unsigned int a, unsigned int b, unsigned int c)
{
	unsigned int is[3];
	char colon;

	for (; text; text = strchr(text, '\n')) {
		text += *text == '\n';
		if (sscanf(text, "%u %u %u%c", &is[0], &is[1], &is[2], &colon) == 4 &&
		    colon == ':' && is[0] == a && is[1] == b && is[2] == c)
			return 1;
	}
	return 0;
}

TEST_F(custom, views)
{
	const struct custom *custom = &self->custom;
	struct kmprof_client_op op = add_op(0, 30);
	struct kmprof_profile_info info;
	char *text, *line;
	size_t length;

	ASSERT_EQ(0, client_create(custom->client, 0, NAME, "bytes"));
	op.weight = 7;
	ASSERT_EQ(0, client_run(custom->client, &op));
	op = add_op(100, 15);
	op.weight = 7;
	op.chain = 1;
	ASSERT_EQ(0, client_run(custom->client, &op));
	ASSERT_EQ(0, drop(custom->client, 5, 10));

	ASSERT_EQ(0, guest_profile(custom->dev, NAME, &info));
	EXPECT_EQ(2, info.buckets);
	EXPECT_STREQ(NAME, info.table);

	ASSERT_EQ(0, guest_read_file(DEBUGFS NAME, &text, NULL));
	expect_text(_metadata, text);
	free(text);

	ASSERT_EQ(0, guest_select(custom->dev, NAME));
	text = calloc(1, 1 << 20);
	ASSERT_NE(NULL, text);
	for (length = 0; length < (1 << 20) - 1;) {
		ssize_t got = read(custom->dev, text + length, (1 << 20) - 1 - length);

		ASSERT_LE(0, got);
		if (!got)
			break;
		length += got;
	}
	expect_text(_metadata, text);
	free(text);

	ASSERT_EQ(0, guest_read_file(DEBUGFS "stats", &text, NULL));
	expect_in(_metadata, text, "\n# rows." NAME " 2\n");
	expect_in(_metadata, text, "\n# " LOST " 0\n");
	free(text);

	text = command_output("tools/kmprof dump " NAME);
	expect_text(_metadata, text);
	free(text);

	text = command_output("tools/kmprof dump " NAME " --format pprof -o " PPROF);
	free(text);
	text = command_output("HOME=/tmp go tool pprof -raw " PPROF);
	ASSERT_NE(NULL, text);
	expect_in(_metadata, text, "objects/count[dflt] added/count weight/bytes\n");
	EXPECT_TRUE(has_sample(text, 20, 30, 140))
		TH_LOG("%s", text);
	EXPECT_TRUE(has_sample(text, 15, 15, 105))
		TH_LOG("%s", text);
	expect_in(_metadata, text, "kmprof_client_c1");
	free(text);

	text = command_output("tools/kmprof status");
	ASSERT_NE(NULL, text);
	line = strstr(text, "\n  " NAME " ");
	ASSERT_NE(NULL, line)
		TH_LOG("%s", text);
	EXPECT_EQ(2, strtoul(line + strlen("\n  " NAME), NULL, 10));
	free(text);
}

static void expect_left(struct __test_metadata *_metadata, int dev)
{
	static const char left[] = "\n# added 120, weight 700 bytes\n100 @ 0x";
	char *text;

	expect_sums(_metadata, dev, 100, 120, 0);
	EXPECT_EQ(700, sums(_metadata, dev).weight);
	ASSERT_EQ(0, guest_read_file(DEBUGFS NAME, &text, NULL));
	expect_in(_metadata, text, NAME " profile: total 100\n");
	expect_in(_metadata, text, left);
	free(text);
	text = command_output("tools/kmprof dump " NAME);
	ASSERT_NE(NULL, text);
	expect_in(_metadata, text, NAME " profile: total 100\n");
	expect_in(_metadata, text, left);
	free(text);
}

/* The module goes, and what it has not removed can be read. */
TEST_F(custom, unload_with_objects)
{
	struct custom *custom = &self->custom;
	struct kmprof_client_op op = add_op(1, 120);
	struct stat node;
	int log;

	ASSERT_EQ(0, client_create(custom->client, 0, NAME, "bytes"));
	op.weight = 7;
	ASSERT_EQ(0, client_run(custom->client, &op));
	ASSERT_EQ(0, drop(custom->client, 1, 20));
	log = klog_open();
	ASSERT_LE(0, log);

	/* The module holds kmprof.ko, without an open file. */
	close(custom->client);
	close(custom->dev);
	EXPECT_EQ(-EWOULDBLOCK, guest_rmmod("kmprof"));
	ASSERT_EQ(0, guest_rmmod("kmprof_client"));
	EXPECT_EQ(1, klog_lines(log, "kmprof: custom profile " NAME ": 100 objects are left"));
	custom->dev = guest_open();
	ASSERT_LE(0, custom->dev);
	expect_left(_metadata, custom->dev);

	/* Loaded again, it goes on; the keys are free. */
	ASSERT_EQ(0, guest_insmod("kmprof_client", ""));
	custom->client = client_open();
	ASSERT_LE(0, custom->client);
	EXPECT_EQ(-EINVAL, client_create(custom->client, 0, NAME, "pages"));
	ASSERT_EQ(0, client_create(custom->client, 0, NAME, "bytes"));
	expect_left(_metadata, custom->dev);
	EXPECT_EQ(0, count_of(_metadata, custom->client));
	EXPECT_EQ(-ENOENT, drop(custom->client, 50, 1));
	ASSERT_EQ(0, client_run(custom->client, &op));
	expect_sums(_metadata, custom->dev, 220, 240, 0);
	EXPECT_EQ(120, count_of(_metadata, custom->client));
	ASSERT_EQ(0, drop(custom->client, 1, 120));
	expect_sums(_metadata, custom->dev, 100, 240, 0);

	ASSERT_EQ(0, guest_reset(custom->dev));
	EXPECT_EQ(0, sums(_metadata, custom->dev).rows);

	/* Without objects it goes in silence, and the file stays. */
	close(custom->client);
	ASSERT_EQ(0, guest_rmmod("kmprof_client"));
	EXPECT_EQ(0, klog_lines(log, "are left"));
	EXPECT_EQ(0, stat(DEBUGFS NAME, &node));
	close(custom->dev);
	EXPECT_EQ(0, guest_rmmod("kmprof"));
	EXPECT_EQ(-1, stat(DEBUGFS NAME, &node));
	close(log);
}

TEST_HARNESS_MAIN
