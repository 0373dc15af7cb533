/* SPDX-License-Identifier: GPL-2.0 */
/* The heap profile: sampled objects, allocated and freed, by size and stack. */
#ifndef KMPROF_HEAP_H
#define KMPROF_HEAP_H

#include "core/profile.h"

extern struct kmprof_profile kmprof_heap_profile;

void kmprof_heap_forget_live(u64 kinds);

#endif
