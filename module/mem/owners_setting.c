// SPDX-License-Identifier: GPL-2.0
/* The setting owners: 1 or 0. It takes memory when it is 1 for the first time. */
#include <uapi/linux/kmprof.h>

#include "mem/owners.h"
#include "mem/owners_setting.h"

static const struct kmprof_setting_ops ops = {
	.set	= kmprof_owners_set,
};

struct kmprof_setting kmprof_owners_setting = {
	.name	= "owners",
	.id	= KMPROF_SETTING_OWNERS,
	.max	= 1,
	.wanted	= "0 or 1",
	.ops	= &ops,
};

module_param_cb(owners, &kmprof_setting_param_ops, &kmprof_owners_setting, 0600);
MODULE_PARM_DESC(owners, "1: remember which task has allocated each sampled object, 0: off (default)");
