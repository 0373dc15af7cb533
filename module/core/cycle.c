// SPDX-License-Identifier: GPL-2.0
/*
 * Closing a cycle, and throwing all of them away.
 *
 * Each event reads the slot once and books all that it does there, with
 * preemption off. An object's free reads the slot after its allocation did, so
 * it is never booked in an earlier cycle: in each closed one, and in all sums,
 * 0 <= frees <= allocs.
 */
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "core/bucket.h"
#include "core/cycle.h"
#include "core/drain.h"

/* See cycle.h for what it protects. */
DEFINE_MUTEX(kmprof_cycle_lock);
DECLARE_WAIT_QUEUE_HEAD(kmprof_cycle_wait);

struct kmprof_published kmprof_published;
unsigned int kmprof_slot_current;

/*
 * Open the next slot. On return no section that read the old one runs any
 * more: they run with preemption off, which a grace period waits for.
 */
static unsigned int slot_close(u64 *time_ns)
{
	unsigned int old = kmprof_slot_current;

	/* Pairs with the acquire in kmprof_slot(). */
	smp_store_release(&kmprof_slot_current, kmprof_slot_next(old));
	kmprof_stats_close();
	*time_ns = ktime_get_real_ns();
	synchronize_rcu();
	return old;
}

static void publish(u64 time_ns)
{
	kmprof_published.time_ns = time_ns;
	/* Read without the lock by poll(). */
	WRITE_ONCE(kmprof_published.cycle, kmprof_published.cycle + 1);
	wake_up_all(&kmprof_cycle_wait);
}

/**
 * kmprof_cycle_advance() - close the current cycle and publish it
 *
 * Context: Process context, under the cycle lock. Waits for a grace period.
 */
void kmprof_cycle_advance(void)
{
	struct kmprof_bucket *b;
	unsigned int slot;
	u64 time_ns;

	lockdep_assert_held(&kmprof_cycle_lock);

	slot = slot_close(&time_ns);
	kmprof_drain();

	kmprof_stats_fold(slot, &kmprof_published.stats);
	kmprof_cycle_for_each_bucket(b) {
		b->key.profile->ops->fold(b, slot);
		cond_resched();
	}
	publish(time_ns);
}

/**
 * kmprof_cycle_reset() - forget all buckets, live objects, totals and losses
 *
 * The buckets are unhashed before the slot is closed: a section that reads the
 * new slot finds none of them, one that read the old slot is waited for. So after
 * the grace period only what a profile keeps itself, such as the live table, leads to
 * dead buckets; forget_dead() clears that.
 *
 * Context: Process context, under the cycle lock. Waits for grace periods.
 */
void kmprof_cycle_reset(void)
{
	struct kmprof_stats discarded = {};
	struct kmprof_arena dead;
	unsigned int slot;
	u64 time_ns;

	lockdep_assert_held(&kmprof_cycle_lock);

	mutex_lock(&kmprof_drain_lock);
	kmprof_bucket_unhash_all(&dead);
	slot = slot_close(&time_ns);
	kmprof_drain_discard(slot);
	mutex_unlock(&kmprof_drain_lock);
	kmprof_stats_fold(slot, &discarded);

	kmprof_for_each_profile(p)
		if (p->ops->forget_dead)
			p->ops->forget_dead();
	synchronize_rcu();	/* frees that still book into a dead bucket */
	kmprof_arena_free(&dead);

	memset(&kmprof_published.stats, 0, sizeof(kmprof_published.stats));
	kmprof_published.start_ns = time_ns;
	publish(time_ns);
}

/**
 * kmprof_cycle_number() - the cycle that was published last
 *
 * Context: Any.
 */
u64 kmprof_cycle_number(void)
{
	return READ_ONCE(kmprof_published.cycle);
}

/**
 * kmprof_cycle_start() - the clock starts: counting begins now
 *
 * Context: Process context. Takes the cycle lock.
 */
void kmprof_cycle_start(void)
{
	mutex_lock(&kmprof_cycle_lock);
	kmprof_published.start_ns = ktime_get_real_ns();
	kmprof_published.time_ns = kmprof_published.start_ns;
	mutex_unlock(&kmprof_cycle_lock);
}
