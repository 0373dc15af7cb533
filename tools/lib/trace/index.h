/* SPDX-License-Identifier: GPL-2.0 */
/* Where the batches of each CPU are in a saved trace. */
#ifndef KMPROF_TRACE_INDEX_H
#define KMPROF_TRACE_INDEX_H

#include "trace/trace.h"

/**
 * struct kmprof_trace_place - where a batch is
 * @at: its first byte in the file
 * @cpu: its CPU
 * @bytes: as of struct kmprof_trace_batch
 */
struct kmprof_trace_place {
	__u64 at;
	__u32 cpu;
	__u32 bytes;
};

/**
 * struct kmprof_trace_index - the batches, but for the last one
 * @place: those of CPU 0 in their order, then those of CPU 1, and so on
 * @nr: how many
 */
struct kmprof_trace_index {
	struct kmprof_trace_place *place;
	size_t nr;
};

/**
 * kmprof_trace_index_make() - find the batches, set @events, @lost, @end and @has_end of a trace
 * @trace: the trace, with its header; @note is set if it was cut short, or does not fit its end
 * @at: where the batches begin
 * @err: explanation
 *
 * Return: 0; -EINVAL if it is damaged; another negative errno. @index is to be released all the
 * same.
 */
int kmprof_trace_index_make(struct kmprof_trace *trace, __u64 at, struct kmprof_error *err);
void kmprof_trace_index_release(struct kmprof_trace *trace);

#endif
