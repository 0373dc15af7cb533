/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stacks of a trace. Each of them is kept once, and gets a number, which is in the records.
 *
 * Source: traceStackTable of Go's trace.go.
 */
#ifndef KMPROF_TRACE_STACKS_H
#define KMPROF_TRACE_STACKS_H

#include <linux/types.h>

struct kmprof_stack;
struct kmprof_trace_batch;
struct kmprof_trace_stack;

u32 kmprof_trace_stacks_number(const unsigned long *frame);
u32 kmprof_trace_stacks_number_of(const struct kmprof_stack *stack);
bool kmprof_trace_stacks_number_of_wait(bool sleeps, u32 *number);

const struct kmprof_trace_stack *kmprof_trace_stacks_peek(struct kmprof_trace_batch *batch,
							  size_t room);
void kmprof_trace_stacks_tell(u64 *stacks, u64 *used);
void kmprof_trace_stacks_taken(const struct kmprof_trace_batch *batch);
bool kmprof_trace_stacks_are_new(void);

int kmprof_trace_stacks_create(size_t bytes);
void kmprof_trace_stacks_destroy(void);

#endif
