// SPDX-License-Identifier: GPL-2.0
#include "schedule/stalls.h"

static int begin(struct kmprof_growing *stalls, enum kmprof_stall_kind kind, __u64 ns,
		 __u64 lost_ns)
{
	const struct kmprof_stall stall = {
		.span = { .from_ns = ns, .to_ns = KMPROF_SPAN_OPEN }, .kind = kind,
	};

	kmprof_stalls_close(stalls, ns, lost_ns);
	return kmprof_growing_add(stalls, &stall, sizeof(stall));
}

static void end(struct kmprof_stall *open, const struct kmprof_event *event)
{
	open->span.to_ns = event->ns;
	if (open->kind != KMPROF_STALL_COMPACTION)
		open->pages = event->args[0];
}

int kmprof_stalls_note(struct kmprof_growing *stalls, const struct kmprof_event *event,
		       __u64 lost_ns)
{
	enum kmprof_stall_kind begun = kmprof_stall_begun(event);
	struct kmprof_stall *open = kmprof_spans_open(stalls, sizeof(*open));

	if (begun)
		return begin(stalls, begun, event->ns, lost_ns);
	if (open && open->kind == kmprof_stall_ended(event))
		end(open, event);
	return 0;
}

void kmprof_stalls_close(struct kmprof_growing *stalls, __u64 ns, __u64 lost_ns)
{
	kmprof_spans_close(stalls, sizeof(struct kmprof_stall), ns, lost_ns);
}
