// SPDX-License-Identifier: GPL-2.0
/*
 * What begins and ends of waits mean: for the block profile here, for the mutex profile
 * in blame.c. It happens on the slow paths of locks only, whose own locks may be held
 * and whose task may be about to sleep: nothing here sleeps, spins or allocates. A wait
 * belongs to the cycle in which it ends.
 */
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <uapi/linux/kmprof.h>

#include "compat/compat.h"
#include "core/guard.h"
#include "core/sampler.h"
#include "core/slot.h"
#include "core/stats.h"
#include "lock/blame.h"
#include "lock/booking.h"
#include "lock/contention.h"
#include "lock/inflight.h"
#include "lock/lock_profile.h"
#include "stack/labels.h"
#include "stack/stack.h"

/* ns; written under the control lock. */
static u64 block_rate;

/* A lock that another one is made of, for which this context waits. */
static bool is_part(const void *lock)
{
	return kmprof_inflight_has(kmprof_compat_whole_lock(lock));
}

/*
 * A mutex is told to be waited for anew whenever the waiter changes from spinning
 * to sleeping, or back: it is the same wait. The end of any other has been missed.
 */
static bool goes_on(const struct kmprof_wait *known, const struct kmprof_wait *wait)
{
	return known->kind == KMPROF_LOCK_MUTEX && wait->kind == KMPROF_LOCK_MUTEX;
}

/* Of a wait that goes on, the first begin counts; it has KMPROF_WAIT_SPUN if all have. */
static bool begin_sleep(const struct kmprof_wait *wait)
{
	struct kmprof_wait *known = kmprof_inflight_find(wait->lock);

	if (known && goes_on(known, wait)) {
		known->flags &= wait->flags;
		return true;
	}
	if (known)
		kmprof_blame_give_up(known, wait->since);
	else
		known = kmprof_inflight_claim();
	if (!known) {
		kmprof_stats_count(kmprof_slot(), KMPROF_LOSS_WAIT_TABLE_FULL);
		return false;
	}
	*known = *wait;
	kmprof_blame_begin(known);
	return true;
}

static void sample(const struct kmprof_wait *wait, u64 ns, u64 period, unsigned int slot,
		   const struct pt_regs *regs)
{
	const struct kmprof_delay delay = {
		.profile	= &kmprof_block_profile,
		.kind		= wait->kind,
		.flags		= wait->flags,
		.lock		= wait->lock,
		.ns		= ns,
		.period		= period,
	};
	const struct kmprof_stack_start start = {
		.at		= regs ? KMPROF_STACK_AT_RETURN : KMPROF_STACK_IN_WAIT,
		.sleeps		= !kmprof_contention_spins(wait->kind),
		.regs		= regs,
	};
	struct kmprof_scratch *scratch = kmprof_guard_enter();
	struct kmprof_stack stack;

	if (scratch) {
		kmprof_stack_capture(scratch, &start, &stack);
		kmprof_labels_append(scratch, &stack);
	}
	kmprof_booking_add(&delay, scratch ? &stack : NULL, slot);
	if (scratch)
		kmprof_guard_leave(scratch);
}

/**
 * kmprof_contention_begin() - the current context begins to wait for a lock
 * @lock: which
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_READ or _WRITE; KMPROF_WAIT_SPUN while it does not sleep, if
 *	that is known before the end
 *
 * A wait may begin several times, and is still one, from the first time on. What is
 * told of a reader-writer lock's own parts belongs to it; the spinlock that guards
 * the list of a sleeping lock's waiters is a lock of its own.
 *
 * Context: Any. Preemption off. Takes no locks.
 * Return: true when its end is of interest.
 */
bool kmprof_contention_begin(const void *lock, u32 kind, u32 flags)
{
	struct kmprof_wait wait = {
		.lock	= lock,
		.kind	= kind,
		.flags	= flags,
	};

	if (in_nmi() || (kind == KMPROF_COMPAT_PART && is_part(lock)))
		return false;
	wait.since = ktime_get_mono_fast_ns();
	if (!kmprof_contention_spins(kind))
		return begin_sleep(&wait);
	*kmprof_inflight_spin(lock) = wait;
	return true;
}

/**
 * kmprof_contention_end() - the current context does not wait any more
 * @lock: for which lock
 * @flags: KMPROF_WAIT_FAILED when it has not got it; KMPROF_WAIT_SPUN when it has
 *	not slept
 * @regs: NULL in a function that the lock's has called; else, as the lock's returns
 *
 * Context: Any. Preemption off. Takes no locks.
 */
void kmprof_contention_end(const void *lock, u32 flags, const struct pt_regs *regs)
{
	u64 now = ktime_get_mono_fast_ns(), period = READ_ONCE(block_rate), ns;
	unsigned int slot = kmprof_slot();
	struct kmprof_wait wait;

	if (in_nmi() || !kmprof_inflight_end(lock, &wait)) {
		if (in_nmi() || !is_part(lock))
			kmprof_stats_count(slot, KMPROF_LOSS_WAIT_UNPAIRED);
		return;
	}
	if (!wait.since)
		return;
	wait.flags |= flags;
	/* The clock is as fine as its source; another CPU's can be a little behind. */
	ns = now > wait.since ? now - wait.since : 1;
	ns = kmprof_blame_end(&wait, now, ns, slot);
	kmprof_stats_count(slot, KMPROF_WAITS);
	kmprof_stats_add(slot, KMPROF_WAIT_NS, ns);
	if (kmprof_sampler_wait(ns, period))
		sample(&wait, ns, period, slot, regs);
}

/**
 * kmprof_contention_cancel() - it was no wait
 * @lock: for which it seemed to be
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: false when it was one: somebody has been blamed for it. Its end is due then.
 */
bool kmprof_contention_cancel(const void *lock)
{
	struct kmprof_wait *known = kmprof_inflight_find(lock), wait;

	if (!known || !kmprof_blame_can_cancel(known))
		return false;
	kmprof_inflight_end(lock, &wait);
	kmprof_blame_cancel(&wait, ktime_get_mono_fast_ns(), kmprof_slot());
	return true;
}

/**
 * kmprof_contention_expect() - the current task is on its way to wait for a lock
 * @lock: which, that lets it sleep
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_READ or _WRITE
 *
 * It does so from kmprof_contention_expected() on. If that does not come, its end is
 * that of nothing.
 *
 * Context: Task. Preemption off. Takes no locks.
 * Return: true when its end is of interest.
 */
bool kmprof_contention_expect(const void *lock, u32 kind, u32 flags)
{
	struct kmprof_wait *wait = kmprof_inflight_claim();

	if (!wait) {
		kmprof_stats_count(kmprof_slot(), KMPROF_LOSS_WAIT_TABLE_FULL);
		return false;
	}
	*wait = (struct kmprof_wait) { .lock = lock, .kind = kind, .flags = flags };
	return true;
}

/**
 * kmprof_contention_expected() - now it waits, if that was expected
 * @lock: for which
 *
 * Context: Task. Preemption off. Takes no locks.
 */
void kmprof_contention_expected(const void *lock)
{
	struct kmprof_wait *wait = kmprof_inflight_find(lock);

	if (!wait || wait->since)
		return;
	wait->since = ktime_get_mono_fast_ns();
	kmprof_blame_begin(wait);
}

/**
 * kmprof_contention_jumped_queue() - the current task has got a lock for which others
 *	queue, without sleeping for it
 * @lock: which. Its end is due
 *
 * Context: Task. Preemption off. Takes no locks.
 */
void kmprof_contention_jumped_queue(const void *lock)
{
	struct kmprof_wait *wait = kmprof_inflight_find(lock);

	if (wait)
		wait->jumped_queue = true;
}

/**
 * kmprof_contention_set_rate() - change the rate
 * @rate: ns: see kmprof_sampler_wait()
 *
 * Context: Process context, under the control lock.
 */
void kmprof_contention_set_rate(u64 rate)
{
	WRITE_ONCE(block_rate, rate);
}
