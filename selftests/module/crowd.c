// SPDX-License-Identifier: GPL-2.0
/*
 * A crowd: many kernel threads that sleep for one semaphore, until they are let through.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/semaphore.h>

#include "crowd.h"

/* Protects @size. */
static DEFINE_MUTEX(crowd_lock);
static u32 size;

/* Taken while there is a crowd; its threads take it, one after the other, to leave. */
static struct semaphore crowd_door = __SEMAPHORE_INITIALIZER(crowd_door, 1);
static struct semaphore crowd_left = __SEMAPHORE_INITIALIZER(crowd_left, 0);

static int wait_at_door(void *unused)
{
	down(&crowd_door);
	up(&crowd_door);
	up(&crowd_left);
	module_put_and_kthread_exit(0);
}

static u32 nr_asleep(void)
{
	struct list_head *at;
	unsigned long flags;
	u32 nr = 0;

	raw_spin_lock_irqsave(&crowd_door.lock, flags);
	list_for_each(at, &crowd_door.wait_list)
		nr++;
	raw_spin_unlock_irqrestore(&crowd_door.lock, flags);
	return nr;
}

/* Lets all through, and waits until they are gone. */
static void leave(void)
{
	up(&crowd_door);
	for (; size; size--)
		down(&crowd_left);
}

static int gather(u32 count)
{
	struct task_struct *task;

	down(&crowd_door);
	while (size < count) {
		__module_get(THIS_MODULE);
		task = kthread_run(wait_at_door, NULL, "kmprof-crowd");
		if (IS_ERR(task)) {
			module_put(THIS_MODULE);
			leave();
			return PTR_ERR(task);
		}
		size++;
	}
	while (nr_asleep() < count)
		msleep(20);
	return 0;
}

/**
 * crowd_run() - KMPROF_TEST_IOC_CROWD
 * @order: how many
 *
 * Context: Task. Sleeps.
 * Return: 0 or a negative errno, see struct kmprof_test_crowd.
 */
int crowd_run(const struct kmprof_test_crowd *order)
{
	int ret = 0;

	if (order->count > KMPROF_TEST_MAX_CROWD || order->__reserved)
		return -EINVAL;
	mutex_lock(&crowd_lock);
	if (size)
		leave();
	if (order->count)
		ret = gather(order->count);
	mutex_unlock(&crowd_lock);
	return ret;
}
