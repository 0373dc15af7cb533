// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof trace keeps up with a load: it loses nothing with the usual buffers, and counts and
 * locates what it loses with small ones; and what it has recorded is soon saved.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "trace/recording.h"

#define TRACE		"/tmp/pace.trace"
#define BEFORE		"/tmp/pace.before"
#define AFTER		"/tmp/pace.after"
#define DATA		"/tmp/pace.data"
#define COUNT		"tools/kmprof trace --input " TRACE " --format text | awk '"		\
			"NR == 1 { events = $2; lost = $4 } "					\
			"/ events? lost since / { located += $4 } "				\
			"END { print events, lost, located + 0 }'"
#define PERF_RECORD	"perf record -q -a -m 4096 -o " DATA				\
			" -e sched:sched_switch -e sched:sched_waking -- "
#define HAND_OVER	"taskset -c 0 perf bench sched pipe -l "
#define SWITCHES	"\nctxt "

enum { HANDED_OVER = 100000 };

FIXTURE(pace) {
	int dev;
};

FIXTURE_SETUP(pace)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
}

FIXTURE_TEARDOWN(pace)
{
	unlink(TRACE);
	unlink(BEFORE);
	unlink(AFTER);
	unlink(DATA);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static void run(struct __test_metadata *_metadata, const char *command)
{
	int status;
	char *text = command_run(command, &status);

	EXPECT_EQ(0, status);
	if (status)
		TH_LOG("%s: %.2000s", command, text ? text : "");
	free(text);
}

/**
 * struct told - what a trace tells
 * @events: number of events
 * @lost: number of those that were lost
 * @located: the same, added up where they are missing
 */
struct told {
	uint64_t events;
	uint64_t lost;
	uint64_t located;
};

static struct told told_of(struct __test_metadata *_metadata)
{
	char *text = command_output(COUNT);
	struct told told = {};
	int fields;

	ASSERT_NE(NULL, text);
	fields = sscanf(text, "%" SCNu64 " %" SCNu64 " %" SCNu64, &told.events, &told.lost,
			&told.located);
	EXPECT_EQ(3, fields);
	free(text);
	return told;
}

/* Traces a script of the shell. */
static void trace_script(struct __test_metadata *_metadata, const char *options, const char *script)
{
	char command[400];

	snprintf(command, sizeof(command), "tools/kmprof trace %s -o " TRACE " -- sh -c '%s'",
		 options, script);
	run(_metadata, command);
}

/*
 * The reader has no priority, and each CPU has an eighth of the usual buffer. With EFFORT=100, one
 * of them has three times as much to tell.
 */
TEST_F_TIMEOUT(pace, loses_nothing, 600)
{
	const unsigned int handed_over = guest_effort(HANDED_OVER);
	struct told told;
	char script[120];

	snprintf(script, sizeof(script), "hackbench -g 1 -l %u && " HAND_OVER "%u",
		 guest_effort(1000), handed_over);
	trace_script(_metadata, "--buffer 512K", script);
	told = told_of(_metadata);
	TH_LOG("%" PRIu64 " events", told.events);
	EXPECT_EQ(0, told.lost);
	/* There and back, each time. */
	EXPECT_LT(2 * handed_over, told.events);
}

static uint64_t switches(struct __test_metadata *_metadata, const char *path)
{
	uint64_t number;

	EXPECT_EQ(0, guest_read_number(path, SWITCHES, &number));
	return number;
}

/*
 * Ten times that load, and two tasks on one CPU that hand it to each other more often than there is
 * room for: a 64th of the usual. And a reader that does not get to run. The kernel counts
 * no less switches while the load runs, and no more from before the trace to after it.
 */
TEST_F_TIMEOUT(pace, counts_and_locates_what_it_loses, 600)
{
	const uint64_t before = switches(_metadata, "/proc/stat");
	uint64_t after, all;
	struct told told;
	char script[200];

	snprintf(script, sizeof(script), "cat /proc/stat >" BEFORE "; kill -STOP $PPID; "
		 "hackbench -g 10 -l %u && " HAND_OVER "20000; status=$?; kill -CONT $PPID; "
		 "cat /proc/stat >" AFTER " && exit $status",
		 guest_effort(200));
	trace_script(_metadata, "-e switch --buffer 64K", script);
	after = switches(_metadata, "/proc/stat");
	told = told_of(_metadata);
	all = told.events + told.lost;
	TH_LOG("%" PRIu64 " events, %" PRIu64 " lost", told.events, told.lost);
	EXPECT_LT(0, told.lost);
	EXPECT_EQ(told.lost, told.located);
	EXPECT_LE(switches(_metadata, AFTER) - switches(_metadata, BEFORE), all);
	EXPECT_GE(after - before, all);
}

/* The time that a command takes, in ns. */
static uint64_t time_of(struct __test_metadata *_metadata, const char *command)
{
	const uint64_t start = guest_now_ns();

	run(_metadata, command);
	return guest_now_ns() - start;
}

static uint64_t perf_ns_per_event(struct __test_metadata *_metadata, const char *load)
{
	char command[300], *text;
	uint64_t ns, events;

	snprintf(command, sizeof(command), PERF_RECORD "%s", load);
	run(_metadata, command);
	ns = time_of(_metadata, "perf script -i " DATA " >/dev/null");
	text = command_output("perf script -i " DATA " -F event | grep -c sched:");
	ASSERT_NE(NULL, text);
	events = strtoull(text, NULL, 10);
	free(text);
	ASSERT_LT(0, events);
	TH_LOG("perf script: %" PRIu64 " events in %" PRIu64 " ms", events, ns / 1000000);
	return ns / events;
}

/* Of a flight recorder, which has saved nothing before it ends. */
static uint64_t kmprof_ns_per_event(struct __test_metadata *_metadata, int dev, const char *load)
{
	static const char *const argv[] = {
		"tools/kmprof", "trace", "--flight", "-e", "switch,waking", "--buffer", "16M",
		"-o", TRACE, NULL,
	};
	struct recording recording = {};
	struct told told;
	uint64_t start, ns;

	ASSERT_EQ(0, recording_spawn(&recording, dev, argv));
	run(_metadata, load);
	start = guest_now_ns();
	ASSERT_EQ(0, recording_stop(&recording));
	ns = guest_now_ns() - start;
	told = told_of(_metadata);
	ASSERT_LT(0, told.events);
	EXPECT_EQ(0, told.lost);
	TH_LOG("kmprof: %" PRIu64 " events in %" PRIu64 " ms", told.events, ns / 1000000);
	return ns / told.events;
}

/* From the end of a flight to its file, in less time than perf script takes for as many. */
TEST_F_TIMEOUT(pace, saves_faster_than_perf_script, 900)
{
	uint64_t ns, peer;
	char load[60];

	if (guest_is_quick("how soon a flight is saved"))
		return;
	snprintf(load, sizeof(load), "hackbench -g 2 -l %u", guest_effort(1000));
	ns = kmprof_ns_per_event(_metadata, self->dev, load);
	peer = perf_ns_per_event(_metadata, load);
	EXPECT_LT(ns, peer);
}

TEST_HARNESS_MAIN
