// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof_patch.ko: a live patch of kmem_cache_alloc(), which kmprof probes. It counts the calls
 * and goes on as before. Parameter "calls" is their number; to disable the patch is up to sysfs, as
 * for every live patch.
 */
#include <linux/livepatch.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/sysfs.h>

#include "compat/compat.h"
#include "patch.h"

DEFINE_PER_CPU(long, kmprof_patch_calls);

static struct klp_func funcs[] = {
	{
#ifdef KMPROF_ALLOC_NOPROF
		.old_name = "kmem_cache_alloc_noprof",
#else
		.old_name = "kmem_cache_alloc",
#endif
		.new_func = kmprof_patch_alloc,
	},
	{ }
};

static struct klp_object objects[] = {
	{ .funcs = funcs },	/* of the kernel itself */
	{ }
};

static struct klp_patch patch = {
	.mod	= THIS_MODULE,
	.objs	= objects,
};

static int calls_get(char *text, const struct kernel_param *kp)
{
	long calls = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		calls += READ_ONCE(*per_cpu_ptr(&kmprof_patch_calls, cpu));
	return sysfs_emit(text, "%ld\n", calls);
}

static const struct kernel_param_ops calls_ops = {
	.get = calls_get,
};

module_param_cb(calls, &calls_ops, NULL, 0444);
MODULE_PARM_DESC(calls, "number of calls that the live patch has seen");

static int __init patch_init(void)
{
	return klp_enable_patch(&patch);
}

static void __exit patch_exit(void)
{
}

module_init(patch_init);
module_exit(patch_exit);
MODULE_LICENSE("GPL");
MODULE_INFO(livepatch, "Y");
MODULE_DESCRIPTION("A live patch of an allocator, to test kmprof with");
