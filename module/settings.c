// SPDX-License-Identifier: GPL-2.0
/* The list of all settings, in the order in which they are attached. */
#include <linux/stddef.h>

#include "core/setting.h"
#include "lock/block_rate.h"
#include "lock/mutex_fraction.h"
#include "mem/at_setting.h"
#include "mem/call_rcu_setting.h"
#include "mem/filter_setting.h"
#include "mem/heap_labels.h"
#include "mem/heap_rate.h"
#include "mem/kinds_setting.h"
#include "mem/owners_setting.h"
#include "mem/peak_setting.h"
#include "stack/labels_setting.h"
#include "task/threadcreate.h"

struct kmprof_setting * const kmprof_settings[] = {
	&kmprof_labels_setting,
	&kmprof_heap_labels_setting,
	&kmprof_filter_setting,
	&kmprof_owners_setting,
	&kmprof_peak_setting,
	&kmprof_at_setting,
	&kmprof_call_rcu_setting,
	&kmprof_block_rate,
	&kmprof_mutex_fraction,
	&kmprof_threadcreate_setting,
	&kmprof_kinds_setting,
	&kmprof_heap_rate,
	NULL
};
