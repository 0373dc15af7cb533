// SPDX-License-Identifier: GPL-2.0
/*
 * Blames the delay of waiters on releases. Called by contention.c at the begin and end of
 * waits, and by release_kprobe.c at releases.
 *
 * Only releases that find waiters to wake are seen. When a wait ends, the time since the
 * last release that was seen is blamed on nobody: it was spent waiting for the CPU after the
 * wake-up, or for releases that took the fast path.
 */
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/rcupdate.h>
#include <trace/events/kmprof.h>
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

/* One of so many releases is sampled; 0: none. Written under the control lock. */
static u64 mutex_fraction;

/* kmprof:release is listened to. Written under the control lock. */
static bool is_heard;

/* Either of the two: releases are blamed. */
static bool is_on;

/*
 * Grows each time the table of contended locks is emptied: waits from before must not touch
 * it. Written under the control lock.
 */
static u16 generation;

static bool is_followed(const struct kmprof_wait *wait)
{
	return wait->waiter && wait->generation == READ_ONCE(generation);
}

/* Valid only if is_followed(). */
static struct kmprof_waiter waiter_of(const struct kmprof_wait *wait)
{
	return (struct kmprof_waiter) {
		.entry = wait->waiter - 1,
		.since = wait->since,
		.era = wait->era,
	};
}

/* What was waited in earlier eras does not count. */
static void enter_era(struct kmprof_wait *wait, unsigned int slot)
{
	const struct kmprof_era *era = kmprof_era(slot);

	if (wait->era == era->number)
		return;
	wait->era = era->number;
	wait->since = era->start_ns;
	wait->excused = 0;
}

/**
 * kmprof_blame_begin() - a task begins to wait
 * @wait: the wait; its @waiter, @generation and @era are filled in. @since moves to the last
 *	release or reset, if that came between @since and this call
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_blame_begin(struct kmprof_wait *wait)
{
	unsigned int slot = kmprof_slot();
	struct kmprof_waiter waiter;

	if (!READ_ONCE(is_on))
		return;
	if (!kmprof_contended_join(&waiter, wait->lock, wait->since, &slot)) {
		kmprof_stats_count(slot, KMPROF_LOSS_DELAY_TABLE_FULL);
		return;
	}
	wait->since += kmprof_waiter_late(&waiter, wait->since);
	wait->waiter = waiter.entry + 1;
	wait->generation = READ_ONCE(generation);
	wait->era = waiter.era;
}

/* @reason: KMPROF_UNBLAMED_*; the reasons add up to the total. */
static void add_unblamed(unsigned int slot, enum kmprof_counter reason, u64 ns)
{
	kmprof_stats_add(slot, KMPROF_UNBLAMED_NS, ns);
	kmprof_stats_add(slot, reason, ns);
}

static void add_excused(const struct kmprof_wait *wait, unsigned int slot)
{
	if (wait->excused)
		add_unblamed(slot, KMPROF_UNBLAMED_GRACE, wait->excused);
}

/**
 * kmprof_blame_give_up() - the end of a wait was missed
 * @wait: the wait
 * @now: time in ns, of ktime_get_mono_fast_ns()
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_blame_give_up(struct kmprof_wait *wait, u64 now)
{
	struct kmprof_waiter waiter = waiter_of(wait);
	unsigned int slot = kmprof_slot();
	u64 ns;

	if (!is_followed(wait))
		return;
	ns = kmprof_contended_gave_up(&waiter, now, &slot);
	enter_era(wait, slot);
	add_unblamed(slot, KMPROF_UNBLAMED_FAILED, ns);
	add_excused(wait, slot);
}

/**
 * kmprof_blame_excuse() - blame no release for what tasks have waited for a lock until now
 * @wait: a wait of the current task for this lock. What it has waited, and what others have, is
 *	unblamed; it is booked at the end of @wait
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_blame_excuse(struct kmprof_wait *wait)
{
	unsigned int slot = kmprof_slot();
	u64 ns;

	if (!is_followed(wait))
		return;
	ns = kmprof_contended_blame(wait->lock, ktime_get_mono_fast_ns(), &slot);
	enter_era(wait, slot);
	wait->excused += ns;
}

/*
 * Did the task get the lock by spinning, after releases that may not have been seen?
 *
 * Other spinning tasks may have held the lock before. While no task sleeps for the lock,
 * their releases take the fast path. While tasks sleep, releases are seen:
 *
 *	mutex	in __mutex_unlock_slowpath(), before the lock is free
 *	rwsem	in rwsem_wake(), after the lock is free: when the next owner gets it, the
 *		release may still have to be blamed. Hence jumped_queue
 */
static bool has_spun_for_it(const struct kmprof_wait *wait)
{
	return wait->flags & KMPROF_WAIT_SPUN && !wait->jumped_queue &&
	       (wait->kind == KMPROF_LOCK_MUTEX || wait->kind == KMPROF_LOCK_RWSEM);
}

/* End a wait that is_followed(); returns the ns that no release will be blamed for, and why. */
static u64 unblamed(const struct kmprof_wait *wait, struct kmprof_waiter *waiter, u64 now,
		    unsigned int *slot, enum kmprof_counter *reason)
{
	u64 ns;

	if (wait->flags & KMPROF_WAIT_FAILED) {
		*reason = KMPROF_UNBLAMED_FAILED;
		return kmprof_contended_gave_up(waiter, now, slot);
	}
	if (has_spun_for_it(wait)) {
		*reason = KMPROF_UNBLAMED_SPUN;
		return kmprof_contended_took(waiter, now, slot);
	}
	ns = kmprof_contended_acquired(waiter, now, slot);
	*reason = waiter->is_released ? KMPROF_UNBLAMED_HAND_OVER : KMPROF_UNBLAMED_UNSEEN;
	return ns;
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
 * kmprof_blame_can_cancel() - can a wait be cancelled?
 * @wait: the wait
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: false when a part of the wait has been booked since the last reset, as blamed or as
 * unblamed.
 */
bool kmprof_blame_can_cancel(const struct kmprof_wait *wait)
{
	struct kmprof_waiter waiter = waiter_of(wait);

	return !is_followed(wait) || !kmprof_contended_is_blamed(&waiter);
}

/**
 * kmprof_blame_cancel() - remove a wait that turned out to be none
 * @wait: a wait for which kmprof_blame_can_cancel() has just returned true
 * @now: time in ns, of ktime_get_mono_fast_ns()
 *
 * The wait itself is not booked; what earlier waiters that gave up have left may be.
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_blame_cancel(const struct kmprof_wait *wait, u64 now)
{
	struct kmprof_waiter waiter = waiter_of(wait);
	u64 fraction = READ_ONCE(mutex_fraction), ns, own;
	unsigned int slot = kmprof_slot();

	if (!is_followed(wait))
		return;
	ns = kmprof_contended_acquired(&waiter, now, &slot) - kmprof_waiter_ns(&waiter);
	/* Negative if a release was blamed for the wait since kmprof_blame_can_cancel(). */
	own = ns - waiter.left;
	if (own)
		add_unblamed(slot, KMPROF_UNBLAMED_HAND_OVER, own);
	add_unblamed(slot, KMPROF_UNBLAMED_FAILED, waiter.left);
	if ((s64)ns > 0 && kmprof_sampler_one_of(fraction))
		book_unblamed(wait, ns, fraction, slot);
}

/*
 * End a wait that is_followed(); returns its length in ns, and in @rest what is unblamed. A wait of
 * 0 ns counts as 1 ns.
 */
static u64 end_followed(struct kmprof_wait *wait, u64 now, unsigned int *slot, u64 *rest)
{
	struct kmprof_waiter waiter = waiter_of(wait);
	enum kmprof_counter reason;
	u64 ns;

	*rest = unblamed(wait, &waiter, now, slot, &reason);
	enter_era(wait, *slot);
	ns = kmprof_waiter_ns(&waiter);
	if (!ns) {
		ns++;
		(*rest)++;
	}
	add_unblamed(*slot, reason, *rest - waiter.left);
	if (waiter.left)
		add_unblamed(*slot, KMPROF_UNBLAMED_FAILED, waiter.left);
	add_excused(wait, *slot);
	*rest += wait->excused;
	return ns;
}

/* The same for any other wait. It began with the era at the earliest. */
static u64 end_other(const struct kmprof_wait *wait, u64 now, unsigned int slot)
{
	u64 since = max(wait->since, kmprof_era(slot)->start_ns);

	/* The clock can be coarse, and this CPU's behind that of the begin. */
	return now > since ? now - since : 1;
}

static enum kmprof_counter why_not_followed(const struct kmprof_wait *wait)
{
	return kmprof_inflight_spins(wait->kind) ? KMPROF_UNBLAMED_SPINNING :
						     KMPROF_UNBLAMED_NOT_FOLLOWED;
}

/**
 * kmprof_blame_end() - a wait has ended
 * @wait: the wait; KMPROF_WAIT_FAILED is set if the task did not get the lock
 * @now: time of the end in ns, of ktime_get_mono_fast_ns()
 * @slot: current slot, read in this section; returns the slot in which the wait counts
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: ns that the wait has taken since the last reset, at least 1.
 */
u64 kmprof_blame_end(struct kmprof_wait *wait, u64 now, unsigned int *slot)
{
	u64 fraction = READ_ONCE(mutex_fraction), ns, rest;

	if (is_followed(wait)) {
		ns = end_followed(wait, now, slot, &rest);
	} else {
		ns = end_other(wait, now, *slot);
		if (!READ_ONCE(is_on))
			return ns;
		rest = ns;
		add_unblamed(*slot, why_not_followed(wait), rest);
	}
	if (rest && kmprof_sampler_one_of(fraction))
		book_unblamed(wait, rest, fraction, *slot);
	return ns;
}

/**
 * kmprof_blame_release() - a lock is released: book the delay of its waiters
 * @lock: the lock released
 * @kind: enum kmprof_lock_kind
 * @flags: how the lock was held: KMPROF_WAIT_READ, KMPROF_WAIT_WRITE, or 0
 * @regs: registers at the entry of the probed function: the unlock function, or one that
 *	it calls
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

	if (!READ_ONCE(is_on))
		return;
	slot = kmprof_slot();
	if (in_nmi()) {
		kmprof_stats_count(slot, KMPROF_LOSS_MISSED_RELEASE);
		return;
	}
	delay.ns = kmprof_contended_blame(lock, ktime_get_mono_fast_ns(), &slot);
	if (!delay.ns)
		return;
	kmprof_stats_count(slot, KMPROF_RELEASES);
	kmprof_stats_add(slot, KMPROF_BLAMED_NS, delay.ns);
	trace_release(lock, kind, flags, delay.ns);
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
 * kmprof_blame_set_fraction() - change the fraction of releases that are sampled
 * @fraction: releases per sample; 0: none is sampled. Without listeners no release is blamed
 *	then, and no new wait joins the table
 *
 * Context: Process context, under the control lock.
 */
void kmprof_blame_set_fraction(u64 fraction)
{
	WRITE_ONCE(mutex_fraction, fraction);
	WRITE_ONCE(is_on, fraction || is_heard);
}

/**
 * kmprof_blame_for_listeners() - blame releases whether they are sampled or not
 * @heard: kmprof:release is listened to
 *
 * Context: Process context, under the control lock.
 */
void kmprof_blame_for_listeners(bool heard)
{
	is_heard = heard;
	kmprof_blame_set_fraction(mutex_fraction);
}

/**
 * kmprof_blame_forget() - forget all waits in flight: nobody is blamed for them
 *
 * Context: Process context, under the control lock, while no release is blamed. Waits for
 * a grace period.
 */
void kmprof_blame_forget(void)
{
	WRITE_ONCE(generation, generation + 1);
	/* Handlers that read a fraction or the old generation are done with the table. */
	synchronize_rcu();
	kmprof_contended_forget();
}
