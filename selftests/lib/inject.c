// SPDX-License-Identifier: GPL-2.0
/*
 * Failures are injected by failslab and fail_page_alloc. Return probes on the
 * functions that decide about them, in a trace instance of their own, record
 * the stacks: the kernel log stays clean.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "lib/inject.h"
#include "lib/kmprof_guest.h"

#define FAIL_NTH "/proc/thread-self/fail-nth"
#define MAKE_IT_FAIL "/proc/thread-self/make-it-fail"
#define FAILSLAB "/sys/kernel/debug/failslab/"
#define FAIL_PAGES "/sys/kernel/debug/fail_page_alloc/"
#define CACHES "/sys/kernel/slab/"
#define TRACING "/sys/kernel/tracing/"
#define INSTANCE TRACING "instances/kmprof_selftest/"
#define EVENTS "events/kmprof_selftest/"

/* More than one call can use up. */
enum { TIMES = 1000000000 };

static struct {
	enum inject_mode mode;
	int fail_nth;
	int make_it_fail;
	int trace;
	unsigned int nr_failures;
	struct inject_failure failures[INJECT_FAILURES];
} inject = { .fail_nth = -1, .make_it_fail = -1, .trace = -1 };

/* Of a file that is open: nothing is allocated for that. */
static int put_number(int fd, unsigned int number)
{
	char text[16];
	int length = snprintf(text, sizeof(text), "%u", number);

	return pwrite(fd, text, length, 0) == length ? 0 : -errno;
}

static int get_number(int fd)
{
	char text[16];
	ssize_t got = pread(fd, text, sizeof(text) - 1, 0);

	if (got <= 0)
		return -EIO;
	text[got] = '\0';
	return strtoul(text, NULL, 10);
}

/* Attributes cannot be rewound. */
static int put_attribute(const char *path, unsigned int number)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", number);
	return guest_write_file(path, text);
}

static int get_attribute(const char *path)
{
	char *text;
	int ret, number;

	ret = guest_read_file(path, &text, NULL);
	if (ret)
		return ret;
	number = strtoul(text, NULL, 10);
	free(text);
	return number;
}

static int open_control(int *fd, const char *path, int flags)
{
	*fd = open(path, flags | O_CLOEXEC);
	return *fd < 0 ? -errno : 0;
}

/*
 * kmemleak allocates something for each allocation, and has a reserve for when it cannot.
 * That is kmemleak's own affair, so its caches are spared: the failures are half as many.
 */
static int expect_spared(void)
{
	if (get_attribute(CACHES "kmalloc-64/failslab") == 1 &&
	    get_attribute(CACHES "kmemleak_object/failslab") != 1)
		return 0;
	fprintf(stderr, "# boot with slub_debug='A;-,kmemleak*': all caches but kmemleak's fail\n");
	return -EINVAL;
}

/* A kernel without these does not make allocations fail. */
static int open_controls(void)
{
	int ret;

	ret = open_control(&inject.fail_nth, FAIL_NTH, O_RDWR) ?:
	      open_control(&inject.make_it_fail, MAKE_IT_FAIL, O_RDWR) ?:
	      (access(FAILSLAB "verbose", W_OK) ? -errno : 0) ?:
	      (access(FAIL_PAGES "verbose", W_OK) ? -errno : 0);
	if (ret)
		fprintf(stderr,
			"# this kernel injects no failures (%s): it needs CONFIG_FAULT_INJECTION, CONFIG_FAULT_INJECTION_DEBUG_FS, CONFIG_FAILSLAB and CONFIG_FAIL_PAGE_ALLOC\n",
			strerror(-ret));
	return ret ?: expect_spared();
}

/* No other allocation is spared, and none is told of in the kernel log. */
static int set_attributes(void)
{
	return guest_write_file(FAILSLAB "verbose", "0") ?:
	       guest_write_file(FAILSLAB "probability", "0") ?:
	       guest_write_file(FAILSLAB "ignore-gfp-wait", "N") ?:
	       guest_write_file(FAILSLAB "cache-filter", "Y") ?:
	       guest_write_file(FAIL_PAGES "verbose", "0") ?:
	       guest_write_file(FAIL_PAGES "task-filter", "Y") ?:
	       guest_write_file(FAIL_PAGES "ignore-gfp-wait", "N") ?:
	       guest_write_file(FAIL_PAGES "ignore-gfp-highmem", "N") ?:
	       guest_write_file(FAIL_PAGES "min-order", "0") ?:
	       guest_write_file(FAIL_PAGES "interval", "1") ?:
	       guest_write_file(FAIL_PAGES "probability", "100");
}

/* A failure is a return value that is not 0. */
static const struct {
	const char *name;
	const char *definition;
} events[] = {
	{ "slab", "r:kmprof_selftest/slab should_failslab failed=$retval:s32" },
	{ "pages", "r:kmprof_selftest/pages should_fail_alloc_page failed=$retval:u8" },
};

enum { NR_EVENTS = sizeof(events) / sizeof(events[0]) };

static int append(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
	int ret = fd < 0 || write(fd, text, strlen(text)) < 0 ? -errno : 0;

	if (fd >= 0)
		close(fd);
	return ret;
}

static int start_event(unsigned int i)
{
	char path[128], filter[64];
	int ret;

	ret = append(TRACING "kprobe_events", events[i].definition);
	if (ret)
		return ret;
	if (mkdir(INSTANCE, 0700) && errno != EEXIST)
		return -errno;
	snprintf(path, sizeof(path), INSTANCE EVENTS "%s/filter", events[i].name);
	snprintf(filter, sizeof(filter), "failed != 0 && common_pid == %ld",
		 syscall(SYS_gettid));
	ret = guest_write_file(path, filter);
	snprintf(path, sizeof(path), INSTANCE EVENTS "%s/enable", events[i].name);
	return ret ?: guest_write_file(path, "1");
}

static int start_trace(void)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < NR_EVENTS && !ret; i++)
		ret = start_event(i);
	ret = ret ?: guest_write_file(INSTANCE "options/stacktrace", "1") ?:
	      open_control(&inject.trace, INSTANCE "trace_pipe", O_RDONLY | O_NONBLOCK);
	if (ret)
		fprintf(stderr,
			"# failures cannot be traced (%s): it needs CONFIG_KPROBE_EVENTS\n",
			strerror(-ret));
	return ret;
}

static void stop_trace(void)
{
	unsigned int i;
	char text[64];

	/* A test that was killed leaves all this behind, or part of it. */
	if (!access(INSTANCE EVENTS "enable", W_OK))
		guest_write_file(INSTANCE EVENTS "enable", "0");
	rmdir(INSTANCE);
	for (i = 0; i < NR_EVENTS; i++) {
		snprintf(text, sizeof(text), "-:kmprof_selftest/%s", events[i].name);
		append(TRACING "kprobe_events", text);
	}
}

static void close_control(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

/**
 * inject_open() - get ready to make allocations of this thread fail
 *
 * The thread gets the name kmprof-fault, for who reads the kernel log.
 */
int inject_open(void)
{
	int ret = open_controls();

	if (ret)
		return ret;
	stop_trace();
	prctl(PR_SET_NAME, "kmprof-fault");
	ret = set_attributes() ?: start_trace();
	if (ret)
		inject_close();
	return ret;
}

/**
 * inject_close() - the reverse
 */
void inject_close(void)
{
	close_control(&inject.trace);
	close_control(&inject.fail_nth);
	close_control(&inject.make_it_fail);
	if (!access(FAIL_PAGES "probability", W_OK))
		guest_write_file(FAIL_PAGES "probability", "0");
	stop_trace();
}

/**
 * inject_begin() - allocations fail from here to inject_end()
 * @mode: which
 * @n: from 1 on
 *
 * The caller's memory should be locked, or its page faults fail, too.
 */
int inject_begin(enum inject_mode mode, unsigned int n)
{
	int ret;

	inject.mode = mode;
	inject.nr_failures = 0;
	if (mode == INJECT_NTH)
		return put_number(inject.fail_nth, n);
	/* An allocation passes as long as it leaves something of the space. */
	ret = put_attribute(FAIL_PAGES "space", n) ?: put_attribute(FAIL_PAGES "times", TIMES);
	return ret ?: put_number(inject.make_it_fail, 1);
}

/* "function+0x1/0x2 [module]", "function.isra.0", "0xffffffff81000000" */
static void parse_frame(struct inject_failure *failure, const char *text)
{
	size_t length = strcspn(text, " "), name = strcspn(text, ".+ ");
	char *frame;

	if (failure->nr_frames == INJECT_FRAMES)
		return;
	frame = failure->frames[failure->nr_frames++];
	snprintf(frame, INJECT_NAME, "%.*s%s", (int)name, text, text + length);
}

/* Each event is a line, and its stack the lines behind that start with "=>". */
static void parse_trace(char *text)
{
	struct inject_failure *failure = NULL;
	char *line, *rest;

	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (!strncmp(line, " => ", 4)) {
			if (failure)
				parse_frame(failure, line + 4);
		} else if (strstr(line, "failed=")) {
			failure = NULL;
			if (inject.nr_failures == INJECT_FAILURES)
				continue;
			failure = &inject.failures[inject.nr_failures++];
			failure->nr_frames = 0;
		}
	}
}

static int read_trace(void)
{
	static char text[8 << 20];
	size_t used = 0;
	ssize_t got;

	while (used < sizeof(text) - 1) {
		got = read(inject.trace, text + used, sizeof(text) - 1 - used);
		if (got <= 0)
			break;
		used += got;
	}
	text[used] = '\0';
	parse_trace(text);
	return 0;
}

/**
 * inject_end() - allocations succeed again
 *
 * Return: how many have failed, or a negative errno; -EPROTO when their stacks
 * are not all there.
 */
int inject_end(void)
{
	int injected, ret;

	if (inject.mode == INJECT_NTH) {
		injected = get_number(inject.fail_nth);
		if (injected < 0)
			return injected;
		injected = !injected;
		ret = put_number(inject.fail_nth, 0);
	} else {
		ret = put_number(inject.make_it_fail, 0);
		injected = TIMES - get_attribute(FAIL_PAGES "times");
	}
	ret = ret ?: read_trace();
	if (ret)
		return ret;
	if ((unsigned int)injected != inject.nr_failures) {
		fprintf(stderr, "# %d failures injected, %u traced\n", injected,
			inject.nr_failures);
		return -EPROTO;
	}
	return injected;
}

/**
 * inject_failures() - the allocations that have failed
 *
 * Return: as many as inject_end() has told.
 */
const struct inject_failure *inject_failures(void)
{
	return inject.failures;
}

/**
 * inject_workers() - make all allocations of the unbound kernel workers fail
 * @on: or succeed again
 */
int inject_workers(int on)
{
	char path[320], name[32];
	struct dirent *entry;
	DIR *proc;
	FILE *comm;
	int ret;

	ret = guest_write_file(FAILSLAB "task-filter", "Y") ?:
	      guest_write_file(FAILSLAB "times", "-1") ?:
	      guest_write_file(FAIL_PAGES "times", "-1") ?:
	      guest_write_file(FAIL_PAGES "space", "0") ?:
	      guest_write_file(FAILSLAB "probability", on ? "100" : "0");
	proc = ret ? NULL : opendir("/proc");
	if (!proc)
		return ret ?: -errno;
	while (!ret && (entry = readdir(proc))) {
		snprintf(path, sizeof(path), "/proc/%s/comm", entry->d_name);
		comm = entry->d_name[0] >= '0' && entry->d_name[0] <= '9' ? fopen(path, "r") : NULL;
		if (!comm)
			continue;
		if (fgets(name, sizeof(name), comm) && !strncmp(name, "kworker/u", 9)) {
			snprintf(path, sizeof(path), "/proc/%s/make-it-fail", entry->d_name);
			ret = guest_write_file(path, on ? "1" : "0");
		}
		fclose(comm);
	}
	closedir(proc);
	return ret;
}
