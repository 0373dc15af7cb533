// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/listener.h"

#define TRACEFS "/sys/kernel/tracing"
#define EVENTS TRACEFS "/events/"

static int event_file(char path[128], const char *system, const char *event, const char *file)
{
	if (access(EVENTS, F_OK) && mount("tracefs", TRACEFS, "tracefs", 0, NULL) &&
	    errno != EBUSY)
		return guest_complain("cannot mount", TRACEFS, errno);
	snprintf(path, 128, EVENTS "%s/%s/%s", system, event, file);
	return 0;
}

static int event_id(const char *system, const char *event, uint64_t *id)
{
	char path[128], *text;
	size_t bytes;
	int err;

	err = event_file(path, system, event, "id");
	if (!err)
		err = guest_read_file(path, &text, &bytes);
	if (err)
		return err;
	*id = strtoull(text, NULL, 10);
	free(text);
	return 0;
}

/**
 * listener_open() - begin to listen to an event, on all CPUs
 * @listener: the listener
 * @system: name of the event's system
 * @event: name of the event
 * @filter: which of them, as for perf record --filter; NULL: all
 */
int listener_open(struct listener *listener, const char *system, const char *event,
		  const char *filter)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .disabled = 1,
	};
	int cpus = sysconf(_SC_NPROCESSORS_ONLN), cpu, fd, err;
	uint64_t id;

	*listener = (struct listener){ .nr = 0 };
	err = event_id(system, event, &id);
	if (err)
		return err;
	attr.config = id;
	for (cpu = 0; cpu < cpus && cpu < LISTENER_CPUS; cpu++) {
		fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
		if (fd >= 0)
			listener->fds[listener->nr++] = fd;
		if (fd < 0 || (filter && ioctl(fd, PERF_EVENT_IOC_SET_FILTER, filter)) ||
		    ioctl(fd, PERF_EVENT_IOC_ENABLE, 0)) {
			err = guest_complain("cannot listen to", event, errno);
			listener_close(listener);
			return err;
		}
	}
	return 0;
}

/**
 * listener_open_as_user() - let a user without privileges count an event of a process of its own
 * @system: name of the event's system
 * @event: name of the event
 *
 * perf allows that by default.
 *
 * Return: 0 when it could, else a negative errno.
 */
int listener_open_as_user(const char *system, const char *event)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_TRACEPOINT, .size = sizeof(attr), .exclude_kernel = 1,
	};
	int err, status;
	uint64_t id;
	pid_t pid;

	err = event_id(system, event, &id);
	if (!err)
		err = guest_write_file("/proc/sys/kernel/perf_event_paranoid", "2");
	if (err)
		return err;
	attr.config = id;
	pid = fork();
	if (!pid) {
		if (setresuid(65534, 65534, 65534))
			_exit(EXDEV);
		_exit(syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0) < 0 ? errno : 0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -ECHILD;
	return -WEXITSTATUS(status);
}

/**
 * listener_read_cpu() - read what has come together on a CPU
 * @listener: the listener
 * @cpu: the CPU: all that are online have the numbers from 0 on
 * @sum: returns the number of events, or the sum of their weights, since listener_open()
 */
int listener_read_cpu(const struct listener *listener, unsigned int cpu, uint64_t *sum)
{
	if (read(listener->fds[cpu], sum, sizeof(*sum)) != sizeof(*sum))
		return guest_complain("cannot read", "a counter", errno);
	return 0;
}

/**
 * listener_read() - read what has come together
 * @listener: the listener
 * @sum: returns the sum of what listener_read_cpu() returns
 */
int listener_read(const struct listener *listener, uint64_t *sum)
{
	uint64_t value;
	unsigned int i;
	int err;

	*sum = 0;
	for (i = 0; i < listener->nr; i++) {
		err = listener_read_cpu(listener, i, &value);
		if (err)
			return err;
		*sum += value;
	}
	return 0;
}

/**
 * listener_close() - listen no longer
 * @listener: the listener
 */
void listener_close(struct listener *listener)
{
	while (listener->nr)
		close(listener->fds[--listener->nr]);
}

/**
 * listener_tracefs() - turn an event on or off in tracefs
 * @event: name of the event
 * @on: 1 or 0
 */
int listener_tracefs(const char *event, int on)
{
	char path[128];
	int err = event_file(path, "kmprof", event, "enable");

	return err ?: guest_write_file(path, on ? "1" : "0");
}
