// SPDX-License-Identifier: GPL-2.0
/* The setting heap_peak: 1 or 0. See mem/marks.c. */
#include <uapi/linux/kmprof.h>

#include "mem/marks.h"
#include "mem/peak_setting.h"

static const struct kmprof_setting_ops ops = {
	.change		= kmprof_marks_set_peak,
	.settled	= kmprof_marks_settle,
};

struct kmprof_setting kmprof_peak_setting = {
	.name	= "heap_peak",
	.id	= KMPROF_SETTING_HEAP_PEAK,
	.max	= 1,
	.wanted	= "0 or 1",
	.ops	= &ops,
};

module_param_cb(heap_peak, &kmprof_setting_param_ops, &kmprof_peak_setting, 0600);
MODULE_PARM_DESC(heap_peak, "1: record what is in use at the peak, 0: off (default)");
