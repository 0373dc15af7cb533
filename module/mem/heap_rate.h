/* SPDX-License-Identifier: GPL-2.0 */
/* The setting heap_rate: bytes per sample; attaches the probes on the allocators. */
#ifndef KMPROF_HEAP_RATE_H
#define KMPROF_HEAP_RATE_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_heap_rate;

#endif
