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
#define FIRST "/tmp/first"
#define LAST "/tmp/last"
#define SAMPLE_RATE "/proc/sys/kernel/perf_event_max_sample_rate"

enum { PAGE = 4096 };

STORE_DATA(listeners);

static uint64_t number_of(const char *text, const char *name)
{
	const char *at = text ? strstr(text, name) : NULL;

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static uint64_t bytes_of(const char *stats)
{
	return number_of(stats, "# total.alloc_bytes ") +
	       number_of(stats, "# total.pages_allocated ") * PAGE;
}

static uint64_t wait_ns_of(const char *stats)
{
	return number_of(stats, "# total.wait_ns ");
}

/* How long the tasks wait is up to the scheduler: until they have waited 400 ms in all. */
#define WAIT_FOR_LOCKS							\
	"waited() { sed -n 's/^# total.wait_ns //p' $1; }; "		\
	"until [ $(waited " STATS ") -gt $(($(waited " FIRST ") + 400000000)) ]; do "	\
	"hackbench -p -g 1 -l 100; done"

/*
 * @event: of kmprof
 * @weight: its field that is added up
 * @total: what was counted of it
 * @least: so much at any time, at least
 * @load: allocates, or waits for locks
 * @period: perf takes a sample of so many
 * @nested: what a program misses at most while it runs itself
 */
FIXTURE_VARIANT(listeners)
{
	const char *event;
	const char *weight;
	uint64_t (*total)(const char *stats);
	uint64_t least;
	const char *load;
	uint64_t period;
	uint64_t nested;
};

FIXTURE_VARIANT_ADD(listeners, alloc)
{
	.event = "alloc", .weight = "bytes", .total = bytes_of, .least = 1,
	.load = "hackbench -g 1 -l 100", .period = 524288, .nested = 1000000,
};

FIXTURE_VARIANT_ADD(listeners, block)
{
	.event = "block", .weight = "ns", .total = wait_ns_of,
	.load = WAIT_FOR_LOCKS, .period = 20000000, .nested = 1000000,
};

STORE_SETUP(listeners, "tracepoint",
	    "heap_rate=524288 heap=slab,page block_rate=1000000 " GUEST_ROOMY);

/* What each session runs: a load, and the totals before and after it. */
#define SCRIPT "/tmp/listeners-load"

static int write_script(const char *load)
{
	FILE *file = fopen(SCRIPT, "w");

	if (!file)
		return -1;
	fprintf(file, "#!/bin/sh\ncat " STATS " >" FIRST "\n{ %s; } >/tmp/hackbench 2>&1\n"
		"cat " STATS " >" LAST "\n", load);
	return fclose(file) || chmod(SCRIPT, 0755);
}

static uint64_t total_at(struct __test_metadata *_metadata,
			 const FIXTURE_VARIANT(listeners) *variant, const char *path)
{
	char *text = NULL;
	uint64_t total;

	EXPECT_EQ(0, guest_read_file(path, &text, NULL));
	total = variant->total(text);
	EXPECT_LE(variant->least, total);
	free(text);
	return total;
}

/* The sum of what follows each @name in what a listener has told; with @each, of that. */
static uint64_t sum_of(const char *output, const char *name, uint64_t each)
{
	uint64_t sum = 0;

	while (output && (output = strstr(output, name))) {
		output += strlen(name);
		sum += each ? each : strtoull(output, NULL, 10);
	}
	return sum;
}

/* Runs a session, and expects to find in its output what was counted, but for @less. */
static void expect_session(struct __test_metadata *_metadata,
			   const FIXTURE_VARIANT(listeners) *variant, const char *command,
			   const char *name, uint64_t each, uint64_t less)
{
	uint64_t before, after, inner, sum;
	int status;
	char *text;

	ASSERT_EQ(0, write_script(variant->load));
	before = total_at(_metadata, variant, STATS);
	text = command_run(command, &status);
	after = total_at(_metadata, variant, STATS);
	inner = total_at(_metadata, variant, LAST) - total_at(_metadata, variant, FIRST);
	sum = sum_of(text, name, each);
	EXPECT_EQ(0, status);
	/* The load is no small one beside what the error is. */
	EXPECT_LT(4 * less, inner);
	EXPECT_LE(inner - less, sum);
	EXPECT_GE(after - before, sum);
	TH_LOG("inner %llu told %llu outer %llu: %.*s", (unsigned long long)inner,
	       (unsigned long long)sum, (unsigned long long)(after - before),
	       _metadata->passed ? 0 : 2000, text);
	free(text);
}

/*
 * On each CPU, what has come since the last sample is in none. Without --no-period, perf takes a
 * sample of each event, and the weight along. One wait can be worth minutes, and so thousands of
 * samples in a tick: there has to be room for them, and the kernel must allow as many.
 *
 * The samples of a wait are taken before its task goes on. With 40 tasks behind one lock, as with
 * PREEMPT_RT, they must cost less than a 40th of the period: else there is more to sample after
 * each of them than before, without end.
 */
TEST_F(listeners, perf_samples_by_weight)
{
	char command[512], name[32];

	ASSERT_EQ(0, guest_write_file(SAMPLE_RATE, "100000000"));
	snprintf(command, sizeof(command),
		 "perf record -q -a -g -m 4096 --no-period -e kmprof:%s -c %llu -o /tmp/perf.data "
		 SCRIPT " >/dev/null && perf script -i /tmp/perf.data -F event,trace 2>/dev/null",
		 variant->event, (unsigned long long)variant->period);
	snprintf(name, sizeof(name), "kmprof:%s:", variant->event);
	expect_session(_metadata, variant, command, name, variant->period,
		       sysconf(_SC_NPROCESSORS_ONLN) * variant->period);
}

/*
 * It does not run for an event inside of the program itself: those of an interrupt that comes just
 * then are not in it.
 */
TEST_F(listeners, bpftrace_adds_up)
{
	char command[512];

	snprintf(command, sizeof(command),
		 "bpftrace -q -c '/bin/sh " SCRIPT "' -e '"
		 "tracepoint:kmprof:%s { @sum = sum(args->%s); }' 2>&1",
		 variant->event, variant->weight);
	expect_session(_metadata, variant, command, "@sum: ", 0, variant->nested);
}

/* Room for all events: none is lost, however late they are read. */
TEST_F(listeners, trace_cmd_records)
{
	char command[512], name[32];

	snprintf(command, sizeof(command),
		 "trace-cmd record -q -b 40000 -e kmprof:%s -o /tmp/trace.dat " SCRIPT
		 " >/dev/null 2>&1 && trace-cmd report -q -i /tmp/trace.dat 2>/dev/null",
		 variant->event);
	snprintf(name, sizeof(name), " %s=", variant->weight);
	expect_session(_metadata, variant, command, name, 0, 0);
}

TEST_HARNESS_MAIN
