// SPDX-License-Identifier: GPL-2.0
/*
 * From the waits for a lock and its releases to who has made the others wait. Only a
 * release that has waiters to wake is seen: what has been waited since the last one,
 * when a wait ends, was for a release that took the fast path, or for the CPU.
 */
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <uapi/linux/kmprof.h>

#include "core/guard.h"
#include "core/sampler.h"
#include "core/slot.h"
#include "core/stats.h"
#include "lock/blame.h"
#include "lock/booking.h"
#include "lock/contended.h"
#include "lock/inflight.h"
#include "lock/lock_profile.h"
#include "stack/labels.h"
#include "stack/stack.h"

/* Written under the control lock. */
static u64 mutex_fraction;

/* Of the table: grows each time that it is emptied. Written under the control lock. */
static u16 generation;

static bool is_followed(const struct kmprof_wait *wait)
{
	return wait->waiter && wait->generation == READ_ONCE(generation);
}

/* Of a wait that is followed. */
static struct kmprof_waiter waiter_of(const struct kmprof_wait *wait)
{
	return (struct kmprof_waiter) {
		.entry = wait->waiter - 1,
		.since = wait->since,
	};
}

/**
 * kmprof_blame_begin() - a task begins to wait
 * @wait: since when, and for what; its waiter is filled in, and its begin is what
 *	releases will go by
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_blame_begin(struct kmprof_wait *wait)
{
	struct kmprof_waiter waiter;

	if (!READ_ONCE(mutex_fraction))
		return;
	if (!kmprof_contended_join(&waiter, wait->lock, wait->since)) {
		kmprof_stats_count(kmprof_slot(), KMPROF_LOSS_DELAY_TABLE_FULL);
		return;
	}
	wait->since += kmprof_waiter_late(&waiter, wait->since);
	wait->waiter = waiter.entry + 1;
	wait->generation = READ_ONCE(generation);
}

/**
 * kmprof_blame_give_up() - a wait whose end was missed
 * @wait: the wait
 * @now: when that was found out, of ktime_get_mono_fast_ns()
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_blame_give_up(const struct kmprof_wait *wait, u64 now)
{
	struct kmprof_waiter waiter = waiter_of(wait);

	if (is_followed(wait))
		kmprof_stats_add(kmprof_slot(), KMPROF_UNBLAMED_NS,
				 kmprof_contended_gave_up(&waiter, now));
}

/*
 * Others who spin may have had the lock before: nobody has to be woken when they
 * release it, and none of these releases was seen. But a mutex, with waiters that sleep,
 * is not free before its release is seen, and a rwsem is: that one is about to be blamed.
 */
static bool has_spun_for_it(const struct kmprof_wait *wait)
{
	return wait->flags & KMPROF_WAIT_SPUN && !wait->jumped_queue &&
	       (wait->kind == KMPROF_LOCK_MUTEX || wait->kind == KMPROF_LOCK_RWSEM);
}

/* What no release will be blamed for. Who has slept was woken by the last release. */
static u64 unblamed(const struct kmprof_wait *wait, struct kmprof_waiter *waiter, u64 now)
{
	if (wait->flags & KMPROF_WAIT_FAILED)
		return kmprof_contended_gave_up(waiter, now);
	return has_spun_for_it(wait) ? kmprof_contended_took(waiter, now) :
				       kmprof_contended_acquired(waiter, now);
}

static void book_unblamed(const struct kmprof_wait *wait, u64 ns, u64 fraction,
			  unsigned int slot)
{
	static const struct kmprof_stack nobody;
	const struct kmprof_delay delay = {
		.profile	= &kmprof_mutex_profile,
		.kind		= wait->kind,
		.flags		= wait->flags | KMPROF_WAIT_UNBLAMED,
		.lock		= wait->lock,
		.ns		= ns,
		.period		= fraction,
	};

	kmprof_booking_add(&delay, &nobody, slot);
}

/**
 * kmprof_blame_can_cancel() - can a wait still be none?
 * @wait: the wait
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: false when a release has been blamed for it.
 */
bool kmprof_blame_can_cancel(const struct kmprof_wait *wait)
{
	struct kmprof_waiter waiter = waiter_of(wait);

	return !is_followed(wait) || !kmprof_contended_is_blamed(&waiter);
}

/**
 * kmprof_blame_cancel() - it was no wait: it has taken nothing
 * @wait: for which kmprof_blame_can_cancel() has just said so
 * @now: as for kmprof_blame_give_up()
 * @slot: current slot, read in this section
 *
 * What others have left is nobody's fault if this was the last one.
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_blame_cancel(const struct kmprof_wait *wait, u64 now, unsigned int slot)
{
	struct kmprof_waiter waiter = waiter_of(wait);
	u64 fraction = READ_ONCE(mutex_fraction), ns;

	if (!is_followed(wait))
		return;
	ns = kmprof_contended_acquired(&waiter, now) - kmprof_waiter_ns(&waiter);
	/* Less than none only if it was blamed on somebody since. */
	kmprof_stats_add(slot, KMPROF_UNBLAMED_NS, ns);
	if ((s64)ns > 0 && kmprof_sampler_one_of(fraction))
		book_unblamed(wait, ns, fraction, slot);
}

/**
 * kmprof_blame_end() - a wait has ended
 * @wait: with KMPROF_WAIT_FAILED if it was in vain
 * @now: when, of ktime_get_mono_fast_ns()
 * @ns: what it took by that, at least 1
 * @slot: current slot, read in this section
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: what it took: @ns, or if releases have been blamed for it until later than
 * @now, that; at least 1.
 */
u64 kmprof_blame_end(const struct kmprof_wait *wait, u64 now, u64 ns, unsigned int slot)
{
	u64 fraction = READ_ONCE(mutex_fraction), rest = ns;
	struct kmprof_waiter waiter;

	if (is_followed(wait)) {
		waiter = waiter_of(wait);
		rest = unblamed(wait, &waiter, now);
		ns = kmprof_waiter_ns(&waiter);
		/* Every wait takes time. */
		if (!ns) {
			ns++;
			rest++;
		}
	} else if (!fraction) {
		return ns;
	}
	kmprof_stats_add(slot, KMPROF_UNBLAMED_NS, rest);
	if (rest && kmprof_sampler_one_of(fraction))
		book_unblamed(wait, rest, fraction, slot);
	return ns;
}

/**
 * kmprof_blame_release() - a lock is released, for which others may wait
 * @lock: which
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_READ or _WRITE: how it was held
 * @regs: at the entry of a function of the release
 *
 * Source: semrelease1() of sema.go and mutexevent() of mprof.go.
 *
 * Context: Any. Preemption off. Takes no locks.
 */
void kmprof_blame_release(const void *lock, u32 kind, u32 flags, const struct pt_regs *regs)
{
	struct kmprof_delay delay = {
		.profile	= &kmprof_mutex_profile,
		.kind		= kind,
		.flags		= flags,
		.lock		= lock,
		.period		= READ_ONCE(mutex_fraction),
	};
	const struct kmprof_stack_start start = { .at = KMPROF_STACK_AT_RELEASE, .regs = regs };
	struct kmprof_scratch *scratch;
	struct kmprof_stack stack;
	unsigned int slot;

	if (!delay.period)
		return;
	if (in_nmi()) {
		kmprof_stats_count(kmprof_slot(), KMPROF_LOSS_MISSED_RELEASE);
		return;
	}
	delay.ns = kmprof_contended_blame(lock, ktime_get_mono_fast_ns());
	if (!delay.ns)
		return;
	slot = kmprof_slot();
	kmprof_stats_count(slot, KMPROF_RELEASES);
	kmprof_stats_add(slot, KMPROF_BLAMED_NS, delay.ns);
	if (!kmprof_sampler_one_of(delay.period))
		return;
	scratch = kmprof_guard_enter();
	if (scratch) {
		kmprof_stack_capture(scratch, &start, &stack);
		kmprof_labels_append(scratch, &stack);
	}
	kmprof_booking_add(&delay, scratch ? &stack : NULL, slot);
	if (scratch)
		kmprof_guard_leave(scratch);
}

/**
 * kmprof_blame_set_fraction() - change the fraction
 * @fraction: one of so many is sampled; 0: no release is blamed, no wait joins
 *
 * Context: Process context, under the control lock.
 */
void kmprof_blame_set_fraction(u64 fraction)
{
	WRITE_ONCE(mutex_fraction, fraction);
}

/**
 * kmprof_blame_forget() - who waits now has not been seen to: nobody is blamed for it
 *
 * Context: Process context, under the control lock, while the fraction is 0. Waits for
 * a grace period.
 */
void kmprof_blame_forget(void)
{
	WRITE_ONCE(generation, generation + 1);
	/* Who has seen a fraction, or the old generation, is done with the table. */
	synchronize_rcu();
	kmprof_contended_forget();
}
