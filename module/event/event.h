/* SPDX-License-Identifier: GPL-2.0 */
/* The listeners of the trace events of include/trace/events/kmprof.h. */
#ifndef KMPROF_EVENT_H
#define KMPROF_EVENT_H

#include <linux/types.h>

/**
 * enum kmprof_event_id - the trace events
 * @KMPROF_EVENT_ALLOC: kmprof:alloc
 * @KMPROF_EVENT_FREE: kmprof:free
 * @KMPROF_EVENT_BLOCK: kmprof:block
 * @KMPROF_EVENT_RELEASE: kmprof:release
 */
enum kmprof_event_id {
	KMPROF_EVENT_ALLOC,
	KMPROF_EVENT_FREE,
	KMPROF_EVENT_BLOCK,
	KMPROF_EVENT_RELEASE,
	KMPROF_NR_EVENTS
};

bool kmprof_event_is_heard(enum kmprof_event_id id);
bool kmprof_event_any_is_heard(u32 events);
void kmprof_event_start(int (*apply)(enum kmprof_event_id id));
void kmprof_event_stop(void);

#endif
