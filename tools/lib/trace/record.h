/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a saved trace has of one CPU, one after the other: starts of batches, records, and where it
 * is not known any more what the CPU does.
 */
#ifndef KMPROF_TRACE_RECORD_H
#define KMPROF_TRACE_RECORD_H

#include "trace/index.h"

enum { KMPROF_TRACE_ARGS_MOST = 255 };

/* A task that is not known. Ids of tasks are not more than INT_MAX. */
#define KMPROF_TID_UNKNOWN	(~0U)

/**
 * enum kmprof_item_kind - what a CPU has next
 * @KMPROF_ITEM_BATCH: a batch begins: it tells which task runs, and what was lost before
 * @KMPROF_ITEM_RECORD: a record
 * @KMPROF_ITEM_HOLE: from here to the next batch, or to the end, the CPU does what was not seen:
 *	events were lost, it was offline, or the trace was cut short
 */
enum kmprof_item_kind {
	KMPROF_ITEM_BATCH,
	KMPROF_ITEM_RECORD,
	KMPROF_ITEM_HOLE,
};

/**
 * struct kmprof_cursor - where one CPU is
 * @cpu: the CPU
 * @place: its batch at hand; NULL behind the last one
 * @batches_left: batches behind that
 * @batch: the start of that batch
 * @bytes: the batch
 * @room: bytes that @bytes has room for
 * @kind: of the item at hand; a hole is before the batch at hand
 * @pos: the record at hand, or the next one
 * @left: records of this batch from that on
 * @ticks: of the item at hand
 * @number: of the record at hand, or the next one: of the events of this CPU, with those that were
 *	lost
 * @gap: events that were lost before this batch
 * @gap_ticks: of the last item before that; 0: there is none
 * @tid: the task that runs before the item at hand, by what is before it; or KMPROF_TID_UNKNOWN. At
 *	first, that of the first batch, unless events were lost before
 */
struct kmprof_cursor {
	__u32 cpu;
	const struct kmprof_trace_place *place;
	size_t batches_left;
	struct kmprof_trace_batch batch;
	unsigned char *bytes;
	size_t room;
	enum kmprof_item_kind kind;
	size_t pos;
	__u32 left;
	__u64 ticks;
	__u64 number;
	__u64 gap;
	__u64 gap_ticks;
	__u32 tid;
};

/**
 * struct kmprof_record - a record
 * @type: its type; the trace has it
 * @context: enum kmprof_trace_context
 * @nr_args: arguments, without the stack
 * @args: the arguments
 * @stack: number of its stack; the trace has it. 0: there is none
 * @length: bytes of the text
 * @text: the text, with a NUL behind it
 * @bytes: all its bytes
 */
struct kmprof_record {
	__u32 type;
	__u32 context;
	__u32 nr_args;
	__u64 args[KMPROF_TRACE_ARGS_MOST];
	__u32 stack;
	size_t length;
	char text[KMPROF_TRACE_TEXT_MAX + 1];
	size_t bytes;
};

/**
 * kmprof_cursor_begin() - go to the first batch of a CPU
 * @c: filled in; released by kmprof_cursor_release(), also after a failure
 * @trace: the trace
 * @place: the first batch of the CPU
 * @nr: batches of the CPU, at least 1
 * @err: explanation
 *
 * Return: 0; -EINVAL if the trace is damaged; another negative errno.
 */
int kmprof_cursor_begin(struct kmprof_cursor *c, const struct kmprof_trace *trace,
			const struct kmprof_trace_place *place, size_t nr,
			struct kmprof_error *err);
void kmprof_cursor_release(struct kmprof_cursor *c);

/* The type of the record at hand. */
static inline __u32 kmprof_cursor_type(const struct kmprof_cursor *c)
{
	return c->bytes[c->pos] & (KMPROF_TRACE_TYPES - 1);
}

/* Return: the task that runs when the batch at hand begins; or KMPROF_TID_UNKNOWN. */
static inline __u32 kmprof_cursor_batch_tid(const struct kmprof_cursor *c)
{
	/* A batch that is there for what was lost before the end does not have it. */
	return c->gap && !c->batch.nr ? KMPROF_TID_UNKNOWN : c->batch.tid;
}

/* Reads the record at hand. Return: 0, or -EINVAL if it is damaged. */
int kmprof_cursor_read(const struct kmprof_cursor *c, const struct kmprof_trace *trace,
		       struct kmprof_record *record, struct kmprof_error *err);

/* Can a record of a type, if that is known, have these arguments? */
bool kmprof_record_can_have(__u32 type, const __u64 *args, __u32 nr_cpus);

/**
 * kmprof_cursor_next() - go on
 * @c: the cursor
 * @trace: the trace
 * @record: the record at hand; not read if there is none
 * @err: explanation
 *
 * Return: 1: there is another item; 0: this was the last one; or a negative errno.
 */
int kmprof_cursor_next(struct kmprof_cursor *c, const struct kmprof_trace *trace,
		       const struct kmprof_record *record, struct kmprof_error *err);

#endif
