/* SPDX-License-Identifier: GPL-2.0 */
/* Times in which a task is in something, one after the other. The last one may be open: go on. */
#ifndef KMPROF_SCHEDULE_SPANS_H
#define KMPROF_SCHEDULE_SPANS_H

#include "util/growing.h"

/**
 * struct kmprof_span - begin of an entry of a table of spans
 * @from_ns: when it begins
 * @to_ns: when it ends; KMPROF_SPAN_OPEN: it goes on
 */
struct kmprof_span {
	__u64 from_ns;
	__u64 to_ns;
};

#define KMPROF_SPAN_OPEN	(~0ULL)

/* Return: the span that the task is in; NULL: none. @size: bytes of an entry */
void *kmprof_spans_open(struct kmprof_growing *spans, size_t size);

/**
 * kmprof_spans_close() - from now on, a task is in none, whatever was seen
 * @spans: table of the spans of the task. One of which the end may have been lost is forgotten:
 *	nobody knows how long it took
 * @size: bytes of an entry
 * @ns: now
 * @lost_ns: when events were last lost
 */
void kmprof_spans_close(struct kmprof_growing *spans, size_t size, __u64 ns, __u64 lost_ns);

#endif
