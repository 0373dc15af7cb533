// SPDX-License-Identifier: GPL-2.0
/* The choice between the sources of allocations. */
#include "mem/heap_source.h"
#include "mem/slab/source.h"

struct kmprof_source_choice kmprof_heap_source = {
	.name	= "source",
	.all	= { &kmprof_slab_kprobe, &kmprof_slab_tracepoint },
	.chosen	= &kmprof_slab_kprobe,
};

module_param_cb(source, &kmprof_source_param_ops, &kmprof_heap_source, 0444);
MODULE_PARM_DESC(source, "how allocations are seen: kprobe (default) or tracepoint");
