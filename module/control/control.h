/* SPDX-License-Identifier: GPL-2.0 */
/* Turning the profiler on, off and to another rate. */
#ifndef KMPROF_CONTROL_H
#define KMPROF_CONTROL_H

#include <linux/types.h>

struct kmprof_source;

/* What can be turned on by itself: KMPROF_CONFIG_* are 1 << these. */
enum kmprof_knob {
	KMPROF_KNOB_HEAP,
	KMPROF_KNOB_BLOCK,
	KMPROF_KNOB_MUTEX,
	KMPROF_KNOB_LABELS,
	KMPROF_NR_KNOBS,
};

/**
 * struct kmprof_missed - what has not been seen since the last reset
 * @allocations: allocations
 * @releases: releases of locks
 * @waits: waits for locks
 */
struct kmprof_missed {
	u64 allocations;
	u64 releases;
	u64 waits;
};

int kmprof_control_start(void);
void kmprof_control_exit(void);
int kmprof_control_set(u64 fields, const u64 rates[KMPROF_NR_KNOBS]);
u64 kmprof_control_rate(enum kmprof_knob knob);
bool kmprof_control_attached(enum kmprof_knob knob);
u64 kmprof_control_lacks(void);
const struct kmprof_source *kmprof_control_source(void);
const struct kmprof_source *kmprof_control_wait_source(void);
int kmprof_control_missed(struct kmprof_missed *missed);
int kmprof_control_reset(void);

#endif
