// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof leaks, the program itself, on the cases of the catalogue with heap_rate=1, alone and all
 * together: each leak is found by the case's own stack, no look-alike is accused, and nobody else
 * is.
 */
#include <errno.h>
#include <unistd.h>

#include "lib/cases.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "mem/hunt_expect.h"

enum {
	RUNS		= 4,
	TOGETHER_RUNS	= 20,
	MOST_CASES	= 128,
	QUICK_STEP	= 16,	/* a quick run has one case of so many */
};

FIXTURE(hunt) {
	int fd;
};

FIXTURE_SETUP(hunt)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=524288 " GUEST_ROOMY));
	ASSERT_EQ(0, guest_insmod("kmprof_catalogue", ""));
	self->fd = cases_open();
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(hunt)
{
	close(self->fd);
	EXPECT_EQ(0, guest_rmmod("kmprof_catalogue"));
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* One session. As many calls in a round as the rarest leak needs for an object. */
static void hunt(struct __test_metadata *_metadata, FIXTURE_DATA(hunt) *self,
		 struct kmprof_catalogue_case *c)
{
	struct hunt alone = { .c = c, .calls = KMPROF_CATALOGUE_CYCLE };

	hunt_expect(_metadata, &alone, 1, "");
	EXPECT_EQ(0, cases_cleanup(self->fd, c));
}

static void hunt_all(struct __test_metadata *_metadata, FIXTURE_DATA(hunt) *self,
		     enum kmprof_catalogue_kind kind)
{
	struct kmprof_catalogue_case c;
	const unsigned int step = guest_is_quick("most cases of the catalogue") ? QUICK_STEP : 1;
	unsigned int run, runs = guest_effort(RUNS), i, of_kind = 0, hunted = 0;

	for (run = 0; run < runs; run++) {
		for (i = 0; !cases_get(self->fd, i, &c); i++) {
			if (c.kind != kind)
				continue;
			if (of_kind++ % step)
				continue;
			hunt(_metadata, self, &c);
			hunted++;
		}
		TH_LOG("run %u of %u: %u sessions", run + 1, runs, hunted);
	}
	EXPECT_LE(20 * runs / step, hunted);
}

TEST_F_TIMEOUT(hunt, leaks_are_found, 7200)
{
	hunt_all(_metadata, self, KMPROF_CATALOGUE_LEAK);
}

TEST_F_TIMEOUT(hunt, lookalikes_are_not_accused, 7200)
{
	hunt_all(_metadata, self, KMPROF_CATALOGUE_LOOKALIKE);
}

/* One session with the whole catalogue. */
static void hunt_together(struct __test_metadata *_metadata, FIXTURE_DATA(hunt) *self)
{
	static struct kmprof_catalogue_case cases[MOST_CASES];
	struct hunt hunts[MOST_CASES];
	unsigned int i, nr, leaks = 0;
	int ret;

	for (nr = 0; !(ret = cases_get(self->fd, nr, &cases[nr])); nr++) {
		hunts[nr] = (struct hunt){ .c = &cases[nr], .calls = KMPROF_CATALOGUE_CYCLE };
		leaks += cases[nr].kind == KMPROF_CATALOGUE_LEAK;
		ASSERT_LT(nr + 1, MOST_CASES);
	}
	EXPECT_EQ(-ENOENT, ret);
	EXPECT_LE(20, leaks);
	EXPECT_LE(20, nr - leaks);
	hunt_expect(_metadata, hunts, nr, "");
	for (i = 0; i < nr; i++)
		EXPECT_EQ(0, cases_cleanup(self->fd, &cases[i]));
}

TEST_F_TIMEOUT(hunt, all_together, 7200)
{
	unsigned int run, runs = guest_effort(TOGETHER_RUNS);

	for (run = 0; run < runs; run++)
		hunt_together(_metadata, self);
	TH_LOG("%u sessions", runs);
}

TEST_HARNESS_MAIN
