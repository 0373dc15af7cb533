// SPDX-License-Identifier: GPL-2.0
/*
 * A kernel thread that dies while it waits for a semaphore, without an oops: a kprobe sends it
 * to another function when it is about to sleep. There it leaves the semaphore's queue, so
 * that the semaphore stays whole, and exits. The function that it has come from does not
 * return, and the end of its wait is not reported.
 */
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/kprobes.h>
#include <linux/kthread.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/semaphore.h>

#include "die.h"
#include "locks.h"

/* Serialises deaths: protects what follows. */
static DEFINE_MUTEX(die_lock);
static struct task_struct *victim;
static struct semaphore *semaphore;
static u32 sleep_us;
static DECLARE_COMPLETION(is_dead);

/* In place of schedule_timeout(): no lock is held, and the thread is alone in the queue. */
static void die(void)
{
	__set_current_state(TASK_RUNNING);
	raw_spin_lock_irq(&semaphore->lock);
	list_del(semaphore->wait_list.next);
	raw_spin_unlock_irq(&semaphore->lock);
	usleep_range(sleep_us, sleep_us + 50);
	kthread_complete_and_exit(&is_dead, 0);
}

static int on_sleep(struct kprobe *p, struct pt_regs *regs)
{
	if (READ_ONCE(victim) != current)
		return 0;
	/* It sleeps once more, in die(). */
	WRITE_ONCE(victim, NULL);
	instruction_pointer_set(regs, (unsigned long)die);
	return 1;
}

NOKPROBE_SYMBOL(on_sleep);

static int wait_in_vain(void *unused)
{
	down(semaphore);
	up(semaphore);
	kthread_complete_and_exit(&is_dead, -EIO);
}

static int kill_one(struct kmprof_test_death *death)
{
	struct kprobe probe = {
		.symbol_name	= "schedule_timeout",
		.pre_handler	= on_sleep,
	};
	struct task_struct *task;
	int ret;

	task = kthread_create(wait_in_vain, NULL, "kmprof-victim");
	if (IS_ERR(task))
		return PTR_ERR(task);
	/* Its result is kept until kthread_stop(). */
	get_task_struct(task);
	ret = register_kprobe(&probe);
	if (ret) {
		kthread_stop(task);
		put_task_struct(task);
		return ret;
	}
	WRITE_ONCE(victim, task);
	wake_up_process(task);
	wait_for_completion(&is_dead);
	ret = kthread_stop(task);
	put_task_struct(task);
	unregister_kprobe(&probe);
	return ret;
}

/**
 * die_run() - KMPROF_TEST_IOC_DIE
 * @death: how, and where
 *
 * Context: Task. Sleeps.
 * Return: 0 or a negative errno, see struct kmprof_test_death.
 */
int die_run(struct kmprof_test_death *death)
{
	int ret;

	if (death->index >= KMPROF_TEST_LOCKS || death->sleep_us > KMPROF_TEST_MAX_SLEEP_US)
		return -EINVAL;
	mutex_lock(&die_lock);
	semaphore = locks_find(KMPROF_TEST_LOCK_SEMAPHORE, death->index);
	sleep_us = death->sleep_us;
	reinit_completion(&is_dead);
	ret = -EBUSY;
	if (!down_trylock(semaphore)) {
		ret = kill_one(death);
		up(semaphore);
	}
	mutex_unlock(&die_lock);
	return ret;
}
