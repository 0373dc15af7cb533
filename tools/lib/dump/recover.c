// SPDX-License-Identifier: GPL-2.0
/*
 * What the module does when a flight recorder is stopped is done here from what it has left: see
 * module/trace/flight.c and session.c. What is damaged is left out: its events count as lost.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "dump/recover.h"
#include "dump/records.h"
#include "dump/ring.h"
#include "dump/tasks.h"
#include "trace/clock.h"
#include "trace/stacks.h"
#include "util/growing.h"

#define NSEC_PER_SEC	1000000000ULL

enum {
	WORD		= sizeof(__u64),
	FRAMES_MAX	= 1 << 10,
	PAGE		= 1 << 12,
};

/**
 * struct recovery - a trace in the making
 * @dump: the dump
 * @crash: where it is
 * @put: gets it
 * @arg: for that
 * @header: its header, as it is in the dump; then as it is to be
 * @types: its table of types
 * @tasks: its table of tasks
 * @stacks: its stacks
 * @nr_stacks: how many
 * @ring: array: of each CPU
 * @end: contents of its last batch
 * @warning: set when something is missing
 * @is_incomplete: it is set
 * @err: explanation
 */
struct recovery {
	const struct kmprof_dump *dump;
	const struct kmprof_trace_crash *crash;
	int (*put)(void *arg, const void *bytes, size_t size);
	void *arg;
	struct kmprof_trace_header header;
	struct kmprof_growing types;
	struct kmprof_growing tasks;
	struct kmprof_growing stacks;
	__u32 nr_stacks;
	struct kmprof_dump_ring *ring;
	struct kmprof_trace_end *end;
	struct kmprof_error *warning;
	bool is_incomplete;
	struct kmprof_error *err;
};

static int no_memory(struct recovery *r)
{
	return kmprof_error_set(r->err, -ENOMEM, NULL, "%s: out of memory", r->dump->name);
}

static int damaged(struct recovery *r, const char *what)
{
	return kmprof_error_set(r->err, -ENODATA, NULL, "%s: the trace's %s is damaged",
				r->dump->name, what);
}

/* The first thing that is missing is told. */
static void miss(struct recovery *r, const char *what)
{
	if (!r->is_incomplete)
		kmprof_error_set(r->warning, 1, NULL, "%s: %s", r->dump->name, what);
	r->is_incomplete = true;
}

/* Puts @size bytes of the dump behind a table. */
static int take(struct recovery *r, struct kmprof_growing *to, __u64 address, size_t size)
{
	int ret;

	if (kmprof_growing_reserve(to, size))
		return no_memory(r);
	ret = kmprof_dump_read(r->dump, address, to->bytes + to->used, size, r->err);
	if (!ret)
		to->used += size;
	return ret;
}

/* Those that are damaged are left out. */
static int take_table_of_tasks(struct recovery *r, __u64 address)
{
	struct kmprof_trace_task *task;
	__u32 i, nr = 0;
	int ret;

	r->tasks.used = 0;
	ret = take(r, &r->tasks, address, r->header.nr_tasks * sizeof(*task));
	task = (void *)r->tasks.bytes;
	for (i = 0; !ret && i < r->header.nr_tasks; i++)
		if (kmprof_dump_is_task(&task[i]))
			task[nr++] = task[i];
	r->tasks.used = nr * sizeof(*task);
	return ret;
}

/* Those of the end. If they cannot be found, those of the start have to do. */
static int take_tasks(struct recovery *r, __u64 address)
{
	int ret;

	if (r->crash->flags & KMPROF_TRACE_CRASH_STOPPED)
		return take_table_of_tasks(r, address);
	ret = kmprof_dump_tasks(r->dump, r->crash, &r->tasks, NULL);
	if (ret == -ENOMEM)
		return no_memory(r);
	if (!ret)
		return 0;
	miss(r, "the tasks cannot be read: their names are those of when the recorder was started");
	return take_table_of_tasks(r, address);
}

static int take_head(struct recovery *r)
{
	struct kmprof_trace_header *header = &r->header;
	size_t types;
	__u64 at;
	int ret;

	ret = kmprof_dump_word(r->dump, r->crash->head, &at, r->err);
	if (!ret)
		ret = kmprof_dump_read(r->dump, at, header, sizeof(*header), r->err);
	if (ret)
		return ret;
	if (header->magic != KMPROF_TRACE_MAGIC || header->header_size != sizeof(*header) ||
	    header->nr_types > KMPROF_TRACE_TYPES ||
	    header->type_size != sizeof(struct kmprof_trace_type) ||
	    header->nr_tasks > KMPROF_DUMP_TASKS_MAX ||
	    header->task_size != sizeof(struct kmprof_trace_task) ||
	    header->nr_cpus != r->crash->nr_cpus || !header->nr_cpus ||
	    header->nr_cpus > KMPROF_TRACE_CPUS_MOST || !header->ticks_per_s ||
	    header->abi_version != KMPROF_ABI_VERSION ||
	    (header->start.mono_ns | header->start.boot_ns | header->start.real_ns) >> 63 ||
	    header->filter[sizeof(header->filter) - 1])
		return damaged(r, "header");
	types = (size_t)header->nr_types * header->type_size;
	ret = take(r, &r->types, at + sizeof(*header), types);
	if (!ret)
		ret = take_tasks(r, at + sizeof(*header) + types);
	header->nr_tasks = (__u32)(r->tasks.used / sizeof(struct kmprof_trace_task));
	return ret;
}

/*
 * Numbers stacks, one behind the other, up to one whose length is not known. One that was being
 * added does not have its number yet: no record names it. Return: how many.
 */
static __u32 number_stacks(struct kmprof_growing *stacks)
{
	struct kmprof_trace_stack *stack;
	size_t at, size;
	__u32 nr = 0;

	for (at = 0; at + sizeof(*stack) <= stacks->used; at += size, nr++) {
		stack = (void *)(stacks->bytes + at);
		size = kmprof_trace_stack_size(stack);
		if (!stack->nr_frames || stack->nr_frames > FRAMES_MAX ||
		    at + size > stacks->used ||
		    (stack->number && stack->number != nr + 1))
			break;
		stack->number = nr + 1;
	}
	stacks->used = at;
	return nr;
}

/* Where those behind it are is not known, but records may have their numbers. */
static int pad_stacks(struct recovery *r, __u32 nr)
{
	__u64 unknown[2] = { 0 };
	struct kmprof_trace_stack *stack = (void *)unknown;

	stack->nr_frames = 1;
	stack->flags = KMPROF_TRACE_STACK_TRUNCATED;
	while (r->nr_stacks < nr) {
		stack->number = ++r->nr_stacks;
		if (kmprof_growing_add(&r->stacks, unknown, sizeof(unknown)))
			return no_memory(r);
	}
	return 0;
}

/* Is nothing written yet where the last one is to be? */
static bool is_last_begun(const struct recovery *r, __u32 nr)
{
	__u64 next;

	return r->nr_stacks + 1 == nr &&
	       !kmprof_dump_word(r->dump, r->crash->stacks + r->stacks.used, &next, NULL) && !next;
}

/* Up to what is not there. */
static int take_words(struct recovery *r, size_t bytes)
{
	__u64 at = r->crash->stacks;
	size_t n;

	if (kmprof_growing_reserve(&r->stacks, bytes))
		return no_memory(r);
	for (; r->stacks.used < bytes; r->stacks.used += n, at += n) {
		n = PAGE - at % PAGE;
		if (n > bytes - r->stacks.used)
			n = bytes - r->stacks.used;
		if (kmprof_dump_read(r->dump, at, r->stacks.bytes + r->stacks.used, n, NULL))
			break;
	}
	return 0;
}

static int take_stacks(struct recovery *r)
{
	__u32 words, nr;
	__u64 used;
	int ret;

	if (!r->crash->stacks)
		return 0;
	ret = kmprof_dump_word(r->dump, r->crash->stacks_used, &used, r->err);
	words = (__u32)used;
	if (ret || words <= 1)
		return ret;
	if (words > KMPROF_TRACE_STACKS_MAX / WORD || used >> 32 > words)
		return damaged(r, "table of stacks");
	ret = take_words(r, (words - 1) * (size_t)WORD);
	if (ret)
		return ret;
	r->nr_stacks = number_stacks(&r->stacks);
	nr = (__u32)(used >> 32);
	if (r->nr_stacks < nr && !is_last_begun(r, nr))
		miss(r, "some stacks cannot be read");
	return pad_stacks(r, nr);
}

/* Rings that are not there are left out, and told. */
static int look_at_rings(struct recovery *r)
{
	struct kmprof_dump_limits limits = {
		.nr_stacks = r->nr_stacks, .nr_cpus = r->header.nr_cpus,
	};
	struct kmprof_error why;
	__u32 cpu, nr = 0;
	int ret;

	if (!kmprof_dump_limits_take(&limits, (const void *)r->types.bytes, r->header.nr_types))
		return damaged(r, "table of types");
	kmprof_error_set(&why, -ENODATA, NULL, "%s: no CPU has events", r->dump->name);
	r->ring = calloc(r->header.nr_cpus, sizeof(*r->ring));
	if (!r->ring)
		return no_memory(r);
	for (cpu = 0; cpu < r->header.nr_cpus; cpu++) {
		ret = kmprof_dump_ring_look(&r->ring[cpu], r->dump, r->crash, cpu, &limits,
					    &why);
		if (ret == -ENOMEM)
			return no_memory(r);
		if (ret) {
			r->ring[cpu] = (struct kmprof_dump_ring){ .cpu = cpu };
			miss(r, "the events of a CPU cannot be read");
		}
		nr += !!r->ring[cpu].block;
	}
	if (nr)
		return 0;
	*r->err = why;
	return -ENODATA;
}

/* Return: the index of the first block of a ring that is good; @nr: none is. */
static __u32 first_good(const struct kmprof_dump_ring *ring)
{
	__u32 i = 0;

	while (i < ring->nr && !ring->block[i].bytes)
		i++;
	return i;
}

static void go_on_to(struct kmprof_trace_clock *clock, __u64 ticks, __u64 ticks_per_s)
{
	__u64 ns;

	if (ticks <= clock->ticks)
		return;
	ns = kmprof_trace_scale(ticks - clock->ticks, NSEC_PER_SEC, ticks_per_s);
	clock->ticks = ticks;
	clock->mono_ns += ns;
	clock->boot_ns += ns;
	clock->real_ns += ns;
}

/*
 * It begins with the youngest of the oldest blocks, and ends with the last record: see
 * kmprof_trace_flight_cut().
 */
static int limit(struct recovery *r)
{
	struct kmprof_trace_clock *start = &r->header.start;
	__u64 first = 0, last = start->ticks;
	__u32 cpu, i;

	for (cpu = 0; cpu < r->header.nr_cpus; cpu++) {
		const struct kmprof_dump_ring *ring = &r->ring[cpu];

		i = first_good(ring);
		if (i == ring->nr)
			continue;
		if ((ring->first || i) && ring->block[i].ticks > first)
			first = ring->block[i].ticks;
		if (ring->ticks > last)
			last = ring->ticks;
	}
	go_on_to(start, first, r->header.ticks_per_s);
	r->end->end = *start;
	go_on_to(&r->end->end, last, r->header.ticks_per_s);
	return (r->end->end.mono_ns | r->end->end.boot_ns | r->end->end.real_ns) >> 63 ?
	       damaged(r, "clock") : 0;
}

static int put_head(struct recovery *r)
{
	int ret = r->put(r->arg, &r->header, sizeof(r->header));

	if (!ret)
		ret = r->put(r->arg, r->types.bytes, r->types.used);
	if (!ret && r->tasks.used)
		ret = r->put(r->arg, r->tasks.bytes, r->tasks.used);
	return ret;
}

static int put_batch(struct recovery *r, const struct kmprof_trace_batch *batch,
		     const void *contents)
{
	int ret = r->put(r->arg, batch, sizeof(*batch));

	return ret ? ret : r->put(r->arg, contents, batch->bytes - sizeof(*batch));
}

/* In batches that are not larger than those of the module. */
static int put_stacks(struct recovery *r)
{
	const struct kmprof_trace_stack *stack;
	struct kmprof_trace_batch batch;
	size_t at = 0, size;
	int ret = 0;

	while (!ret && at < r->stacks.used) {
		const char *from = r->stacks.bytes + at;

		batch = (struct kmprof_trace_batch){
			.bytes	= sizeof(batch),
			.cpu	= r->header.nr_cpus,
			.flags	= KMPROF_TRACE_STACKS,
		};
		for (; at < r->stacks.used; at += size, batch.nr++) {
			stack = (const void *)(r->stacks.bytes + at);
			size = kmprof_trace_stack_size(stack);
			if (batch.nr && batch.bytes + size > KMPROF_TRACE_BATCH_MAX)
				break;
			batch.bytes += (__u32)size;
		}
		ret = put_batch(r, &batch, from);
	}
	return ret;
}

/*
 * The block in which the trace begins is there: its switches tell which task runs. Return: @nr:
 * there is no block.
 */
static __u32 begin_of(const struct kmprof_dump_ring *ring, __u64 start)
{
	__u32 i, begin = first_good(ring);

	for (i = begin; i < ring->nr; i++)
		if (ring->block[i].bytes && ring->block[i].ticks < start)
			begin = i;
	return begin;
}

/* Losses at the end. Return: as @put. */
static int put_rest(struct recovery *r, const struct kmprof_dump_ring *ring, __u64 first,
		    __u64 next)
{
	struct kmprof_trace_batch rest = {
		.bytes	= sizeof(rest),
		.cpu	= ring->cpu,
		.number	= ring->number - first,
		.ticks	= r->end->end.ticks,
	};

	if (rest.number <= next)
		return 0;
	r->end->lost += rest.number - next;
	return put_batch(r, &rest, NULL);
}

static int put_block(struct recovery *r, const struct kmprof_dump_ring *ring, __u32 i, __u64 first,
		     __u64 *next)
{
	static __u64 room[KMPROF_TRACE_BATCH_MAX / WORD];
	struct kmprof_trace_batch *batch = (void *)room;

	if (!ring->block[i].bytes || kmprof_dump_ring_read(ring, r->dump, i, batch)) {
		miss(r, "some blocks of events are damaged");
		return 0;
	}
	batch->number -= first;
	r->end->lost += batch->number - *next;
	r->end->events += batch->nr;
	*next = batch->number + batch->nr;
	return put_batch(r, batch, batch + 1);
}

static int put_ring(struct recovery *r, const struct kmprof_dump_ring *ring)
{
	__u32 i = begin_of(ring, r->header.start.ticks);
	__u64 first = 0, next = 0;
	int ret = 0;

	if (first_good(ring) > ring->is_begun)
		miss(r, "some blocks of events are damaged");
	/* What was written over, or read, is not lost. */
	if (ring->first && i == ring->nr)
		return 0;
	/* Where something is left out, events are counted from the first one that is there. */
	if ((ring->first || i) && i < ring->nr)
		first = ring->block[i].number;
	for (; i < ring->nr && !ret; i++)
		ret = put_block(r, ring, i, first, &next);
	return ret ? ret : put_rest(r, ring, first, next);
}

static int put_end(struct recovery *r)
{
	struct kmprof_trace_batch batch = {
		.bytes	= sizeof(batch) + sizeof(*r->end),
		.cpu	= r->header.nr_cpus,
		.flags	= KMPROF_TRACE_END,
		.ticks	= r->end->end.ticks,
	};

	return put_batch(r, &batch, r->end);
}

static int put_all(struct recovery *r)
{
	__u32 cpu;
	int ret = put_head(r);

	if (!ret)
		ret = put_stacks(r);
	for (cpu = 0; cpu < r->header.nr_cpus && !ret; cpu++) {
		r->end->stackless += r->ring[cpu].stackless;
		ret = put_ring(r, &r->ring[cpu]);
	}
	return ret ? ret : put_end(r);
}

static void release(struct recovery *r)
{
	__u32 cpu;

	for (cpu = 0; r->ring && cpu < r->header.nr_cpus; cpu++)
		free(r->ring[cpu].block);
	free(r->ring);
	free(r->types.bytes);
	free(r->tasks.bytes);
	free(r->stacks.bytes);
}

int kmprof_dump_recover(const struct kmprof_dump *dump, const struct kmprof_trace_crash *crash,
			int (*put)(void *arg, const void *bytes, size_t size), void *arg,
			struct kmprof_trace_end *end, struct kmprof_error *warning,
			struct kmprof_error *err)
{
	struct recovery r = {
		.dump = dump, .crash = crash, .put = put, .arg = arg,
		.end = end, .warning = warning, .err = err,
	};
	int ret;

	memset(end, 0, sizeof(*end));
	ret = take_head(&r);
	if (!ret)
		ret = take_stacks(&r);
	if (!ret)
		ret = look_at_rings(&r);
	if (!ret)
		ret = limit(&r);
	if (!ret)
		ret = put_all(&r);
	release(&r);
	return ret ? ret : r.is_incomplete;
}
