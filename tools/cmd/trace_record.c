// SPDX-License-Identifier: GPL-2.0
/* Traces for a time, or while a command runs, and saves what is read as it is. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/stop.h"
#include "cmd/term.h"
#include "cmd/trace.h"
#include "cmd/trace_copy.h"
#include "cmd/trace_saved.h"
#include "device/tracer.h"
#include "util/output.h"

#define NSEC_PER_MSEC	1000000ULL

enum {
	/* How often it is looked whether copying has failed, and shown how much there is. */
	STEP_MS		= 200,
	/* The same once the trace has been stopped: mostly, the rest is there. */
	REST_STEP_MS	= 5,
};

/**
 * struct session - a trace that runs
 * @r: what is asked for
 * @dev: the device
 * @stop: signals
 * @output: where to
 * @copy: what fills it
 * @saved: what is told of it, once it has been stopped
 */
struct session {
	const struct trace_request *r;
	struct kmprof_device dev;
	struct stop stop;
	struct kmprof_output output;
	struct trace_copy copy;
	struct trace_saved saved;
};

static void show_progress(const struct session *s, __u64 ns, __u64 events, __u64 bytes, __u64 lost)
{
	char size[HUMAN_TEXT];

	fprintf(stderr, "\r\033[Kkmprof: tracing, %llu s, %llu events, %sB", ns / NSEC_PER_SEC,
		events, human_bytes(size, (double)bytes, false));
	if (lost)
		fprintf(stderr, ", %llu lost", lost);
	fputs(s->r->ms ? "" : "; ^C ends it", stderr);
}

/* Waits until the time is over, a signal comes, or there is nothing to wait for. */
static void watch(struct session *s)
{
	__u64 events, bytes, lost, start = now_ns(), all = s->r->ms * NSEC_PER_MSEC, done = 0, step;
	bool is_watched = isatty(STDERR_FILENO);

	while (!trace_copy_is_over(&s->copy, &events, &bytes, &lost) && (!all || done < all)) {
		if (is_watched)
			show_progress(s, done, events, bytes, lost);
		step = STEP_MS * NSEC_PER_MSEC;
		if (all && all - done < step)
			step = all - done;
		if (stop_sleep(&s->stop, step))
			break;
		done = now_ns() - start;
	}
	if (is_watched)
		fputs("\r\033[K", stderr);
}

/* The end of the trace is the end of this wait, or a signal that comes after it was stopped. */
static int copy_rest(struct session *s, struct kmprof_error *err)
{
	__u64 events, bytes, lost;
	bool is_given_up = false;
	int ret;

	while (!is_given_up && !trace_copy_is_over(&s->copy, &events, &bytes, &lost)) {
		is_given_up = stop_sleep(&s->stop, REST_STEP_MS * NSEC_PER_MSEC);
		/* A pipe may not be read any more, and there is no file to remove. */
		if (is_given_up && !s->output.temporary)
			stop_end(&s->stop);
	}
	ret = trace_copy_end(&s->copy, !is_given_up, err);
	if (!ret && is_given_up)
		ret = kmprof_error_set(err, -EINTR, NULL,
				       "ended by a signal (%s) before all was saved",
				       strsignal(s->stop.caught));
	return ret;
}

/* From the start of the trace to its last byte. */
static int capture(struct session *s, struct kmprof_error *err)
{
	struct kmprof_error copying, stopping;
	int fd, ret, copied, stopped;
	__u64 start;

	ret = trace_begin(&s->dev, s->r, &fd, err);
	if (ret)
		return ret;
	start = now_ns();
	ret = trace_copy_begin(&s->copy, fd, s->output.file, err);
	if (ret) {
		close(fd);
		return ret;
	}
	if (s->r->command)
		ret = run_recorded(&s->stop, s->r->command, err);
	else
		watch(s);
	stopped = kmprof_tracer_stop(&s->dev, fd, &s->saved.counts, &stopping);
	s->saved.ns = now_ns() - start;
	/* A signal is how a trace ends. From now on, one ends kmprof. */
	if (!ret)
		stop_forget(&s->stop);
	copied = stopped ? trace_copy_end(&s->copy, false, &copying) : copy_rest(s, &copying);
	close(fd);
	if (!ret && copied)
		*err = copying;
	else if (!ret && stopped)
		*err = stopping;
	if (ret)
		return ret;
	return copied ? copied : stopped;
}

/*
 * Until the file is in its place, or gone again, no signal ends kmprof. But a pipe may not be read
 * any more.
 */
static int record(struct session *s, struct kmprof_error *err)
{
	int ret = kmprof_output_open(&s->output, s->r->output, err);

	if (ret)
		return ret;
	ret = capture(s, err);
	if (!ret && !s->output.temporary)
		stop_end(&s->stop);
	if (!ret)
		ret = trace_saved_names(&s->saved, s->output.file, err);
	if (!ret)
		return kmprof_output_commit(&s->output, err);
	kmprof_output_fail(&s->output, ret, err);
	return ret;
}

static int record_and_save(struct session *s)
{
	struct kmprof_error err;
	int ret;

	stop_begin(&s->stop);
	ret = record(s, &err);
	if (ret)
		fail(&err);
	stop_end(&s->stop);
	if (!ret)
		trace_saved_tell(&s->saved, s->output.name);
	kmprof_meter_release(&s->copy.meter);
	return ret ? EXIT_FAILED : EXIT_OK;
}

int trace_record(const struct trace_request *given)
{
	struct trace_request r = *given;
	struct session s = { .r = &r, .saved = {
		.meter = &s.copy.meter, .has_stacks = r.has_stacks,
	} };
	struct kmprof_error err;
	int ret;

	if (!r.output)
		r.output = TRACE_OUTPUT;
	else if (!strcmp(r.output, "-"))
		r.output = NULL;
	if (trace_open(&s.dev, &r, &err))
		return fail(&err);
	ret = record_and_save(&s);
	kmprof_device_close(&s.dev);
	return ret;
}
