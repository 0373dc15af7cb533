// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/file.h"
#include "trace/index.h"
#include "trace/stacks.h"
#include "util/growing.h"

enum {
	/* A byte for the type, and a varint. */
	RECORD_LEAST	= 2,
	/* The end that the first modules have written. */
	END_LEAST	= offsetof(struct kmprof_trace_end, stackless),
};

/* The kernel reads its clocks one after the other. No suspend is as short as that takes. */
#define SUSPEND_LEAST_NS	10000000LL

/**
 * struct scan - an index in the making
 * @trace: the trace
 * @at: the batch at hand
 * @next: number that the next event of each CPU has, if none is lost
 * @first: number of batches of each CPU; then, where its next one belongs
 * @places: the batches as in the file
 */
struct scan {
	struct kmprof_trace *trace;
	__u64 at;
	__u64 *next;
	size_t *first;
	struct kmprof_growing places;
};

static int damaged(const struct scan *s, size_t offset, const char *what, struct kmprof_error *err)
{
	return kmprof_trace_damaged(s->trace, s->at + offset, s->at, what, err);
}

static void note_cut(const struct scan *s)
{
	kmprof_error_set(&s->trace->note, 0, NULL,
			 "%s: is cut short at byte %llu: what came later is not shown",
			 s->trace->name, s->at);
}

/* Is a batch as a whole in the file? */
static bool is_whole(const struct scan *s, const struct kmprof_trace_batch *batch)
{
	return batch->bytes <= s->trace->size - s->at;
}

static int check(const struct scan *s, const struct kmprof_trace_batch *batch,
		 struct kmprof_error *err)
{
	__u64 number;

	if (batch->bytes < sizeof(*batch) || batch->bytes > KMPROF_TRACE_BATCH_MAX)
		return damaged(s, 0, "size of a batch", err);
	if (batch->flags && batch->flags != KMPROF_TRACE_END &&
	    batch->flags != KMPROF_TRACE_STACKS)
		return damaged(s, offsetof(struct kmprof_trace_batch, flags), "flags of a batch",
			       err);
	if (batch->flags & KMPROF_TRACE_END) {
		if (batch->bytes < sizeof(*batch) + END_LEAST)
			return damaged(s, 0, "the last batch is too short", err);
		return 0;
	}
	if (batch->flags)
		return 0;
	if (batch->cpu >= s->trace->header.nr_cpus)
		return damaged(s, offsetof(struct kmprof_trace_batch, cpu), "CPU of a batch", err);
	if (batch->tid > INT_MAX)
		return damaged(s, offsetof(struct kmprof_trace_batch, tid), "id of a task", err);
	if (batch->nr > (batch->bytes - sizeof(*batch)) / RECORD_LEAST)
		return damaged(s, offsetof(struct kmprof_trace_batch, nr),
			       "more records than the batch has room for", err);
	if (batch->number < s->next[batch->cpu] ||
	    __builtin_add_overflow(batch->number, batch->nr, &number))
		return damaged(s, offsetof(struct kmprof_trace_batch, number),
			       "batches of a CPU are not in order", err);
	return 0;
}

static int add(struct scan *s, const struct kmprof_trace_batch *batch, struct kmprof_error *err)
{
	const struct kmprof_trace_place place = {
		.at = s->at, .cpu = batch->cpu, .bytes = batch->bytes,
	};
	struct kmprof_trace *trace = s->trace;
	__u64 lost = batch->number - s->next[batch->cpu];

	if (__builtin_add_overflow(trace->lost, lost, &trace->lost))
		return damaged(s, offsetof(struct kmprof_trace_batch, number),
			       "more losses than can be counted", err);
	trace->events += batch->nr;
	s->next[batch->cpu] = batch->number + batch->nr;
	s->first[batch->cpu]++;
	if (kmprof_growing_add(&s->places, &place, sizeof(place)))
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", trace->name);
	return 0;
}

/* Worse than anything else that is wrong with it: all times are. */
static void note_suspend(struct kmprof_trace *trace)
{
	const struct kmprof_trace_clock *start = &trace->header.start, *end = &trace->end.end;
	__s64 ns = (__s64)(end->boot_ns - end->mono_ns - (start->boot_ns - start->mono_ns));

	trace->was_suspended = ns >= SUSPEND_LEAST_NS;
	if (trace->was_suspended)
		kmprof_error_set(&trace->note, 0,
				 "the order of events on each CPU is right; for times, trace again without a suspend",
				 "%s: the system was suspended for %.3f s meanwhile: the times mean nothing",
				 trace->name, (double)ns / 1e9);
}

static int take_end(const struct scan *s, const struct kmprof_trace_batch *batch,
		    struct kmprof_error *err)
{
	const struct kmprof_trace_clock *start = &s->trace->header.start, *end;
	size_t size = batch->bytes - sizeof(*batch);
	struct kmprof_trace *trace = s->trace;
	int ret;

	if (size > sizeof(trace->end))
		size = sizeof(trace->end);
	ret = kmprof_trace_file_read(trace, s->at + sizeof(*batch), &trace->end, size, err);
	if (ret)
		return ret;
	end = &trace->end.end;
	if (end->ticks < start->ticks || end->mono_ns < start->mono_ns ||
	    end->mono_ns > LLONG_MAX)
		return damaged(s, sizeof(*batch), "it ends before it starts", err);
	ret = kmprof_trace_names_read(trace, s->at + batch->bytes, err);
	if (ret)
		return ret;
	trace->has_end = true;
	if (trace->end.events != trace->events || trace->end.lost != trace->lost)
		kmprof_error_set(&trace->note, 0, NULL,
				 "%s: has %llu events and %llu are lost, but its end says %llu and %llu",
				 trace->name, trace->events, trace->lost, trace->end.events,
				 trace->end.lost);
	note_suspend(trace);
	return 0;
}

static int take(struct scan *s, const struct kmprof_trace_batch *batch, struct kmprof_error *err)
{
	switch (batch->flags) {
	case KMPROF_TRACE_END:
		return take_end(s, batch, err);
	case KMPROF_TRACE_STACKS:
		return kmprof_trace_stacks_read(s->trace, s->at, batch, err);
	default:
		return add(s, batch, err);
	}
}

/* Return: 0 or a negative errno. */
static int find(struct scan *s, struct kmprof_error *err)
{
	struct kmprof_trace *trace = s->trace;
	struct kmprof_trace_batch batch;
	int ret;

	for (; !trace->has_end; s->at += batch.bytes) {
		if (trace->size - s->at < sizeof(batch)) {
			note_cut(s);
			return 0;
		}
		ret = kmprof_trace_file_read(trace, s->at, &batch, sizeof(batch), err);
		if (!ret)
			ret = check(s, &batch, err);
		if (ret)
			return ret;
		if (!is_whole(s, &batch)) {
			note_cut(s);
			return 0;
		}
		ret = take(s, &batch, err);
		if (ret)
			return ret;
	}
	return 0;
}

/* Those of each CPU together; they stay in their order. */
static int put_in_order(struct scan *s, struct kmprof_error *err)
{
	const struct kmprof_trace_place *from = (const void *)s->places.bytes;
	struct kmprof_trace_index *index = s->trace->index;
	size_t i, sum = 0, count;

	index->nr = s->places.used / sizeof(*from);
	index->place = calloc(index->nr ? index->nr : 1, sizeof(*from));
	if (!index->place)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", s->trace->name);
	for (i = 0; i < s->trace->header.nr_cpus; i++) {
		count = s->first[i];
		s->first[i] = sum;
		sum += count;
	}
	for (i = 0; i < index->nr; i++)
		index->place[s->first[from[i].cpu]++] = from[i];
	return 0;
}

int kmprof_trace_index_make(struct kmprof_trace *trace, __u64 at, struct kmprof_error *err)
{
	struct scan s = { .trace = trace, .at = at };
	int ret;

	s.next = calloc(trace->header.nr_cpus, sizeof(*s.next));
	s.first = calloc(trace->header.nr_cpus, sizeof(*s.first));
	trace->index = calloc(1, sizeof(*trace->index));
	if (s.next && s.first && trace->index)
		ret = find(&s, err);
	else
		ret = kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", trace->name);
	if (!ret)
		ret = put_in_order(&s, err);
	free(s.next);
	free(s.first);
	free(s.places.bytes);
	return ret;
}

void kmprof_trace_index_release(struct kmprof_trace *trace)
{
	if (trace->index)
		free(trace->index->place);
	free(trace->index);
	trace->index = NULL;
}
