// SPDX-License-Identifier: GPL-2.0
/*
 * The setting heap. Its value is a bit mask of kinds, and whether movable pages are seen; its text
 * is a list of names. It arms probes only while heap_rate has a value.
 */
#include <uapi/linux/kmprof.h>

#include "mem/kind.h"
#include "mem/kinds.h"
#include "mem/kinds_setting.h"

static const struct kmprof_setting_ops ops = {
	.set	= kmprof_kinds_set,
};

struct kmprof_setting kmprof_kinds_setting = {
	.name		= "heap",
	.id		= KMPROF_SETTING_HEAP,
	.max		= KMPROF_HEAP_KINDS | KMPROF_HEAP_MOVABLE,
	.names		= kmprof_kind_names,
	.nr_names	= KMPROF_NR_HEAP_NAMES,
	.wanted		= "some of slab,percpu,vmalloc,page, or none; with page, movable",
	.ops		= &ops,
	.value		= KMPROF_KINDS_DEFAULT,
};

module_param_cb(heap, &kmprof_setting_param_ops, &kmprof_kinds_setting, 0600);
MODULE_PARM_DESC(heap, "kinds of memory that the heap profile sees: some of slab,percpu,vmalloc,page (default slab), or none; with page, movable");
