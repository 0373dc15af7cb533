// SPDX-License-Identifier: GPL-2.0
#include "schedule/calls.h"

/* If nothing was lost, a call has ended with another number than it began with: see execve(). */
static bool is_of_another(const struct kmprof_call *open, const struct kmprof_event *exit,
			  __u64 lost_ns)
{
	return open->span.from_ns < lost_ns && exit->args[0] != open->number &&
	       !kmprof_syscall_has_no_number(exit->args[0]);
}

int kmprof_calls_note(struct kmprof_growing *calls, const struct kmprof_event *event,
		      __u64 lost_ns)
{
	const struct kmprof_call call = {
		.span = { .from_ns = event->ns, .to_ns = KMPROF_SPAN_OPEN },
		.number = event->args[0],
	};
	struct kmprof_call *open;

	if (event->type == KMPROF_TRACE_SYSCALL_ENTER) {
		kmprof_calls_close(calls, event->ns, lost_ns);
		return kmprof_growing_add(calls, &call, sizeof(call));
	}
	open = kmprof_spans_open(calls, sizeof(*open));
	if (open && is_of_another(open, event, lost_ns)) {
		kmprof_calls_close(calls, event->ns, lost_ns);
	} else if (open) {
		open->span.to_ns = event->ns;
		open->has_failed =
			!kmprof_syscall_has_no_number(event->args[0]) &&
			kmprof_syscall_has_failed(kmprof_syscall_result(event->args[1]));
	}
	return 0;
}

void kmprof_calls_close(struct kmprof_growing *calls, __u64 ns, __u64 lost_ns)
{
	kmprof_spans_close(calls, sizeof(struct kmprof_call), ns, lost_ns);
}
