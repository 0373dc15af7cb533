/* SPDX-License-Identifier: GPL-2.0 */
/* The records of one CPU of a saved trace, one after the other. */
#ifndef KMPROF_TRACE_RECORD_H
#define KMPROF_TRACE_RECORD_H

#include "trace/index.h"

enum { KMPROF_TRACE_ARGS_MOST = 255 };

/**
 * struct kmprof_cursor - where one CPU is
 * @cpu: the CPU
 * @place: its batch at hand
 * @batches_left: batches behind that
 * @batch: the start of that batch
 * @bytes: the batch
 * @room: bytes that @bytes has room for
 * @pos: the record at hand; if there is one
 * @left: records of this batch from that on
 * @ticks: of the record at hand, or of the loss
 * @number: of the record at hand: of the events of this CPU, with those that were lost
 * @gap: events that were lost before this batch and have not been told; 0: there is a record
 * @gap_ticks: of the last record before that
 */
struct kmprof_cursor {
	__u32 cpu;
	const struct kmprof_trace_place *place;
	size_t batches_left;
	struct kmprof_trace_batch batch;
	unsigned char *bytes;
	size_t room;
	size_t pos;
	__u32 left;
	__u64 ticks;
	__u64 number;
	__u64 gap;
	__u64 gap_ticks;
};

/**
 * struct kmprof_record - a record
 * @type: its type; the trace has it
 * @context: enum kmprof_trace_context
 * @nr_args: arguments
 * @args: the arguments
 * @length: bytes of the text
 * @text: the text, with a NUL behind it
 * @bytes: all its bytes
 */
struct kmprof_record {
	__u32 type;
	__u32 context;
	__u32 nr_args;
	__u64 args[KMPROF_TRACE_ARGS_MOST];
	size_t length;
	char text[KMPROF_TRACE_TEXT_MAX + 1];
	size_t bytes;
};

/**
 * kmprof_cursor_begin() - go to the first record or loss of a CPU
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

/* Is the record at hand the first one of its batch? */
static inline bool kmprof_cursor_is_first(const struct kmprof_cursor *c)
{
	return c->left == c->batch.nr;
}

/* Reads the record at hand. Return: 0, or -EINVAL if it is damaged. */
int kmprof_cursor_read(const struct kmprof_cursor *c, const struct kmprof_trace *trace,
		       struct kmprof_record *record, struct kmprof_error *err);

/**
 * kmprof_cursor_next() - go on
 * @c: the cursor
 * @trace: the trace
 * @bytes: of the record at hand; not read if it is a loss
 * @err: explanation
 *
 * Return: 1: there is another record or loss; 0: this was the last one; or a negative errno.
 */
int kmprof_cursor_next(struct kmprof_cursor *c, const struct kmprof_trace *trace, size_t bytes,
		       struct kmprof_error *err);

#endif
