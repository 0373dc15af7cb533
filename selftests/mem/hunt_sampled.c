// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof leaks, the program itself, on the catalogue with the default rate, several cases in a
 * session: each leak of 4 MiB in each round is found by the case's own stack, no look-alike is
 * accused, and nobody else is. By chance the verdict misses such a leak, of 8 samples in a round,
 * once in 60000 sessions of 32 rounds: see leaks.rst.
 */
#include <inttypes.h>
#include <unistd.h>

#include "lib/cases.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"
#include "mem/hunt_expect.h"
#include "mem/stacks.h"

#define OPTIONS		"--rate 512K --rounds 32"
#define LEAST_BYTES	(4ULL << 20)	/* lost in each round */
#define ROOM		"room=6291456"	/* of the module, for lost objects */

enum {
	MOST_OBJECTS	= 6291456 / 34,	/* lost in each round, and in the one that is not judged */
	MOST_LEAKS	= 5,	/* in a session: each takes up to 210 MiB */
	LOOKALIKE_CALLS	= 20 * KMPROF_CATALOGUE_CYCLE,	/* in each round */
	VMALLOC_CALLS	= 5 * KMPROF_CATALOGUE_CYCLE,	/* of those: areas are large, and slow */
	RUNS		= 5,
	LEAST		= 20,	/* leaks, and look-alikes */
};

FIXTURE(hunt_sampled) {
	int dev;
	int fd;
	struct symbols symbols;
	struct stacks stacks;
	struct hunt hunts[STACKS_CASES];
	unsigned int nr_hunts;
};

FIXTURE_SETUP(hunt_sampled)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0 heap=slab,percpu,vmalloc,page "
				GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	ASSERT_EQ(0, guest_insmod("kmprof_catalogue", ROOM));
	self->fd = cases_open();
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, symbols_load(&self->symbols));
	ASSERT_EQ(0, stacks_init(&self->stacks, self->fd, &self->symbols));
}

FIXTURE_TEARDOWN(hunt_sampled)
{
	symbols_free(&self->symbols);
	close(self->fd);
	EXPECT_EQ(0, guest_rmmod("kmprof_catalogue"));
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* What case @number has in use, in bytes. */
static uint64_t bytes_of(struct __test_metadata *_metadata, FIXTURE_DATA(hunt_sampled) *self,
			 unsigned int number)
{
	struct held held[STACKS_CASES];
	struct snapshot snapshot;

	ASSERT_EQ(0, cases_settle(self->fd));
	ASSERT_EQ(0, guest_settle(self->dev));
	ASSERT_EQ(0, snapshot_take(self->dev, &snapshot));
	stacks_sum(&self->stacks, &snapshot, held);
	snapshot_free(&snapshot);
	return held[number].bytes;
}

/* The number of calls that lose 4 MiB, from what two cycles lose with heap_rate=1. */
static uint64_t calls_for(struct __test_metadata *_metadata, FIXTURE_DATA(hunt_sampled) *self,
			  unsigned int number)
{
	struct kmprof_catalogue_case *c = &self->stacks.cases[number];
	uint64_t cycle;

	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_RATE, 1));
	ASSERT_EQ(0, cases_run(self->fd, c, KMPROF_CATALOGUE_CYCLE));
	cycle = bytes_of(_metadata, self, number);
	ASSERT_EQ(0, cases_run(self->fd, c, KMPROF_CATALOGUE_CYCLE));
	cycle = bytes_of(_metadata, self, number) - cycle;
	ASSERT_EQ(0, guest_set(self->dev, KMPROF_SETTING_HEAP_RATE, 0));
	ASSERT_EQ(0, cases_cleanup(self->fd, c));
	ASSERT_LT(0, cycle);
	return (LEAST_BYTES / cycle + 1) * KMPROF_CATALOGUE_CYCLE;
}

/* Objects that a case loses in a round. */
static uint64_t lost_by(const struct hunt *hunt)
{
	return (uint64_t)hunt->calls / KMPROF_CATALOGUE_CYCLE * hunt->c->lost;
}

static unsigned int calls_of_lookalike(const struct kmprof_catalogue_case *c)
{
	return c->memory == KMPROF_CATALOGUE_VMALLOC ? VMALLOC_CALLS : LOOKALIKE_CALLS;
}

/* Chooses the cases and their calls. */
static void prepare(struct __test_metadata *_metadata, FIXTURE_DATA(hunt_sampled) *self)
{
	unsigned int of_kind[] = { [KMPROF_CATALOGUE_LEAK] = 0, [KMPROF_CATALOGUE_LOOKALIKE] = 0 };
	struct kmprof_catalogue_case *c;
	struct hunt hunt;
	uint64_t calls;
	unsigned int i;

	for (i = 0; i < self->stacks.count; i++) {
		c = &self->stacks.cases[i];
		calls = c->kind == KMPROF_CATALOGUE_LEAK ?
			calls_for(_metadata, self, i) : calls_of_lookalike(c);
		hunt = (struct hunt){ .c = c, .calls = (unsigned int)calls };
		/* The module does not remember as many lost objects, or a round takes minutes. */
		if (calls > KMPROF_CATALOGUE_MAX_CALLS || lost_by(&hunt) > MOST_OBJECTS) {
			TH_LOG("%s: is not run: its 4 MiB are %" PRIu64 " calls", c->name, calls);
			continue;
		}
		self->hunts[self->nr_hunts++] = hunt;
		of_kind[c->kind]++;
	}
	EXPECT_LE(LEAST, of_kind[KMPROF_CATALOGUE_LEAK]);
	EXPECT_LE(LEAST, of_kind[KMPROF_CATALOGUE_LOOKALIKE]);
}

/* How many of the cases from the @first one on fit into one session. */
static unsigned int session_from(FIXTURE_DATA(hunt_sampled) *self, unsigned int first)
{
	unsigned int i, leaks = 0;
	uint64_t lost = 0;

	for (i = first; i < self->nr_hunts; i++) {
		if (self->hunts[i].c->kind != KMPROF_CATALOGUE_LEAK)
			continue;
		lost += lost_by(&self->hunts[i]);
		if (++leaks > MOST_LEAKS || lost > MOST_OBJECTS)
			break;
	}
	return i - first;
}

/* The whole catalogue, in as many sessions as it takes. Returns how many that were. */
static unsigned int hunt_all(struct __test_metadata *_metadata, FIXTURE_DATA(hunt_sampled) *self)
{
	unsigned int first, nr, i, sessions = 0;

	for (first = 0; first < self->nr_hunts; first += nr) {
		nr = session_from(self, first);
		hunt_expect(_metadata, self->hunts + first, nr, OPTIONS);
		for (i = first; i < first + nr; i++)
			EXPECT_EQ(0, cases_cleanup(self->fd, self->hunts[i].c));
		sessions++;
	}
	return sessions;
}

TEST_F_TIMEOUT(hunt_sampled, all_cases, 36000)
{
	const unsigned int runs = guest_effort(RUNS);
	unsigned int run, sessions;

	if (guest_is_quick("leaks and look-alikes at the default rate"))
		return;
	prepare(_metadata, self);
	for (run = 0; run < runs; run++) {
		sessions = hunt_all(_metadata, self);
		TH_LOG("run %u of %u: %u cases, %u sessions", run + 1, runs, self->nr_hunts,
		       sessions);
	}
}

TEST_HARNESS_MAIN
