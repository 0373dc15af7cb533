// SPDX-License-Identifier: GPL-2.0
/*
 * What kmprof trace report tells of tasks, against what the scheduler itself has counted of them in
 * /proc/PID/schedstat: how often they ran, how long, and how long they waited for a CPU.
 */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "trace/recording.h"

#define MS		1000000ULL

enum {
	WORKERS		= 4,
	FOUGHT		= 1,	/* the CPU that they share */
	/* Of each of them: it moves to that CPU, which the kernel does for it, starts and ends. */
	OTHER_SLEEPS	= 5,
	WORK_MS		= 8000,	/* of each of them, in all */
	QUICK_MS	= 100,
	/* Of the time that the scheduler has counted. */
	PERCENT		= 1,
	/* A task is a zombie a little before it has run for the last time. */
	SETTLE_US	= 200000,
};

FIXTURE(schedstat) {
	int dev;
	struct recording recording;
};

FIXTURE_SETUP(schedstat)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	ASSERT_EQ(0, recording_start(&self->recording, self->dev));
	ASSERT_EQ(0, guest_pin_cpu(0));
}

FIXTURE_TEARDOWN(schedstat)
{
	EXPECT_EQ(0, recording_stop(&self->recording));
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* What is counted of a task. */
struct counts {
	uint64_t running_ns;
	uint64_t runnable_ns;
	uint64_t runs;
};

/* Works so long in all, and sleeps for a while after each of so many parts. */
static void live(uint64_t work_ns, unsigned int parts)
{
	const struct timespec nap = { .tv_nsec = 3 * MS };
	unsigned int i;

	for (i = 1; i <= parts; i++) {
		while (guest_cpu_ns() < work_ns / parts * i)
			;
		nanosleep(&nap, NULL);
	}
}

/* The last one sleeps most often. */
static unsigned int naps_of(unsigned int worker)
{
	return 1 + 30 * worker;
}

static pid_t start(unsigned int worker, uint64_t work_ns)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (guest_pin_cpu(FOUGHT))
		_exit(1);
	live(work_ns, naps_of(worker));
	_exit(0);
}

/* What the scheduler has counted of a task that has exited. It is not reaped. */
static void read_schedstat(struct __test_metadata *_metadata, pid_t pid, struct counts *counts)
{
	char path[40], *text;
	int fields;

	snprintf(path, sizeof(path), "/proc/%d/schedstat", pid);
	ASSERT_EQ(0, guest_read_file(path, &text, NULL));
	fields = sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &counts->running_ns,
			&counts->runnable_ns, &counts->runs);
	ASSERT_EQ(3, fields);
	free(text);
}

/* Waits for all workers, so that none of them delays another one's end, and returns the counts. */
static void finish(struct __test_metadata *_metadata, const pid_t pids[WORKERS],
		   struct counts counts[WORKERS])
{
	siginfo_t info;
	int i, status;

	for (i = 0; i < WORKERS; i++)
		ASSERT_EQ(0, waitid(P_PID, pids[i], &info, WEXITED | WNOWAIT));
	usleep(SETTLE_US * guest_slow());
	for (i = 0; i < WORKERS; i++) {
		read_schedstat(_metadata, pids[i], &counts[i]);
		ASSERT_EQ(pids[i], waitpid(pids[i], &status, 0));
		ASSERT_EQ(0, status);
	}
}

static uint64_t number(const json_t *of, const char *key)
{
	return json_integer_value(json_object_get(of, key));
}

/* What the report tells of a task. Returns whether it does. */
static int told_of(const json_t *report, pid_t pid, struct counts *counts)
{
	const json_t *task;
	size_t i;

	json_array_foreach(json_object_get(report, "tasks"), i, task) {
		if (number(json_object_get(task, "task"), "tid") != (uint64_t)pid)
			continue;
		*counts = (struct counts) {
			.running_ns	= number(task, "running_ns"),
			.runnable_ns	= number(task, "runnable_ns"),
			.runs		= number(task, "runs"),
		};
		return 1;
	}
	return 0;
}

static uint64_t percent_off(uint64_t told, uint64_t counted)
{
	const uint64_t off = told > counted ? told - counted : counted - told;

	return (off * 100 + counted - 1) / counted;
}

/*
 * Can tasks be preempted in the kernel? If that happens on the way to sleep, with the state set
 * already, the scheduler counts neither the wait for the CPU nor the run after it: see
 * sched_info_depart(). The trace has both.
 */
static int is_preemptible(void)
{
	struct utsname kernel;

	return !uname(&kernel) && (strstr(kernel.version, " PREEMPT ") || guest_is_rt());
}

static void expect_runs(struct __test_metadata *_metadata, uint64_t told, uint64_t counted,
			unsigned int naps)
{
	EXPECT_LE(counted, told);
	EXPECT_GE(counted + (is_preemptible() ? naps + OTHER_SLEEPS : 0), told);
}

static void expect_times(struct __test_metadata *_metadata, const struct counts *told,
			 const struct counts *counted)
{
	EXPECT_GE(PERCENT, percent_off(told->running_ns, counted->running_ns));
	if (!is_preemptible())
		EXPECT_GE(PERCENT, percent_off(told->runnable_ns, counted->runnable_ns));
}

static void add(struct counts *all, const struct counts *more)
{
	all->running_ns += more->running_ns;
	all->runnable_ns += more->runnable_ns;
}

/* What a busy host takes away between a time stamp and the switch is less than that. */
static void expect_magnitude(struct __test_metadata *_metadata, uint64_t counted, uint64_t told)
{
	EXPECT_LT(counted / 2, told);
	EXPECT_GT(counted * 2, told);
}

/* Workers on one CPU: all but the last one to go have to wait for it, and all have run. */
TEST_F_TIMEOUT(schedstat, agrees, 600)
{
	const int is_quick = guest_is_quick("times within 1 % of those in schedstat");
	struct counts counted[WORKERS], told, all_counted = {}, all_told = {};
	pid_t pids[WORKERS];
	json_t *report;
	unsigned int i;

	for (i = 0; i < WORKERS; i++) {
		pids[i] = start(i, (is_quick ? QUICK_MS : WORK_MS) * MS);
		ASSERT_LT(0, pids[i]);
	}
	finish(_metadata, pids, counted);
	ASSERT_EQ(0, recording_stop(&self->recording));
	report = recording_report();
	ASSERT_NE(NULL, report);
	for (i = 0; i < WORKERS; i++) {
		ASSERT_EQ(1, told_of(report, pids[i], &told));
		TH_LOG("task %u ran %" PRIu64 " times, for %" PRIu64 " us, and waited %" PRIu64
		       " us; schedstat: %" PRIu64 ", %" PRIu64 ", %" PRIu64, i, told.runs,
		       told.running_ns / 1000, told.runnable_ns / 1000, counted[i].runs,
		       counted[i].running_ns / 1000, counted[i].runnable_ns / 1000);
		expect_runs(_metadata, told.runs, counted[i].runs, naps_of(i));
		EXPECT_LT(0, counted[i].runnable_ns);
		if (!is_quick)
			expect_times(_metadata, &told, &counted[i]);
		add(&all_counted, &counted[i]);
		add(&all_told, &told);
	}
	expect_magnitude(_metadata, all_counted.running_ns, all_told.running_ns);
	expect_magnitude(_metadata, all_counted.runnable_ns, all_told.runnable_ns);
	json_decref(report);
}

TEST_HARNESS_MAIN
