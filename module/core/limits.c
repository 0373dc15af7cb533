// SPDX-License-Identifier: GPL-2.0
/* The module parameters that bound memory: checked and rounded at load time. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/log2.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/printk.h>

#include "core/limits.h"

struct kmprof_limits kmprof_limits = {
	.max_buckets	= 16384,
	.max_live	= 65536,
	.stack_depth	= 64,
	.ring_bytes	= 256 * 1024,
	.max_snapshots	= 64,
	.max_waits	= 4096,
	.max_objects	= 65536,
};

module_param_named(max_buckets, kmprof_limits.max_buckets, uint, 0444);
MODULE_PARM_DESC(max_buckets, "distinct (stack, size or lock, rate) that each profile can tell apart");
module_param_named(max_live, kmprof_limits.max_live, uint, 0444);
MODULE_PARM_DESC(max_live, "sampled objects that can be live at a time, rounded up to a power of two");
module_param_named(stack_depth, kmprof_limits.stack_depth, uint, 0444);
MODULE_PARM_DESC(stack_depth, "frames kept of a stack, 1 to 128");
module_param_named(ring_bytes, kmprof_limits.ring_bytes, uint, 0444);
MODULE_PARM_DESC(ring_bytes, "bytes of each CPU's record ring, rounded up to a power of two");
module_param_named(max_snapshots, kmprof_limits.max_snapshots, uint, 0444);
MODULE_PARM_DESC(max_snapshots, "snapshot descriptors that can be open at a time");
module_param_named(max_waits, kmprof_limits.max_waits, uint, 0444);
MODULE_PARM_DESC(max_waits, "waits for locks that there is room for at first, rounded up to a power of two");
module_param_named(max_objects, kmprof_limits.max_objects, uint, 0444);
MODULE_PARM_DESC(max_objects, "objects of custom profiles, and tasks, that can be followed at a time");

static int check(const char *name, unsigned int value, unsigned int min,
		 unsigned int max)
{
	if (value >= min && value <= max)
		return 0;
	pr_err("%s=%u is out of range: give a value from %u to %u\n",
	       name, value, min, max);
	return -EINVAL;
}

/**
 * kmprof_limits_init() - check the parameters and round them
 *
 * Context: Process context, before anything else of the module runs.
 * Return: 0, or -EINVAL; then a message in the log gives the allowed range.
 */
int kmprof_limits_init(void)
{
	struct kmprof_limits *l = &kmprof_limits;

	if (check("max_buckets", l->max_buckets, KMPROF_BUCKETS_MIN, KMPROF_BUCKETS_MAX) ||
	    check("max_live", l->max_live, 1, KMPROF_LIVE_MAX) ||
	    check("stack_depth", l->stack_depth, 1, KMPROF_STACK_DEPTH_MAX) ||
	    check("ring_bytes", l->ring_bytes, KMPROF_RING_MIN, KMPROF_RING_MAX) ||
	    check("max_snapshots", l->max_snapshots, 1, KMPROF_SNAPSHOTS_MAX) ||
	    check("max_waits", l->max_waits, KMPROF_WAITS_MIN, KMPROF_WAITS_MAX) ||
	    check("max_objects", l->max_objects, KMPROF_OBJECTS_MIN, KMPROF_OBJECTS_MAX))
		return -EINVAL;

	l->ring_bytes = roundup_pow_of_two(l->ring_bytes);
	l->max_waits = roundup_pow_of_two(l->max_waits);
	return 0;
}
