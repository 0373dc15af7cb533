// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof_test: the device through which the tests order allocations and waits for
 * locks, and the module's beginning and end.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>

#include "cache.h"
#include "chain.h"
#include "contend.h"
#include "crowd.h"
#include "culprit.h"
#include "die.h"
#include "frequency.h"
#include "grace_period.h"
#include "kmprof_test.h"
#include "leak.h"
#include "leftover.h"
#include "locks.h"
#include "oom.h"
#include "page.h"
#include "percpu.h"
#include "stage.h"
#include "store.h"
#include "stuck.h"
#include "truth.h"
#include "vmalloc.h"
#include "walks.h"

static int test_open(struct inode *inode, struct file *file)
{
	file->private_data = store_create();
	return file->private_data ? 0 : -ENOMEM;
}

static int test_release(struct inode *inode, struct file *file)
{
	store_destroy(file->private_data);
	return 0;
}

static int test_run(struct file *file, void __user *arg)
{
	struct kmprof_test_op op;
	int ret;

	if (copy_from_user(&op, arg, sizeof(op)))
		return -EFAULT;
	ret = store_run(file->private_data, &op);
	if (copy_to_user(arg, &op, sizeof(op)))
		return -EFAULT;
	return ret;
}

static int test_truth(struct file *file, void __user *arg)
{
	struct kmprof_test_truth out;
	const struct truth *truth;

	if (copy_from_user(&out, arg, sizeof(out)))
		return -EFAULT;
	truth = truth_find(out.chain, out.size);
	out.allocs = truth ? atomic64_read(&truth->allocs) : 0;
	out.frees = truth ? atomic64_read(&truth->frees) : 0;
	return copy_to_user(arg, &out, sizeof(out)) ? -EFAULT : 0;
}

static int test_walks(void __user *arg)
{
	struct kmprof_test_walks walks;
	int ret;

	if (copy_from_user(&walks, arg, sizeof(walks)))
		return -EFAULT;
	ret = walks_run(&walks);
	if (copy_to_user(arg, &walks, sizeof(walks)))
		return -EFAULT;
	return ret;
}

static int test_rule(void __user *arg)
{
	struct kmprof_test_rule rule;
	int ret;

	if (copy_from_user(&rule, arg, sizeof(rule)))
		return -EFAULT;
	ret = walks_rule(&rule);
	if (copy_to_user(arg, &rule, sizeof(rule)))
		return -EFAULT;
	return ret;
}

/* An order, and those that are to be carried out inside it. */
static int test_lock(struct kmprof_test_lock __user *arg)
{
	struct kmprof_test_lock orders[KMPROF_TEST_NESTED];
	unsigned int nr = 0;
	int ret;

	do {
		if (nr == KMPROF_TEST_NESTED)
			return -EINVAL;
		if (copy_from_user(&orders[nr], &arg[nr], sizeof(orders[nr])))
			return -EFAULT;
	} while (orders[nr++].flags & KMPROF_TEST_INNER);
	ret = contend_run(orders);
	if (copy_to_user(arg, orders, nr * sizeof(orders[0])))
		return -EFAULT;
	return ret;
}

static int test_lock_state(void __user *arg)
{
	struct kmprof_test_lock_state state;
	int ret;

	if (copy_from_user(&state, arg, sizeof(state)))
		return -EFAULT;
	ret = contend_state(&state);
	if (copy_to_user(arg, &state, sizeof(state)))
		return -EFAULT;
	return ret;
}

static int test_die(void __user *arg)
{
	struct kmprof_test_death death;

	if (copy_from_user(&death, arg, sizeof(death)))
		return -EFAULT;
	return die_run(&death);
}

static int test_crowd(void __user *arg)
{
	struct kmprof_test_crowd crowd;

	if (copy_from_user(&crowd, arg, sizeof(crowd)))
		return -EFAULT;
	return crowd_run(&crowd);
}

static int test_oom(void __user *arg)
{
	struct kmprof_test_oom oom;

	if (copy_from_user(&oom, arg, sizeof(oom)))
		return -EFAULT;
	return oom_run(&oom);
}

static int test_frequency(void __user *arg)
{
	struct kmprof_test_frequency order;

	if (copy_from_user(&order, arg, sizeof(order)))
		return -EFAULT;
	return frequency_run(&order);
}

static int test_grace_periods(void __user *arg)
{
	u64 count = grace_period_count();

	return copy_to_user(arg, &count, sizeof(count)) ? -EFAULT : 0;
}

static int test_percpu(void __user *arg)
{
	struct kmprof_test_percpu order;
	int ret;

	if (copy_from_user(&order, arg, sizeof(order)))
		return -EFAULT;
	ret = percpu_run(&order);
	if (copy_to_user(arg, &order, sizeof(order)))
		return -EFAULT;
	return ret;
}

static int test_vmalloc(void __user *arg)
{
	struct kmprof_test_vmalloc order;
	int ret;

	if (copy_from_user(&order, arg, sizeof(order)))
		return -EFAULT;
	ret = vmalloc_run(&order);
	if (copy_to_user(arg, &order, sizeof(order)))
		return -EFAULT;
	return ret;
}

static int test_page(void __user *arg)
{
	struct kmprof_test_page order;
	int ret;

	if (copy_from_user(&order, arg, sizeof(order)))
		return -EFAULT;
	ret = page_run(&order);
	if (copy_to_user(arg, &order, sizeof(order)))
		return -EFAULT;
	return ret;
}

static long test_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	switch (cmd) {
	case KMPROF_TEST_IOC_RUN:
		return test_run(file, (void __user *)arg);
	case KMPROF_TEST_IOC_TRUTH:
		return test_truth(file, (void __user *)arg);
	case KMPROF_TEST_IOC_WALKS:
		return test_walks((void __user *)arg);
	case KMPROF_TEST_IOC_RULE:
		return test_rule((void __user *)arg);
	case KMPROF_TEST_IOC_LOCK:
		return test_lock((struct kmprof_test_lock __user *)arg);
	case KMPROF_TEST_IOC_LOCK_STATE:
		return test_lock_state((void __user *)arg);
	case KMPROF_TEST_IOC_DIE:
		return test_die((void __user *)arg);
	case KMPROF_TEST_IOC_CROWD:
		return test_crowd((void __user *)arg);
	case KMPROF_TEST_IOC_OOM:
		return test_oom((void __user *)arg);
	case KMPROF_TEST_IOC_PERCPU:
		return test_percpu((void __user *)arg);
	case KMPROF_TEST_IOC_VMALLOC:
		return test_vmalloc((void __user *)arg);
	case KMPROF_TEST_IOC_PAGE:
		return test_page((void __user *)arg);
	case KMPROF_TEST_IOC_FREQUENCY:
		return test_frequency((void __user *)arg);
	case KMPROF_TEST_IOC_GRACE_PERIODS:
		return test_grace_periods((void __user *)arg);
	case KMPROF_TEST_IOC_FORGET:
		truth_forget();
		return 0;
	default:
		return -ENOTTY;
	}
}

static const struct file_operations test_fops = {
	.owner		= THIS_MODULE,
	.open		= test_open,
	.release	= test_release,
	.unlocked_ioctl	= test_ioctl,
	.llseek		= noop_llseek,
};

static struct miscdevice test_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "kmprof_test",
	.fops	= &test_fops,
	.mode	= 0600,
};

static int __init test_init(void)
{
	int ret;

	chain_init();
	stage_init();
	ret = cache_init();
	if (ret)
		return ret;
	ret = leak_init();
	if (ret)
		goto err_cache;
	ret = locks_init();
	if (ret)
		goto err_leak;
	ret = culprit_init();
	if (ret)
		goto err_locks;
	ret = misc_register(&test_device);
	if (ret)
		goto err_culprit;
	return 0;

err_culprit:
	culprit_exit();
err_locks:
	locks_exit();
err_leak:
	leak_exit();
err_cache:
	cache_exit();
	return ret;
}

static void __exit test_exit(void)
{
	misc_deregister(&test_device);
	page_exit();
	vmalloc_exit();
	percpu_exit();
	leftover_exit();
	stuck_exit();
	walks_exit();
	culprit_exit();
	locks_exit();
	leak_exit();
	cache_exit();
	/* For objects that were passed to call_rcu(). */
	rcu_barrier();
}

module_init(test_init);
module_exit(test_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Known allocations and waits for locks, to test kmprof with");
