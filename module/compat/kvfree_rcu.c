// SPDX-License-Identifier: GPL-2.0
/*
 * Waits for memory that was passed to kvfree_rcu(), for KMPROF_IOC_SETTLE.
 *
 * Such memory has no callback that rcu_barrier() could wait for. Each CPU collects it in a
 * list, for 5 s or until the list is long. Then the list becomes a batch: when its grace
 * period ends, a work item on system_wq frees it. A CPU has two batches; while both are busy,
 * the list waits. Since v6.12 kvfree_rcu_barrier() waits for all of this.
 */
#include <linux/jiffies.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/shrinker.h>
#include <linux/workqueue.h>

#include "compat/compat.h"
#include "compat/kvfree_rcu.h"

#ifdef KMPROF_COMPAT_KVFREE_BARRIER

/**
 * kmprof_compat_kvfree_rcu_barrier() - wait until earlier kvfree_rcu() calls are complete
 *
 * Context: Process context, no locks held. Sleeps for grace periods, before v6.12 also for all
 * work items on system_wq.
 * Return: 0; -EINTR when a signal came: then some of the memory may not be free yet.
 */
int kmprof_compat_kvfree_rcu_barrier(void)
{
	kvfree_rcu_barrier();
	return 0;
}

#else

/* KFREE_DRAIN_JIFFIES of kernel/rcu/tree.c, and one for the timer. */
#define COLLECT_JIFFIES	(5 * HZ + 1)

/*
 * Make a batch of each CPU's list. The shrinker of kvfree_rcu() does that. It reads nothing
 * but its second argument.
 */
static int make_batches(void)
{
	static unsigned long found;
	unsigned long (*scan)(struct shrinker *shrink, struct shrink_control *sc);
	struct shrink_control sc = {
		.gfp_mask	= GFP_KERNEL,
		.nr_to_scan	= ULONG_MAX,
	};

	/* Two callers find the same. */
	if (!READ_ONCE(found))
		WRITE_ONCE(found, kmprof_compat_symbol("kfree_rcu_shrink_scan"));
	scan = (void *)READ_ONCE(found);
	if (scan) {
		scan(NULL, &sc);
		return 0;
	}
	/* Without the shrinker, wait until the kernel makes them by itself. */
	return schedule_timeout_interruptible(COLLECT_JIFFIES) ? -EINTR : 0;
}

/*
 * A list that finds both batches of its CPU busy is left over by the first round. The next
 * batch of that CPU takes the whole list, at the latest in the second round.
 */
int kmprof_compat_kvfree_rcu_barrier(void)
{
	unsigned int round;
	int err;

	for (round = 0; round < 2; round++) {
		err = make_batches();
		if (err)
			return err;
		/* The end of a batch's grace period queues its work item. */
		rcu_barrier();
		/* The macro flush_workqueue() advises against this queue at compile time. */
		__flush_workqueue(system_wq);
		if (signal_pending(current))
			return -EINTR;
	}
	return 0;
}

#endif
