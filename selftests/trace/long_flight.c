// SPDX-License-Identifier: GPL-2.0
/*
 * A flight recorder of all events, with stacks, beside all profiles at their finest, under a load,
 * for as long as it takes: EFFORT=18000 is an hour. Snapshots of the profiles are taken meanwhile.
 * At the end it has the newest events, without a gap.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"
#include "trace/session.h"

#define NS_PER_S	1000000000ULL

enum {
	SECONDS		= 20,
	LEAST		= 200,	/* switches */
	BUFFER		= 1 << 20,
};

FIXTURE(long_flight) {
	int dev;
	struct session s;
};

FIXTURE_SETUP(long_flight)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=1 block_rate=1 mutex_fraction=1 "
				GUEST_ROOMY));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(long_flight)
{
	session_free(&self->s);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* Tasks that come, hand messages to each other, and go. */
static void load(struct __test_metadata *_metadata)
{
	static const char *const argv[] = { "hackbench", "-g", "1", "-f", "5", "-l", "50", NULL };
	pid_t pid = guest_spawn(argv);
	int status;

	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
}

/* A snapshot of the heap has to be right, too. */
static void look(struct __test_metadata *_metadata, int dev)
{
	struct snapshot snapshot;
	const char *wrong;

	ASSERT_EQ(0, snapshot_take(dev, &snapshot));
	wrong = snapshot_wrong(&snapshot);
	EXPECT_EQ(NULL, wrong)
		TH_LOG("%s", wrong);
	snapshot_free(&snapshot);
}

/**
 * struct count - what is in the trace
 * @switches: number of switches
 * @stackless: switches of a task, and wake-ups, without a stack
 */
struct count {
	uint64_t switches;
	uint64_t stackless;
};

/* The idle task has no stack. */
static int count_record(const struct record *r, void *data)
{
	const int is_switch = r->type == KMPROF_TRACE_SWITCH;
	struct count *count = data;

	count->switches += is_switch;
	if (!r->stack && ((is_switch && r->tid) || r->type == KMPROF_TRACE_WAKING))
		count->stackless++;
	return 0;
}

TEST_F_TIMEOUT(long_flight, has_no_gap, 14400)
{
	const uint64_t seconds = guest_effort(SECONDS);
	struct count count = {};
	unsigned int rounds = 0;
	uint64_t limit;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_ALL,
					  KMPROF_TRACE_START_STACKS, BUFFER));
	limit = guest_now_ns() + seconds * NS_PER_S;
	do {
		load(_metadata);
		look(_metadata, self->dev);
		rounds++;
	} while (guest_now_ns() < limit);
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));

	EXPECT_EQ(self->s.stop.events, session_end(&self->s)->events);
	EXPECT_EQ(self->s.stop.events, session_records(&self->s));
	EXPECT_EQ(0, self->s.stop.lost);
	EXPECT_EQ(0, session_lost(&self->s));
	ASSERT_EQ(0, session_walk(&self->s, count_record, &count));
	TH_LOG("%u rounds in %" PRIu64 " s; %llu events, %" PRIu64 " of them switches", rounds,
	       seconds, self->s.stop.events, count.switches);
	EXPECT_LT(LEAST, count.switches);
	EXPECT_GE(self->s.stop.stackless, count.stackless);
}

TEST_HARNESS_MAIN
