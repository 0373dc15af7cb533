// SPDX-License-Identifier: GPL-2.0
/*
 * Runs a flight recorder, and saves what it has when somebody asks and at the end. The module has
 * one trace at a time: each time, the recorder is stopped, saved, and started again.
 */
#include <errno.h>
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
#include "cmd/trace_wait.h"
#include "util/output.h"

#define NSEC_PER_MSEC	1000000ULL

/**
 * struct flight - a recorder
 * @r: what is asked for
 * @dev: the device
 * @stop: signals
 * @wait: what is waited for
 * @until_ns: when it ends, by now_ns(); 0: it does not
 * @happened: bit mask of the triggers whose event has happened
 * @snapshots: number of those that were taken
 * @is_over: it has ended
 * @has_failed: something could not be saved
 */
struct flight {
	struct trace_request *r;
	struct kmprof_device dev;
	struct stop stop;
	struct trace_wait wait;
	__u64 until_ns;
	unsigned int happened;
	unsigned int snapshots;
	bool is_over;
	bool has_failed;
};

/*
 * A mark for each event, where it was seen, which is a bit later. Nothing is told before the
 * recorder is stopped: a terminal can take its time, and what led to the event would be written
 * over.
 */
static bool mark_what_happened(struct flight *f, int fd)
{
	unsigned int i;

	f->happened = 0;
	for (i = 0; i < f->r->nr_triggers; i++) {
		const char *text = f->r->triggers[i].text;

		if (!trace_wait_has_seen(&f->wait, i))
			continue;
		f->happened |= 1U << i;
		/* What cannot be put has no room, or the recorder was stopped just now. */
		if (write(fd, text, strlen(text)) < 0)
			errno = 0;
	}
	return f->happened;
}

static void say_what_happened(const struct flight *f)
{
	unsigned int i;

	for (i = 0; i < f->r->nr_triggers; i++)
		if (f->happened & 1U << i)
			fprintf(stderr, "kmprof: %s has happened\n", f->r->triggers[i].text);
}

/* Is the next snapshot the last one that was asked for? */
static bool is_last(const struct flight *f)
{
	return f->r->snapshots && f->snapshots + 1 >= f->r->snapshots;
}

/*
 * Waits until somebody asks for a snapshot, an event happens, or the end. Return: 0 or a negative
 * errno.
 */
static int watch(struct flight *f, int fd, struct kmprof_error *err)
{
	bool has_happened, is_asked = false;
	int ret;

	do {
		ret = trace_wait_for(&f->wait, fd, f->until_ns, err);
		if (ret == -ETIME)
			f->is_over = true;
		if (ret)
			return f->is_over ? 0 : ret;
		has_happened = mark_what_happened(f, fd);
		if (stop_now(&f->stop)) {
			is_asked = true;
			f->is_over = f->stop.caught != SIGUSR1;
			f->stop.caught = 0;
		}
		/* The module stops the recorder when somebody asks. */
	} while (!has_happened && !is_asked && !trace_wait_is_stopped(&f->wait));
	f->is_over = f->is_over || is_last(f);
	return 0;
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

	trace_wait_forget(&f->wait);
	ret = trace_begin(&f->dev, f->r, &fd, err);
	if (ret)
		return ret;
	if (!f->snapshots && !f->has_failed)
		say_that_it_runs(f);
	ret = watch(f, fd, err);
	if (!ret)
		ret = kmprof_tracer_stop(&f->dev, fd, &saved.counts, err);
	if (!ret) {
		say_what_happened(f);
		save(f, &saved, fd);
	}
	close(fd);
	return ret;
}

static int fly(struct flight *f)
{
	struct kmprof_error err;
	int ret;

	stop_begin(&f->stop);
	sigaddset(&f->stop.signals, SIGUSR1);
	sigprocmask(SIG_BLOCK, &f->stop.signals, NULL);
	if (f->r->ms)
		f->until_ns = now_ns() + f->r->ms * NSEC_PER_MSEC;
	ret = trace_wait_open(&f->wait, f->r, &f->stop, &err);
	while (!ret && !f->is_over)
		ret = fly_once(f, &err);
	trace_wait_close(&f->wait);
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

static int open_triggers(struct trace_request *r, struct kmprof_error *err)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < r->nr_triggers && !ret; i++)
		ret = trace_trigger_open(&r->triggers[i], err);
	return ret;
}

static void close_triggers(struct trace_request *r)
{
	unsigned int i;

	for (i = 0; i < r->nr_triggers; i++)
		trace_trigger_close(&r->triggers[i]);
}

int trace_flight(struct trace_request *r)
{
	struct flight f = { .r = r };
	struct kmprof_error err;
	int ret;

	if (!r->output)
		r->output = TRACE_OUTPUT;
	if (try_output(r->output, &err) || trace_open(&f.dev, r, &err))
		return fail(&err);
	if (open_triggers(r, &err))
		ret = fail(&err);
	else
		ret = fly(&f);
	close_triggers(r);
	kmprof_device_close(&f.dev);
	return ret;
}
