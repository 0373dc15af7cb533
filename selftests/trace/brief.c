// SPDX-License-Identifier: GPL-2.0
/*
 * A trace without what is brief: a begin whose end comes right behind it, and too soon, is not
 * there, nor is that end. All else is there as ever.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/modules.h"
#include "trace/session.h"

#define LOAD		"hackbench -g 1 -f 5 -l 50 >&2; hackbench -p -g 1 -f 5 -l 50 >&2"
#define EVENT(name)	(1ULL << KMPROF_TRACE_##name)
#define CALLS		(EVENT(SYSCALL_ENTER) | EVENT(SYSCALL_EXIT))
#define AN_HOUR		"duration=3600s"

enum {
	BRIEF_CALL	= 9000,	/* no system call has this number */
	TIMES		= 1000,
	NAPS		= 20,
	NAP_US		= 500,
	ORDERS		= 10,
	BUSY_US		= 5000,	/* more than what is brief in that test */
	LOCKERS		= 4,
	ROUNDS		= 200,
	HELD_US		= 100,
	DEEPEST		= 8,
	MOST		= 1 << 20,
	BUFFER_BYTES	= 16 << 20,
};

FIXTURE(brief) {
	int dev;
	int test;
	struct session s;
};

FIXTURE_SETUP(brief)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->test = open(KMPROF_TEST_DEVICE_PATH, O_RDWR | O_CLOEXEC);
	ASSERT_LE(0, self->test);
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(brief)
{
	session_free(&self->s);
	close(self->test);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static void start(struct __test_metadata *_metadata, FIXTURE_DATA(brief) *self, const char *filter,
		  uint64_t events, uint32_t flags)
{
	ASSERT_EQ(0, session_start_filtered(self->dev, &self->s, filter, events, flags,
					    BUFFER_BYTES));
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(brief) *self)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));
	EXPECT_EQ(self->s.stop.events, session_records(&self->s));
}

/* Return: type of the begin; 0: it is no end. */
static uint8_t begin_of(const struct record *r)
{
	switch (r->type) {
	case KMPROF_TRACE_CONTENTION_END:
	case KMPROF_TRACE_IRQ_EXIT:
	case KMPROF_TRACE_SOFTIRQ_EXIT:
	case KMPROF_TRACE_RECLAIM_END:
	case KMPROF_TRACE_MEMCG_RECLAIM_END:
	case KMPROF_TRACE_COMPACTION_END:
	case KMPROF_TRACE_SYSCALL_EXIT:
		return r->type - 1;
	}
	return 0;
}

static bool is_begin(const struct record *r)
{
	const struct record end = { .type = r->type + 1 };

	return begin_of(&end);
}

/**
 * struct step - what a task does: a wait begins or ends, a system call ends, it exits
 * @type: enum kmprof_trace_event
 * @tid: the task
 * @lock: what it waits for
 * @ticks: when
 * @index: its place in the trace
 */
struct step {
	uint8_t type;
	uint32_t tid;
	uint64_t lock;
	uint64_t ticks;
	size_t index;
};

/**
 * struct look - what a walk looks for
 * @s: the trace
 * @least_ns: what takes less is brief
 * @last: the record before
 * @brief: begins with their end right behind them, too soon
 * @backward: records that are older than the one before
 * @begins: begins of interrupts and softirqs
 * @ends: their ends
 * @tid: a task
 * @number: a system call of it
 * @enters: how often it has entered that
 * @exits: how often it has left it
 * @steps: what tasks do
 * @nr_steps: how many
 */
struct look {
	const struct session *s;
	double least_ns;
	struct record last;
	unsigned int brief;
	unsigned int backward;
	unsigned int begins;
	unsigned int ends;
	uint32_t tid;
	uint64_t number;
	unsigned int enters;
	unsigned int exits;
	struct step *steps;
	size_t nr_steps;
};

/* A wait for a mutex can begin again: an end right behind that says nothing. */
static bool ends_at_once(const struct look *look, const struct record *r)
{
	const struct record *last = &look->last;

	if (last->type == KMPROF_TRACE_CONTENTION_BEGIN && last->args[1] == KMPROF_LOCK_MUTEX)
		return false;
	return begin_of(r) && last->type == begin_of(r) && last->context == r->context &&
	       (r->type != KMPROF_TRACE_CONTENTION_END || last->args[0] == r->args[0]) &&
	       session_ns(look->s, r->ticks) - session_ns(look->s, last->ticks) < look->least_ns;
}

static int add_step(struct look *look, const struct record *r)
{
	if (look->nr_steps == MOST)
		return -E2BIG;
	look->steps[look->nr_steps] = (struct step) {
		.type = r->type, .tid = r->tid, .lock = r->args[0], .ticks = r->ticks,
		.index = look->nr_steps,
	};
	look->nr_steps++;
	return 0;
}

static int look_at(const struct record *r, void *data)
{
	const bool is_call = r->type == KMPROF_TRACE_SYSCALL_ENTER ||
			     r->type == KMPROF_TRACE_SYSCALL_EXIT;
	const bool is_step = r->type == KMPROF_TRACE_CONTENTION_BEGIN ||
			     r->type == KMPROF_TRACE_CONTENTION_END ||
			     r->type == KMPROF_TRACE_SYSCALL_EXIT || r->type == KMPROF_TRACE_EXIT;
	struct look *look = data;

	if (r->cpu == look->last.cpu) {
		/* What is in a full block stays there. */
		look->brief += !r->is_first && ends_at_once(look, r);
		look->backward += r->ticks < look->last.ticks;
	}
	look->last = *r;
	if (is_call && r->tid == look->tid && r->args[0] == look->number) {
		look->enters += is_begin(r);
		look->exits += !is_begin(r);
	}
	if (r->type >= KMPROF_TRACE_IRQ_ENTRY && r->type <= KMPROF_TRACE_SOFTIRQ_EXIT) {
		look->begins += is_begin(r);
		look->ends += !is_begin(r);
	}
	if (!look->steps || !is_step || r->context != KMPROF_TRACE_IN_TASK)
		return 0;
	return add_step(look, r);
}

/* Of a call of this task. */
static struct look look(struct __test_metadata *_metadata, FIXTURE_DATA(brief) *self,
			double least_ns, uint64_t number)
{
	struct look look = {
		.s = &self->s, .least_ns = least_ns, .last.cpu = SESSION_CPUS,
		.tid = getpid(), .number = number,
	};

	ASSERT_EQ(0, session_walk(&self->s, look_at, &look));
	EXPECT_EQ(0, look.brief);
	EXPECT_EQ(0, look.backward);
	return look;
}

static long times_slept(void)
{
	struct rusage usage = { 0 };

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw;
}

/* Sleeps, which a nap need not be if the timer is faster. */
static void nap(void)
{
	const long before = times_slept();

	do
		usleep(NAP_US);
	while (times_slept() == before);
}

/* A call in which the task sleeps is no brief one, however soon it ends. */
TEST_F(brief, calls_are_not_there)
{
	struct look seen;
	unsigned int i;

	start(_metadata, self, AN_HOUR, CALLS, 0);
	for (i = 0; i < TIMES; i++)
		syscall(BRIEF_CALL);
	for (i = 0; i < NAPS; i++)
		nap();
	finish(_metadata, self);
	seen = look(_metadata, self, 3600e9, BRIEF_CALL);
	/* Some may have been preempted. */
	EXPECT_EQ(seen.enters, seen.exits);
	EXPECT_GT(TIMES, seen.enters);
	seen = look(_metadata, self, 3600e9, SYS_clock_nanosleep);
	EXPECT_LE(NAPS, seen.enters);
	EXPECT_EQ(seen.enters, seen.exits);
}

/* The kernel spins for so long. */
TEST_F(brief, what_is_not_brief_is_there)
{
	struct look seen;
	unsigned int i;

	start(_metadata, self, "duration=4ms", CALLS, 0);
	for (i = 0; i < ORDERS; i++) {
		struct kmprof_test_lock order = {
			.kind = KMPROF_TEST_LOCK_MUTEX, .busy_us = BUSY_US,
		};

		ASSERT_EQ(0, locker_order(self->test, &order));
	}
	finish(_metadata, self);
	/* A tick is 16 cycles. */
	seen = look(_metadata, self, 4e6 - 100, SYS_ioctl);
	EXPECT_LE(ORDERS, seen.enters);
	EXPECT_EQ(seen.enters, seen.exits);
}

static int compare_steps(const void *a, const void *b)
{
	const struct step *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->ticks != y->ticks)
		return x->ticks < y->ticks ? -1 : 1;
	return (x->index > y->index) - (x->index < y->index);
}

/**
 * struct open - locks that a task waits for
 * @lock: these; a wait can be within another one
 * @nr: how many
 */
struct open {
	uint64_t lock[DEEPEST];
	unsigned int nr;
};

static void follow(struct open *open, const struct step *step)
{
	unsigned int i;

	for (i = 0; i < open->nr && open->lock[i] != step->lock; i++)
		;
	if (step->type == KMPROF_TRACE_CONTENTION_BEGIN) {
		/* It may begin again. */
		if (i == open->nr && i < DEEPEST)
			open->lock[open->nr++] = step->lock;
	} else if (step->type == KMPROF_TRACE_CONTENTION_END && i < open->nr) {
		open->lock[i] = open->lock[--open->nr];
	}
}

/*
 * Waits that have no end, of tasks that exit: none leaves a system call before it has what it waits
 * for, or has given up. Others may wait when the trace is stopped.
 */
static unsigned int count_endless(const struct look *look)
{
	unsigned int endless = 0, of_task = 0;
	struct open open = {};
	bool exits = false;
	size_t i;

	qsort(look->steps, look->nr_steps, sizeof(*look->steps), compare_steps);
	for (i = 0; i < look->nr_steps; i++) {
		const struct step *step = &look->steps[i], *next = step + 1;
		bool is_last = i + 1 == look->nr_steps || next->tid != step->tid;

		follow(&open, step);
		exits |= step->type == KMPROF_TRACE_EXIT;
		if (is_last || step->type == KMPROF_TRACE_SYSCALL_EXIT) {
			of_task += open.nr;
			open.nr = 0;
		}
		if (!is_last)
			continue;
		endless += exits ? of_task : 0;
		of_task = 0;
		exits = false;
	}
	return endless;
}

/*
 * Tasks that take a mutex again and again, while others spin for it, sleep, and spin again when
 * they are woken, since the mutex has been taken once more.
 */
static void contend(struct __test_metadata *_metadata, FIXTURE_DATA(brief) *self)
{
	static struct kmprof_test_lock orders[LOCKERS][ROUNDS];
	struct locker lockers[LOCKERS];
	unsigned int i, k;

	for (i = 0; i < LOCKERS; i++) {
		for (k = 0; k < ROUNDS; k++)
			orders[i][k] = (struct kmprof_test_lock) {
				.kind = KMPROF_TEST_LOCK_MUTEX, .chain = i, .busy_us = HELD_US,
			};
		lockers[i] = (struct locker) {
			.fd = self->test, .cpu = LOCKER_ANY_CPU, .orders = orders[i],
			.count = ROUNDS,
		};
		ASSERT_EQ(0, locker_start(&lockers[i]));
	}
	for (i = 0; i < LOCKERS; i++)
		EXPECT_EQ(0, locker_join(&lockers[i]));
}

TEST_F(brief, whatever_begins_ends)
{
	const unsigned int cpus = (unsigned int)sysconf(_SC_NPROCESSORS_ONLN);
	struct look look = {
		.s = &self->s, .least_ns = 3600e9, .last.cpu = SESSION_CPUS,
		.steps = calloc(MOST, sizeof(*look.steps)),
	};

	ASSERT_NE(NULL, look.steps);
	start(_metadata, self, AN_HOUR, SESSION_ALL, KMPROF_TRACE_START_STACKS);
	contend(_metadata, self);
	ASSERT_EQ(0, system(LOAD));
	finish(_metadata, self);
	ASSERT_EQ(0, session_walk(&self->s, look_at, &look));
	EXPECT_EQ(0, look.brief);
	EXPECT_EQ(0, look.backward);
	EXPECT_LT(0, look.begins);
	/* A softirq can be in the middle of it when the trace begins. */
	EXPECT_GE(look.begins + cpus, look.ends);
	EXPECT_GE(look.ends + 2 * cpus, look.begins);
	EXPECT_LT(0, look.nr_steps);
	EXPECT_EQ(0, count_endless(&look));
	TH_LOG("%llu events, %zu of waits and calls, %u of interrupts", self->s.stop.events,
	       look.nr_steps, look.begins + look.ends);
	free(look.steps);
}

TEST_HARNESS_MAIN
