/* SPDX-License-Identifier: GPL-2.0 */
/* The two sources of slab allocations. */
#ifndef KMPROF_SLAB_SOURCE_H
#define KMPROF_SLAB_SOURCE_H

#include "core/source.h"

extern const struct kmprof_source kmprof_slab_kprobe;
extern const struct kmprof_source kmprof_slab_tracepoint;

#endif
