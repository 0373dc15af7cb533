// SPDX-License-Identifier: GPL-2.0
/*
 * Handles begins and ends of waits: samples them for the block profile and passes them to
 * blame.c for the mutex profile. Called by both sources, in the slow path of a lock: its
 * wait_lock can be held and the task's state be set to sleep, so nothing here sleeps, spins
 * or allocates. A wait belongs to the cycle in which it ends, with what it has taken since the
 * last reset.
 */
#include <linux/ktime.h>
#include <linux/preempt.h>
#include <trace/events/kmprof.h>
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

/* ns from which on every wait is sampled; 0: off. Written under the control lock. */
static u64 block_rate;

/* Is @lock inside another lock that this context waits for? */
static bool is_part(const void *lock)
{
	return kmprof_inflight_has(kmprof_compat_whole_lock(lock));
}

/*
 * A mutex fires contention_begin each time its waiter changes between spinning and sleeping:
 * that is the same wait. For any other lock, the end of the known wait was missed.
 */
static bool goes_on(const struct kmprof_wait *known, const struct kmprof_wait *wait)
{
	return known->kind == KMPROF_LOCK_MUTEX && wait->kind == KMPROF_LOCK_MUTEX;
}

/*
 * A wait that goes on keeps its first begin. It keeps KMPROF_WAIT_SPUN if all its begins had
 * that flag.
 */
static void begin_sleep(const struct kmprof_wait *wait)
{
	struct kmprof_wait *known = kmprof_inflight_find(wait->lock);

	if (known && goes_on(known, wait)) {
		known->flags &= wait->flags;
		return;
	}
	if (known)
		kmprof_blame_give_up(known, wait->since);
	else
		known = kmprof_inflight_claim();
	/* Without room, the end of the wait is a loss, see count_unknown(). */
	if (!known)
		return;
	*known = *wait;
	kmprof_blame_begin(known);
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
		.sleeps		= !kmprof_inflight_spins(wait->kind),
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
 * @lock: the lock waited for
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_READ or KMPROF_WAIT_WRITE; KMPROF_WAIT_SPUN if the source knows that
 *	the waiter spins now
 *
 * Several begins of a mutex are one wait, see goes_on(). The lock inside a reader-writer lock
 * (see kmprof_compat_whole_lock()) has begins and ends of its own while a context waits for
 * the outer lock: they are ignored. The wait_lock of a sleeping lock is a lock of its own.
 *
 * Context: Any; waits of NMIs are ignored. Preemption off. Takes no locks.
 * Return: true when kmprof_contention_end() is due.
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
	if (kmprof_inflight_spins(kind))
		*kmprof_inflight_spin(lock) = wait;
	else
		begin_sleep(&wait);
	return true;
}

/*
 * Count the end of a wait whose begin is not known. One that found no room is in the totals, of
 * unknown length, and is a sample that is lost. It counts at its end, because it can have
 * several begins.
 */
static void count_unknown(unsigned int slot)
{
	if (in_nmi() || !kmprof_inflight_take_refused()) {
		kmprof_stats_count(slot, KMPROF_LOSS_WAIT_UNPAIRED);
		return;
	}
	kmprof_stats_count(slot, KMPROF_WAITS);
	kmprof_stats_count(slot, KMPROF_WAITS_SAMPLED);
	kmprof_stats_count(slot, KMPROF_LOSS_WAIT_TABLE_FULL);
}

/* Count a wait that has ended in the totals of @slot; returns its length in ns. */
static u64 count(struct kmprof_wait *wait, u64 now, unsigned int *slot)
{
	u64 ns = kmprof_blame_end(wait, now, slot);

	kmprof_stats_count(*slot, KMPROF_WAITS);
	kmprof_stats_add(*slot, KMPROF_WAIT_NS, ns);
	trace_block(wait->lock, wait->kind, wait->flags, ns);
	return ns;
}

/**
 * kmprof_contention_end() - the current context no longer waits for a lock
 * @lock: the lock waited for
 * @flags: KMPROF_WAIT_FAILED if the context did not get the lock; KMPROF_WAIT_SPUN if it is
 *	known not to have slept
 * @regs: registers at the return of the slow path; NULL in a tracepoint's handler, which the
 *	slow path calls
 *
 * Context: Any; in an NMI, the end counts as unpaired. Preemption off. Takes no locks.
 */
void kmprof_contention_end(const void *lock, u32 flags, const struct pt_regs *regs)
{
	u64 now = ktime_get_mono_fast_ns(), period = READ_ONCE(block_rate), ns;
	unsigned int slot = kmprof_slot();
	struct kmprof_wait wait;

	if (in_nmi() || !kmprof_inflight_end(lock, &wait)) {
		if (in_nmi() || !is_part(lock))
			count_unknown(slot);
		return;
	}
	if (!wait.since)
		return;
	wait.flags |= flags;
	ns = count(&wait, now, &slot);
	if (kmprof_sampler_wait(ns, period))
		sample(&wait, ns, period, slot, regs);
}

/**
 * kmprof_contention_exit() - the current task exits: its waits end, without the locks
 *
 * These waits are in the totals, up to now, and leave the table of contended locks. Each one is
 * also a sample, and lost: its stack is gone, and its lock may be.
 *
 * Context: Task. Preemption off. Takes no locks.
 */
void kmprof_contention_exit(void)
{
	unsigned int slot = kmprof_slot();
	struct kmprof_wait wait;

	while (kmprof_inflight_abandon(&wait)) {
		if (!wait.since)
			continue;
		wait.flags |= KMPROF_WAIT_FAILED;
		wait.lock = NULL;
		count(&wait, ktime_get_mono_fast_ns(), &slot);
		kmprof_stats_count(slot, KMPROF_WAITS_SAMPLED);
		kmprof_stats_count(slot, KMPROF_LOSS_WAIT_DIED);
	}
}

/**
 * kmprof_contention_cancel() - drop the current task's wait: the task did not have to wait
 * @lock: the lock, a sleeping one
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: true; or false when a part of the wait has been booked already, or no wait is
 * known and none was without room: kmprof_contention_end() is due then.
 */
bool kmprof_contention_cancel(const void *lock)
{
	struct kmprof_wait *known = kmprof_inflight_find(lock), wait;

	if (!known)
		return kmprof_inflight_take_refused();
	if (!kmprof_blame_can_cancel(known))
		return false;
	kmprof_inflight_end(lock, &wait);
	kmprof_blame_cancel(&wait, ktime_get_mono_fast_ns());
	return true;
}

/**
 * kmprof_contention_expect() - the current task is about to wait for a lock
 * @lock: the lock, a sleeping one
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_READ or KMPROF_WAIT_WRITE
 *
 * The wait begins with kmprof_contention_expected(). Without that call,
 * kmprof_contention_end() discards the wait.
 *
 * Context: Task. Preemption off. Takes no locks.
 */
void kmprof_contention_expect(const void *lock, u32 kind, u32 flags)
{
	struct kmprof_wait *wait = kmprof_inflight_claim();

	if (wait)
		*wait = (struct kmprof_wait) { .lock = lock, .kind = kind, .flags = flags };
}

/**
 * kmprof_contention_expected() - a wait that the current task expects begins now
 * @lock: the lock given to kmprof_contention_expect(); ignored for any other lock
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
 * kmprof_contention_jumped_queue() - the current task has got a lock without sleeping, while
 *	other tasks queue for it
 * @lock: the lock; kmprof_contention_end() is still due
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
 * kmprof_contention_set_rate() - change the rate of the block profile
 * @rate: ns from which on every wait is sampled, see kmprof_sampler_wait(); 0: none is
 *
 * Context: Process context, under the control lock.
 */
void kmprof_contention_set_rate(u64 rate)
{
	WRITE_ONCE(block_rate, rate);
}
