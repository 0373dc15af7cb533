/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A source: a way to see events. What they mean is the concern of alloc.h and
 * contention.h.
 */
#ifndef KMPROF_SOURCE_H
#define KMPROF_SOURCE_H

#include <linux/types.h>

/**
 * struct kmprof_source - operations; all in process context, under the control
 *	lock
 * @name: value of the module parameter "source" or "wait_source"
 * @id: enum kmprof_source_id
 * @attach: arm all probes; 0, or a negative errno and none is armed
 * @detach: disarm; on return none of them runs, and none will
 * @lacks: KMPROF_LACKS_* of the last attach
 * @missed: events that were not seen since the module was loaded
 */
struct kmprof_source {
	const char *name;
	u32 id;
	int (*attach)(void);
	void (*detach)(void);
	u64 (*lacks)(void);
	u64 (*missed)(void);
};

/* Of allocations. */
extern const struct kmprof_source kmprof_source_kprobe;
extern const struct kmprof_source kmprof_source_tracepoint;

/* Of waits for locks. */
extern const struct kmprof_source kmprof_contention_kprobe;
extern const struct kmprof_source kmprof_contention_tracepoint;

#endif
