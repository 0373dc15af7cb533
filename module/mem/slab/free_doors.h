/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sees every free of a slab object, for all sources.
 *
 * None of the probes is a kprobe: a kprobe is skipped when it is hit inside another kprobe's
 * handler, and a free that is not seen turns into a leak that is not there. Tracepoints and
 * ftrace hooks run on every nesting level. (Exception: where another ftrace user traces the
 * same function, ftrace itself guards against recursion, once per context level. A free
 * inside that user's handler is not seen.)
 */
#ifndef KMPROF_FREE_DOORS_H
#define KMPROF_FREE_DOORS_H

#include "probe/tracepoint.h"

enum {
	KMPROF_NR_FREE_DOORS_TOLD = 2,
};

/* Tell kmprof:free what these tracepoints see. */
extern struct kmprof_tracepoint kmprof_free_doors_told[KMPROF_NR_FREE_DOORS_TOLD];

int kmprof_free_doors_attach(void);
void kmprof_free_doors_detach(void);
void kmprof_free_doors_exit(void);

#endif
