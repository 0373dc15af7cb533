// SPDX-License-Identifier: GPL-2.0
/* The setting heap_call_rcu: 1 or 0. It arms probes only while slabs are probed. */
#include <uapi/linux/kmprof.h>

#include "mem/call_rcu_setting.h"
#include "mem/slab/call_rcu.h"

static const struct kmprof_setting_ops ops = {
	.set	= kmprof_call_rcu_set,
};

struct kmprof_setting kmprof_call_rcu_setting = {
	.name	= "heap_call_rcu",
	.id	= KMPROF_SETTING_HEAP_CALL_RCU,
	.max	= 1,
	.wanted	= "0 or 1",
	.ops	= &ops,
};

module_param_cb(heap_call_rcu, &kmprof_setting_param_ops, &kmprof_call_rcu_setting, 0600);
MODULE_PARM_DESC(heap_call_rcu, "1: an object counts as freed from call_rcu() on, 0: when its callback frees it (default)");
