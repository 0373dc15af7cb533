/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The setting labels: which labels tell waits and releases apart, besides stack and lock. And
 * the names of labels.
 */
#ifndef KMPROF_LABELS_SETTING_H
#define KMPROF_LABELS_SETTING_H

#include "core/setting.h"

enum {
	KMPROF_NR_LABELS	= 3,
	KMPROF_NR_HEAP_LABELS	= 4,
};

#define KMPROF_LABELS_WANTED	"some of comm,pid,cgroup, or none"

/* By the number of their bit, KMPROF_LABEL_*; the last one is of allocations only. */
extern const char * const kmprof_label_names[KMPROF_NR_HEAP_LABELS];

extern struct kmprof_setting kmprof_labels_setting;

#endif
