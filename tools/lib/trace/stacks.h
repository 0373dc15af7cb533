/* SPDX-License-Identifier: GPL-2.0 */
/* The stacks of a saved trace, by their numbers, and the names that were saved with them. */
#ifndef KMPROF_TRACE_STACKS_H
#define KMPROF_TRACE_STACKS_H

#include "trace/trace.h"
#include "util/growing.h"

/**
 * struct kmprof_trace_stacks - the stacks
 * @bytes: one behind the other: struct kmprof_trace_stack, with its frames
 * @at: size_t: where each of them begins
 * @names: what a program has saved behind the end: an image, not checked; to be freed
 * @names_size: bytes of that; 0: there is none
 */
struct kmprof_trace_stacks {
	struct kmprof_growing bytes;
	struct kmprof_growing at;
	char *names;
	size_t names_size;
};

/* Bytes of a stack with its frames. */
static inline size_t kmprof_trace_stack_size(const struct kmprof_trace_stack *stack)
{
	return sizeof(*stack) + stack->nr_frames * sizeof(stack->frames[0]);
}

/**
 * kmprof_trace_stacks_read() - read a batch of stacks
 * @trace: the trace
 * @at: where the batch is in the file
 * @batch: its start; it is in the file as a whole
 * @err: explanation
 *
 * Return: 0; -EINVAL if it is damaged; another negative errno.
 */
int kmprof_trace_stacks_read(struct kmprof_trace *trace, __u64 at,
			     const struct kmprof_trace_batch *batch, struct kmprof_error *err);

/**
 * kmprof_trace_names_read() - read what is behind the end of a trace: names, or nothing
 * @trace: the trace; its @note is set if they are cut short
 * @at: where it begins
 * @err: explanation
 *
 * Return: as above.
 */
int kmprof_trace_names_read(struct kmprof_trace *trace, __u64 at, struct kmprof_error *err);
void kmprof_trace_stacks_release(struct kmprof_trace *trace);

#endif
