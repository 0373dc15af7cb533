// SPDX-License-Identifier: GPL-2.0
/*
 * The switches of a trace against those that perf sched record sees meanwhile: on each CPU the same
 * ones, in the same order. A task that runs on that CPU alone, before and after the load, tells
 * where both begin and end: with the last switch from the first of them, and the first switch to
 * the second one, after which perf still records.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "trace/session.h"

#define DATA		"/tmp/perf_sched.data"
#define BEGIN		"/tmp/perf_sched.begin"
#define END		"/tmp/perf_sched.end"
/* perf has room for all that comes, so it loses nothing, however late it saves it. */
#define RECORD		"perf sched record -q -m 4096 -o " DATA " selftests/trace/marked_load "	\
			BEGIN " " END " >&2"
#define SHOW		"perf script -i " DATA " --show-lost-events -F cpu,event,trace 2>/dev/null"

enum { CPUS = 16, LEAST_SWITCHES = 100 };

FIXTURE(perf_sched) {
	int dev;
	struct session s;
};

FIXTURE_SETUP(perf_sched)
{
	ASSERT_EQ(0, guest_load("kprobe", "heap_rate=0"));
	self->dev = guest_open();
	ASSERT_LE(0, self->dev);
	self->s.fd = -1;
}

FIXTURE_TEARDOWN(perf_sched)
{
	session_free(&self->s);
	unlink(DATA);
	unlink(BEGIN);
	unlink(END);
	close(self->dev);
	EXPECT_EQ(0, guest_leave(_metadata->passed));
}

/* A CPU goes from one task to another. */
struct change {
	uint32_t from;
	uint32_t to;
};

/**
 * struct changes - those of a CPU, in their order
 * @all: array
 * @nr: how many there are
 * @room: entries of @all
 * @first: the first one after the begin of the load
 * @end: behind the last one before the end of the load
 */
struct changes {
	struct change *all;
	size_t nr;
	size_t room;
	size_t first;
	size_t end;
};

static int add(struct changes *changes, uint32_t from, uint32_t to)
{
	struct change *more;

	if (changes->nr == changes->room) {
		changes->room = changes->room * 2 + 1024;
		more = realloc(changes->all, changes->room * sizeof(*more));
		if (!more)
			return -ENOMEM;
		changes->all = more;
	}
	changes->all[changes->nr++] = (struct change) { .from = from, .to = to };
	return 0;
}

static int add_record(const struct record *r, void *data)
{
	struct changes *of_cpu = data;

	if (r->type != KMPROF_TRACE_SWITCH)
		return 0;
	return r->cpu < CPUS ? add(&of_cpu[r->cpu], r->tid, r->args[0]) : -E2BIG;
}

/* The number behind a word of a line; names of tasks are before it. */
static int number_behind(const char *line, const char *word, uint32_t *number)
{
	const char *at = strstr(line, word);

	return at && sscanf(at + strlen(word), "%" SCNu32, number) == 1 ? 0 : -EINVAL;
}

/* A line of perf script. Returns 0 or a negative errno. */
static int add_line(const char *line, struct changes *of_cpu)
{
	uint32_t from, to;
	unsigned int cpu;

	if (strstr(line, "LOST"))
		return guest_complain("perf", line, ENOBUFS);
	if (!strstr(line, "sched:sched_switch:"))
		return 0;
	if (sscanf(line, " [%u]", &cpu) != 1 || cpu >= CPUS ||
	    number_behind(line, " prev_pid=", &from) || number_behind(line, " next_pid=", &to))
		return guest_complain("read", line, EINVAL);
	return add(&of_cpu[cpu], from, to);
}

static void read_perf(struct __test_metadata *_metadata, struct changes *of_cpu)
{
	char *text = command_output(SHOW), *line, *rest;

	ASSERT_NE(NULL, text);
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
		ASSERT_EQ(0, add_line(line, of_cpu));
	free(text);
}

/* Where the CPU leaves this task for the last time. */
static size_t last_of(struct __test_metadata *_metadata, const struct changes *changes,
		      uint32_t tid)
{
	size_t i = changes->nr;

	while (i && changes->all[i - 1].from != tid)
		i--;
	EXPECT_LT(0, i);
	return i;
}

/* Where the CPU goes to this task for the first time. */
static size_t first_of(struct __test_metadata *_metadata, const struct changes *changes,
		       uint32_t tid)
{
	size_t i = 0;

	while (i < changes->nr && changes->all[i].to != tid)
		i++;
	EXPECT_LT(i, changes->nr);
	return i;
}

static void cut(struct __test_metadata *_metadata, struct changes *changes,
		const uint32_t marks[2])
{
	changes->first = last_of(_metadata, changes, marks[0]);
	changes->end = first_of(_metadata, changes, marks[1]);
	EXPECT_LT(changes->first + LEAST_SWITCHES, changes->end);
}

/* Returns the number of CPUs. */
static unsigned int read_marks(struct __test_metadata *_metadata, uint32_t marks[CPUS][2])
{
	FILE *begin = fopen(BEGIN, "r"), *end = fopen(END, "r");
	unsigned int cpus = 0;

	ASSERT_NE(NULL, begin);
	ASSERT_NE(NULL, end);
	while (cpus < CPUS && fscanf(begin, "%" SCNu32, &marks[cpus][0]) == 1) {
		ASSERT_EQ(1, fscanf(end, "%" SCNu32, &marks[cpus][1]));
		cpus++;
	}
	fclose(begin);
	fclose(end);
	return cpus;
}

static void expect_same(struct __test_metadata *_metadata, unsigned int cpu,
			const struct changes *a, const struct changes *b)
{
	const size_t nr = a->end - a->first;
	size_t i;

	TH_LOG("CPU %u: %zu switches", cpu, nr);
	ASSERT_EQ(nr, b->end - b->first);
	for (i = 0; i < nr; i++) {
		ASSERT_EQ(a->all[a->first + i].from, b->all[b->first + i].from);
		ASSERT_EQ(a->all[a->first + i].to, b->all[b->first + i].to);
	}
}

TEST_F_TIMEOUT(perf_sched, has_the_same_switches, 300)
{
	struct changes told[CPUS] = {}, expected[CPUS] = {};
	uint32_t marks[CPUS][2];
	unsigned int cpu, cpus;

	ASSERT_EQ(0, session_start(self->dev, &self->s, SESSION_SCHED, 1 << 24));
	ASSERT_EQ(0, system(RECORD));
	ASSERT_EQ(0, session_stop(self->dev, &self->s));
	ASSERT_EQ(0, session_read_rest(&self->s));
	ASSERT_EQ(0, session_lost(&self->s));

	ASSERT_EQ(0, session_walk(&self->s, add_record, told));
	read_perf(_metadata, expected);
	cpus = read_marks(_metadata, marks);
	ASSERT_EQ(sysconf(_SC_NPROCESSORS_ONLN), cpus);
	for (cpu = 0; cpu < cpus; cpu++) {
		cut(_metadata, &told[cpu], marks[cpu]);
		cut(_metadata, &expected[cpu], marks[cpu]);
		expect_same(_metadata, cpu, &expected[cpu], &told[cpu]);
		free(told[cpu].all);
		free(expected[cpu].all);
	}
}

TEST_HARNESS_MAIN
