// SPDX-License-Identifier: GPL-2.0
/*
 * Listens to a trace event of the kernel through perf, on each CPU. perf has a ring for the events,
 * which nobody reads: only that there are some wakes the one who polls.
 */
#include <ctype.h>
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd/trace_trigger.h"
#include "util/util.h"

#define EVENTS "/sys/kernel/tracing/events"

/* A page that describes the ring, and one of events. */
static size_t ring_bytes(void)
{
	return 2 * (size_t)sysconf(_SC_PAGESIZE);
}

/* Is it two names with a colon between them, that can be folders of tracefs? */
static bool is_event(const char *text)
{
	const char *colon = strchr(text, ':'), *p;

	if (!colon || colon == text || !colon[1])
		return false;
	for (p = text; *p; p++)
		if (p != colon && !isalnum((unsigned char)*p) && *p != '_' && *p != '-')
			return false;
	return true;
}

bool trace_trigger_parse(struct trace_trigger *t, const char *text)
{
	const char *slash = strchr(text, '/');
	size_t length = strlen(text), event = slash ? (size_t)(slash - text) : length;

	*t = (struct trace_trigger){ .text = text };
	if (length >= TRACE_TRIGGER_TEXT)
		return false;
	memcpy(t->event, text, event);
	if (slash) {
		/* Both slashes, and something between them. */
		if (length < event + 3 || text[length - 1] != '/')
			return false;
		memcpy(t->filter, slash + 1, length - event - 2);
	}
	return is_event(t->event);
}

/* Return: the number by which perf knows the event, or a negative errno. */
static long event_id(const struct trace_trigger *t)
{
	char path[sizeof(EVENTS) + TRACE_TRIGGER_TEXT + 8];
	const char *colon = strchr(t->event, ':');
	long id = -EIO;
	FILE *file;

	snprintf(path, sizeof(path), EVENTS "/%.*s/%s/id", (int)(colon - t->event), t->event,
		 colon + 1);
	file = fopen(path, "re");
	if (!file)
		return -errno;
	if (fscanf(file, "%ld", &id) != 1 || id < 0)
		id = -EIO;
	fclose(file);
	return id;
}

static int explain_event(const struct trace_trigger *t, int error, struct kmprof_error *err)
{
	const char *why = strerror(-error), *hint = NULL;

	if (access(EVENTS, F_OK) && errno == ENOENT) {
		why = "tracefs, which has the events, is not mounted";
		hint = "mount it: mount -t tracefs none /sys/kernel/tracing";
	} else if (error == -ENOENT) {
		why = "the kernel has no such event";
		hint = "list the events: perf list tracepoint";
	} else if (error == -EACCES || error == -EPERM) {
		hint = "run it as root";
	} else if (error == -EMFILE) {
		hint = "each CPU needs a file for each event; allow more: ulimit -n 65536";
	}
	return kmprof_error_set(err, error, hint, "--on: %s: %s", t->event, why);
}

static int explain_filter(const struct trace_trigger *t, int error, struct kmprof_error *err)
{
	return kmprof_error_set(err, error, "give a filter as that of perf record --filter",
				"--on: %s: '%s' is no filter: %s", t->event, t->filter,
				strerror(-error));
}

/* Return: 0, or a negative errno; -ENODEV: the CPU is offline. */
static int open_cpu(struct trace_trigger *t, int cpu, __u64 id, struct kmprof_error *err)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .config = id,
		/* One event is one sample, whatever its weight is. */
		.sample_period = 1, .sample_type = PERF_SAMPLE_PERIOD,
		.wakeup_events = 1, .disabled = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	void *ring;

	if (fd < 0)
		return errno == ENODEV ? -ENODEV : explain_event(t, -errno, err);
	/* Without PROT_WRITE it never is full: perf writes over it. */
	ring = mmap(NULL, ring_bytes(), PROT_READ, MAP_SHARED, fd, 0);
	if (ring == MAP_FAILED) {
		int error = -errno;

		close(fd);
		return explain_event(t, error, err);
	}
	t->fds[t->nr] = fd;
	t->rings[t->nr++] = ring;
	if (t->filter[0] && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, t->filter))
		return explain_filter(t, -errno, err);
	return ioctl(fd, PERF_EVENT_IOC_ENABLE, 0) ? explain_event(t, -errno, err) : 0;
}

int trace_trigger_open(struct trace_trigger *t, struct kmprof_error *err)
{
	long id = event_id(t), cpus = sysconf(_SC_NPROCESSORS_CONF);
	int cpu, ret;

	if (id < 0)
		return explain_event(t, (int)id, err);
	t->fds = calloc((size_t)cpus, sizeof(*t->fds));
	t->rings = calloc((size_t)cpus, sizeof(*t->rings));
	if (!t->fds || !t->rings)
		return explain_event(t, -ENOMEM, err);
	for (cpu = 0; cpu < cpus; cpu++) {
		ret = open_cpu(t, cpu, (__u64)id, err);
		if (ret && ret != -ENODEV)
			return ret;
	}
	return 0;
}

void trace_trigger_close(struct trace_trigger *t)
{
	unsigned int i;

	for (i = 0; i < t->nr; i++) {
		munmap(t->rings[i], ring_bytes());
		close(t->fds[i]);
	}
	free(t->fds);
	free(t->rings);
	t->fds = NULL;
	t->rings = NULL;
	t->nr = 0;
}
