/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counts the events and losses of a trace that goes by, in pieces of any size, and keeps what names
 * are needed for: its stacks and locks.
 */
#ifndef KMPROF_TRACE_METER_H
#define KMPROF_TRACE_METER_H

#include "trace/locks.h"
#include "trace/trace.h"
#include "util/growing.h"

/* What is between two starts of batches. */
enum kmprof_meter_part {
	KMPROF_METER_OTHER,
	KMPROF_METER_TABLES,
	KMPROF_METER_STACKS,
	KMPROF_METER_RECORDS,
	KMPROF_METER_END,
};

/**
 * struct kmprof_meter - how much has gone by
 * @bytes: all bytes
 * @events: records of the batches that have begun
 * @lost: events that are missing before them
 * @ns: from the start of the trace to its end, which has gone by; else 0
 * @start_ns: CLOCK_MONOTONIC at its start
 * @nr_cpus: CPUs; 0 until the header has gone by
 * @next: of each CPU: number of its next event, if none is lost
 * @lost_on: of each CPU: events that are missing
 * @is_unknown: it is no trace, or there is no memory: nothing is counted but bytes
 * @part: what has been seen of the header, or of the start of a batch
 * @have: bytes of it
 * @skip: bytes to the next start of a batch
 * @gathers: what these are, if they are needed: to be put behind @stacks, or @gathered
 * @gathered: bytes of the tables, or of a batch, that have gone by
 * @more: bytes of the header that are not known
 * @nr_types: entries of the table of types
 * @type_size: bytes of each of them
 * @has_locks: the trace has waits for locks
 * @stacks: the stacks that have gone by, one behind the other
 * @locks: the locks that have gone by
 */
struct kmprof_meter {
	__u64 bytes;
	__u64 events;
	__u64 lost;
	__u64 ns;
	__u64 start_ns;
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
	enum kmprof_meter_part gathers;
	struct kmprof_growing gathered;
	__u32 more;
	__u32 nr_types;
	__u32 type_size;
	bool has_locks;
	struct kmprof_growing stacks;
	struct kmprof_locks locks;
};

/* A piece goes by. @meter is all zero at first. */
void kmprof_meter_feed(struct kmprof_meter *meter, const char *bytes, size_t size);
void kmprof_meter_release(struct kmprof_meter *meter);

#endif
