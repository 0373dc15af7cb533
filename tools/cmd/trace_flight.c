// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a flight recorder, and saves what it has when somebody asks and at the end. The module has
 * one trace at a time: each time, the recorder is stopped, saved, and started again.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cmd/stop.h"
#include "cmd/trace.h"
#include "cmd/trace_copy.h"
#include "cmd/trace_saved.h"
#include "util/output.h"

#define NSEC_PER_MSEC	1000000ULL

enum {
	/* How often it is looked whether somebody has asked the module for a snapshot. */
	LOOK_MS		= 100,
};

/**
 * struct flight - a recorder
 * @r: what is asked for
 * @dev: the device
 * @stop: signals
 * @until_ns: when it ends, by now_ns(); 0: it does not
 * @snapshots: number of those that were taken
 * @is_over: it has ended
 * @has_failed: something could not be saved
 */
struct flight {
	const struct trace_request *r;
	struct kmprof_device dev;
	struct stop stop;
	__u64 until_ns;
	unsigned int snapshots;
	bool is_over;
	bool has_failed;
};

/* Has the module stopped the recorder, since somebody has asked? */
static bool is_stopped(int fd)
{
	struct pollfd poll_fd = { .fd = fd, .events = POLLIN };

	return poll(&poll_fd, 1, 0) > 0;
}

/* Waits until somebody asks for a snapshot, or the end. */
static void watch(struct flight *f, int fd)
{
	__u64 now, step;

	while (!is_stopped(fd)) {
		now = now_ns();
		step = LOOK_MS * NSEC_PER_MSEC;
		if (f->until_ns && f->until_ns <= now) {
			f->is_over = true;
			return;
		}
		if (f->until_ns && f->until_ns - now < step)
			step = f->until_ns - now;
		if (!stop_sleep(&f->stop, step))
			continue;
		f->is_over = f->stop.caught != SIGUSR1;
		f->stop.caught = 0;
		return;
	}
}

/* Return: the name of the next file, to be freed: FILE-1.trace, or FILE.trace at the end. */
static char *next_name(struct flight *f)
{
	const char *path = f->r->output, *slash = strrchr(path, '/');
	const char *suffix = strrchr(path, '.');
	char *name;
	int ret;

	if (f->is_over)
		return strdup(path);
	if (!suffix || suffix == path || (slash && suffix <= slash + 1))
		suffix = path + strlen(path);
	ret = asprintf(&name, "%.*s-%u%s", (int)(suffix - path), path, ++f->snapshots, suffix);
	return ret < 0 ? NULL : name;
}

/* All of it is there: the recorder was stopped. */
static int copy(struct trace_saved *saved, int fd, struct kmprof_output *output,
		struct trace_copy *copy, struct kmprof_error *err)
{
	int ret = trace_copy_begin(copy, fd, output->file, err);

	if (!ret)
		ret = trace_copy_end(copy, true, err);
	if (!ret)
		ret = trace_saved_names(saved, output->file, err);
	return ret;
}

static int save_as(const char *name, struct trace_saved *saved, int fd, struct kmprof_error *err)
{
	struct kmprof_output output;
	struct trace_copy copying = { 0 };
	int ret;

	ret = kmprof_output_open(&output, name, err);
	if (ret)
		return ret;
	saved->meter = &copying.meter;
	ret = copy(saved, fd, &output, &copying, err);
	saved->ns = copying.meter.ns;
	if (ret)
		kmprof_output_fail(&output, ret, err);
	else
		ret = kmprof_output_commit(&output, err);
	if (!ret)
		trace_saved_tell(saved, name);
	kmprof_meter_release(&copying.meter);
	return ret;
}

/* What cannot be saved is told, and the recorder goes on: the next time, there may be room. */
static void save(struct flight *f, struct trace_saved *saved, int fd)
{
	struct kmprof_error err;
	char *name = next_name(f);
	int ret;

	ret = name ? save_as(name, saved, fd, &err) :
		     kmprof_error_set(&err, -ENOMEM, NULL, "saving the trace: out of memory");
	if (ret) {
		fail(&err);
		f->has_failed = true;
	}
	free(name);
}

static void say_that_it_runs(const struct flight *f)
{
	fputs("kmprof: the flight recorder runs; 'kmprof trace snapshot' or SIGUSR1 to ", stderr);
	fprintf(stderr, "%d saves what it has%s\n", (int)getpid(),
		f->r->ms ? "" : ", and ^C ends it");
}

/* From a start to the next snapshot, or the end. Return: 0 or a negative errno. */
static int fly_once(struct flight *f, struct kmprof_error *err)
{
	struct trace_saved saved = { .has_stacks = f->r->has_stacks };
	int fd, ret;

	ret = trace_begin(&f->dev, f->r, &fd, err);
	if (ret)
		return ret;
	if (!f->snapshots && !f->has_failed)
		say_that_it_runs(f);
	watch(f, fd);
	ret = kmprof_tracer_stop(&f->dev, fd, &saved.counts, err);
	if (!ret)
		save(f, &saved, fd);
	close(fd);
	return ret;
}

static int fly(struct flight *f)
{
	struct kmprof_error err;
	int ret = 0;

	stop_begin(&f->stop);
	sigaddset(&f->stop.signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &f->stop.signals, NULL);
	if (f->r->ms)
		f->until_ns = now_ns() + f->r->ms * NSEC_PER_MSEC;
	while (!ret && !f->is_over)
		ret = fly_once(f, &err);
	if (ret)
		fail(&err);
	/* Another snapshot comes too late. A signal is how it ends. */
	signal(SIGUSR1, SIG_IGN);
	if (!ret)
		stop_forget(&f->stop);
	stop_end(&f->stop);
	return ret || f->has_failed ? EXIT_FAILED : EXIT_OK;
}

/* Before it runs for hours: is there a place for the last file? */
static int try_output(const char *path, struct kmprof_error *err)
{
	struct kmprof_output output;
	struct stat st;
	int ret;

	/* To open a pipe and close it again would end its reader. */
	if (!stat(path, &st) && !S_ISREG(st.st_mode))
		return kmprof_error_set(err, -EINVAL, "give the name of one with -o",
					"%s: not a regular file: --flight saves several", path);
	ret = kmprof_output_open(&output, path, err);
	if (!ret)
		kmprof_output_abort(&output);
	return ret;
}

int trace_flight(const struct trace_request *given)
{
	struct trace_request r = *given;
	struct flight f = { .r = &r };
	struct kmprof_error err;
	int ret;

	if (!r.output)
		r.output = TRACE_OUTPUT;
	if (try_output(r.output, &err) || kmprof_device_open(&f.dev, KMPROF_DEVICE_PATH, &err))
		return fail(&err);
	ret = fly(&f);
	kmprof_device_close(&f.dev);
	return ret;
}
