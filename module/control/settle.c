// SPDX-License-Identifier: GPL-2.0
/*
 * KMPROF_IOC_SETTLE: waits until memory that is only on its way to be freed has been freed, so
 * that what is in use afterwards is held by somebody. It touches nothing of the profiler.
 */
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/vmalloc.h>

#include "compat/kvfree_rcu.h"
#include "control/settle.h"

/**
 * kmprof_settle() - wait for frees that are deferred
 *
 * Waits for the callbacks of call_rcu() that were queued before, and for those that they
 * queue; for what was passed to kvfree_rcu() before or by these callbacks; and has address ranges
 * unmapped that vfree() and vunmap() have left for later. Since v6.9 the kernel may keep the
 * descriptions of these ranges for new ones. Does not wait for longer chains of callbacks, for
 * work items and timers, or for other flavours of RCU (SRCU, RCU tasks).
 *
 * Context: Process context, no locks held. Sleeps.
 * Return: 0; -EINTR when a signal came between two of these steps.
 */
int kmprof_settle(void)
{
	unsigned int round;
	int err;

	for (round = 0; round < 2; round++) {
		rcu_barrier();
		if (signal_pending(current))
			return -EINTR;
	}
	err = kmprof_compat_kvfree_rcu_barrier();
	if (err)
		return err;
	vm_unmap_aliases();
	return 0;
}
