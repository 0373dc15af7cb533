// SPDX-License-Identifier: GPL-2.0
/*
 * kmprof_brief: a module that leaves something behind when it goes: objects allocated by its
 * init function and by a function that stays, and a wait for a static mutex. other.c makes a
 * second module of the same source, of the same size, under another name.
 *
 * This file is compiled without tail calls.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/llist.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/slab.h>

enum {
	OBJECT_BYTES = 200,
};

/*
 * A kernel that counts allocations by call site (v6.10) warns of what a module leaves behind,
 * unless it was allocated without being counted.
 */
#ifdef kmalloc
#define uncounted_kmalloc	kmalloc_noprof
#else
#define uncounted_kmalloc	kmalloc
#endif

static unsigned int objects;
module_param(objects, uint, 0444);
MODULE_PARM_DESC(objects, "objects to leave behind, by each of two functions (default 0)");

static unsigned long left;
module_param(left, ulong, 0444);
MODULE_PARM_DESC(left, "the objects that the module leaves behind (to be read)");

static unsigned long take;
module_param(take, ulong, 0444);
MODULE_PARM_DESC(take, "objects that another one has left, to be freed (default 0: none)");

static DEFINE_MUTEX(brief_mutex);	/* protects nothing */

static __attribute__((noipa)) struct llist_node *brief_leak(void)
{
	return uncounted_kmalloc(OBJECT_BYTES, GFP_KERNEL);
}

static __init __attribute__((noipa)) struct llist_node *brief_init_leak(void)
{
	return uncounted_kmalloc(OBJECT_BYTES, GFP_KERNEL);
}

static void free_objects(struct llist_node *first)
{
	struct llist_node *node, *next;

	llist_for_each_safe(node, next, first)
		kfree(node);
}

static int __init leak(void)
{
	struct llist_node *node;
	LLIST_HEAD(leaked);
	unsigned int i;

	for (i = 0; i < 2 * objects; i++) {
		node = i % 2 ? brief_leak() : brief_init_leak();
		if (!node) {
			free_objects(llist_del_all(&leaked));
			return -ENOMEM;
		}
		llist_add(node, &leaked);
	}
	left = (unsigned long)llist_del_all(&leaked);
	return 0;
}

static __attribute__((noipa)) void brief_wait(void)
{
	mutex_lock(&brief_mutex);
	mutex_unlock(&brief_mutex);
}

/* @data: completed when the thread runs. */
static int wait_fn(void *data)
{
	complete(data);
	brief_wait();
	while (!kthread_should_stop())
		schedule_timeout_interruptible(1);
	return 0;
}

/* Returns when a thread has waited for the mutex. */
static int __init contend(void)
{
	DECLARE_COMPLETION_ONSTACK(runs);
	struct task_struct *thread;

	mutex_lock(&brief_mutex);
	thread = kthread_run(wait_fn, &runs, "kmprof_brief");
	if (IS_ERR(thread)) {
		mutex_unlock(&brief_mutex);
		return PTR_ERR(thread);
	}
	/*
	 * A thread that has not begun does not count as running either: woken for another CPU, it
	 * is TASK_WAKING until that CPU has looked. One that is stopped then does not begin at all.
	 */
	wait_for_completion(&runs);
	do {
		msleep(20);
	} while (task_is_running(thread));
	mutex_unlock(&brief_mutex);
	return kthread_stop(thread);
}

static int __init brief_init(void)
{
	int err;

	free_objects((struct llist_node *)take);
	err = leak();
	if (err)
		return err;
	err = contend();
	if (err)
		free_objects((struct llist_node *)left);
	return err;
}

static void __exit brief_exit(void)
{
}

module_init(brief_init);
module_exit(brief_exit);

MODULE_DESCRIPTION("Leaves objects and waits behind, for the tests of kmprof");
MODULE_LICENSE("GPL");
