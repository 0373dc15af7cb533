/* SPDX-License-Identifier: GPL-2.0 */
/* heap_rate: bytes allocated per sample. Turns the allocators' probes on and off. */
#ifndef KMPROF_HEAP_RATE_H
#define KMPROF_HEAP_RATE_H

#include "core/setting.h"
#include "core/source.h"

extern struct kmprof_setting kmprof_heap_rate;

const struct kmprof_source *kmprof_heap_source(void);

#endif
