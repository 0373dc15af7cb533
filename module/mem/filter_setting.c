// SPDX-License-Identifier: GPL-2.0
/* The setting heap_filter. Its value is a text: see mem/filter_parse.c. */
#include <uapi/linux/kmprof.h>

#include "mem/filter.h"
#include "mem/filter_setting.h"

#define CONDITIONS								\
	"pid=ID, comm=NAME, cgroup=PATH, size=MIN-MAX, kind=KIND, gfp=CLASS, "	\
	"cache=NAME, module=NAME"

static const struct kmprof_setting_ops ops = {
	.set_text	= kmprof_filter_set,
	.undo_text	= kmprof_filter_undo,
	.get_text	= kmprof_filter_text,
};

struct kmprof_setting kmprof_filter_setting = {
	.name	= "heap_filter",
	.id	= KMPROF_SETTING_HEAP_FILTER,
	.max	= 1,
	.wanted	= CONDITIONS ", some with commas, or none",
	.ops	= &ops,
};

module_param_cb(heap_filter, &kmprof_setting_param_ops, &kmprof_filter_setting, 0600);
MODULE_PARM_DESC(heap_filter, "which allocations are sampled: those for which all of these hold: "
		 CONDITIONS ", with commas between (default none: all)");
