// SPDX-License-Identifier: GPL-2.0
/*
 * What begins and ends of waits mean: for the block profile here, for the mutex profile
 * in blame.c. It happens on the slow paths of locks only, whose own locks may be held
 * and whose task may be about to sleep: nothing here sleeps, spins or allocates. A wait
 * belongs to the cycle in which it ends.
 */
#include <linux/ktime.h>
#include <linux/preempt.h>

#include "blame.h"
#include "compat.h"
#include "contention.h"
#include "delay.h"
#include "guard.h"
#include "sampler.h"
#include "slot.h"
#include "stack.h"
#include "stats.h"
#include "uapi.h"
#include "waits.h"

/* ns; written under the control lock. */
static u64 block_rate;

static bool spins(u32 kind)
{
	return kind == KMPROF_LOCK_SPINLOCK || kind == KMPROF_LOCK_RWLOCK;
}

/* A lock that another one is made of, for which this context waits. */
static bool is_part(const void *lock)
{
	return kmprof_waits_has(kmprof_compat_whole_lock(lock));
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
static void begin_sleep(const struct kmprof_wait *wait)
{
	struct kmprof_wait *known = kmprof_waits_find(wait->lock);

	if (known && goes_on(known, wait)) {
		known->flags &= wait->flags;
		return;
	}
	if (known)
		kmprof_blame_give_up(known, wait->since);
	else
		known = kmprof_waits_claim();
	if (!known) {
		kmprof_stats_count(kmprof_slot(), KMPROF_LOSS_WAIT_TABLE_FULL);
		return;
	}
	*known = *wait;
	kmprof_blame_begin(known);
}

static void sample(const struct kmprof_wait *wait, u64 ns, u64 period, unsigned int slot)
{
	const struct kmprof_delay delay = {
		.profile	= KMPROF_PROFILE_BLOCK,
		.kind		= wait->kind,
		.flags		= wait->flags,
		.lock		= wait->lock,
		.ns		= ns,
		.period		= period,
	};
	struct kmprof_scratch *scratch = kmprof_guard_enter();
	struct kmprof_stack stack;

	if (scratch)
		kmprof_stack_capture_wait(scratch, !spins(wait->kind), &stack);
	kmprof_delay_book(&delay, scratch ? &stack : NULL, slot);
	if (scratch)
		kmprof_guard_leave(scratch);
}

/**
 * kmprof_contention_begin() - the current context begins to wait for a lock
 * @lock: which
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_READ or _WRITE; KMPROF_WAIT_SPUN while it does not sleep
 *
 * A wait may begin several times, and is still one, from the first time on. What is
 * told of a reader-writer lock's own parts belongs to it; the spinlock that guards
 * the list of a sleeping lock's waiters is a lock of its own.
 *
 * Context: Any. Preemption off. Takes no locks.
 */
void kmprof_contention_begin(const void *lock, u32 kind, u32 flags)
{
	struct kmprof_wait wait = {
		.lock	= lock,
		.kind	= kind,
		.flags	= flags,
	};

	if (in_nmi() || (kind == KMPROF_COMPAT_PART && is_part(lock)))
		return;
	wait.since = ktime_get_mono_fast_ns();
	if (spins(kind))
		*kmprof_waits_spin() = wait;
	else
		begin_sleep(&wait);
}

/**
 * kmprof_contention_end() - the current context does not wait any more
 * @lock: for which lock
 * @flags: KMPROF_WAIT_FAILED when it has not got it
 *
 * Context: Any. Preemption off. Takes no locks.
 */
void kmprof_contention_end(const void *lock, u32 flags)
{
	u64 now = ktime_get_mono_fast_ns(), period = READ_ONCE(block_rate), ns;
	unsigned int slot = kmprof_slot();
	struct kmprof_wait wait;

	if (in_nmi() || !kmprof_waits_end(lock, &wait)) {
		if (in_nmi() || !is_part(lock))
			kmprof_stats_count(slot, KMPROF_LOSS_WAIT_UNPAIRED);
		return;
	}
	wait.flags |= flags;
	/* The clock is as fine as its source; another CPU's can be a little behind. */
	ns = now > wait.since ? now - wait.since : 1;
	kmprof_stats_count(slot, KMPROF_WAITS);
	kmprof_stats_add(slot, KMPROF_WAIT_NS, ns);
	kmprof_blame_end(&wait, now, ns, slot);
	if (kmprof_sampler_wait(ns, period))
		sample(&wait, ns, period, slot);
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
