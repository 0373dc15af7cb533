// SPDX-License-Identifier: GPL-2.0
#include <stddef.h>

#include "schedule/spans.h"

void *kmprof_spans_open(struct kmprof_growing *spans, size_t size)
{
	struct kmprof_span *last = kmprof_growing_last(spans, size);

	return last && last->to_ns == KMPROF_SPAN_OPEN ? last : NULL;
}

void kmprof_spans_close(struct kmprof_growing *spans, size_t size, __u64 ns, __u64 lost_ns)
{
	struct kmprof_span *open = kmprof_spans_open(spans, size);

	if (open && open->from_ns < lost_ns)
		spans->used -= size;
	else if (open)
		open->to_ns = ns;
}
