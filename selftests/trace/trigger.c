// SPDX-License-Identifier: GPL-2.0
/* A flight recorder that is saved when an event of the kernel happens, as users run it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/locker.h"
#include "lib/memory_cgroup.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/scene.h"
#include "trace/recording.h"

#define DIRECTORY	"/tmp/trigger"
#define FLIGHT		"tools/kmprof trace --flight -o " DIRECTORY "/x.trace "

enum { HELD_US = 50000 };

FIXTURE(trigger)
{
	int dev;
	int store;
	struct recording recording;
};

FIXTURE_SETUP(trigger)
{
	ASSERT_EQ(0, guest_load("tracepoint", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->store = order_open();
	ASSERT_LE(0, self->store);
	ASSERT_EQ(0, system("rm -rf " DIRECTORY " && mkdir " DIRECTORY));
}

FIXTURE_TEARDOWN(trigger)
{
	EXPECT_EQ(0, recording_stop(&self->recording));
	close(self->store);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

static void start(struct __test_metadata *_metadata, FIXTURE_DATA(trigger) *self,
		  const char *event, const char *snapshots)
{
	const char *const argv[] = {
		"tools/kmprof", "trace", "--flight", "-e", "sched,contention", "--on", event,
		"--snapshots", snapshots, "-o", DIRECTORY "/x.trace", NULL,
	};

	ASSERT_EQ(0, recording_spawn(&self->recording, self->dev, argv));
}

/* It has ended by itself, with what was asked for. */
static void expect_end(struct __test_metadata *_metadata, FIXTURE_DATA(trigger) *self)
{
	int status;

	ASSERT_EQ(self->recording.pid, waitpid(self->recording.pid, &status, 0));
	self->recording.pid = 0;
	EXPECT_EQ(0, status);
}

static void expect_output(struct __test_metadata *_metadata, const char *command,
			  const char *expected)
{
	int status;
	char *text = command_run(command, &status);

	EXPECT_STREQ(expected, text ? text : "");
	free(text);
}

/* A command writes the first words, and the second ones behind them. */
static void expect_words(struct __test_metadata *_metadata, const char *command,
			 const char *first, const char *second)
{
	int status;
	char *text = command_run(command, &status);
	const char *at;

	ASSERT_NE(NULL, text);
	at = strstr(text, first);
	EXPECT_NE(NULL, at);
	EXPECT_NE(NULL, at ? strstr(at, second) : NULL);
	if (!_metadata->passed)
		TH_LOG("%s: %.2000s", command, text);
	free(text);
}

static uint64_t lock_of(struct __test_metadata *_metadata, FIXTURE_DATA(trigger) *self,
			const struct scene *scene)
{
	struct kmprof_test_lock_state state;

	EXPECT_EQ(0, locker_state(self->store, scene->kind, scene->index, &state));
	return state.address;
}

/* Waits for a lock that is not the one are none; the one is saved, and has its mark. */
TEST_F(trigger, long_wait)
{
	const struct scene one = { .kind = KMPROF_TEST_LOCK_SEMAPHORE };
	const struct scene other = { .kind = KMPROF_TEST_LOCK_SEMAPHORE, .index = 1 };
	struct play play;
	char event[128];

	snprintf(event, sizeof(event), "kmprof:block/lock == %#llx && ns >= 20000000/",
		 (unsigned long long)lock_of(_metadata, self, &one));
	start(_metadata, self, event, "1");
	ASSERT_EQ(0, scene_play(self->store, &other, 0, 1, HELD_US, &play));
	/* It still records. */
	ASSERT_EQ(7, write(self->dev, "between", 7));
	ASSERT_EQ(0, scene_play(self->store, &one, 0, 1, HELD_US, &play));
	expect_end(_metadata, self);
	expect_output(_metadata, "ls " DIRECTORY, "x.trace\n");
	/* The mark of the event is behind the other one. */
	expect_words(_metadata, "tools/kmprof trace --input " DIRECTORY "/x.trace", "between",
		     event);
}

/* While a snapshot is saved, nothing is recorded: one of many. */
static void run_until_saved(struct __test_metadata *_metadata, const char *trace)
{
	unsigned int i;

	for (i = 0; i < 600 && access(trace, F_OK); i++)
		EXPECT_EQ(0, system("/bin/true; sleep 0.1"));
}

/* An event of the kernel's own; each time that it happens. */
TEST_F(trigger, each_time)
{
	start(_metadata, self, "sched:sched_process_exec/filename ~ \"*/true\"/", "2");
	ASSERT_EQ(0, system("/bin/echo; /bin/ls >/dev/null"));
	/* It still records. */
	ASSERT_EQ(7, write(self->dev, "between", 7));
	run_until_saved(_metadata, DIRECTORY "/x-1.trace");
	run_until_saved(_metadata, DIRECTORY "/x.trace");
	expect_end(_metadata, self);
	expect_output(_metadata, "ls " DIRECTORY, "x-1.trace\nx.trace\n");
	expect_words(_metadata, "tools/kmprof trace --input " DIRECTORY "/x-1.trace", "between",
		     "sched:sched_process_exec");
}

/* Takes more memory than its cgroup may have, until it is killed. vm/klog-check knows its name. */
static void take_too_much(void)
{
	enum { STEP = 1 << 20 };
	char *memory;

	prctl(PR_SET_NAME, "kmprof-oom");
	if (memory_cgroup_enter())
		_exit(EXIT_FAILURE);
	for (;;) {
		memory = mmap(NULL, STEP, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1,
			      0);
		if (memory == MAP_FAILED)
			_exit(EXIT_FAILURE);
		memset(memory, 1, STEP);
	}
}

/* A task is killed because memory has run out: what came before is saved. */
TEST_F(trigger, out_of_memory)
{
	int status;
	pid_t pid;

	ASSERT_EQ(0, memory_cgroup_setup("memory.max", "8388608"));
	start(_metadata, self, "oom:mark_victim", "1");
	pid = fork();
	if (!pid)
		take_too_much();
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	expect_end(_metadata, self);
	memory_cgroup_teardown();
	/* It has been here, and it is why this was saved. */
	expect_words(_metadata, "tools/kmprof trace --input " DIRECTORY "/x.trace", "kmprof-oom",
		     "oom:mark_victim");
}

TEST_F(trigger, wrong)
{
	expect_words(_metadata, FLIGHT "--on no:such 2>&1; ls " DIRECTORY,
		     "--on: no:such: the kernel has no such event", "perf list tracepoint");
	expect_words(_metadata, FLIGHT "--on 'kmprof:block/ns >> 3/' 2>&1; ls " DIRECTORY,
		     "--on: kmprof:block: 'ns >> 3' is no filter", "perf record --filter");
	expect_output(_metadata, "ls " DIRECTORY, "");
}

TEST_HARNESS_MAIN
