// SPDX-License-Identifier: GPL-2.0
/*
 * Reads /proc/lock_stat. It has a line for each class and access, "NAME:", "NAME-W:"
 * or "NAME-R:" and twelve numbers, of which the second is the number of waits and the
 * fifth their sum in microseconds; other lines say where it was waited.
 *
 * A trace says how the tracepoint contention_begin was told of each of these waits, if
 * at all: lock_contended is told when the account's time begins, lock_acquired when it
 * ends, both with the address of the lockdep map, which lies in the lock.
 */
#include <errno.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lock/classes.h"

#define SWITCH_PATH	"/proc/sys/kernel/lock_stat"
#define STAT_PATH	"/proc/lock_stat"
#define CLOCKS_PATH	"/sys/devices/system/clocksource/clocksource0/available_clocksource"
#define TRACE_PATH	"/sys/kernel/tracing/instances/kmprof_lockstat"

enum {
	TASKS = 4096,		/* that the trace can tell apart, a power of two */
	NAME_SIZE = 64,
	LOCK_BYTES = 512,	/* more than the largest lock has */
};

/**
 * struct contender - a task of the trace
 * @pid: its id, 0: unused entry
 * @lock: of the last contention_begin before it waited
 * @begin_ns: when that was
 * @map: of the lock that it waits for, 0: for none
 * @since_ns: since when
 * @is_told: contention_begin has told of that
 */
struct contender {
	unsigned int pid;
	uint64_t lock;
	int64_t begin_ns;
	uint64_t map;
	int64_t since_ns;
	int is_told;
};

/**
 * struct event - a line of the trace
 * @name: of the event, up to a colon
 * @pid: the task
 * @ns: when
 * @address: of the lock, or of the lockdep map in it
 */
struct event {
	const char *name;
	unsigned int pid;
	int64_t ns;
	uint64_t address;
};

/**
 * classes_open() - switch the account on
 * @classes: out: for classes_close()
 *
 * Return: 0 or a negative errno; -ENOENT when this kernel keeps none, -ETIME when it
 * cannot time it, because the TSC, which is the scheduler's clock, is not a good one.
 */
int classes_open(struct classes *classes)
{
	int ret, is_steady;
	char *clocks;

	memset(classes, 0, sizeof(*classes));
	if (access(STAT_PATH, R_OK | W_OK)) {
		ret = -errno;
		fprintf(stderr, "# there is no %s: the kernel needs CONFIG_LOCK_STAT\n",
			STAT_PATH);
		return ret;
	}
	ret = guest_read_file(CLOCKS_PATH, &clocks, NULL);
	if (ret)
		return ret;
	is_steady = !!strstr(clocks, "tsc");
	free(clocks);
	if (!is_steady) {
		fprintf(stderr, "# %s: its clock is not steady: boot with tsc=reliable\n",
			STAT_PATH);
		return -ETIME;
	}
	ret = guest_read_file(SWITCH_PATH, &classes->was, NULL);
	if (ret)
		return ret;
	return guest_write_file(SWITCH_PATH, "1");
}

/**
 * classes_begin() - forget all waits so far
 * @classes: the account
 * @filter: of the locks to trace, as for a trace event with a @name
 */
int classes_begin(struct classes *classes, const char *filter)
{
	const char *const settings[][2] = {
		{ TRACE_PATH "/tracing_on", "0" },
		{ TRACE_PATH "/buffer_size_kb", "16384" },
		{ TRACE_PATH "/options/hash-ptr", "0" },
		{ TRACE_PATH "/events/lock/lock_contended/filter", filter },
		{ TRACE_PATH "/events/lock/lock_acquired/filter", filter },
		{ TRACE_PATH "/events/lock/lock_contended/enable", "1" },
		{ TRACE_PATH "/events/lock/lock_acquired/enable", "1" },
		{ TRACE_PATH "/events/lock/contention_begin/enable", "1" },
		{ TRACE_PATH "/tracing_on", "1" },
		{ STAT_PATH, "0" },
	};
	unsigned int i;
	int ret;

	free(classes->text);
	free(classes->trace);
	classes->text = NULL;
	classes->trace = NULL;
	/* One may be there from a test that was killed. */
	rmdir(TRACE_PATH);
	if (mkdir(TRACE_PATH, 0700)) {
		ret = -errno;
		fprintf(stderr, "# mkdir %s: %s\n", TRACE_PATH, strerror(-ret));
		return ret;
	}
	for (i = 0; i < sizeof(settings) / sizeof(settings[0]); i++) {
		ret = guest_write_file(settings[i][0], settings[i][1]);
		if (ret) {
			fprintf(stderr, "# %s: %s\n", settings[i][0], strerror(-ret));
			return ret;
		}
	}
	return 0;
}

/**
 * classes_end() - look at the waits since classes_begin()
 * @classes: the account
 *
 * Return: 0 or a negative errno; -EOVERFLOW when the trace has a gap, -ESHUTDOWN when
 * lockdep has given up.
 */
int classes_end(struct classes *classes)
{
	uint64_t kept, written;
	const char *entries;
	int ret;

	ret = guest_read_file(STAT_PATH, &classes->text, NULL) ?:
	      guest_write_file(TRACE_PATH "/tracing_on", "0") ?:
	      guest_read_file(TRACE_PATH "/trace", &classes->trace, NULL);
	if (ret)
		return ret;
	if (strstr(classes->text, "lock debugging disabled")) {
		fprintf(stderr, "# %s: lockdep has found something, and given up\n", STAT_PATH);
		return -ESHUTDOWN;
	}
	entries = strstr(classes->trace, "entries-written:");
	if (!entries || sscanf(entries, "entries-written: %" SCNu64 "/%" SCNu64,
			       &kept, &written) != 2 || kept != written) {
		fprintf(stderr, "# %s: not all is there\n", TRACE_PATH "/trace");
		return -EOVERFLOW;
	}
	return 0;
}

/**
 * classes_close() - leave the account as it was found
 * @classes: may be all zero
 */
void classes_close(struct classes *classes)
{
	if (classes->was)
		guest_write_file(SWITCH_PATH, classes->was);
	rmdir(TRACE_PATH);
	free(classes->was);
	free(classes->text);
	free(classes->trace);
	memset(classes, 0, sizeof(*classes));
}

/* Does the class have such a name? Without the number and subclass behind it. */
static int matches(const char *pattern, const char *name, size_t length)
{
	char copy[NAME_SIZE];

	snprintf(copy, sizeof(copy), "%.*s", (int)length, name);
	copy[strcspn(copy, "#/")] = '\0';
	return !fnmatch(pattern, copy, FNM_EXTMATCH);
}

static void add_line(const char *line, const char *pattern, struct class_waits *sum)
{
	const char *colon = memchr(line, ':', strcspn(line, "\n")), *name, *end;
	double numbers[5];
	unsigned int i;
	char *next;

	for (i = 0, end = colon + 1; colon && i < 5; i++, end = next) {
		numbers[i] = strtod(end, &next);
		if (next == end)
			return;
	}
	if (!colon)
		return;
	name = line + strspn(line, " ");
	end = colon;
	if (end - name > 2 && (!strncmp(end - 2, "-W", 2) || !strncmp(end - 2, "-R", 2)))
		end -= 2;
	if (!matches(pattern, name, end - name))
		return;
	sum->count += numbers[1];
	sum->ns += numbers[4] * 1000;
}

static struct contender *find_task(struct contender *tasks, unsigned int pid)
{
	unsigned int i, at;

	for (i = 0; i < TASKS; i++) {
		at = (pid + i) % TASKS;
		if (tasks[at].pid == pid || !tasks[at].pid) {
			tasks[at].pid = pid;
			return &tasks[at];
		}
	}
	return NULL;
}

/* "COMM-PID [CPU] FLAGS SECONDS.MICROSECONDS: NAME: ADDRESS ..."; 0: that is none */
static int parse_event(const char *line, struct event *event)
{
	const char *end = line + strcspn(line, "\n"), *cpu, *colon, *at;
	char *rest;

	cpu = *line == '#' ? NULL : memmem(line, end - line, " [", 2);
	colon = cpu ? memmem(cpu, end - cpu, ": ", 2) : NULL;
	if (!colon)
		return 0;
	for (at = cpu; at > line && *at != '-'; at--)
		;
	event->pid = strtoul(at + 1, NULL, 10);
	for (at = colon; *at != ' '; at--)
		;
	event->ns = strtoull(at, &rest, 10) * 1000000000;
	event->ns += strtoull(rest + 1, NULL, 10) * 1000;
	event->name = colon + 2;
	at = memmem(event->name, end - event->name, ": ", 2);
	if (!at)
		return 0;
	/* What v6.1 says behind that is lost with hash-ptr off. */
	event->address = strtoull(at + 2, NULL, 16);
	return 1;
}

static int is_in(uint64_t map, uint64_t lock)
{
	return map > lock && map - lock < LOCK_BYTES;
}

static void add_event(const char *line, uint64_t lock, uint64_t bytes,
		      struct contender *tasks, struct class_waits *sum)
{
	struct contender *task;
	struct event event;

	task = parse_event(line, &event) ? find_task(tasks, event.pid) : NULL;
	if (!task)
		return;
	if (!strncmp(event.name, "contention_begin:", 17)) {
		if (!task->map) {
			task->lock = event.address;
			task->begin_ns = event.ns;
		} else if (!task->is_told && is_in(task->map, event.address)) {
			task->is_told = 1;
			if (!is_in(task->map, task->lock))
				task->begin_ns = event.ns;
			sum->early_ns += task->since_ns - task->begin_ns;
		}
		return;
	}
	if (bytes && (event.address < lock || event.address - lock >= bytes))
		return;
	if (!strncmp(event.name, "lock_contended:", 15)) {
		task->map = event.address;
		task->since_ns = event.ns;
		task->is_told = 0;
	} else if (task->map == event.address) {
		sum->traced++;
		if (!task->is_told) {
			sum->untold++;
			sum->untold_ns += event.ns - task->since_ns;
		}
		task->map = 0;
		task->lock = 0;
	} else if (is_in(event.address, task->lock)) {
		task->lock = 0;
	}
}

/**
 * classes_sum() - sum the waits for the locks of some classes up
 * @classes: the account, after classes_end()
 * @pattern: as for fnmatch(): what their names match, without "#N" and "/N"
 * @lock: where the one is, of those that are traced, that has such a class
 * @bytes: its size; 0: all have
 */
struct class_waits classes_sum(const struct classes *classes, const char *pattern, uint64_t lock,
			       uint64_t bytes)
{
	struct contender *tasks = calloc(TASKS, sizeof(*tasks));
	struct class_waits sum = { 0 };
	const char *line;

	for (line = classes->text; *line; line += strcspn(line, "\n"), line += !!*line)
		add_line(line, pattern, &sum);
	for (line = classes->trace; tasks && *line; line += strcspn(line, "\n"), line += !!*line)
		add_event(line, lock, bytes, tasks, &sum);
	free(tasks);
	return sum;
}

/**
 * classes_print() - print what the account says about some classes, as a diagnostic
 * @classes: the account, after classes_end()
 * @pattern: as for classes_sum()
 */
void classes_print(const struct classes *classes, const char *pattern)
{
	const char *line;

	for (line = classes->text; *line; line += strcspn(line, "\n"), line += !!*line) {
		struct class_waits sum = { 0 };

		add_line(line, pattern, &sum);
		if (sum.count)
			fprintf(stderr, "# %.*s\n", (int)strcspn(line, "\n"), line);
	}
}
