// SPDX-License-Identifier: GPL-2.0
/*
 * The catalogue of leaks and look-alikes, with heap_rate=1: after each round, the stacks of each
 * case have as many objects in use as the case has. A leak grows in each round, a look-alike has
 * a bound, and after the cleanup nothing is in use.
 */
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

#include "lib/cases.h"
#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"
#include "mem/stacks.h"

enum {
	ROUNDS		= 6,
	LEAST_ROUNDS	= 3,
	ENOUGH		= 20,	/* leaks, and look-alikes */
	LOOKS		= 40,	/* at what the kernel frees in threads that nobody can wait for, */
	LOOK_US		= 50000,/* so often */
};

FIXTURE(catalogue) {
	int dev;
	int fd;
	struct symbols symbols;
	struct stacks stacks;
};

GUEST_SOURCE_VARIANTS(catalogue);

FIXTURE_SETUP(catalogue)
{
	ASSERT_EQ(0, guest_load(variant->source,
				"heap_rate=1 heap=slab,percpu,vmalloc,page heap_call_rcu=1 "
				GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	ASSERT_EQ(0, guest_insmod("kmprof_catalogue", ""));
	self->fd = cases_open();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, symbols_load(&self->symbols));
	ASSERT_EQ(0, stacks_init(&self->stacks, self->fd, &self->symbols));
}

FIXTURE_TEARDOWN(catalogue)
{
	symbols_free(&self->symbols);
	close(self->fd);
	EXPECT_EQ(0, guest_rmmod("kmprof_catalogue"));
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static bool is_shown(const struct kmprof_catalogue_case *c, const struct held *held)
{
	return c->objects == (int64_t)held->in_use;
}

/*
 * Has all cases settle, and compares them with a snapshot, which the caller frees. Some of what
 * belongs to the kernel's own things it frees in threads of its own, so a difference is looked at
 * again. Returns the number of cases that differ.
 */
static unsigned int compare(struct __test_metadata *_metadata, FIXTURE_DATA(catalogue) *self,
			    struct snapshot *snapshot, struct held held[STACKS_CASES])
{
	unsigned int i, look, different = 1;

	for (look = 0; different && look < LOOKS; look++) {
		if (look) {
			snapshot_free(snapshot);
			usleep(LOOK_US);
		}
		ASSERT_EQ(0, cases_settle(self->fd));
		/* Of what was passed to call_rcu(), the callbacks may have kept something. */
		ASSERT_EQ(0, guest_settle(self->dev));
		ASSERT_EQ(0, snapshot_take(self->dev, snapshot));
		EXPECT_IMAGE(snapshot);
		stacks_sum(&self->stacks, snapshot, held);
		for (i = 0, different = 0; i < self->stacks.count; i++) {
			ASSERT_EQ(0, cases_get(self->fd, i, &self->stacks.cases[i]));
			different += !is_shown(&self->stacks.cases[i], &held[i]);
		}
	}
	for (i = 0; different && i < self->stacks.count; i++) {
		const struct kmprof_catalogue_case *c = &self->stacks.cases[i];

		if (is_shown(c, &held[i]))
			continue;
		TH_LOG("%s: has %lld objects, kmprof shows %llu in use", c->name,
		       (long long)c->objects, (unsigned long long)held[i].in_use);
		stacks_print(&self->stacks, snapshot, i);
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

	for (i = 0; i < self->stacks.count; i++) {
		const struct kmprof_catalogue_case *c = &self->stacks.cases[i];

		EXPECT_NE(0, *c->about);
		if (c->kind == KMPROF_CATALOGUE_LEAK) {
			leaks++;
			EXPECT_LT(0, c->lost)
				TH_LOG("%s", c->name);
		} else {
			lookalikes++;
			EXPECT_GT(LEAST_ROUNDS * KMPROF_CATALOGUE_CYCLE, c->holds)
				TH_LOG("%s", c->name);
		}
	}
	EXPECT_LE(ENOUGH, leaks);
	EXPECT_LE(ENOUGH, lookalikes);
}

TEST_F(catalogue, is_told_apart)
{
	unsigned int round, rounds = guest_effort(ROUNDS);
	const unsigned int calls = KMPROF_CATALOGUE_CYCLE;
	struct held held[STACKS_CASES];
	struct snapshot snapshot;
	int64_t before[STACKS_CASES] = { 0 };
	unsigned int i;

	expect_enough(_metadata, self);
	if (rounds < LEAST_ROUNDS)
		rounds = LEAST_ROUNDS;
	for (round = 0; round < rounds; round++) {
		for (i = 0; i < self->stacks.count; i++)
			ASSERT_EQ(0, cases_run(self->fd, &self->stacks.cases[i], calls));
		EXPECT_EQ(0, compare(_metadata, self, &snapshot, held));
		for (i = 0; i < self->stacks.count; i++) {
			const struct kmprof_catalogue_case *c = &self->stacks.cases[i];

			if (c->kind == KMPROF_CATALOGUE_LEAK) {
				EXPECT_LE(c->lost, c->objects - before[i])
					TH_LOG("%s, round %u", c->name, round);
			} else {
				EXPECT_GE(c->holds, c->objects)
					TH_LOG("%s, round %u", c->name, round);
			}
			before[i] = c->objects;
			EXPECT_LT(0, held[i].allocs)
				TH_LOG("%s: nothing is seen of it", c->name);
		}
		expect_no_losses(_metadata, &snapshot);
		snapshot_free(&snapshot);
	}

	for (i = 0; i < self->stacks.count; i++) {
		ASSERT_EQ(0, cases_cleanup(self->fd, &self->stacks.cases[i]));
		EXPECT_EQ(0, self->stacks.cases[i].objects)
			TH_LOG("%s", self->stacks.cases[i].name);
	}
	EXPECT_EQ(0, compare(_metadata, self, &snapshot, held));
	expect_no_losses(_metadata, &snapshot);
	snapshot_free(&snapshot);
}

/* As many objects of the case in use as it has, of closed cycles; and what each of them is. */
static bool is_kept(struct __test_metadata *_metadata, FIXTURE_DATA(catalogue) *self,
		    const struct kmprof_catalogue_case *c)
{
	struct held held[STACKS_CASES];
	struct snapshot snapshot;
	bool is_kept = false;
	unsigned int i;

	ASSERT_EQ(0, snapshot_take_with(self->dev,
					KMPROF_SNAPSHOT_PUBLISHED | KMPROF_SNAPSHOT_OBJECTS,
					&snapshot));
	EXPECT_IMAGE(&snapshot);
	stacks_sum(&self->stacks, &snapshot, held);
	for (i = 0; i < self->stacks.count; i++)
		if (!strcmp(self->stacks.cases[i].name, c->name))
			is_kept = held[i].in_use == (uint64_t)c->objects;
	snapshot_free(&snapshot);
	return is_kept;
}

/*
 * What a callback keeps is in use again when it has run: at once with SETTLE, and by itself after
 * some seconds.
 */
TEST_F(catalogue, what_a_callback_keeps)
{
	static const char name[] = "callback_forgets";
	enum { CALLS = 100, TRIES = 300 };
	struct kmprof_catalogue_case c;
	struct snapshot snapshot;
	unsigned int round, i;

	ASSERT_EQ(0, cases_find(self->fd, name, &c));
	for (round = 0; round < 3; round++) {
		ASSERT_EQ(0, cases_run(self->fd, &c, CALLS));
		ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
		EXPECT_IMAGE(&snapshot);
		snapshot_free(&snapshot);
		ASSERT_EQ(0, cases_settle(self->fd));
		ASSERT_EQ(0, guest_settle(self->dev));
		ASSERT_EQ(0, cases_find(self->fd, name, &c));
		EXPECT_LT(0, c.objects);
		EXPECT_TRUE(is_kept(_metadata, self, &c));
	}
	if (guest_is_quick("that it is in use by itself"))
		return;
	ASSERT_EQ(0, cases_run(self->fd, &c, CALLS));
	ASSERT_EQ(0, cases_settle(self->fd));
	ASSERT_EQ(0, cases_find(self->fd, name, &c));
	for (i = 0; i < TRIES && !is_kept(_metadata, self, &c); i++)
		usleep(100000 * guest_slow());
	EXPECT_GT(TRIES, i);
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
	EXPECT_EQ(self->stacks.count, lines);
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
