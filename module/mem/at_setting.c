// SPDX-License-Identifier: GPL-2.0
/* The setting heap_at, in bytes. See mem/marks.c. */
#include <uapi/linux/kmprof.h>

#include "mem/at_setting.h"
#include "mem/marks.h"

static const struct kmprof_setting_ops ops = {
	.change		= kmprof_marks_set_at,
	.settled	= kmprof_marks_settle,
};

struct kmprof_setting kmprof_at_setting = {
	.name	= "heap_at",
	.id	= KMPROF_SETTING_HEAP_AT,
	.unit	= "bytes",
	.max	= KMPROF_HEAP_AT_MAX,
	.wanted	= "bytes up to 2^62, 0 for off",
	.ops	= &ops,
};

module_param_cb(heap_at, &kmprof_setting_param_ops, &kmprof_at_setting, 0600);
MODULE_PARM_DESC(heap_at, "record once what is in use when this many bytes are; 0: off (default)");
