// SPDX-License-Identifier: GPL-2.0
/*
 * The catalogue of leaks and look-alikes, with heap_rate=1: after each round, the stacks of each
 * case have as many objects in use as the case has. A leak grows in each round, a look-alike has
 * a bound, and after the cleanup nothing is in use. Of memory that kmprof does not see, the
 * catalogue itself is tested.
 */
#include <inttypes.h>
#include <unistd.h>

#include "lib/cases.h"
#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

enum {
	ROUNDS		= 6,
	QUICK_ROUNDS	= 3,
	CASES_MAX	= 256,
	ENOUGH		= 20,	/* leaks, and look-alikes */
	LOOKS		= 40,	/* at what the kernel frees in threads that nobody can wait for, */
	LOOK_US		= 50000,/* so often */
	NO_CASE		= -1,
	SET_ASIDE	= -2,
};

/*
 * Below these functions the kernel allocates for itself, in the middle of somebody else's call,
 * and keeps it when the caller frees: for its own accounts of objects, and as a stock for all.
 */
static const char *const aside[] = {
	"memcg_alloc_slab_cgroups", "alloc_slab_obj_exts",	/* a vector for each slab */
	"kmemleak_alloc", "create_object", "__create_object", "__alloc_object",
	"fill_pool", "debug_object",				/* debugobjects */
	"idr_preload", "__radix_tree_preload",			/* each CPU's stock of nodes */
};

/**
 * struct held - what the stacks of a case have
 * @allocs: objects allocated
 * @in_use: those that are not freed
 */
struct held {
	uint64_t allocs;
	uint64_t in_use;
};

FIXTURE(catalogue) {
	int dev;
	int fd;
	struct symbols symbols;
	uint64_t text_start;
	uint64_t text_end;
	unsigned int count;
	struct kmprof_catalogue_case cases[CASES_MAX];
};

GUEST_SOURCE_VARIANTS(catalogue);

/* Memory whose stacks are in the heap profile. */
static bool is_seen(const struct kmprof_catalogue_case *c)
{
	return c->memory == KMPROF_CATALOGUE_SLAB;
}

/* Where the module's functions are. */
static void find_text(FIXTURE_DATA(catalogue) *self)
{
	const struct symbols *symbols = &self->symbols;
	size_t i;

	self->text_start = 0;
	self->text_end = 0;
	for (i = 0; i < symbols->count; i++) {
		if (strcmp(symbols->all[i].module, "kmprof_catalogue"))
			continue;
		if (!self->text_start)
			self->text_start = symbols->all[i].address;
		/* Up to what comes behind it. */
		self->text_end = i + 1 < symbols->count ? symbols->all[i + 1].address :
							  UINT64_MAX;
	}
}

FIXTURE_SETUP(catalogue)
{
	int ret;

	ASSERT_EQ(0, guest_load(variant->source, "heap_rate=1 " GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	ASSERT_EQ(0, guest_insmod("kmprof_catalogue", ""));
	self->fd = cases_open();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, symbols_load(&self->symbols));
	find_text(self);
	ASSERT_NE(0, self->text_start);
	for (self->count = 0; self->count < CASES_MAX; self->count++) {
		ret = cases_get(self->fd, self->count, &self->cases[self->count]);
		if (ret)
			break;
	}
	ASSERT_EQ(-ENOENT, ret);
}

FIXTURE_TEARDOWN(catalogue)
{
	symbols_free(&self->symbols);
	close(self->fd);
	EXPECT_EQ(0, guest_rmmod("kmprof_catalogue"));
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* The case that a function of the module belongs to: cat_NAME__call(). */
static int case_of_symbol(const FIXTURE_DATA(catalogue) *self, const char *name)
{
	const char *end = strstr(name, "__");
	unsigned int i;

	if (strncmp(name, "cat_", 4) || !end)
		return NO_CASE;
	name += 4;
	for (i = 0; i < self->count; i++)
		if (strlen(self->cases[i].name) == (size_t)(end - name) &&
		    !strncmp(self->cases[i].name, name, end - name))
			return i;
	return NO_CASE;
}

static bool is_aside(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(aside); i++)
		if (!strncmp(name, aside[i], strlen(aside[i])))
			return true;
	return false;
}

/* The case that a row is about, NO_CASE or SET_ASIDE. */
static int case_of_row(const FIXTURE_DATA(catalogue) *self, const struct snapshot *snapshot,
		       const struct kmprof_image_sample *sample)
{
	const uint64_t *frames = snapshot_frames(snapshot, &sample->row);
	const struct symbol *symbol;
	int number = NO_CASE;
	uint32_t i, k;

	for (i = 0; number == NO_CASE && i < sample->row.nr_frames; i++) {
		if (frames[i] <= self->text_start || frames[i] > self->text_end)
			continue;
		symbol = symbols_caller(&self->symbols, frames[i]);
		number = case_of_symbol(self, symbol->name);
	}
	for (k = 0; number != NO_CASE && k + 1 < i; k++) {
		symbol = symbols_caller(&self->symbols, frames[k]);
		if (symbol && is_aside(symbol->name))
			return SET_ASIDE;
	}
	return number;
}

static void sum_up(const FIXTURE_DATA(catalogue) *self, const struct snapshot *snapshot,
		   struct held held[CASES_MAX])
{
	uint32_t i, rows = snapshot_rows(snapshot, "heap");

	memset(held, 0, CASES_MAX * sizeof(*held));
	for (i = 0; i < rows; i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
		int number = case_of_row(self, snapshot, sample);

		if (number < 0)
			continue;
		held[number].allocs += sample->allocs;
		held[number].in_use += sample->allocs - sample->frees;
	}
}

/* What a case's stacks have in use, for the log. */
static void print_rows(const FIXTURE_DATA(catalogue) *self, const struct snapshot *snapshot,
		       int wanted)
{
	uint32_t i, k, rows = snapshot_rows(snapshot, "heap");

	for (i = 0; i < rows; i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
		const uint64_t *frames = snapshot_frames(snapshot, &sample->row);

		if (sample->allocs == sample->frees ||
		    case_of_row(self, snapshot, sample) != wanted)
			continue;
		fprintf(stderr, "#   %" PRIu64 " of %" PRIu64 " bytes:",
			(uint64_t)(sample->allocs - sample->frees), (uint64_t)sample->object_size);
		for (k = 0; k < sample->row.nr_frames; k++) {
			const struct symbol *symbol = symbols_caller(&self->symbols, frames[k]);

			fprintf(stderr, " %s", symbol ? symbol->name : "?");
		}
		fprintf(stderr, "\n");
	}
}

static bool is_shown(const struct kmprof_catalogue_case *c, const struct held *held)
{
	return !is_seen(c) || c->objects == (int64_t)held->in_use;
}

/*
 * Has all cases settle, and compares them with a snapshot, which the caller frees. Some of what
 * belongs to the kernel's own things it frees in threads of its own, so a difference is looked at
 * again. Returns the number of cases that differ.
 */
static unsigned int compare(struct __test_metadata *_metadata, FIXTURE_DATA(catalogue) *self,
			    struct snapshot *snapshot, struct held held[CASES_MAX])
{
	unsigned int i, look, different = 1;

	for (look = 0; different && look < LOOKS; look++) {
		if (look) {
			snapshot_free(snapshot);
			usleep(LOOK_US);
		}
		ASSERT_EQ(0, cases_settle(self->fd));
		ASSERT_EQ(0, snapshot_take(self->dev, snapshot));
		EXPECT_IMAGE(snapshot);
		sum_up(self, snapshot, held);
		for (i = 0, different = 0; i < self->count; i++) {
			ASSERT_EQ(0, cases_get(self->fd, i, &self->cases[i]));
			different += !is_shown(&self->cases[i], &held[i]);
		}
	}
	for (i = 0; different && i < self->count; i++) {
		if (is_shown(&self->cases[i], &held[i]))
			continue;
		TH_LOG("%s: has %lld objects, kmprof shows %llu in use", self->cases[i].name,
		       (long long)self->cases[i].objects, (unsigned long long)held[i].in_use);
		print_rows(self, snapshot, i);
	}
	return different;
}

/* Nothing was lost but kmprof's own memory, and what kvmalloc() does not get from kmalloc(). */
static void expect_no_losses(struct __test_metadata *_metadata, const struct snapshot *snapshot)
{
	EXPECT_EQ(snapshot_loss(snapshot, "own") + snapshot_loss(snapshot, "alloc_failed"),
		  snapshot_lost(snapshot, "heap"));
	EXPECT_EQ(0, snapshot_loss(snapshot, "missed_free"));
	EXPECT_EQ(0, snapshot_loss(snapshot, "untracked"));
	EXPECT_EQ(0, snapshot_loss(snapshot, "stack_truncated"));
}

/* There are as many cases as there should be, with bounds that a run exceeds. */
static void expect_enough(struct __test_metadata *_metadata, const FIXTURE_DATA(catalogue) *self)
{
	unsigned int i, leaks = 0, lookalikes = 0;

	for (i = 0; i < self->count; i++) {
		const struct kmprof_catalogue_case *c = &self->cases[i];

		EXPECT_NE(0, *c->about);
		if (c->kind == KMPROF_CATALOGUE_LEAK) {
			leaks += is_seen(c);
			EXPECT_LT(0, c->lost)
				TH_LOG("%s", c->name);
		} else {
			lookalikes += is_seen(c);
			EXPECT_GT(QUICK_ROUNDS * KMPROF_CATALOGUE_CYCLE, c->holds)
				TH_LOG("%s", c->name);
		}
	}
	EXPECT_LE(ENOUGH, leaks);
	EXPECT_LE(ENOUGH, lookalikes);
}

TEST_F(catalogue, is_told_apart)
{
	unsigned int round, rounds = guest_effort(100) < 20 ? QUICK_ROUNDS : ROUNDS;
	const unsigned int calls = KMPROF_CATALOGUE_CYCLE;
	struct held held[CASES_MAX];
	struct snapshot snapshot;
	int64_t before[CASES_MAX] = { 0 };
	unsigned int i;

	expect_enough(_metadata, self);
	for (round = 0; round < rounds; round++) {
		for (i = 0; i < self->count; i++)
			ASSERT_EQ(0, cases_run(self->fd, &self->cases[i], calls));
		EXPECT_EQ(0, compare(_metadata, self, &snapshot, held));
		for (i = 0; i < self->count; i++) {
			const struct kmprof_catalogue_case *c = &self->cases[i];

			if (c->kind == KMPROF_CATALOGUE_LEAK) {
				EXPECT_LE(c->lost, c->objects - before[i])
					TH_LOG("%s, round %u", c->name, round);
			} else {
				EXPECT_GE(c->holds, c->objects)
					TH_LOG("%s, round %u", c->name, round);
			}
			before[i] = c->objects;
			if (is_seen(c))
				EXPECT_LT(0, held[i].allocs)
					TH_LOG("%s: nothing is seen of it", c->name);
		}
		expect_no_losses(_metadata, &snapshot);
		snapshot_free(&snapshot);
	}

	for (i = 0; i < self->count; i++) {
		ASSERT_EQ(0, cases_cleanup(self->fd, &self->cases[i]));
		EXPECT_EQ(0, self->cases[i].objects)
			TH_LOG("%s", self->cases[i].name);
	}
	EXPECT_EQ(0, compare(_metadata, self, &snapshot, held));
	expect_no_losses(_metadata, &snapshot);
	snapshot_free(&snapshot);
}

/* leak-case is the same as a command. */
TEST_F(catalogue, runs_as_a_command)
{
	struct kmprof_catalogue_case c;
	unsigned int i, lines = 0;
	char *list, *at;

	list = command_output("selftests/build/leak-case --list all");
	ASSERT_NE(NULL, list);
	for (at = list; (at = strchr(at, '\n')); at++)
		lines++;
	EXPECT_EQ(self->count, lines);
	free(list);

	for (i = 1; i <= 2; i++) {
		free(command_output("selftests/build/leak-case kmalloc 100"));
		ASSERT_EQ(0, cases_find(self->fd, "kmalloc", &c));
		EXPECT_EQ(100 * i, c.objects);
	}
	free(command_output("selftests/build/leak-case --cleanup kmalloc"));
	ASSERT_EQ(0, cases_find(self->fd, "kmalloc", &c));
	EXPECT_EQ(0, c.objects);
	EXPECT_EQ(NULL, command_output("selftests/build/leak-case no_such_case 1 2>/dev/null"));
}

TEST_HARNESS_MAIN
