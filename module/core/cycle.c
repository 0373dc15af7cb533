// SPDX-License-Identifier: GPL-2.0
/*
 * Closing a cycle, and discarding all cycles (reset).
 *
 * An event reads the slot of the current cycle once, with preemption off, and counts
 * everything in that slot. The free of an object reads the slot after the object's
 * allocation did, so the free is never counted in an earlier cycle than the allocation.
 * Hence in the sums of the closed cycles 0 <= frees <= allocs.
 */
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/string.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>

#include "core/bucket.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "core/ticks.h"

/* cycle_lock.h says what it protects. */
DEFINE_MUTEX(kmprof_cycle_lock);
DECLARE_WAIT_QUEUE_HEAD(kmprof_cycle_wait);

struct kmprof_published kmprof_published;
unsigned int kmprof_slot_current;
struct kmprof_era kmprof_slot_eras[KMPROF_NR_SLOTS];
/* The first cycle has the number 1. */
u32 kmprof_slot_cycles[KMPROF_NR_SLOTS] = { 1 };

/* When a cycle was closed. */
struct moment {
	u64 time_ns;
	u32 ticks;
};

/* The era of the next slot. An event reads era and slot as one: it is before the reset or after. */
static struct kmprof_era next_era(bool is_reset)
{
	struct kmprof_era era = *kmprof_era(kmprof_slot_current);

	if (is_reset) {
		era.number++;
		era.start_ns = ktime_get_mono_fast_ns();
	}
	return era;
}

/*
 * Open the next slot. On return no CPU writes to the old slot any more: its writers run
 * with preemption off, and a grace period waits for them. The drain may still do so.
 */
static unsigned int slot_close(bool is_reset, struct moment *end)
{
	unsigned int old = kmprof_slot_current, next = kmprof_slot_next(old);

	kmprof_slot_eras[next] = next_era(is_reset);
	/* The one that is closing will be published as the next one. */
	kmprof_slot_cycles[next] = kmprof_published.cycle + 2;
	/* Pairs with the acquire in kmprof_slot(): it sees the slot as zero, with its era. */
	smp_store_release(&kmprof_slot_current, next);
	kmprof_stats_close();
	end->time_ns = ktime_get_real_ns();
	end->ticks = kmprof_ticks();
	synchronize_rcu();
	return old;
}

static void publish(const struct moment *end)
{
	kmprof_published.time_ns = end->time_ns;
	kmprof_published.ticks = end->ticks;
	/* kmprof_cycle_number() reads it without the lock, for poll(). */
	WRITE_ONCE(kmprof_published.cycle, kmprof_published.cycle + 1);
	wake_up_all(&kmprof_cycle_wait);
}

/**
 * kmprof_cycle_advance() - close the current cycle and publish it
 *
 * Context: Process context, cycle lock held. Takes the drain lock. Waits for a grace
 * period.
 */
void kmprof_cycle_advance(void)
{
	struct kmprof_bucket *b;
	struct moment end;
	unsigned int slot;

	lockdep_assert_held(&kmprof_cycle_lock);

	slot = slot_close(false, &end);
	kmprof_drain();

	kmprof_stats_fold(slot, &kmprof_published.stats);
	kmprof_cycle_for_each_bucket(b) {
		b->key.profile->ops->fold(b, slot);
		cond_resched();
	}
	publish(&end);
	kmprof_for_each_profile(p)
		if (p->ops->closed)
			p->ops->closed();
}

/**
 * kmprof_cycle_reset() - discard all buckets, live objects, totals and losses
 *
 * The buckets are unhashed before the slot is closed. An event that reads the new slot
 * therefore finds none of them, and the grace period waits for every event that has read
 * the old slot; until then, sampled events create no bucket. After it only data of the
 * profiles, such as the live table, points to dead buckets; forget_dead() removes these
 * pointers. enter_era() discards what else the profiles have from before the reset.
 *
 * Context: Process context, cycle lock held. Takes the drain lock. Waits for grace periods.
 */
void kmprof_cycle_reset(void)
{
	struct kmprof_stats discarded = {};
	struct kmprof_arena dead;
	struct kmprof_bucket *b;
	struct moment end;
	unsigned int slot;

	lockdep_assert_held(&kmprof_cycle_lock);

	mutex_lock(&kmprof_drain_lock);
	kmprof_bucket_unhash_all(&dead);
	slot = slot_close(true, &end);
	kmprof_bucket_end_reset();
	kmprof_drain_discard(slot);
	mutex_unlock(&kmprof_drain_lock);
	kmprof_stats_fold(slot, &discarded);
	/* Buckets of objects that events of the old slot have created since then. */
	kmprof_cycle_for_each_bucket(b) {
		b->key.profile->ops->fold(b, slot);
		cond_resched();
	}

	kmprof_for_each_profile(p)
		if (p->ops->forget_dead)
			p->ops->forget_dead(p);
	kmprof_for_each_profile(p)
		if (p->ops->enter_era)
			p->ops->enter_era(p);
	synchronize_rcu();	/* for frees that still count in a dead bucket */
	kmprof_arena_free(&dead);

	memset(&kmprof_published.stats, 0, sizeof(kmprof_published.stats));
	kmprof_published.start_ns = end.time_ns;
	publish(&end);
	kmprof_published.reset_cycle = kmprof_published.cycle;
}

/**
 * kmprof_cycle_number() - get the number of the last published cycle
 *
 * Context: Any.
 * Return: the number; 0 when none was published.
 */
u64 kmprof_cycle_number(void)
{
	return READ_ONCE(kmprof_published.cycle);
}

/**
 * kmprof_cycle_start() - set the time at which counting starts to now
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
