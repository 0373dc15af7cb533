// SPDX-License-Identifier: GPL-2.0
/* RCU's grace periods in the execution trace, against what RCU itself counts. */
#include <linux/membarrier.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "trace/session.h"

enum {
	EVENTS	= 1 << KMPROF_TRACE_SWITCH | 1 << KMPROF_TRACE_GRACE_PERIOD_BEGIN |
		  1 << KMPROF_TRACE_GRACE_PERIOD_END,
	WAITS	= 10,
	MOST	= 4096,
};

FIXTURE(grace_period) {
	int dev;
	int store;
	int expedited;
	struct session s;
};

FIXTURE_SETUP(grace_period)
{
	ASSERT_EQ(0, guest_load("tracepoint", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->store = order_open();
	ASSERT_LE(0, self->store);
	self->s.fd = -1;
	/* Expedited ones are not traced. */
	self->expedited = guest_expedite(0);
	ASSERT_LE(0, self->expedited);
}

FIXTURE_TEARDOWN(grace_period)
{
	session_free(&self->s);
	EXPECT_EQ(0, guest_expedite(self->expedited));
	close(self->store);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/**
 * struct seen - what a trace has
 * @at: ticks of each begin and end
 * @is_end: which of both
 * @nr: how many
 * @marks: ticks of the marks, by their numbers
 * @tid: the task that has begun and ended them
 * @wrong: events of another task, or not of a task
 */
struct seen {
	uint64_t at[MOST];
	bool is_end[MOST];
	unsigned int nr;
	uint64_t marks[WAITS + 1];
	uint32_t tid;
	unsigned int wrong;
};

static int see(const struct record *r, void *data)
{
	struct seen *seen = data;
	uint64_t number;

	if (r->type == KMPROF_TRACE_MARK && !session_mark_number(r, &number) && number <= WAITS)
		seen->marks[number] = r->ticks;
	if (r->type != KMPROF_TRACE_GRACE_PERIOD_BEGIN && r->type != KMPROF_TRACE_GRACE_PERIOD_END)
		return 0;
	if (!seen->nr)
		seen->tid = r->tid;
	seen->wrong += !r->tid || r->tid != seen->tid || r->context != KMPROF_TRACE_IN_TASK ||
		       seen->nr == MOST;
	if (seen->nr < MOST) {
		seen->at[seen->nr] = r->ticks;
		seen->is_end[seen->nr++] = r->type == KMPROF_TRACE_GRACE_PERIOD_END;
	}
	return 0;
}

/* The thread of RCU can move: its records come from several CPUs. */
static void sort(struct seen *seen)
{
	unsigned int i, j;

	for (i = 1; i < seen->nr; i++) {
		uint64_t at = seen->at[i];
		bool is_end = seen->is_end[i];

		for (j = i; j && seen->at[j - 1] > at; j--) {
			seen->at[j] = seen->at[j - 1];
			seen->is_end[j] = seen->is_end[j - 1];
		}
		seen->at[j] = at;
		seen->is_end[j] = is_end;
	}
}

static uint64_t count(struct __test_metadata *_metadata, FIXTURE_DATA(grace_period) *self)
{
	uint64_t count = 0;

	ASSERT_EQ(0, ioctl(self->store, KMPROF_TEST_IOC_GRACE_PERIODS, &count));
	return count;
}

static void mark(struct __test_metadata *_metadata, FIXTURE_DATA(grace_period) *self,
		 unsigned int number)
{
	char text[16];
	int n = snprintf(text, sizeof(text), "%u", number);

	ASSERT_EQ(n, write(self->dev, text, n));
}

static unsigned int count_begins(const struct seen *seen)
{
	unsigned int i, nr = 0;

	for (i = 0; i < seen->nr; i++)
		nr += !seen->is_end[i];
	return nr;
}

/* Does one end between two marks? */
static bool ends_between(const struct seen *seen, unsigned int number)
{
	unsigned int i;

	for (i = 0; i < seen->nr; i++)
		if (seen->is_end[i] && seen->at[i] > seen->marks[number] &&
		    seen->at[i] < seen->marks[number + 1])
			return true;
	return false;
}

/*
 * RCU counts no less than the trace between two moments in it, and no more around it; but for one
 * that RCU has not counted yet when its thread is in rcu_gp_init().
 */
TEST_F(grace_period, has_all)
{
	uint64_t outer[2], inner[2];
	static struct seen seen;
	unsigned int i;

	memset(&seen, 0, sizeof(seen));
	outer[0] = count(_metadata, self);
	ASSERT_EQ(0, session_start(self->dev, &self->s, EVENTS, 0));
	inner[0] = count(_metadata, self);
	for (i = 0; i < WAITS; i++) {
		mark(_metadata, self, i);
		ASSERT_EQ(0, syscall(SYS_membarrier, MEMBARRIER_CMD_GLOBAL, 0, 0));
	}
	mark(_metadata, self, WAITS);
	inner[1] = count(_metadata, self);
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	outer[1] = count(_metadata, self);
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));

	ASSERT_EQ(0, session_walk(&self->s, see, &seen));
	EXPECT_EQ(0, seen.wrong);
	sort(&seen);
	for (i = 1; i < seen.nr; i++)
		EXPECT_NE(seen.is_end[i - 1], seen.is_end[i]);
	EXPECT_LE(WAITS - 1, count_begins(&seen));
	EXPECT_LE(inner[1] - inner[0], count_begins(&seen) + 1);
	EXPECT_GE(outer[1] - outer[0] + 1, count_begins(&seen));
	/* Whoever waits for a grace period goes on when one has ended. */
	for (i = 0; i < WAITS; i++)
		EXPECT_TRUE(ends_between(&seen, i));
}

TEST_HARNESS_MAIN
