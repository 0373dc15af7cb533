// SPDX-License-Identifier: GPL-2.0
#include <linux/completion.h>
#include <linux/err.h>
#include <linux/kthread.h>
#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/semaphore.h>
#include <linux/spinlock.h>
#include <linux/ww_mutex.h>

#include "locks.h"

static DEFINE_MUTEX(mutex);
static DECLARE_RWSEM(rwsem);
static struct semaphore semaphore = __SEMAPHORE_INITIALIZER(semaphore, 1);
static DEFINE_SPINLOCK(spinlock);
static DEFINE_RWLOCK(rwlock);
static DEFINE_RT_MUTEX(rtmutex);
static DEFINE_WW_CLASS(ww_class);
static struct ww_mutex ww_mutex;
DEFINE_STATIC_PERCPU_RWSEM(percpu_rwsem);

static struct task_struct *taker;
static DECLARE_COMPLETION(go);
static DECLARE_COMPLETION(taken);

void bench_locks_mutex(unsigned int i)
{
	mutex_lock(&mutex);
	mutex_unlock(&mutex);
}

void bench_locks_rwsem_read(unsigned int i)
{
	down_read(&rwsem);
	up_read(&rwsem);
}

void bench_locks_rwsem_write(unsigned int i)
{
	down_write(&rwsem);
	up_write(&rwsem);
}

void bench_locks_semaphore(unsigned int i)
{
	down(&semaphore);
	up(&semaphore);
}

void bench_locks_spinlock(unsigned int i)
{
	spin_lock(&spinlock);
	spin_unlock(&spinlock);
}

void bench_locks_rwlock_read(unsigned int i)
{
	read_lock(&rwlock);
	read_unlock(&rwlock);
}

void bench_locks_rwlock_write(unsigned int i)
{
	write_lock(&rwlock);
	write_unlock(&rwlock);
}

void bench_locks_rtmutex(unsigned int i)
{
	rt_mutex_lock(&rtmutex);
	rt_mutex_unlock(&rtmutex);
}

void bench_locks_ww_mutex(unsigned int i)
{
	/* Without a context there is nobody to give way to. */
	if (!ww_mutex_lock(&ww_mutex, NULL))
		ww_mutex_unlock(&ww_mutex);
}

void bench_locks_percpu_rwsem_read(unsigned int i)
{
	percpu_down_read(&percpu_rwsem);
	percpu_up_read(&percpu_rwsem);
}

/* Before anybody else: it has the CPU until it waits. */
static int take(void *unused)
{
	sched_set_fifo(current);
	while (!kthread_should_stop()) {
		wait_for_completion(&go);
		mutex_lock(&mutex);
		mutex_unlock(&mutex);
		complete(&taken);
	}
	return 0;
}

/* The taker comes to wait for the mutex, and gets it when it is released. One CPU. */
void bench_locks_handover(unsigned int i)
{
	mutex_lock(&mutex);
	complete(&go);
	cond_resched();
	mutex_unlock(&mutex);
	wait_for_completion(&taken);
}

/**
 * bench_locks_init() - start the taker, and make what cannot be defined
 */
int bench_locks_init(void)
{
	ww_mutex_init(&ww_mutex, &ww_class);
	taker = kthread_run(take, NULL, "kmprof_bench");
	return PTR_ERR_OR_ZERO(taker);
}

/**
 * bench_locks_exit() - stop it
 */
void bench_locks_exit(void)
{
	complete(&go);
	kthread_stop(taker);
}
