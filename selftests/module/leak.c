// SPDX-License-Identifier: GPL-2.0
/*
 * Leaks of known size through named functions: one for the demo, made when the module is
 * loaded, and more at run time. They are cleaned up when the module is unloaded. This file is
 * compiled without tail calls.
 */
#include <linux/llist.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "leak.h"

static unsigned long leak_bytes;
module_param(leak_bytes, ulong, 0444);
MODULE_PARM_DESC(leak_bytes, "bytes to leak at load (default 0)");

static unsigned int leak_size = 1024;
module_param(leak_size, uint, 0444);
MODULE_PARM_DESC(leak_size, "bytes of each leaked object, 8 to 65536 (default 1024)");

static unsigned long leaked_bytes;
module_param(leaked_bytes, ulong, 0444);
MODULE_PARM_DESC(leaked_bytes, "bytes really leaked (to be read)");

enum { LEAK_SIZE_MIN = sizeof(struct llist_node), LEAK_SIZE_MAX = 65536 };

/* Serialises leaks at run time; loading and unloading come before and after these. */
static DEFINE_MUTEX(leak_lock);
static LLIST_HEAD(leaked);	/* the leaked objects, linked through their first bytes */

static __attribute__((noipa)) void *kmprof_test_leak(size_t size)
{
	return kmalloc(size, GFP_KERNEL);
}

static __attribute__((noipa)) void *kmprof_test_leak_middle(size_t size)
{
	return kmprof_test_leak(size);
}

static __attribute__((noipa)) void *kmprof_test_leak_outer(size_t size)
{
	return kmprof_test_leak_middle(size);
}

/**
 * leak_exit() - free what was leaked
 */
void leak_exit(void)
{
	struct llist_node *node, *next;

	llist_for_each_safe(node, next, llist_del_all(&leaked))
		kfree(node);
	leaked_bytes = 0;
}

static int leak(unsigned long bytes)
{
	unsigned long until = leaked_bytes + bytes;
	struct llist_node *node;

	while (leaked_bytes < until) {
		node = kmprof_test_leak_outer(leak_size);
		if (!node)
			return -ENOMEM;
		llist_add(node, &leaked);
		leaked_bytes += leak_size;
		cond_resched();
	}
	return 0;
}

static int set_leak_more(const char *arg, const struct kernel_param *kp)
{
	unsigned long bytes;
	int ret;

	ret = kstrtoul(arg, 0, &bytes);
	if (ret)
		return ret;
	mutex_lock(&leak_lock);
	if (bytes)
		ret = leak(bytes);
	else
		leak_exit();
	mutex_unlock(&leak_lock);
	return ret;
}

static const struct kernel_param_ops leak_more_ops = { .set = set_leak_more };
module_param_cb(leak_more, &leak_more_ops, NULL, 0200);
MODULE_PARM_DESC(leak_more, "writing leaks so many bytes more; 0 frees all that was leaked");

/**
 * leak_init() - leak leak_bytes bytes, rounded up to whole objects
 *
 * Context: Task. Sleeps.
 * Return: 0, -EINVAL for an object size that cannot be, -ENOMEM.
 */
int leak_init(void)
{
	int ret;

	if (leak_size < LEAK_SIZE_MIN || leak_size > LEAK_SIZE_MAX) {
		pr_err("kmprof_test: leak_size=%u: must be %d to %d\n",
		       leak_size, LEAK_SIZE_MIN, LEAK_SIZE_MAX);
		return -EINVAL;
	}

	ret = leak(leak_bytes);
	if (ret)
		leak_exit();
	return ret;
}
