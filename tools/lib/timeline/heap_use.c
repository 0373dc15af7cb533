// SPDX-License-Identifier: GPL-2.0
#include "timeline/heap_use.h"

bool kmprof_heap_use_note(struct kmprof_heap_use *use, const struct kmprof_event *event)
{
	__u64 bytes;

	if (use->is_unknown)
		return false;
	if (event->type == KMPROF_TRACE_ALLOC)
		bytes = event->args[3];
	else if (event->type == KMPROF_TRACE_FREE)
		bytes = -event->args[3];
	else
		return false;
	/* A damaged trace may have any numbers: the sum wraps. */
	use->bytes = (__s64)((__u64)use->bytes + bytes);
	if (use->bytes < use->lowest)
		use->lowest = use->bytes;
	return true;
}
