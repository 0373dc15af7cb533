// SPDX-License-Identifier: GPL-2.0
/*
 * A flight recorder of all events, with stacks, beside all profiles at their finest, under a load,
 * for as long as it takes: EFFORT=18000 is an hour. Snapshots of the profiles are taken meanwhile.
 * At the end it has the newest events, up to the last one, without a gap: the marks tell.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/snapshot.h"
#include "trace/session.h"

#define NS_PER_S	1000000000ULL
/* Tasks that come, hand messages to each other, and go. */
#define LOAD		"hackbench -g 1 -f 5 -l 50 >&2"

enum {
	SECONDS		= 20,
	LEAST		= 2000,	/* events: a CPU has room for twice as many, and more */
	BUFFER		= 1 << 17,
	/* The records of four of them fill the room of a CPU. */
	LOADS		= 12,
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

static void put_mark(struct __test_metadata *_metadata, int dev, uint64_t *marks)
{
	char text[24];
	int length = snprintf(text, sizeof(text), "%" PRIu64, (*marks)++);

	ASSERT_EQ(length, write(dev, text, length));
}

/**
 * struct count - what is in the trace
 * @marks: number of marks, which are numbered from 0 on
 * @first: the first one of them
 * @last: the last one
 * @switches: number of switches
 * @stackless: switches of a task, and wake-ups, without a stack
 */
struct count {
	uint64_t marks;
	uint64_t first;
	uint64_t last;
	uint64_t switches;
	uint64_t stackless;
};

static int count_mark(const struct record *r, struct count *count)
{
	uint64_t number;
	int ret = session_mark_number(r, &number);

	if (ret)
		return ret;
	if (!count->marks || number < count->first)
		count->first = number;
	if (number > count->last)
		count->last = number;
	count->marks++;
	return 0;
}

/* The idle task has no stack. */
static int count_record(const struct record *r, void *data)
{
	const int is_switch = r->type == KMPROF_TRACE_SWITCH;
	struct count *count = data;

	if (r->type == KMPROF_TRACE_MARK)
		return count_mark(r, count);
	count->switches += is_switch;
	if (!r->stack && ((is_switch && r->tid) || r->type == KMPROF_TRACE_WAKING))
		count->stackless++;
	return 0;
}

TEST_F_TIMEOUT(long_flight, has_no_gap, 14400)
{
	const int is_quick = guest_is_quick("a flight that has written over its first records");
	const uint64_t seconds = guest_effort(SECONDS);
	struct count count = {};
	uint64_t marks = 0, limit;
	int cpu;

	ASSERT_EQ(0, session_start_flight(self->dev, &self->s, SESSION_ALL,
					  KMPROF_TRACE_START_STACKS, BUFFER));
	limit = guest_now_ns() + seconds * NS_PER_S;
	do {
		ASSERT_EQ(0, system(LOAD));
		look(_metadata, self->dev);
		put_mark(_metadata, self->dev, &marks);
	} while (guest_now_ns() < limit || (!is_quick && marks < LOADS));
	for (cpu = 0; cpu < 2; cpu++) {
		ASSERT_EQ(0, guest_pin_cpu(cpu));
		put_mark(_metadata, self->dev, &marks);
	}
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));

	EXPECT_EQ(self->s.stop.events, session_end(&self->s)->events);
	EXPECT_EQ(self->s.stop.events, session_records(&self->s));
	EXPECT_EQ(0, self->s.stop.lost);
	EXPECT_EQ(0, session_lost(&self->s));
	ASSERT_EQ(0, session_walk(&self->s, count_record, &count));
	TH_LOG("%" PRIu64 " s; %llu events, %" PRIu64 " switches; marks %" PRIu64 " to %" PRIu64
	       " of %" PRIu64, seconds, self->s.stop.events, count.switches, count.first,
	       count.last, marks);
	EXPECT_EQ(marks - 1, count.last);
	EXPECT_EQ(marks - count.first, count.marks);
	if (!is_quick)
		EXPECT_LT(0, count.first);
	EXPECT_LT(LEAST, self->s.stop.events);
	EXPECT_LT(0, count.switches);
	EXPECT_GE(self->s.stop.stackless, count.stackless);
}

TEST_HARNESS_MAIN
