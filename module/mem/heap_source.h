/* SPDX-License-Identifier: GPL-2.0 */
/* The source of allocations, chosen at load time. */
#ifndef KMPROF_HEAP_SOURCE_H
#define KMPROF_HEAP_SOURCE_H

#include "core/source.h"

extern struct kmprof_source_choice kmprof_heap_source;

#endif
