// SPDX-License-Identifier: GPL-2.0
/*
 * The setting heap_labels. It is not part of the setting labels: a task that changes its name
 * all the time takes all buckets of a profile that has labels, and the heap profile is to
 * survive that unless it was asked for labels itself.
 */
#include <uapi/linux/kmprof.h>

#include "mem/alloc.h"
#include "mem/heap_labels.h"
#include "stack/labels_setting.h"

static const struct kmprof_setting_ops ops = {
	.change	= kmprof_alloc_set_labels,
};

struct kmprof_setting kmprof_heap_labels_setting = {
	.name		= "heap_labels",
	.id		= KMPROF_SETTING_HEAP_LABELS,
	.max		= KMPROF_HEAP_LABELS,
	.names		= kmprof_label_names,
	.nr_names	= KMPROF_NR_HEAP_LABELS,
	.wanted		= "some of comm,pid,cgroup,node, or none",
	.ops		= &ops,
};

module_param_cb(heap_labels, &kmprof_setting_param_ops, &kmprof_heap_labels_setting, 0600);
MODULE_PARM_DESC(heap_labels, "what tells allocations apart beside stack and size: some of comm,pid,cgroup,node (default none)");
