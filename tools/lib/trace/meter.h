/* SPDX-License-Identifier: GPL-2.0 */
/* Counts the events and losses of a trace that goes by, in pieces of any size. */
#ifndef KMPROF_TRACE_METER_H
#define KMPROF_TRACE_METER_H

#include "trace/trace.h"
#include "util/growing.h"

/**
 * struct kmprof_meter - how much has gone by
 * @bytes: all bytes
 * @events: records of the batches that have begun
 * @lost: events that are missing before them
 * @nr_cpus: CPUs; 0 until the header has gone by
 * @next: of each CPU: number of its next event, if none is lost
 * @lost_on: of each CPU: events that are missing
 * @is_unknown: it is no trace, or there is no memory: nothing is counted but bytes
 * @part: what has been seen of the header, or of the start of a batch
 * @have: bytes of it
 * @skip: bytes to the next start of a batch
 * @has_stacks: these are stacks
 * @stacks: the stacks that have gone by, one behind the other
 */
struct kmprof_meter {
	__u64 bytes;
	__u64 events;
	__u64 lost;
	__u32 nr_cpus;
	__u64 *next;
	__u64 *lost_on;
	bool is_unknown;
	union {
		struct kmprof_trace_header header;
		struct kmprof_trace_batch batch;
		char bytes[sizeof(struct kmprof_trace_header)];
	} part;
	size_t have;
	__u64 skip;
	bool has_stacks;
	struct kmprof_growing stacks;
};

/* A piece goes by. @meter is all zero at first. */
void kmprof_meter_feed(struct kmprof_meter *meter, const char *bytes, size_t size);
void kmprof_meter_release(struct kmprof_meter *meter);

#endif
