// SPDX-License-Identifier: GPL-2.0
/*
 * Claims functions whose calls a kprobe redirects. Of a function that is claimed
 * (FTRACE_OPS_FL_IPMODIFY) the kernel refuses another claim: that of a live patch, or ours if the
 * function is live patched. Otherwise both would write the same register, and which of them wins
 * depends on the order: a live patch would not see the calls that are sampled.
 *
 * The kprobe core claims a function whose first kprobe has a post handler. If there was a kprobe
 * without one before ours, the core does not, and has no way to do it later. Such a function is
 * claimed by an ftrace_ops of our own, which does nothing else.
 */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>

#include "probe/claim.h"

static void nothing(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		    struct ftrace_regs *fregs)
{
}

static struct ftrace_ops claims = {
	.func	= nothing,
	.flags	= FTRACE_OPS_FL_IPMODIFY,
};

/*
 * Claims in force; @claims is registered unless it is 0. Its filter may have functions more, whose
 * claims are over. Protected by the control lock.
 */
static unsigned int nr;

/**
 * kmprof_claim_is_needed() - has the kprobe core not claimed the function of a kprobe?
 * @p: a registered kprobe that goes through ftrace, enabled or not
 *
 * The core claims the function for its own kprobe that stands for all kprobes of the function,
 * if that one has a post handler. It is in the same list as these. Nothing in the list but @p
 * itself has a post handler that the core does not know of.
 *
 * Context: Process context.
 * Return: false if @p is the only kprobe, or the function is claimed as soon as one is armed.
 */
bool kmprof_claim_is_needed(const struct kprobe *p)
{
	const struct list_head *at;
	bool is_needed = true;

	/* Other kprobes come and go meanwhile; the core frees them after a grace period. */
	rcu_read_lock();
	at = rcu_dereference(list_next_rcu(&p->list));
	if (at == &p->list)
		is_needed = false;
	for (; is_needed && at != &p->list; at = rcu_dereference(list_next_rcu(at)))
		if (READ_ONCE(list_entry(at, struct kprobe, list)->post_handler))
			is_needed = false;
	rcu_read_unlock();
	return is_needed;
}

/**
 * kmprof_claim() - claim the function of a kprobe
 * @p: a registered kprobe that goes through ftrace
 *
 * Context: Process context, under the control lock. Sleeps.
 * Return: 0; -EBUSY when the function is claimed already, or another negative errno.
 */
int kmprof_claim(const struct kprobe *p)
{
	int err;

	/* The first one replaces what the last claim of an earlier attach has left. */
	err = ftrace_set_filter_ip(&claims, (unsigned long)p->addr, 0, !nr);
	if (!err && !nr)
		err = register_ftrace_function(&claims);
	if (!err)
		nr++;
	return err;
}

/**
 * kmprof_claim_drop() - take back one claim
 * @p: the kprobe whose function was claimed; disarmed, or about to be
 *
 * Context: Process context, under the control lock. Sleeps.
 */
void kmprof_claim_drop(const struct kprobe *p)
{
	/* An empty filter would mean all functions: the last one stays in it. */
	if (!--nr)
		unregister_ftrace_function(&claims);
	else
		/* Without memory the function stays claimed until the others go. */
		ftrace_set_filter_ip(&claims, (unsigned long)p->addr, 1, 0);
}

/**
 * kmprof_claims_exit() - free the filter
 *
 * Not in kmprof_claim_drop(): ftrace_free_filter() leaves the ftrace_ops unusable.
 *
 * Context: Process context, after the last kmprof_claim_drop().
 */
void kmprof_claims_exit(void)
{
	ftrace_free_filter(&claims);
}
