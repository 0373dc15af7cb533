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
#include "device/tracer.h"
#include "timeline/stack_names.h"
#include "util/memory_file.h"
#include "util/output.h"

#define NSEC_PER_MSEC	1000000ULL
#define NSEC_PER_SEC	1000000000ULL

#define DEFAULT_OUTPUT	"kmprof.trace"

enum {
	/* How often it is looked whether copying has failed, and shown how much there is. */
	STEP_MS		= 200,
	/* The same once the trace has been stopped: mostly, the rest is there. */
	REST_STEP_MS	= 5,
	/* A warning names no more of them. */
	CPUS_NAMED	= 8,
};

/**
 * struct session - a trace that runs
 * @r: what is asked for
 * @dev: the device
 * @stop: signals
 * @output: where to
 * @copy: what fills it
 * @counts: of the module, once it has been stopped
 * @ns: how long it has run
 */
struct session {
	const struct trace_request *r;
	struct kmprof_device dev;
	struct stop stop;
	struct kmprof_output output;
	struct trace_copy copy;
	struct kmprof_trace_stop counts;
	__u64 ns;
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

	ret = kmprof_tracer_start(&s->dev, s->r->events,
				  s->r->has_stacks ? KMPROF_TRACE_START_STACKS : 0,
				  s->r->buffer_bytes, &fd, err);
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
	stopped = kmprof_tracer_stop(&s->dev, fd, &s->counts, &stopping);
	s->ns = now_ns() - start;
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

/* What makes the trace complete for any machine: the names of its stacks and locks. */
static int put_names(struct session *s, struct kmprof_error *err)
{
	const struct kmprof_growing *stacks = &s->copy.meter.stacks;
	const struct kmprof_growing *locks = kmprof_locks_found(&s->copy.meter.locks);
	struct kmprof_error warning;
	char *bytes;
	size_t size;
	int ret;

	/* Without stacks, locks have no addresses. */
	if (!s->r->has_stacks || (!stacks->used && !locks->used))
		return 0;
	ret = kmprof_stack_names_save(&bytes, &size, stacks, locks, &warning, err);
	if (ret < 0)
		return ret;
	if (ret)
		warn(&warning);
	/* A failed write leaves its mark on the stream. */
	if (size)
		fwrite(bytes, 1, size, s->output.file);
	free(bytes);
	return 0;
}

static void warn_of_stackless(const struct session *s)
{
	struct kmprof_error warning;

	if (!s->counts.stackless)
		return;
	kmprof_error_set(&warning, 0, "give more room with --buffer",
			 "%llu events have no stack: there was no room for it",
			 s->counts.stackless);
	warn(&warning);
}

static void warn_of_losses(const struct session *s)
{
	const struct kmprof_meter *meter = &s->copy.meter;
	struct kmprof_error warning;
	char *where = NULL;
	size_t size;
	FILE *file;
	__u32 i, nr = 0;

	if (!s->counts.lost)
		return;
	file = open_memstream(&where, &size);
	for (i = 0; file && i < meter->nr_cpus; i++)
		if (meter->lost_on[i] && nr++ < CPUS_NAMED)
			fprintf(file, ", %llu on CPU %u", meter->lost_on[i], i);
	if (file && nr > CPUS_NAMED)
		fprintf(file, " and more on %u other CPUs", nr - CPUS_NAMED);
	if (file)
		kmprof_memory_file_close(file, &where);
	kmprof_error_set(&warning, 0, "give more room with --buffer, or trace less with -e",
			 "%llu events found no room%s", s->counts.lost, where ? where : "");
	warn(&warning);
	free(where);
}

static void tell(const struct session *s)
{
	char size[HUMAN_TEXT];

	fprintf(stderr, "kmprof: %s: %llu events, %sB, in %.3f s\n", s->output.name,
		s->counts.events, human_bytes(size, (double)s->copy.meter.bytes, false),
		(double)s->ns / (double)NSEC_PER_SEC);
	warn_of_losses(s);
	warn_of_stackless(s);
}

/* Into the output, which is not committed. */
static int record(struct session *s, struct kmprof_error *err)
{
	int ret = kmprof_output_open(&s->output, s->r->output, err);

	if (ret)
		return ret;
	ret = capture(s, err);
	if (!ret)
		ret = put_names(s, err);
	if (ret)
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
	if (!ret) {
		ret = kmprof_output_commit(&s->output, &err);
		if (ret)
			fail(&err);
		else
			tell(s);
	}
	kmprof_meter_release(&s->copy.meter);
	return ret ? EXIT_FAILED : EXIT_OK;
}

int trace_record(const struct trace_request *given)
{
	struct trace_request r = *given;
	struct session s = { .r = &r };
	struct kmprof_error err;
	int ret;

	if (!r.events)
		trace_parse_events("sched", &r.events);
	if (!r.output)
		r.output = DEFAULT_OUTPUT;
	else if (!strcmp(r.output, "-"))
		r.output = NULL;
	if (kmprof_device_open(&s.dev, KMPROF_DEVICE_PATH, &err))
		return fail(&err);
	ret = record_and_save(&s);
	kmprof_device_close(&s.dev);
	return ret;
}
