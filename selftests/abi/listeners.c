// SPDX-License-Identifier: GPL-2.0
/*
 * perf, bpftrace and trace-cmd listen to the trace events, each while the same load runs. What they
 * have added up is not less than what kmprof has counted between two moments of their session, and
 * not more than what it has counted between a moment before it and one after it.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/command.h"
#include "lib/harness.h"
#include "lib/kmprof_guest.h"
#include "lib/modules.h"
#include "lib/order.h"
#include "lib/snapshot.h"

#define STATS "/sys/kernel/debug/kmprof/stats"
#define PERIOD_TEXT "524288"

enum { PAGE = 4096, PERIOD = 524288 };

STORE_FIXTURE_OF(listeners, "tracepoint", "heap_rate=524288 heap=slab,page " GUEST_ROOMY);

/* What each session runs: a load, and the totals before and after it. */
static const char script[] =
	"#!/bin/sh\n"
	"cat " STATS " >/tmp/first\n"
	"hackbench -g 1 -l 100 >/tmp/hackbench 2>&1\n"
	"cat " STATS " >/tmp/last\n";

#define SCRIPT "/tmp/listeners-load"

static int write_script(void)
{
	FILE *file = fopen(SCRIPT, "w");

	if (!file)
		return -1;
	fputs(script, file);
	return fclose(file) || chmod(SCRIPT, 0755);
}

static uint64_t number_of(const char *text, const char *name)
{
	const char *at = text ? strstr(text, name) : NULL;

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static uint64_t total_of(const char *text)
{
	return number_of(text, "# total.alloc_bytes ") +
	       number_of(text, "# total.pages_allocated ") * PAGE;
}

static uint64_t total_at(struct __test_metadata *_metadata, const char *path)
{
	char *text = NULL;
	uint64_t total;

	EXPECT_EQ(0, guest_read_file(path, &text, NULL));
	total = total_of(text);
	EXPECT_LT(0, total);
	free(text);
	return total;
}

/* Runs a session, and expects @told() to find in its output what was counted, in bytes. */
static void expect_session(struct __test_metadata *_metadata, const char *command,
			   uint64_t (*told)(const char *output), uint64_t less)
{
	uint64_t before, after, inner, sum;
	int status;
	char *text;

	ASSERT_EQ(0, write_script());
	before = total_at(_metadata, STATS);
	text = command_run(command, &status);
	after = total_at(_metadata, STATS);
	inner = total_at(_metadata, "/tmp/last") - total_at(_metadata, "/tmp/first");
	sum = told(text);
	EXPECT_EQ(0, status);
	/* The load is no small one beside what the error is. */
	EXPECT_LT(4 * less, inner);
	EXPECT_LE(inner - less, sum);
	EXPECT_GE(after - before, sum);
	if (!_metadata->passed)
		TH_LOG("inner %llu told %llu outer %llu: %.2000s", (unsigned long long)inner,
		       (unsigned long long)sum, (unsigned long long)(after - before), text);
	free(text);
}

/* A line of perf script for each sample. */
static uint64_t samples_of(const char *output)
{
	uint64_t n = 0;

	for (; output && (output = strstr(output, "kmprof:alloc:")); output++)
		n++;
	return n * PERIOD;
}

/*
 * On each CPU, what has come since the last sample is in none. Without --no-period, perf takes a
 * sample of each event, and the weight along.
 */
TEST_F(listeners, perf_samples_by_bytes)
{
	expect_session(_metadata,
		       "perf record -q -a -g --no-period -e kmprof:alloc -c " PERIOD_TEXT
		       " -o /tmp/perf.data "
		       SCRIPT " >/dev/null && "
		       "perf script -i /tmp/perf.data -F event,trace 2>/dev/null",
		       samples_of, sysconf(_SC_NPROCESSORS_ONLN) * PERIOD);
}

static uint64_t map_of(const char *output)
{
	return number_of(output, "@bytes: ");
}

/*
 * It does not run for an event inside of the program itself: those of an interrupt that comes just
 * then are not in it.
 */
TEST_F(listeners, bpftrace_adds_up)
{
	expect_session(_metadata,
		       "bpftrace -q -c '/bin/sh " SCRIPT "' -e '"
		       "tracepoint:kmprof:alloc { @bytes = sum(args->bytes); }' 2>&1",
		       map_of, 1000000);
}

static uint64_t sum_of(const char *output)
{
	uint64_t sum = 0;

	for (; output && (output = strstr(output, " bytes=")); output++)
		sum += strtoull(output + strlen(" bytes="), NULL, 10);
	return sum;
}

/* Room for all events: none is lost, however late they are read. */
TEST_F(listeners, trace_cmd_records)
{
	expect_session(_metadata,
		       "trace-cmd record -q -b 40000 -e kmprof:alloc -o /tmp/trace.dat " SCRIPT
		       " >/dev/null 2>&1 && trace-cmd report -q -i /tmp/trace.dat 2>/dev/null",
		       sum_of, 0);
}

TEST_HARNESS_MAIN
