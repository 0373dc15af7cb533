// SPDX-License-Identifier: GPL-2.0
/* The setting labels: no probes. */
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <uapi/linux/kmprof.h>

#include "stack/labels.h"
#include "stack/labels_setting.h"

static_assert(BIT(KMPROF_NR_LABELS) - 1 == KMPROF_LABELS);
static_assert(BIT(KMPROF_NR_HEAP_LABELS) - 1 == KMPROF_HEAP_LABELS);

const char * const kmprof_label_names[KMPROF_NR_HEAP_LABELS] = {
	"comm", "pid", "cgroup", "node",
};

static const struct kmprof_setting_ops ops = {
	.change	= kmprof_labels_set,
};

struct kmprof_setting kmprof_labels_setting = {
	.name		= "labels",
	.id		= KMPROF_SETTING_LABELS,
	.max		= KMPROF_LABELS,
	.names		= kmprof_label_names,
	.nr_names	= KMPROF_NR_LABELS,
	.wanted		= KMPROF_LABELS_WANTED,
	.ops		= &ops,
};

module_param_cb(labels, &kmprof_setting_param_ops, &kmprof_labels_setting, 0600);
MODULE_PARM_DESC(labels, "what tells waits and releases apart beside stack and lock: some of comm,pid,cgroup (default none)");
