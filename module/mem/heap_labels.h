/* SPDX-License-Identifier: GPL-2.0 */
/* The setting heap_labels: which labels tell allocations apart, besides stack and size. */
#ifndef KMPROF_HEAP_LABELS_H
#define KMPROF_HEAP_LABELS_H

#include "core/setting.h"

extern struct kmprof_setting kmprof_heap_labels_setting;

#endif
