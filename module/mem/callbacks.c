// SPDX-License-Identifier: GPL-2.0
/*
 * An object that was passed to call_rcu() is dying: nearly all callbacks free the object that has
 * their rcu_head. The others are known by this: rcu_barrier() has returned, so the callback has
 * run, and the object is still there. It is not dying any more then. One whose callback is not
 * queued yet, because its call_rcu() was interrupted right after the probe, is taken for such an
 * object, too, and is in use until it is freed.
 *
 * KMPROF_IOC_SETTLE waits for callbacks, and work does so every LOOK, if there is anything to wait
 * for.
 */
#include <linux/errno.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/workqueue.h>

#include "core/cycle.h"
#include "core/drain.h"
#include "mem/callbacks.h"
#include "mem/live.h"
#include "mem/live_table.h"
#include "mem/queued.h"

#define LOOK	(10 * HZ)

/* One wait at a time. */
static DEFINE_MUTEX(wait_lock);

/* The wait that has begun is for anything. Under the lock. */
static bool is_waiting;

/* All callbacks have run that were queued when the wait began. Under the lock. */
static void end_wait(void)
{
	bool any = false;
	u32 i;

	/* Then their objects have buckets. */
	kmprof_drain();
	/* No cycle ends between what is taken back and call_rcu(), which has counted it. */
	mutex_lock(&kmprof_cycle_lock);
	for (i = kmprof_queued_next(0); i < live_nr_entries(); i = kmprof_queued_next(i + 1)) {
		any |= kmprof_live_undefer(i);
		cond_resched();
	}
	/* A walk visits what has been taken back, so the sums must have it. */
	if (any)
		kmprof_cycle_advance();
	mutex_unlock(&kmprof_cycle_lock);
}

/**
 * kmprof_callbacks_settle_begin() - callbacks of call_rcu() will be waited for
 *
 * Context: Process context. Takes a mutex until kmprof_callbacks_settle_end(). Sleeps.
 * Return: 0; -EINTR when a signal came, and there is nothing to end.
 */
int kmprof_callbacks_settle_begin(void)
{
	if (mutex_lock_interruptible(&wait_lock))
		return -EINTR;
	is_waiting = kmprof_queued_begin();
	return 0;
}

/**
 * kmprof_callbacks_settle_end() - take back that objects are dying whose callbacks have run
 * @is_settled: all callbacks have run that were queued before kmprof_callbacks_settle_begin()
 *
 * Context: Process context. Takes the cycle lock. Sleeps.
 */
void kmprof_callbacks_settle_end(bool is_settled)
{
	if (is_settled && is_waiting)
		end_wait();
	mutex_unlock(&wait_lock);
}

static void wait_for_callbacks(void)
{
	mutex_lock(&wait_lock);
	if (kmprof_queued_begin()) {
		rcu_barrier();
		end_wait();
	}
	mutex_unlock(&wait_lock);
}

static void look(struct work_struct *work)
{
	wait_for_callbacks();
	queue_delayed_work(system_unbound_wq, to_delayed_work(work), LOOK);
}

static DECLARE_DELAYED_WORK(look_work, look);

/**
 * kmprof_callbacks_start() - look from time to time
 *
 * Context: Process context, control lock held.
 */
void kmprof_callbacks_start(void)
{
	queue_delayed_work(system_unbound_wq, &look_work, LOOK);
}

/**
 * kmprof_callbacks_stop() - look for the last time
 *
 * Context: Process context, control lock held, after the last kmprof_live_queue(). Sleeps for
 * grace periods.
 */
void kmprof_callbacks_stop(void)
{
	cancel_delayed_work_sync(&look_work);
	wait_for_callbacks();
}
