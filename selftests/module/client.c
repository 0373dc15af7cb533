// SPDX-License-Identifier: GPL-2.0
/* kmprof_client: a module that has custom profiles, and does with them what a test says. */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/kmprof.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/uaccess.h>

#include "context.h"
#include "kmprof_client.h"

/* Protects the array, not what its profiles have. */
static DEFINE_MUTEX(profiles_lock);
static struct kmprof_custom *profiles[KMPROF_CLIENT_PROFILES];

/* The stack of an object is its chain's function, and what has called that. */
#define CHAIN(nr)								\
static noinline int kmprof_client_c##nr(const struct kmprof_client_op *op, const void *key)	\
{										\
	return kmprof_custom_add(profiles[op->profile], key, op->weight, op->skip);	\
}

CHAIN(0)
CHAIN(1)
CHAIN(2)

static int (*const chains[])(const struct kmprof_client_op *op, const void *key) = {
	kmprof_client_c0, kmprof_client_c1, kmprof_client_c2,
};

static int call_once(const struct kmprof_client_op *op, const void *key)
{
	if (op->code == KMPROF_CLIENT_REMOVE)
		return kmprof_custom_remove(profiles[op->profile], key);
	return chains[op->chain](op, key);
}

/**
 * struct run - an operation in its context
 * @op: the operation
 * @err: the first error
 */
struct run {
	struct kmprof_client_op *op;
	int err;
};

static void call_all(void *arg)
{
	struct run *run = arg;
	struct kmprof_client_op *op = run->op;
	u32 i;
	int err;

	for (i = 0; i < op->count; i++) {
		err = call_once(op, (const void *)(unsigned long)(op->key + i));
		if (!err)
			op->done++;
		else if (!run->err)
			run->err = err;
	}
}

static int run_objects(struct kmprof_client_op *op)
{
	struct run run = { .op = op };
	int ret;

	if (!profiles[op->profile] || op->context >= KMPROF_TEST_NR_CONTEXTS ||
	    op->chain >= KMPROF_CLIENT_CHAINS)
		return -EBADSLT;
	ret = context_run(op->context, op->cpu, call_all, &run);
	return ret ?: run.err;
}

static int run_create(struct kmprof_client_op *op)
{
	struct kmprof_custom *profile;

	if (profiles[op->profile])
		return -EBADSLT;
	profile = kmprof_custom_create(*op->name || op->count ? op->name : NULL,
				       *op->unit || op->count ? op->unit : NULL);
	if (IS_ERR(profile))
		return PTR_ERR(profile);
	profiles[op->profile] = profile;
	return 0;
}

static int run(struct kmprof_client_op *op)
{
	op->done = 0;
	if (op->profile >= KMPROF_CLIENT_PROFILES || op->code >= KMPROF_CLIENT_NR_CODES ||
	    op->name[KMPROF_CLIENT_TEXT - 1] || op->unit[KMPROF_CLIENT_TEXT - 1])
		return -EBADSLT;
	switch (op->code) {
	case KMPROF_CLIENT_CREATE:
		return run_create(op);
	case KMPROF_CLIENT_DESTROY:
		kmprof_custom_destroy(profiles[op->profile]);
		profiles[op->profile] = NULL;
		return 0;
	case KMPROF_CLIENT_COUNT:
		if (!profiles[op->profile])
			return -EBADSLT;
		op->objects = kmprof_custom_count(profiles[op->profile]);
		return 0;
	default:
		return run_objects(op);
	}
}

static bool changes_profiles(const struct kmprof_client_op *op)
{
	return op->code == KMPROF_CLIENT_CREATE || op->code == KMPROF_CLIENT_DESTROY;
}

static long client_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct kmprof_client_op op;
	int ret;

	if (cmd != KMPROF_CLIENT_IOC_RUN)
		return -ENOTTY;
	if (copy_from_user(&op, (void __user *)arg, sizeof(op)))
		return -EFAULT;
	if (changes_profiles(&op))
		mutex_lock(&profiles_lock);
	ret = run(&op);
	if (changes_profiles(&op))
		mutex_unlock(&profiles_lock);
	return copy_to_user((void __user *)arg, &op, sizeof(op)) ? -EFAULT : ret;
}

static const struct file_operations client_fops = {
	.owner		= THIS_MODULE,
	.unlocked_ioctl	= client_ioctl,
	.llseek		= noop_llseek,
};

static struct miscdevice client_device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "kmprof_client",
	.fops	= &client_fops,
	.mode	= 0600,
};

static int __init client_init(void)
{
	int err;

	err = context_init();
	if (err)
		return err;
	err = misc_register(&client_device);
	if (err)
		context_exit();
	return err;
}

/* Destroys the profiles as they are, with the objects that are left in them. */
static void __exit client_exit(void)
{
	unsigned int i;

	misc_deregister(&client_device);
	context_exit();
	for (i = 0; i < KMPROF_CLIENT_PROFILES; i++)
		kmprof_custom_destroy(profiles[i]);
}

module_init(client_init);
module_exit(client_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("A module with custom profiles, to test kmprof with");
