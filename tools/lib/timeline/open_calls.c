// SPDX-License-Identifier: GPL-2.0
#include "timeline/open_calls.h"

static const struct kmprof_open_call none = { .number = KMPROF_NO_CALL };

int kmprof_open_calls_note(struct kmprof_open_calls *calls, const struct kmprof_event *event,
			   struct kmprof_open_call *ended)
{
	__u32 task = event->task->number;
	struct kmprof_open_call *call;
	int ret = 0;

	while (!ret && task >= kmprof_open_calls_count(calls))
		ret = kmprof_growing_add(&calls->calls, &none, sizeof(none));
	if (ret)
		return ret;
	*ended = kmprof_open_calls_end(calls, task);
	if (event->type == KMPROF_TRACE_SYSCALL_ENTER) {
		call = (struct kmprof_open_call *)calls->calls.bytes + task;
		call->number = event->args[0];
		call->from_ns = event->ns;
		call->was_one = true;
	}
	return 0;
}

struct kmprof_open_call kmprof_open_calls_end(struct kmprof_open_calls *calls, __u32 task)
{
	struct kmprof_open_call *call, was = none;

	if (task < kmprof_open_calls_count(calls)) {
		call = (struct kmprof_open_call *)calls->calls.bytes + task;
		was = *call;
		call->number = KMPROF_NO_CALL;
	}
	return was;
}
