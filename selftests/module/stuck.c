// SPDX-License-Identifier: GPL-2.0
/*
 * A task that sleeps inside the allocator until it is told to go on, or to die there. It
 * allocates from a cache whose constructor does not return: the allocator calls it for a new slab,
 * with nothing held. What a task that dies leaves behind is the page of that slab.
 */
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/wait.h>

#include "stuck.h"

enum { STUCK_SIZE = 320 };

enum fate {
	STUCK,
	GO,
	DIE,
};

static enum fate fate;
static struct task_struct *stuck;	/* NULL: there is no such task */
static struct kmem_cache *cache;
static DECLARE_WAIT_QUEUE_HEAD(told);
static DECLARE_COMPLETION(inside);
static DECLARE_COMPLETION(gone);

static void never_ready(void *object)
{
	if (current != READ_ONCE(stuck) || READ_ONCE(fate) != STUCK)
		return;
	complete(&inside);
	wait_event_idle(told, READ_ONCE(fate) != STUCK);
	if (fate == DIE)
		kthread_complete_and_exit(&gone, 0);
}

/* In bulk: both sources see that by a redirected call. */
static int stuck_fn(void *unused)
{
	void *object;

	if (kmem_cache_alloc_bulk(cache, GFP_KERNEL, 1, &object))
		kmem_cache_free(cache, object);
	kthread_complete_and_exit(&gone, 0);
}

static int hold(void)
{
	struct task_struct *task;

	if (stuck)
		return -EBUSY;
	cache = kmem_cache_create("kmprof_test_stuck", STUCK_SIZE, 8, 0, never_ready);
	if (!cache)
		return -ENOMEM;
	task = kthread_create(stuck_fn, NULL, "kmprof_stuck");
	if (IS_ERR(task)) {
		kmem_cache_destroy(cache);
		return PTR_ERR(task);
	}
	reinit_completion(&inside);
	reinit_completion(&gone);
	fate = STUCK;
	WRITE_ONCE(stuck, task);
	wake_up_process(task);
	wait_for_completion(&inside);
	return 0;
}

static int let(enum fate how)
{
	if (!stuck)
		return -ESRCH;
	WRITE_ONCE(fate, how);
	wake_up(&told);
	wait_for_completion(&gone);
	WRITE_ONCE(stuck, NULL);
	kmem_cache_destroy(cache);
	return 0;
}

/* The core serialises writers. */
static int stuck_set(const char *text, const struct kernel_param *kp)
{
	if (sysfs_streq(text, "hold"))
		return hold();
	if (sysfs_streq(text, "go"))
		return let(GO);
	if (sysfs_streq(text, "die"))
		return let(DIE);
	return -EINVAL;
}

static const struct kernel_param_ops stuck_ops = {
	.set = stuck_set,
};

module_param_cb(stuck, &stuck_ops, NULL, 0200);
MODULE_PARM_DESC(stuck, "hold: a task sleeps inside the allocator; go: it returns; die: it dies there");

/**
 * stuck_exit() - let the task go on
 *
 * Context: Task. Sleeps.
 */
void stuck_exit(void)
{
	if (stuck)
		let(GO);
}
