// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "device/tracer.h"

/* What these mean here, which kmprof_device_ioctl() cannot know. */
static int explain_start(int ret, const struct kmprof_tracer_request *r, struct kmprof_error *err)
{
	switch (ret) {
	case -ENOTTY:
		return kmprof_error_set(err, ret, "load the kmprof.ko that belongs to this program",
			"the module has no tracer: it is older than this program");
	case -EBUSY:
		return kmprof_error_set(err, ret, "wait for its end: there is one trace at a time",
					"another trace is running");
	case -EINVAL:
		if (r->filter)
			return kmprof_error_set(err, ret,
				"give pid=ID, comm=NAME, cgroup=PATH, cpu=LIST, duration=TIME, or some with commas between; the kernel log says more",
				"--filter: '%s' is not a filter that the module takes",
				r->filter);
		return kmprof_error_set(err, ret,
			"is the module as new as this program? It may not have one of the events",
			"starting the trace: %s", strerror(-ret));
	case -EOPNOTSUPP:
		return kmprof_error_set(err, ret, "load the kmprof.ko that belongs to this program",
			"the module %s: it is older than this program",
			r->flags & KMPROF_TRACE_START_FLIGHT ? "has no flight recorder" :
							    "records no stacks");
	case -EPERM:
		if (!(r->flags & KMPROF_TRACE_START_STACKS))
			return ret;
		return kmprof_error_set(err, ret,
			"trace as root, or with CAP_SYSLOG and /proc/sys/kernel/kptr_restrict below 2; or without --stacks",
			"stacks are addresses, and the kernel hides them");
	case -ENOMEM:
		return kmprof_error_set(err, ret, "give less, with --buffer",
					"starting the trace: no memory for the buffers");
	case -E2BIG:
		if (!r->filter)
			return ret;
		return kmprof_error_set(err, ret, "load the kmprof.ko that belongs to this program",
			"the module has no filter of traces: it is older than this program");
	default:
		return ret;
	}
}

int kmprof_tracer_start(struct kmprof_device *dev, const struct kmprof_tracer_request *r, int *fd,
			struct kmprof_error *err)
{
	struct kmprof_trace_start start = {
		.size = sizeof(start), .flags = r->flags, .events = r->events, .fd = -1,
		.buffer_bytes = r->buffer_bytes,
	};
	int ret, status;

	if (r->filter && strlen(r->filter) >= sizeof(start.filter))
		return kmprof_error_set(err, -EINVAL, NULL,
					"--filter: it has more than %zu characters",
					sizeof(start.filter) - 1);
	if (r->filter)
		strcpy(start.filter, r->filter);
	ret = kmprof_device_ioctl(dev, KMPROF_IOC_TRACE_START, &start, "starting the trace", err);
	if (ret)
		return explain_start(ret, r, err);
	status = fcntl(start.fd, F_GETFL);
	if (status < 0 || fcntl(start.fd, F_SETFL, status | O_NONBLOCK)) {
		ret = -errno;
		close(start.fd);
		return kmprof_error_set(err, ret, NULL, "starting the trace: %s", strerror(-ret));
	}
	*fd = start.fd;
	return 0;
}

int kmprof_tracer_stop(struct kmprof_device *dev, int fd, struct kmprof_trace_stop *stop,
		       struct kmprof_error *err)
{
	*stop = (struct kmprof_trace_stop){ .size = sizeof(*stop), .fd = fd };
	return kmprof_device_ioctl(dev, KMPROF_IOC_TRACE_STOP, stop, "stopping the trace", err);
}

int kmprof_tracer_snapshot(const char *path, struct kmprof_error *err)
{
	struct kmprof_trace_snapshot snapshot = { .size = sizeof(snapshot) };
	struct kmprof_device dev;
	int ret;

	ret = kmprof_device_open(&dev, path, err);
	if (ret)
		return ret;
	ret = kmprof_device_ioctl(&dev, KMPROF_IOC_TRACE_SNAPSHOT, &snapshot, "snapshot", err);
	kmprof_device_close(&dev);
	if (ret == -ENODATA)
		return kmprof_error_set(err, ret, "start one first: kmprof trace --flight",
					"no flight recorder runs, or it is being saved");
	if (ret == -ENOTTY)
		return kmprof_error_set(err, ret, "load the kmprof.ko that belongs to this program",
			"the module has no flight recorder: it is older than this program");
	return ret;
}

static int explain_mark(int ret, struct kmprof_error *err)
{
	const char *hint = NULL;

	if (ret == -ENODATA)
		return kmprof_error_set(err, ret, "start one first: kmprof trace",
					"nobody traces, so there is nowhere to put a mark");
	if (ret == -EINVAL)
		hint = "is the module as new as this program? An older one has no tracer";
	return kmprof_error_set(err, ret, hint, "putting a mark into the trace: %s",
				strerror(-ret));
}

int kmprof_tracer_mark(const char *path, const char *text, struct kmprof_error *err)
{
	struct kmprof_device dev;
	ssize_t n;
	int ret;

	ret = kmprof_device_open_for(&dev, path, O_WRONLY, err);
	if (ret)
		return ret;
	do {
		n = write(dev.fd, text, strlen(text));
	} while (n < 0 && errno == EINTR);
	ret = n < 0 ? explain_mark(-errno, err) : 0;
	kmprof_device_close(&dev);
	return ret;
}
