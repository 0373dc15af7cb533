// SPDX-License-Identifier: GPL-2.0
/*
 * Reads traces, and decodes them strictly: what the format does not allow is an error, -EBADMSG,
 * and explained on stderr.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace/session.h"

enum { CHUNK = 1 << 20 };

int session_ioctl_start(int dev, struct kmprof_trace_start *start)
{
	start->size = sizeof(*start);
	return ioctl(dev, KMPROF_IOC_TRACE_START, start) ? -errno : 0;
}

int session_ioctl_stop(int dev, struct kmprof_trace_stop *stop)
{
	stop->size = sizeof(*stop);
	return ioctl(dev, KMPROF_IOC_TRACE_STOP, stop) ? -errno : 0;
}

static int start_with(int dev, struct session *s, struct kmprof_trace_start *start)
{
	int err = session_ioctl_start(dev, start);

	*s = (struct session) { .fd = err ? -1 : start->fd };
	return err;
}

int session_start(int dev, struct session *s, uint64_t events, uint32_t buffer_bytes)
{
	struct kmprof_trace_start start = { .events = events, .buffer_bytes = buffer_bytes };

	return start_with(dev, s, &start);
}

int session_start_stacks(int dev, struct session *s, uint64_t events, uint32_t buffer_bytes)
{
	struct kmprof_trace_start start = {
		.flags = KMPROF_TRACE_START_STACKS, .events = events, .buffer_bytes = buffer_bytes,
	};

	return start_with(dev, s, &start);
}

/* A flight recorder. @flags: KMPROF_TRACE_START_STACKS or 0 */
int session_start_flight(int dev, struct session *s, uint64_t events, uint32_t flags,
			 uint32_t buffer_bytes)
{
	struct kmprof_trace_start start = {
		.flags = KMPROF_TRACE_START_FLIGHT | flags, .events = events,
		.buffer_bytes = buffer_bytes,
	};

	return start_with(dev, s, &start);
}

/* @filter: its text, as long as there is room for. @flags: KMPROF_TRACE_START_* */
int session_start_filtered(int dev, struct session *s, const char *filter, uint64_t events,
			   uint32_t flags, uint32_t buffer_bytes)
{
	struct kmprof_trace_start start = {
		.flags = flags, .events = events, .buffer_bytes = buffer_bytes,
	};

	snprintf(start.filter, sizeof(start.filter), "%s", filter);
	return start_with(dev, s, &start);
}

int session_snapshot(int dev)
{
	struct kmprof_trace_snapshot snapshot = { .size = sizeof(snapshot) };

	return ioctl(dev, KMPROF_IOC_TRACE_SNAPSHOT, &snapshot) ? -errno : 0;
}

int session_stop(int dev, struct session *s)
{
	s->stop.fd = s->fd;
	return session_ioctl_stop(dev, &s->stop);
}

/* Reads until the end, of a trace that is stopped. */
int session_read_rest(struct session *s)
{
	ssize_t got;
	char *more;

	for (;;) {
		more = realloc(s->bytes, s->size + CHUNK);
		if (!more)
			return -ENOMEM;
		s->bytes = more;
		got = read(s->fd, s->bytes + s->size, CHUNK);
		if (got <= 0)
			return got ? -errno : 0;
		s->size += got;
	}
}

void session_free(struct session *s)
{
	if (s->fd >= 0)
		close(s->fd);
	free(s->bytes);
	*s = (struct session) { .fd = -1 };
}

/* Reads the trace into a file until it ends. */
static int copy_to(int to, int from)
{
	static char blocks[3 * KMPROF_TRACE_BATCH_MAX];
	ssize_t got;

	while ((got = read(from, blocks, sizeof(blocks))) > 0)
		if (write(to, blocks, got) != got)
			return 1;
	return got != 0;
}

/* Starts a process that reads the trace into @file while it is recorded. Returns its id, or -1. */
pid_t session_copy(const struct session *s, int *file)
{
	pid_t reader;

	*file = memfd_create("trace", 0);
	reader = *file < 0 ? -1 : fork();
	if (!reader)
		_exit(copy_to(*file, s->fd));
	return reader;
}

/* Stops the trace, and gets what that process has read. */
int session_take_copy(int dev, struct session *s, pid_t reader, int file)
{
	int err = session_stop(dev, s), status;

	if (err)
		return err;
	if (waitpid(reader, &status, 0) != reader || status)
		return -EPIPE;
	close(s->fd);
	s->fd = file;
	if (lseek(file, 0, SEEK_SET))
		return -errno;
	return session_read_rest(s);
}

const struct kmprof_trace_header *session_header(const struct session *s)
{
	return (const void *)s->bytes;
}

static const struct kmprof_trace_type *types_of(const struct session *s)
{
	return (const void *)(s->bytes + session_header(s)->header_size);
}

static const struct kmprof_trace_task *tasks_of(const struct session *s)
{
	return (const void *)(types_of(s) + session_header(s)->nr_types);
}

static size_t head_bytes(const struct session *s)
{
	return (const char *)(tasks_of(s) + session_header(s)->nr_tasks) - s->bytes;
}

const struct kmprof_trace_task *session_task(const struct session *s, uint32_t tid)
{
	uint32_t i;

	for (i = 0; i < session_header(s)->nr_tasks; i++)
		if (tasks_of(s)[i].tid == tid)
			return &tasks_of(s)[i];
	return NULL;
}

const struct kmprof_trace_end *session_end(const struct session *s)
{
	return (const void *)(s->bytes + s->size - sizeof(struct kmprof_trace_end));
}

/* ns of CLOCK_MONOTONIC since the start. */
double session_ns(const struct session *s, uint64_t ticks)
{
	const struct kmprof_trace_clock *start = &session_header(s)->start;
	const struct kmprof_trace_clock *end = &session_end(s)->end;

	return (double)(int64_t)(ticks - start->ticks) * (end->mono_ns - start->mono_ns) /
	       (end->ticks - start->ticks);
}

static int wrong(const struct session *s, const void *at, const char *what)
{
	fprintf(stderr, "# trace, byte %td of %zu: %s\n", (const char *)at - s->bytes, s->size,
		what);
	return -EBADMSG;
}

/* Takes a varint from *@at, which ends before @end. */
static bool take(const uint8_t **at, const uint8_t *end, uint64_t *value)
{
	unsigned int shift;

	*value = 0;
	for (shift = 0; shift < 64 && *at < end; shift += 7) {
		*value |= (uint64_t)(**at & 0x7f) << shift;
		if (*(*at)++ < 0x80)
			return true;
	}
	return false;
}

static const struct kmprof_trace_type *type_of(const struct session *s, uint8_t type)
{
	uint32_t i;

	for (i = 0; i < session_header(s)->nr_types; i++)
		if (types_of(s)[i].type == type)
			return &types_of(s)[i];
	return NULL;
}

/**
 * struct table - the stacks that have come so far
 * @all: array, by number - 1
 * @nr: how many
 * @stackless: records that should have one, and have none. An idle task has none
 */
struct table {
	const struct kmprof_trace_stack **all;
	uint32_t nr;
	uint64_t stackless;
};

/* What a record names has come before it. */
static int take_stack(const struct session *s, const uint8_t *at,
		      const struct kmprof_trace_type *type, struct table *table, struct record *r)
{
	uint64_t number;

	r->stack = NULL;
	if (!type->has_stack)
		return 0;
	number = r->args[type->nr_args - 1];
	if (number > table->nr)
		return wrong(s, at, "a stack that has not come yet");
	if (number)
		r->stack = table->all[number - 1];
	else if (r->type != KMPROF_TRACE_SWITCH || r->tid)
		table->stackless++;
	return 0;
}

/* Takes a batch of stacks. */
static int take_stacks(const struct session *s, const struct kmprof_trace_batch *batch,
		       struct table *table)
{
	const char *at = (const char *)(batch + 1), *end = (const char *)batch + batch->bytes;
	const struct kmprof_trace_stack *stack, **more;
	uint32_t i;

	more = realloc(table->all, (table->nr + batch->nr) * sizeof(*more));
	if (!more)
		return -ENOMEM;
	table->all = more;
	if (batch->cpu != session_header(s)->nr_cpus || !batch->nr)
		return wrong(s, batch, "a wrong batch of stacks");
	for (i = 0; i < batch->nr; i++) {
		stack = (const void *)at;
		at += sizeof(*stack);
		if (at > end || (uintptr_t)(end - at) < stack->nr_frames * sizeof(uint64_t))
			return wrong(s, at, "a stack that is cut short");
		at += stack->nr_frames * sizeof(uint64_t);
		if (stack->number != table->nr + 1 || !stack->nr_frames)
			return wrong(s, stack, "a stack with a wrong number, or without frames");
		table->all[table->nr++] = stack;
	}
	return at == end ? 0 : wrong(s, at, "more than the stacks");
}

/* Takes a record from *@at. */
static int take_record(const struct session *s, const uint8_t **at, const uint8_t *end,
		       struct table *table, struct record *r)
{
	const struct kmprof_trace_type *type;
	uint64_t ticks;
	unsigned int i;

	r->type = **at & ((1 << KMPROF_TRACE_CONTEXT_SHIFT) - 1);
	r->context = *(*at)++ >> KMPROF_TRACE_CONTEXT_SHIFT;
	type = type_of(s, r->type);
	if (!type || type->nr_args > SESSION_ARGS || r->context > KMPROF_TRACE_IN_HARDIRQ)
		return wrong(s, *at, "an unknown type or context");
	if (!take(at, end, &ticks))
		return wrong(s, *at, "no ticks");
	r->ticks += ticks;
	for (i = 0; i < type->nr_args; i++)
		if (!take(at, end, &r->args[i]))
			return wrong(s, *at, "no argument");
	if (take_stack(s, *at, type, table, r))
		return -EBADMSG;
	if (!type->has_text)
		return 0;
	if (*at == end || end - *at <= **at)
		return wrong(s, *at, "no text");
	r->len = *(*at)++;
	r->text = (const char *)*at;
	*at += r->len;
	return 0;
}

/* What is known of a CPU. */
struct cpu {
	uint64_t number;
	uint64_t ticks;
	uint32_t tid;
	bool has_batch;
};

static int walk_batch(const struct session *s, const struct kmprof_trace_batch *batch,
		      struct cpu *cpu, struct table *table, session_visit visit, void *data)
{
	const uint8_t *at = (const void *)(batch + 1), *end = (const uint8_t *)batch + batch->bytes;
	struct record r = { .cpu = batch->cpu, .tid = batch->tid, .ticks = batch->ticks };
	bool has_lost = batch->number != cpu->number;
	uint32_t i;
	int err;

	if (batch->number < cpu->number)
		return wrong(s, batch, "numbers go back");
	if (batch->ticks < cpu->ticks)
		return wrong(s, batch, "time goes back");
	/* The last switch of a CPU that goes offline is not seen: then it is idle. */
	if (batch->nr && batch->tid && cpu->has_batch && !has_lost && batch->tid != cpu->tid)
		return wrong(s, batch, "another task runs than the last switch says");
	for (i = 0; i < batch->nr; i++) {
		if (at >= end)
			return wrong(s, at, "fewer records than it says");
		err = take_record(s, &at, end, table, &r);
		r.is_first = !i;
		if (!err && r.ticks >= session_header(s)->start.ticks &&
		    r.ticks <= session_end(s)->end.ticks)
			err = visit(&r, data);
		if (err)
			return err;
		if (r.type == KMPROF_TRACE_SWITCH)
			r.tid = r.args[0];
	}
	if (at != end)
		return wrong(s, at, "more than its records");
	*cpu = (struct cpu) {
		.number		= batch->number + batch->nr,
		.ticks		= r.ticks,
		.tid		= r.tid,
		.has_batch	= true,
	};
	return 0;
}

static int no_visit(const struct record *record, void *data)
{
	(void)record;
	(void)data;
	return 0;
}

/* All records of a trace, and the events that are missing between its batches. */
struct sums {
	uint64_t records;
	uint64_t lost;
	uint64_t stackless;
};

static int walk_with(const struct session *s, struct table *table, session_visit visit, void *data,
		     struct sums *sums)
{
	const char *at = s->bytes + head_bytes(s), *end = s->bytes + s->size;
	struct cpu cpus[SESSION_CPUS] = {};
	struct kmprof_trace_batch batch;
	int err;

	*sums = (struct sums) {};
	if (session_header(s)->magic != KMPROF_TRACE_MAGIC ||
	    session_header(s)->nr_cpus > SESSION_CPUS)
		return wrong(s, s->bytes, "no header");
	for (;; at += batch.bytes) {
		if (at + sizeof(batch) > end)
			return wrong(s, at, "no end");
		memcpy(&batch, at, sizeof(batch));
		if (batch.bytes < sizeof(batch) || batch.bytes > KMPROF_TRACE_BATCH_MAX ||
		    at + batch.bytes > end)
			return wrong(s, at, "a batch of a wrong size");
		if (batch.flags & KMPROF_TRACE_END)
			break;
		if (batch.flags & KMPROF_TRACE_STACKS) {
			err = take_stacks(s, (const void *)at, table);
			if (err)
				return err;
			continue;
		}
		if (batch.cpu >= session_header(s)->nr_cpus)
			return wrong(s, at, "a wrong CPU");
		sums->lost += batch.number - cpus[batch.cpu].number;
		sums->records += batch.nr;
		err = walk_batch(s, (const void *)at, &cpus[batch.cpu], table, visit, data);
		if (err)
			return err;
	}
	sums->stackless = table->stackless;
	return at + batch.bytes == end ? 0 : wrong(s, at, "something after the end");
}

static int walk(const struct session *s, session_visit visit, void *data, struct sums *sums)
{
	struct table table = {};
	int err = walk_with(s, &table, visit, data, sums);

	free(table.all);
	return err;
}

/* A mark whose text begins with a number. */
int session_mark_number(const struct record *mark, uint64_t *number)
{
	char text[KMPROF_TRACE_TEXT_MAX + 1] = {}, *end;

	memcpy(text, mark->text, mark->len);
	*number = strtoull(text, &end, 10);
	return end == text ? -EBADMSG : 0;
}

/* Walks over the records from the start to the end of the trace. */
int session_walk(const struct session *s, session_visit visit, void *data)
{
	struct sums sums;

	return walk(s, visit, data, &sums);
}

/* All records, also those before the start and after the end; UINT64_MAX: the trace is wrong. */
uint64_t session_records(const struct session *s)
{
	struct sums sums;

	return walk(s, no_visit, NULL, &sums) ? UINT64_MAX : sums.records;
}

/* Events that are missing between batches; UINT64_MAX: the trace is wrong. */
uint64_t session_lost(const struct session *s)
{
	struct sums sums;

	return walk(s, no_visit, NULL, &sums) ? UINT64_MAX : sums.lost;
}

/* Records that should have a stack, and have none; UINT64_MAX: the trace is wrong. */
uint64_t session_stackless(const struct session *s)
{
	struct sums sums;

	return walk(s, no_visit, NULL, &sums) ? UINT64_MAX : sums.stackless;
}
