// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "trace/file.h"
#include "trace/stacks.h"

static size_t count(const struct kmprof_trace_stacks *stacks)
{
	return stacks->at.used / sizeof(size_t);
}

static int no_memory(const struct kmprof_trace *trace, struct kmprof_error *err)
{
	return kmprof_error_set(err, -ENOMEM, NULL, "%s: out of memory", trace->name);
}

/* The stacks that were read to @from. Their numbers ascend without gaps. */
static int check(struct kmprof_trace *trace, size_t from, __u64 at, __u64 batch_at, __u32 nr,
		 struct kmprof_error *err)
{
	struct kmprof_trace_stacks *stacks = trace->stacks;
	const struct kmprof_trace_stack *stack;
	size_t pos = from, left;
	__u32 i;

	for (i = 0; i < nr; i++, pos += kmprof_trace_stack_size(stack)) {
		stack = (const void *)(stacks->bytes.bytes + pos);
		left = stacks->bytes.used - pos;
		if (left < sizeof(*stack) || left < kmprof_trace_stack_size(stack) ||
		    !stack->nr_frames ||
		    stack->number != count(stacks) + 1)
			return kmprof_trace_damaged(trace, at + pos - from, batch_at, "a stack",
						    err);
		if (kmprof_growing_add(&stacks->at, &pos, sizeof(pos)))
			return no_memory(trace, err);
	}
	if (pos != stacks->bytes.used)
		return kmprof_trace_damaged(trace, at + pos - from, batch_at,
					    "more stacks than the batch tells", err);
	return 0;
}

static int make_stacks(struct kmprof_trace *trace, struct kmprof_error *err)
{
	if (!trace->stacks)
		trace->stacks = calloc(1, sizeof(*trace->stacks));
	return trace->stacks ? 0 : no_memory(trace, err);
}

int kmprof_trace_stacks_read(struct kmprof_trace *trace, __u64 at,
			     const struct kmprof_trace_batch *batch, struct kmprof_error *err)
{
	size_t size = batch->bytes - sizeof(*batch), from;
	struct kmprof_growing *bytes;
	int ret;

	ret = make_stacks(trace, err);
	if (ret)
		return ret;
	bytes = &trace->stacks->bytes;
	if (kmprof_growing_reserve(bytes, size))
		return no_memory(trace, err);
	from = bytes->used;
	ret = kmprof_trace_file_read(trace, at + sizeof(*batch), bytes->bytes + from, size, err);
	if (ret)
		return ret;
	bytes->used += size;
	return check(trace, from, at + sizeof(*batch), at, batch->nr, err);
}

int kmprof_trace_names_read(struct kmprof_trace *trace, __u64 at, struct kmprof_error *err)
{
	__u64 left = trace->size - at;
	struct kmprof_trace_batch batch;
	int ret;

	if (!left)
		return 0;
	if (left < sizeof(batch))
		return kmprof_trace_damaged(trace, at, 0, "something follows the last batch", err);
	ret = kmprof_trace_file_read(trace, at, &batch, sizeof(batch), err);
	if (ret)
		return ret;
	if (batch.flags != KMPROF_TRACE_NAMES || batch.bytes < sizeof(batch))
		return kmprof_trace_damaged(trace, at, 0, "something follows the last batch", err);
	if (batch.bytes < left)
		return kmprof_trace_damaged(trace, at + batch.bytes, at,
					    "something follows the names", err);
	if (batch.bytes > left) {
		kmprof_error_set(&trace->note, 0, NULL, "%s: its names are cut short", trace->name);
		return 0;
	}
	ret = make_stacks(trace, err);
	if (ret)
		return ret;
	left -= sizeof(batch);
	trace->stacks->names = malloc(left ? left : 1);
	if (!trace->stacks->names)
		return no_memory(trace, err);
	trace->stacks->names_size = left;
	return kmprof_trace_file_read(trace, at + sizeof(batch), trace->stacks->names, left, err);
}

void kmprof_trace_stacks_release(struct kmprof_trace *trace)
{
	struct kmprof_trace_stacks *stacks = trace->stacks;

	if (!stacks)
		return;
	free(stacks->bytes.bytes);
	free(stacks->at.bytes);
	free(stacks->names);
	free(stacks);
	trace->stacks = NULL;
}

__u32 kmprof_trace_count_stacks(const struct kmprof_trace *trace)
{
	return trace->stacks ? (__u32)count(trace->stacks) : 0;
}

const struct kmprof_trace_stack *kmprof_trace_stack_at(const struct kmprof_trace *trace,
						       __u32 number)
{
	const size_t *at = (const void *)trace->stacks->at.bytes;

	return (const void *)(trace->stacks->bytes.bytes + at[number - 1]);
}

const char *kmprof_trace_stack_bytes(const struct kmprof_trace *trace, size_t *size)
{
	*size = trace->stacks ? trace->stacks->bytes.used : 0;
	return trace->stacks ? trace->stacks->bytes.bytes : NULL;
}

const char *kmprof_trace_names(const struct kmprof_trace *trace, size_t *size)
{
	*size = trace->stacks ? trace->stacks->names_size : 0;
	return trace->stacks ? trace->stacks->names : NULL;
}
