/* SPDX-License-Identifier: GPL-2.0 */
/* Looking through a trace, before it is walked: is it sound, and what did its tasks do at first? */
#ifndef KMPROF_TRACE_LOOK_H
#define KMPROF_TRACE_LOOK_H

#include "trace/story.h"

/**
 * kmprof_trace_look() - set @known and @last_ns of a trace, and count @events and @lost again
 * @trace: the trace, with its index; released by kmprof_trace_forget(), also after a failure
 * @err: explanation
 *
 * Return: 0; -EINVAL if the trace is damaged; another negative errno.
 */
int kmprof_trace_look(struct kmprof_trace *trace, struct kmprof_error *err);
void kmprof_trace_forget(struct kmprof_trace *trace);

/**
 * kmprof_trace_tell() - a story from its start to its end
 * @story: begun
 * @last_ticks: of the last record; may be NULL
 * @err: explanation
 *
 * Return: 0 or a negative errno, also of the visitor.
 */
int kmprof_trace_tell(struct kmprof_story *story, __u64 *last_ticks, struct kmprof_error *err);

#endif
