/* SPDX-License-Identifier: GPL-2.0 */
/* The two sources of waits for locks, and the source of releases. */
#ifndef KMPROF_LOCK_SOURCE_H
#define KMPROF_LOCK_SOURCE_H

#include "core/source.h"

extern const struct kmprof_source kmprof_contention_kprobe;
extern const struct kmprof_source kmprof_contention_tracepoint;
extern const struct kmprof_source kmprof_release_kprobe;

const struct kmprof_source *kmprof_wait_source(void);
int kmprof_wait_source_get(void);
void kmprof_wait_source_put(void);

#endif
