/* SPDX-License-Identifier: GPL-2.0 */
/* The two sources of waits for locks, and the source of releases. */
#ifndef KMPROF_LOCK_SOURCE_H
#define KMPROF_LOCK_SOURCE_H

#include "core/source.h"

extern const struct kmprof_source kmprof_contention_kprobe;
extern const struct kmprof_source kmprof_contention_tracepoint;
extern const struct kmprof_source kmprof_release_kprobe;

/* How waits are seen, by the block and the mutex profile. */
extern struct kmprof_source_choice kmprof_wait_source;

int kmprof_wait_source_get(void);
void kmprof_wait_source_put(void);

#endif
