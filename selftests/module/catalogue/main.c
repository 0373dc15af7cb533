// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof_catalogue: leaks that are planted, and look-alikes that are none, for what hunts leaks.
 * This is the list of all families, and the device through which they are run.
 */
#include <linux/fs.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/uaccess.h>

#include "catalogue.h"

static const struct catalogue_family *const families[] = {
	&catalogue_plain,
	&catalogue_bounded,
	&catalogue_caches,
	&catalogue_containers,
	&catalogue_rcu,
	&catalogue_references,
	&catalogue_contexts,
	&catalogue_handover,
	&catalogue_skb,
	&catalogue_kernel,
	&catalogue_percpu,
	&catalogue_vmalloc,
	&catalogue_pages,
};

struct workqueue_struct *catalogue_works;

static DEFINE_MUTEX(catalogue_lock);	/* one command at a time */

static struct catalogue_case *find(unsigned int index)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(families); i++) {
		if (index < families[i]->count)
			return &families[i]->cases[index];
		index -= families[i]->count;
	}
	return NULL;
}

static int settle(struct catalogue_case *c)
{
	return c->settle ? c->settle(c) : 0;
}

static int settle_all(void)
{
	struct catalogue_case *c;
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && (c = find(i)); i++)
		ret = settle(c);
	rcu_barrier();
	return ret;
}

static int clean(struct catalogue_case *c)
{
	int ret = settle(c);

	if (ret)
		return ret;
	/* What is still lost, or freed, later. */
	rcu_barrier();
	if (c->cleanup)
		c->cleanup(c);
	catalogue_release(c);
	c->calls = 0;
	return 0;
}

static int run(struct catalogue_case *c, unsigned int calls)
{
	int ret;

	if (!calls || calls > KMPROF_CATALOGUE_MAX_CALLS)
		return -EINVAL;
	ret = catalogue_run(c, calls);
	if (ret)
		return ret;
	return catalogue_is_full() ? -ENOSPC : 0;
}

static int command(unsigned int cmd, struct kmprof_catalogue_case *arg)
{
	struct catalogue_case *c = find(arg->index);
	int ret = 0;

	if (!c)
		return -ENOENT;
	if (cmd == KMPROF_CATALOGUE_IOC_RUN)
		ret = run(c, arg->calls);
	else if (cmd == KMPROF_CATALOGUE_IOC_CLEANUP)
		ret = clean(c);

	arg->kind = c->kind;
	arg->memory = c->memory;
	arg->lost = c->lost;
	arg->holds = c->holds;
	arg->objects = atomic_long_read(&c->objects);
	strscpy_pad(arg->name, c->name, sizeof(arg->name));
	strscpy_pad(arg->about, c->about, sizeof(arg->about));
	return ret;
}

static long catalogue_ioctl(struct file *file, unsigned int cmd, unsigned long user)
{
	struct kmprof_catalogue_case arg = { 0 };
	bool has_case = cmd != KMPROF_CATALOGUE_IOC_SETTLE;
	int ret;

	switch (cmd) {
	case KMPROF_CATALOGUE_IOC_CASE:
	case KMPROF_CATALOGUE_IOC_RUN:
	case KMPROF_CATALOGUE_IOC_SETTLE:
	case KMPROF_CATALOGUE_IOC_CLEANUP:
		break;
	default:
		return -ENOTTY;
	}
	if (has_case && copy_from_user(&arg, (void __user *)user, sizeof(arg)))
		return -EFAULT;
	ret = mutex_lock_interruptible(&catalogue_lock);
	if (ret)
		return ret;
	ret = has_case ? command(cmd, &arg) : settle_all();
	mutex_unlock(&catalogue_lock);
	if (has_case && copy_to_user((void __user *)user, &arg, sizeof(arg)))
		return -EFAULT;
	return ret;
}

static const struct file_operations catalogue_fops = {
	.owner		= THIS_MODULE,
	.unlocked_ioctl	= catalogue_ioctl,
	.llseek		= noop_llseek,
};

static struct miscdevice catalogue_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "kmprof_catalogue",
	.fops	= &catalogue_fops,
	.mode	= 0600,
};

static void exit_families(unsigned int nr)
{
	while (nr--)
		if (families[nr]->exit)
			families[nr]->exit();
}

static int init_families(void)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < ARRAY_SIZE(families); i++)
		if (families[i]->init)
			ret = families[i]->init();
	if (ret)
		exit_families(i);
	return ret;
}

static int __init catalogue_init(void)
{
	int ret;

	ret = catalogue_objects_init();
	if (ret)
		return ret;
	catalogue_works = alloc_workqueue("kmprof_catalogue", 0, 0);
	if (!catalogue_works) {
		ret = -ENOMEM;
		goto err_objects;
	}
	ret = init_families();
	if (ret)
		goto err_works;
	ret = misc_register(&catalogue_device);
	if (ret)
		goto err_families;
	return 0;

err_families:
	exit_families(ARRAY_SIZE(families));
err_works:
	destroy_workqueue(catalogue_works);
err_objects:
	catalogue_objects_exit();
	return ret;
}

static void __exit catalogue_exit(void)
{
	struct catalogue_case *c;
	unsigned int i;

	misc_deregister(&catalogue_device);
	for (i = 0; (c = find(i)); i++)
		if (clean(c) || atomic_long_read(&c->objects))
			pr_err("kmprof_catalogue: %s: %ld objects are left\n", c->name,
			       atomic_long_read(&c->objects));
	destroy_workqueue(catalogue_works);
	exit_families(ARRAY_SIZE(families));
	/* The last timers and callbacks have returned. */
	rcu_barrier();
	synchronize_rcu();
	catalogue_objects_exit();
}

module_init(catalogue_init);
module_exit(catalogue_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Planted leaks, and look-alikes that are none, to test kmprof with");
