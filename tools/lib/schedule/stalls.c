// SPDX-License-Identifier: GPL-2.0
#include "schedule/stalls.h"

/* When a stall ends of which the end was not seen yet. */
#define NOT_YET	(~0ULL)

/* Return: the stall that the task is in; NULL: none. */
static struct kmprof_stall *open_stall(struct kmprof_growing *stalls)
{
	struct kmprof_stall *last = kmprof_growing_last(stalls, sizeof(*last));

	return last && last->to_ns == NOT_YET ? last : NULL;
}

static int begin(struct kmprof_growing *stalls, enum kmprof_stall_kind kind, __u64 ns,
		 __u64 lost_ns)
{
	const struct kmprof_stall stall = { .from_ns = ns, .to_ns = NOT_YET, .kind = kind };

	kmprof_stalls_close(stalls, ns, lost_ns);
	return kmprof_growing_add(stalls, &stall, sizeof(stall));
}

static void end(struct kmprof_stall *open, const struct kmprof_event *event)
{
	open->to_ns = event->ns;
	if (open->kind != KMPROF_STALL_COMPACTION)
		open->pages = event->args[0];
}

int kmprof_stalls_note(struct kmprof_growing *stalls, const struct kmprof_event *event,
		       __u64 lost_ns)
{
	enum kmprof_stall_kind begun = kmprof_stall_begun(event);
	struct kmprof_stall *open = open_stall(stalls);

	if (begun)
		return begin(stalls, begun, event->ns, lost_ns);
	if (open && open->kind == kmprof_stall_ended(event))
		end(open, event);
	return 0;
}

void kmprof_stalls_close(struct kmprof_growing *stalls, __u64 ns, __u64 lost_ns)
{
	struct kmprof_stall *open = open_stall(stalls);

	if (open && open->from_ns < lost_ns)
		stalls->used -= sizeof(*open);
	else if (open)
		open->to_ns = ns;
}
