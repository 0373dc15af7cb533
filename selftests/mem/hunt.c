// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof leaks, the program itself, on each case of the catalogue with heap_rate=1: each leak is
 * found by the case's own stack, no look-alike is accused, and nobody else is.
 */
#include <unistd.h>

#include "lib/cases.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "mem/hunt_expect.h"

enum {
	RUNS		= 4,
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
	hunt_expect(_metadata, c, "", KMPROF_CATALOGUE_CYCLE);
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

TEST_HARNESS_MAIN
