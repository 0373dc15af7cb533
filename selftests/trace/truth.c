// SPDX-License-Identifier: GPL-2.0
/*
 * The execution tracer against what the kernel itself counts: switches of the machine and of a
 * task, and forks. And causes come before effects.
 */
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "trace/session.h"

enum { TIDS = 1 << 22, SWITCHES = 20 };

FIXTURE(truth) {
	int dev;
	struct session s;
};

FIXTURE_SETUP(truth)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(truth)
{
	session_free(&self->s);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static uint64_t number_in(struct __test_metadata *_metadata, const char *path, const char *name)
{
	uint64_t number;

	EXPECT_EQ(0, guest_read_number(path, name, &number));
	return number;
}

/* What the machine has counted. */
struct machine {
	uint64_t switches;
	uint64_t forks;
};

static struct machine count_machine(struct __test_metadata *_metadata)
{
	return (struct machine) {
		.switches	= number_in(_metadata, "/proc/stat", "\nctxt "),
		.forks		= number_in(_metadata, "/proc/stat", "\nprocesses "),
	};
}

static int count_type(const struct record *r, void *data)
{
	uint64_t *of_type = data;

	of_type[r->type]++;
	return 0;
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(truth) *self)
{
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));
}

/* A load of all kinds of switches. */
static void load(struct __test_metadata *_metadata)
{
	const char *const argv[] = { "hackbench", "-g", "1", "-l", "20", NULL };
	pid_t pid = guest_spawn(argv);
	int status;

	ASSERT_LT(0, pid);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
}

/* The kernel counts no less than the trace between two moments in it, and no more around it. */
TEST_F(truth, has_all_switches_and_forks)
{
	struct machine outer[2], inner[2];
	uint64_t of_type[64] = {};

	outer[0] = count_machine(_metadata);
	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	inner[0] = count_machine(_metadata);
	load(_metadata);
	inner[1] = count_machine(_metadata);
	finish(_metadata, self);
	outer[1] = count_machine(_metadata);

	ASSERT_EQ(0, session_walk(&self->s, count_type, of_type));
	EXPECT_LE(inner[1].switches - inner[0].switches, of_type[KMPROF_TRACE_SWITCH]);
	EXPECT_GE(outer[1].switches - outer[0].switches, of_type[KMPROF_TRACE_SWITCH]);
	EXPECT_LE(inner[1].forks - inner[0].forks, of_type[KMPROF_TRACE_FORK]);
	EXPECT_GE(outer[1].forks - outer[0].forks, of_type[KMPROF_TRACE_FORK]);
	EXPECT_LT(40, of_type[KMPROF_TRACE_FORK]);
}

/* Switches of a task, as the kernel counts them. */
struct life {
	uint64_t voluntary;
	uint64_t other;
};

static struct life own_life(struct __test_metadata *_metadata)
{
	static const char path[] = "/proc/self/status";

	return (struct life) {
		.voluntary	= number_in(_metadata, path, "\nvoluntary_ctxt_switches:\t"),
		.other		= number_in(_metadata, path, "\nnonvoluntary_ctxt_switches:\t"),
	};
}

/* Where a task is in its life: its marks lead from one to the next. */
enum phase { BEFORE, COUNTS_FIRST, WORKS, COUNTS_LAST, AFTER };

/* Sleeps, and computes; before and after that, reads what the kernel has counted. */
static void live(struct __test_metadata *_metadata, int dev, struct life lives[2])
{
	const struct timespec ms = { .tv_nsec = 1000000 };
	struct rusage before, now;
	unsigned int i;

	ASSERT_EQ(1, write(dev, "1", 1));
	lives[0] = own_life(_metadata);
	ASSERT_EQ(1, write(dev, "2", 1));
	getrusage(RUSAGE_THREAD, &before);
	do {
		nanosleep(&ms, NULL);
		getrusage(RUSAGE_THREAD, &now);
	} while (now.ru_nvcsw - before.ru_nvcsw < SWITCHES);
	do {
		for (i = 0; i < 20000; i++)
			asm("");
		getrusage(RUSAGE_THREAD, &now);
	} while (now.ru_nivcsw - before.ru_nivcsw < SWITCHES);
	ASSERT_EQ(1, write(dev, "3", 1));
	lives[1] = own_life(_metadata);
	ASSERT_EQ(1, write(dev, "4", 1));
}

/**
 * struct told - what the trace tells of a task
 * @tid: its id
 * @phase: where it is
 * @least: switches while it works
 * @most: switches also while it reads the kernel's counts
 */
struct told {
	uint32_t tid;
	enum phase phase;
	struct life least;
	struct life most;
};

static void count_switch(struct life *life, uint64_t state)
{
	if (state == KMPROF_TRACE_RUNNABLE || state == KMPROF_TRACE_PREEMPTED)
		life->other++;
	else
		life->voluntary++;
}

static int tell(const struct record *r, void *data)
{
	struct told *t = data;

	if (r->tid != t->tid)
		return 0;
	if (r->type == KMPROF_TRACE_MARK)
		t->phase++;
	if (r->type != KMPROF_TRACE_SWITCH)
		return 0;
	if (t->phase == WORKS)
		count_switch(&t->least, r->args[1]);
	if (t->phase != BEFORE && t->phase != AFTER)
		count_switch(&t->most, r->args[1]);
	return 0;
}

/* On one CPU, beside a competitor that never sleeps. */
TEST_F(truth, tells_the_life_of_a_task)
{
	struct told told = {};
	struct life lives[2];
	pid_t competitor;

	ASSERT_EQ(0, guest_pin_cpu(0));
	competitor = fork();
	ASSERT_LE(0, competitor);
	if (!competitor) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			;
	}
	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	live(_metadata, self->dev, lives);
	finish(_metadata, self);
	kill(competitor, SIGKILL);
	waitpid(competitor, NULL, 0);

	told.tid = getpid();
	ASSERT_EQ(0, session_walk(&self->s, tell, &told));
	EXPECT_EQ(AFTER, told.phase);
	EXPECT_LE(told.least.voluntary, lives[1].voluntary - lives[0].voluntary);
	EXPECT_GE(told.most.voluntary, lives[1].voluntary - lives[0].voluntary);
	EXPECT_LE(told.least.other, lives[1].other - lives[0].other);
	EXPECT_GE(told.most.other, lives[1].other - lives[0].other);
	EXPECT_LE(SWITCHES, told.least.voluntary);
	EXPECT_LE(SWITCHES, told.least.other);
}

/* An event in the order of all CPUs. */
struct event {
	struct record record;
	size_t number;
};

struct events {
	struct event *all;
	size_t nr;
	size_t room;
};

static int keep(const struct record *r, void *data)
{
	struct events *events = data;
	struct event *more;

	if (events->nr == events->room) {
		events->room = events->room * 2 + 1024;
		more = realloc(events->all, events->room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		events->all = more;
	}
	events->all[events->nr] = (struct event) { .record = *r, .number = events->nr };
	events->nr++;
	return 0;
}

static int is_switch(const struct event *event)
{
	return event->record.type == KMPROF_TRACE_SWITCH;
}

/* At the same tick, a wake-up comes before a switch of another CPU. */
static int by_time(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	if (x->record.ticks != y->record.ticks)
		return x->record.ticks < y->record.ticks ? -1 : 1;
	if (x->record.cpu != y->record.cpu && is_switch(x) != is_switch(y))
		return is_switch(x) ? 1 : -1;
	return x->number < y->number ? -1 : 1;
}

enum { UNKNOWN, RUNS, ASLEEP, WOKEN };

/* Follows all tasks, by their ids. Returns the number of tasks that have run without a wake-up. */
static unsigned int unwoken(const struct events *events, uint8_t *state, unsigned int *woken)
{
	unsigned int wrong = 0;
	size_t i;

	*woken = 0;
	for (i = 0; i < events->nr; i++) {
		const struct record *r = &events->all[i].record;

		if (r->type == KMPROF_TRACE_WAKING)
			state[r->args[0]] = WOKEN;
		if (r->type != KMPROF_TRACE_SWITCH)
			continue;
		if (r->tid && state[r->tid] != WOKEN)
			state[r->tid] = r->args[1] == KMPROF_TRACE_SLEEPING ||
					r->args[1] == KMPROF_TRACE_BLOCKED ? ASLEEP : UNKNOWN;
		if (!r->args[0])
			continue;
		if (state[r->args[0]] == ASLEEP)
			wrong++;
		if (state[r->args[0]] == WOKEN)
			++*woken;
		state[r->args[0]] = RUNS;
	}
	return wrong;
}

TEST_F(truth, has_causes_before_effects)
{
	uint8_t *state = calloc(TIDS, 1);
	struct events events = {};
	unsigned int woken;

	ASSERT_NE(NULL, state);
	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 0));
	load(_metadata);
	finish(_metadata, self);
	ASSERT_EQ(0, session_walk(&self->s, keep, &events));
	qsort(events.all, events.nr, sizeof(*events.all), by_time);
	EXPECT_EQ(0, unwoken(&events, state, &woken));
	EXPECT_LT(100, woken);
	free(events.all);
	free(state);
}

TEST_HARNESS_MAIN
