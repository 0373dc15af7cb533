// SPDX-License-Identifier: GPL-2.0
/*
 * Arms and disarms the kprobes that redirect allocations. The surprising part is disarming while
 * tasks sleep inside a thunk.
 */
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/list.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/ptrace.h>
#include <linux/rcupdate.h>

#include "compat/compat.h"
#include "mem/redirect/entry_point.h"
#include "mem/redirect/thunk_wait.h"
#include "probe/claim.h"
#include "probe/probe.h"

static void after(struct kprobe *p, struct pt_regs *regs, unsigned long flags)
{
}

NOKPROBE_SYMBOL(after);

/* Claim the function, unless the kprobe core does or has done it. */
static int claim(struct kmprof_entry_point *entry)
{
	int err;

	if (entry->is_claimed || !kmprof_claim_is_needed(&entry->probe))
		return 0;
	err = kmprof_claim(&entry->probe);
	entry->is_claimed = !err;
	return err;
}

static void drop_claim(struct kmprof_entry_point *entry)
{
	if (entry->is_claimed)
		kmprof_claim_drop(&entry->probe);
	entry->is_claimed = false;
}

/**
 * kmprof_entry_point_arm() - arm the kprobe of an entry point
 * @entry: the entry point
 * @thunk: its thunk
 *
 * The post handler makes the kprobe core register with FTRACE_OPS_FL_IPMODIFY: no live patch
 * takes the same calls elsewhere, and a BPF trampoline on the same function runs the thunk. But
 * joining a kprobe that was armed without a post handler would change the ftrace_ops that the core
 * uses to disarm both. So register first, look whether there is another kprobe, and then arm. If
 * there is one, claim() does what the core does not.
 *
 * Context: Process context, control lock held. Sleeps.
 * Return: 0; or a negative errno and it is not armed: see kmprof_probe_refused(). It may have
 *	redirected calls before: kmprof_entry_points_disarm() waits for them.
 */
int kmprof_entry_point_arm(struct kmprof_entry_point *entry, const struct kmprof_thunk *thunk)
{
	struct kprobe *p = &entry->probe;
	int err;

	entry->thunk = thunk->thunk;
	/* A registered kprobe holds state of the core: start from a clean one. */
	*p = (struct kprobe) {
		.symbol_name	= entry->symbol,
		.pre_handler	= entry->handler,
		.flags		= KPROBE_FLAG_DISABLED,
	};
	err = register_kprobe(p);
	if (err)
		goto fail;
	/* The thunk calls the instruction behind the ftrace call at the entry. */
	if (!(p->flags & KPROBE_FLAG_FTRACE) ||
	    (unsigned long)p->addr + MCOUNT_INSN_SIZE != thunk->entry + KMPROF_ENTRY_SKIP) {
		err = -EOPNOTSUPP;
		goto undo_register;
	}
	if (list_empty(&p->list))
		p->post_handler = after;
	err = claim(entry) ?: kmprof_probe_enable(p);
	if (err)
		goto undo_claim;
	/* A kprobe that has come since: the core has not seen our post handler. */
	err = claim(entry);
	if (err)
		goto undo_claim;
	return 0;

undo_claim:
	drop_claim(entry);
undo_register:
	kmprof_probes_unregister(&p, 1);
fail:
	p->addr = NULL;
	return err;
}

/**
 * kmprof_thunk_calls_sum() - sum up a counter of redirected calls
 * @counter: the counter; a call may be counted on several CPUs, so only the sums mean something
 *
 * Context: Any.
 * Return: the sum over all CPUs.
 */
long kmprof_thunk_calls_sum(const long __percpu *counter)
{
	long total = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		total += READ_ONCE(*per_cpu_ptr(counter, cpu));
	return total;
}

/* Wait for tasks that are preempted in a handler's exit or a thunk, and for interrupts. */
static void wait_for_preempted(void)
{
	synchronize_rcu_tasks();
	synchronize_rcu();	/* interrupts, also on idle CPUs */
}

static long nr_inside(const void *data)
{
	const struct kmprof_entry_points *entries = data;

	return kmprof_thunk_calls_sum(&entries->calls->arrived) -
	       kmprof_thunk_calls_sum(&entries->calls->left);
}

/* Unregister the kprobes. On return no handler runs. */
static void unregister(struct kmprof_entry_points *entries)
{
	struct kmprof_entry_point *entry, *end = entries->points + entries->nr;
	struct kprobe *armed[KMPROF_ENTRY_POINTS_MAX];
	int n = 0;

	for (entry = entries->points; entry != end; entry++)
		if (entry->probe.addr)
			armed[n++] = &entry->probe;
	kmprof_probes_unregister(armed, n);
	for (entry = entries->points; entry != end; entry++)
		drop_claim(entry);
	mutex_lock(&kmprof_missed_lock);
	while (n--) {
		entries->missed_before += armed[n]->nmissed;
		armed[n]->nmissed = 0;
		armed[n]->addr = NULL;
	}
	mutex_unlock(&kmprof_missed_lock);
}

/**
 * kmprof_entry_points_disarm() - disarm all kprobes, and wait until no task is in a thunk
 * @entries: the entry points, armed or not
 *
 * Context: Process context, control lock held. Waits for tasks that sleep inside an
 * allocation: see kmprof_thunk_wait().
 */
void kmprof_entry_points_disarm(struct kmprof_entry_points *entries)
{
	long never;

	unregister(entries);
	/*
	 * No handler runs any more. After this wait every call that a handler has redirected
	 * has arrived at its thunk: arrivals are final, and the thunks can be waited for.
	 */
	wait_for_preempted();
	never = kmprof_thunk_wait(nr_inside, entries, entries->is_thunk);
	/* Calls that never return count as left from now on. */
	this_cpu_add(entries->calls->left, never);
	/* A thunk executes a few more instructions after it has counted itself out. */
	wait_for_preempted();
}

/*
 * Redirected calls that have not arrived at their thunk. If a BPF trampoline makes a call bypass
 * its thunk, that is so for good.
 */
static long nr_bypassed(const struct kmprof_entry_points *entries)
{
	/* Read before the arrivals: a call that arrives in between is not missed. */
	long sent = kmprof_thunk_calls_sum(&entries->calls->sent);

	return max(sent - kmprof_thunk_calls_sum(&entries->calls->arrived), 0L);
}

/**
 * kmprof_entry_points_missed() - count the calls that the kprobes missed
 * @entries: the entry points
 *
 * These are the hits that the kprobe core has skipped, because another kprobe's handler ran on the
 * CPU, and redirected calls that have not arrived at their thunk.
 *
 * Context: Process context. Waits for no arming or disarming.
 * Return: their number since the module was loaded.
 */
u64 kmprof_entry_points_missed(const struct kmprof_entry_points *entries)
{
	const struct kmprof_entry_point *entry, *end = entries->points + entries->nr;
	u64 missed = nr_bypassed(entries);

	mutex_lock(&kmprof_missed_lock);
	missed += entries->missed_before;
	for (entry = entries->points; entry != end; entry++)
		/* An address that is being written: the kprobe has missed nothing yet. */
		if (data_race(entry->probe.addr))
			/* The core increments it concurrently. An aligned long is not torn. */
			missed += READ_ONCE(entry->probe.nmissed);
	mutex_unlock(&kmprof_missed_lock);
	return missed;
}
