/* SPDX-License-Identifier: GPL-2.0 */
/* The system call that each task is in: for formats that want to know what an event ends. */
#ifndef KMPROF_TIMELINE_OPEN_CALLS_H
#define KMPROF_TIMELINE_OPEN_CALLS_H

#include "trace/trace.h"
#include "util/growing.h"

/* No system call has this number. */
#define KMPROF_NO_CALL	(~0ULL)

/**
 * struct kmprof_open_call - a call that has begun
 * @number: its number; KMPROF_NO_CALL: there is none
 * @from_ns: when it has begun
 * @was_one: there is one, or was one before
 */
struct kmprof_open_call {
	__u64 number;
	__u64 from_ns;
	bool was_one;
};

/**
 * struct kmprof_open_calls - the calls
 * @calls: table of struct kmprof_open_call, by the number of a task; its bytes have to be freed
 */
struct kmprof_open_calls {
	struct kmprof_growing calls;
};

/**
 * kmprof_open_calls_note() - a system call begins or ends
 * @calls: the calls
 * @event: such an event
 * @ended: returns the call that its task is in no more, if there is one. A task is in one call at a
 *	time: one that begins ends the one before, whose exit was lost or told of another task
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_open_calls_note(struct kmprof_open_calls *calls, const struct kmprof_event *event,
			   struct kmprof_open_call *ended);

/*
 * A task is in no call any more. Return: the one that it was in; if there was none, @number says
 * so, and @was_one whether there was one before.
 */
struct kmprof_open_call kmprof_open_calls_end(struct kmprof_open_calls *calls, __u32 task);

/* Number of tasks that can be in one: all numbers of tasks that are have been less. */
static inline __u32 kmprof_open_calls_count(const struct kmprof_open_calls *calls)
{
	return (__u32)(calls->calls.used / sizeof(struct kmprof_open_call));
}

#endif
