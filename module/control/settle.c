// SPDX-License-Identifier: GPL-2.0
/*
 * KMPROF_IOC_SETTLE: waits until memory that is only on its way to be freed has been freed, so
 * that what is in use afterwards is held by somebody.
 */
#include <linux/errno.h>
#include <linux/rcupdate.h>
#include <linux/sched/signal.h>
#include <linux/vmalloc.h>

#include "compat/kvfree_rcu.h"
#include "control/settle.h"
#include "core/profile.h"

static int wait_for_callbacks(void)
{
	rcu_barrier();
	return signal_pending(current) ? -EINTR : 0;
}

/* Return: 0; or an errno, and @failed is the profile that has returned it. */
static int begin(const struct kmprof_profile **failed)
{
	int err;

	*failed = NULL;
	kmprof_for_each_profile(p) {
		err = p->ops->settle_begin ? p->ops->settle_begin() : 0;
		if (err) {
			*failed = p;
			return err;
		}
	}
	return 0;
}

/* For all profiles before @failed. */
static void end(const struct kmprof_profile *failed, bool is_settled)
{
	kmprof_for_each_profile(p) {
		if (p == failed)
			break;
		if (p->ops->settle_end)
			p->ops->settle_end(is_settled);
	}
}

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
	const struct kmprof_profile *failed;
	int err;

	/* What these callbacks queue is among what is waited for then. */
	err = wait_for_callbacks();
	if (err)
		return err;
	err = begin(&failed) ?: wait_for_callbacks();
	end(failed, !err);
	if (!err)
		err = kmprof_compat_kvfree_rcu_barrier();
	if (!err)
		vm_unmap_aliases();
	return err;
}
