// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/file.h"
#include "trace/record.h"
#include "trace/varint.h"

static int damaged(const struct kmprof_cursor *c, const struct kmprof_trace *trace, size_t pos,
		   const char *what, struct kmprof_error *err)
{
	return kmprof_trace_damaged(trace, c->place->at + pos, c->place->at, what, err);
}

/* Return: bytes of the varint at @pos; 0 if it does not end in the batch, or is too large. */
static size_t read_varint(const struct kmprof_cursor *c, size_t pos, __u64 *value)
{
	return pos < c->batch.bytes ?
	       kmprof_varint_read(c->bytes + pos, c->batch.bytes - pos, value) : 0;
}

/* Adds up the time to the record at @pos. */
static int look_at(struct kmprof_cursor *c, const struct kmprof_trace *trace,
		   struct kmprof_error *err)
{
	__u64 delta;

	if (c->pos >= c->batch.bytes)
		return damaged(c, trace, c->pos, "fewer records than the batch tells", err);
	if (!trace->type[kmprof_cursor_type(c)].name[0])
		return damaged(c, trace, c->pos, "a type that the trace does not have", err);
	if (!read_varint(c, c->pos + 1, &delta))
		return damaged(c, trace, c->pos + 1, "time of a record", err);
	if (__builtin_add_overflow(c->ticks, delta, &c->ticks))
		return damaged(c, trace, c->pos + 1, "time of a record", err);
	return 0;
}

static int make_room(struct kmprof_cursor *c, const struct kmprof_trace *trace,
		     struct kmprof_error *err)
{
	unsigned char *bytes;

	if (c->room >= c->place->bytes)
		return 0;
	bytes = realloc(c->bytes, c->place->bytes);
	if (!bytes)
		return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", trace->name);
	c->bytes = bytes;
	c->room = c->place->bytes;
	return 0;
}

/* Reads the batch that is at hand from now on; @ticks stay those of the last item before it. */
static int load(struct kmprof_cursor *c, const struct kmprof_trace *trace,
		struct kmprof_error *err)
{
	int ret = make_room(c, trace, err);

	if (!ret)
		ret = kmprof_trace_file_read(trace, c->place->at, c->bytes, c->place->bytes, err);
	if (ret)
		return ret;
	memcpy(&c->batch, c->bytes, sizeof(c->batch));
	/* The index was made of what was read before. */
	if (c->batch.bytes != c->place->bytes || c->batch.cpu != c->cpu || c->batch.flags ||
	    c->batch.number < c->number || c->batch.tid > INT_MAX)
		return damaged(c, trace, 0, "the file has changed while it was read", err);
	if (c->batch.ticks < c->ticks)
		return damaged(c, trace, offsetof(struct kmprof_trace_batch, ticks),
			       "batches of a CPU are not in order of time", err);
	c->pos = sizeof(c->batch);
	c->left = c->batch.nr;
	c->gap = c->batch.number - c->number;
	c->gap_ticks = c->ticks;
	c->number = c->batch.number;
	if (!c->left && c->pos != c->batch.bytes)
		return damaged(c, trace, c->pos, "more records than the batch tells", err);
	return 0;
}

static void go_to_batch(struct kmprof_cursor *c)
{
	c->kind = KMPROF_ITEM_BATCH;
	c->ticks = c->batch.ticks;
}

int kmprof_cursor_begin(struct kmprof_cursor *c, const struct kmprof_trace *trace,
			const struct kmprof_trace_place *place, size_t nr,
			struct kmprof_error *err)
{
	int ret;

	memset(c, 0, sizeof(*c));
	c->cpu = place->cpu;
	c->place = place;
	c->batches_left = nr - 1;
	ret = load(c, trace, err);
	if (ret)
		return ret;
	c->tid = c->gap ? KMPROF_TID_UNKNOWN : c->batch.tid;
	go_to_batch(c);
	return 0;
}

void kmprof_cursor_release(struct kmprof_cursor *c)
{
	free(c->bytes);
	c->bytes = NULL;
}

bool kmprof_record_can_have(__u32 type, const __u64 *args, __u32 nr_cpus)
{
	switch (type) {
	case KMPROF_TRACE_MIGRATE:
		return args[0] <= INT_MAX && args[1] < nr_cpus;
	case KMPROF_TRACE_FORK:
		return args[0] && args[0] <= INT_MAX && args[1] <= INT_MAX;
	case KMPROF_TRACE_SWITCH:
	case KMPROF_TRACE_WAKING:
	case KMPROF_TRACE_EXEC:
	case KMPROF_TRACE_EXIT:
	case KMPROF_TRACE_RENAME:
	case KMPROF_TRACE_IRQ_ENTRY:
	case KMPROF_TRACE_IRQ_EXIT:
	case KMPROF_TRACE_SOFTIRQ_ENTRY:
	case KMPROF_TRACE_SOFTIRQ_EXIT:
	case KMPROF_TRACE_RECLAIM_BEGIN:
	case KMPROF_TRACE_MEMCG_RECLAIM_BEGIN:
	case KMPROF_TRACE_COMPACTION_BEGIN:
	case KMPROF_TRACE_COMPACTION_END:
	case KMPROF_TRACE_CPU_IDLE:
		return args[0] <= INT_MAX;
	case KMPROF_TRACE_CONTENTION_BEGIN:
	case KMPROF_TRACE_CONTENTION_END:
		/* Lock 0 is none. */
		return args[0];
	case KMPROF_TRACE_ALLOC:
	case KMPROF_TRACE_FREE:
		return args[1] <= INT_MAX;
	case KMPROF_TRACE_SYSCALL_ENTER:
	case KMPROF_TRACE_SYSCALL_EXIT:
		return args[0] < 2 * KMPROF_TRACE_SYSCALL_I386;
	case KMPROF_TRACE_CPU_FREQUENCY:
		return args[0] < nr_cpus && args[1] <= UINT_MAX;
	}
	return true;
}

/* The number of its stack is the last argument. */
static int take_stack(const struct kmprof_cursor *c, const struct kmprof_trace *trace,
		      struct kmprof_record *record, struct kmprof_error *err)
{
	record->stack = 0;
	if (!trace->type[record->type].has_stack)
		return 0;
	record->nr_args--;
	if (record->args[record->nr_args] > kmprof_trace_count_stacks(trace))
		return damaged(c, trace, c->pos, "number of a stack", err);
	record->stack = (__u32)record->args[record->nr_args];
	return 0;
}

int kmprof_cursor_read(const struct kmprof_cursor *c, const struct kmprof_trace *trace,
		       struct kmprof_record *record, struct kmprof_error *err)
{
	const struct kmprof_trace_type *type = &trace->type[kmprof_cursor_type(c)];
	size_t pos = c->pos + 1, bytes;
	__u64 delta;
	__u32 i;
	int ret;

	record->type = kmprof_cursor_type(c);
	record->context = c->bytes[c->pos] >> KMPROF_TRACE_CONTEXT_SHIFT;
	record->nr_args = type->nr_args;
	pos += read_varint(c, pos, &delta);
	for (i = 0; i < type->nr_args; i++, pos += bytes) {
		bytes = read_varint(c, pos, &record->args[i]);
		if (!bytes)
			return damaged(c, trace, pos, "argument of a record", err);
	}
	record->length = 0;
	if (type->has_text) {
		if (pos >= c->batch.bytes || c->bytes[pos] > c->batch.bytes - pos - 1)
			return damaged(c, trace, pos, "text of a record", err);
		record->length = c->bytes[pos++];
		memcpy(record->text, c->bytes + pos, record->length);
		pos += record->length;
	}
	record->text[record->length] = '\0';
	record->bytes = pos - c->pos;
	ret = take_stack(c, trace, record, err);
	if (!ret && !kmprof_record_can_have(record->type, record->args, trace->header.nr_cpus))
		ret = damaged(c, trace, c->pos, "arguments of a record", err);
	return ret;
}

static int leave_record(struct kmprof_cursor *c, const struct kmprof_trace *trace,
			const struct kmprof_record *record, struct kmprof_error *err)
{
	if (record->type == KMPROF_TRACE_SWITCH)
		c->tid = (__u32)record->args[0];
	c->pos += record->bytes;
	c->number++;
	c->left--;
	if (!c->left && c->pos != c->batch.bytes)
		return damaged(c, trace, c->pos, "more records than the batch tells", err);
	return 0;
}

/* To the next batch, or the hole before it. Return: 1 or a negative errno. */
static int go_on(struct kmprof_cursor *c, const struct kmprof_trace *trace,
		 struct kmprof_error *err)
{
	int ret;

	c->batches_left--;
	c->place++;
	ret = load(c, trace, err);
	if (ret)
		return ret;
	/* The last switch of a CPU that goes offline, to the idle task, is not seen. */
	if (c->gap || (c->tid && !c->batch.tid))
		c->kind = KMPROF_ITEM_HOLE;
	else
		go_to_batch(c);
	return 1;
}

/* Behind the last batch, the CPU goes on as it was, unless the trace was cut short. */
static int finish(struct kmprof_cursor *c, const struct kmprof_trace *trace)
{
	c->place = NULL;
	c->kind = KMPROF_ITEM_HOLE;
	return !trace->has_end;
}

int kmprof_cursor_next(struct kmprof_cursor *c, const struct kmprof_trace *trace,
		       const struct kmprof_record *record, struct kmprof_error *err)
{
	int ret = 0;

	switch (c->kind) {
	case KMPROF_ITEM_HOLE:
		c->tid = KMPROF_TID_UNKNOWN;
		if (!c->place)
			return 0;
		go_to_batch(c);
		return 1;
	case KMPROF_ITEM_BATCH:
		c->tid = kmprof_cursor_batch_tid(c);
		c->kind = KMPROF_ITEM_RECORD;
		break;
	case KMPROF_ITEM_RECORD:
		ret = leave_record(c, trace, record, err);
		break;
	}
	if (!ret && c->left)
		ret = look_at(c, trace, err);
	if (ret)
		return ret;
	if (c->left)
		return 1;
	return c->batches_left ? go_on(c, trace, err) : finish(c, trace);
}
