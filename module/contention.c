// SPDX-License-Identifier: GPL-2.0
/*
 * From the end of a wait to a count in its bucket, or, for a stack not seen before,
 * to a record for the drain. It happens on the slow paths of locks only, whose own
 * locks may be held and whose task may be about to sleep: nothing here sleeps, spins
 * or allocates. A wait belongs to the cycle in which it ends.
 */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/preempt.h>

#include "bucket.h"
#include "compat.h"
#include "contention.h"
#include "drain.h"
#include "guard.h"
#include "lock_class.h"
#include "ring.h"
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

/* KMPROF_WAITS_SAMPLED stands for "the drain will say". */
static enum kmprof_counter sample_new(const struct kmprof_bucket_key *key, unsigned int slot,
				      u64 ns)
{
	struct kmprof_record *rec;
	unsigned long flags;
	bool kick = true;

	/* Makes this CPU the ring's only producer, in any context. */
	local_irq_save(flags);
	rec = kmprof_drain_reserve(key, slot);
	if (rec) {
		rec->ns = ns;
		kick = kmprof_ring_commit(rec);
	}
	local_irq_restore(flags);
	if (kick)
		kmprof_drain_kick();
	return rec ? KMPROF_WAITS_SAMPLED : KMPROF_LOSS_WAIT_RING_FULL;
}

static enum kmprof_counter sample(const struct kmprof_wait *wait, u64 ns, u64 period,
				  unsigned int slot, struct kmprof_scratch *scratch)
{
	struct kmprof_bucket_key key = {
		.period		= period,
		.lock		= kmprof_lock_class(wait->lock),
		.profile	= KMPROF_PROFILE_BLOCK,
		.detail		= kmprof_bucket_detail(wait->kind, wait->flags),
	};
	struct kmprof_stack stack;
	struct kmprof_bucket *b;

	kmprof_stack_capture_wait(scratch, !spins(wait->kind), &stack);
	if (stack.own)
		return KMPROF_LOSS_WAIT_OWN;
	if (stack.truncated)
		kmprof_stats_count(slot, KMPROF_LOSS_STACK_TRUNCATED);
	key.frames = stack.frames;
	key.nr_frames = stack.nr;
	key.hash = kmprof_bucket_hash(&key);
	b = kmprof_bucket_find(&key);
	if (!b)
		return sample_new(&key, slot, ns);
	kmprof_bucket_add_wait(b, slot, ns);
	return KMPROF_WAITS_COUNTED;
}

/* Source: saveblockevent() of mprof.go. */
static void book(const struct kmprof_wait *wait, u64 ns, u64 period, unsigned int slot)
{
	struct kmprof_scratch *scratch = kmprof_guard_enter();
	enum kmprof_counter result = KMPROF_LOSS_WAIT_NESTED;

	kmprof_stats_count(slot, KMPROF_WAITS_SAMPLED);
	if (scratch) {
		result = sample(wait, ns, period, slot, scratch);
		kmprof_guard_leave(scratch);
	}
	if (result != KMPROF_WAITS_SAMPLED)
		kmprof_stats_count(slot, result);
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
	if (!kmprof_waits_begin(&wait, spins(kind)))
		kmprof_stats_count(kmprof_slot(), KMPROF_LOSS_WAIT_TABLE_FULL);
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
	kmprof_stats_wait(slot, ns);
	if (kmprof_sampler_wait(ns, period))
		book(&wait, ns, period, slot);
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
