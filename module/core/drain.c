// SPDX-License-Identifier: GPL-2.0
/*
 * The drain empties the rings: as work that a producer queues, and whenever a cycle is
 * closed. For each record it finds or creates the bucket. The record's profile then counts
 * the event in that bucket, or as a loss.
 */
#include <linux/cpumask.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "core/bucket.h"
#include "core/drain.h"
#include "core/kick.h"
#include "core/ring.h"

/* drain_lock.h says what it protects. */
DEFINE_MUTEX(kmprof_drain_lock);

static void drain_work_fn(struct work_struct *work)
{
	kmprof_drain();
	/*
	 * A record that was committed during the drain may have found its ring not empty
	 * and queued nothing. Pairs with the barrier in kmprof_ring_commit().
	 */
	smp_mb();
	if (!kmprof_ring_all_empty())
		queue_work(system_unbound_wq, work);
}

static struct kmprof_kick worker = KMPROF_KICK_INIT(worker, drain_work_fn);

static void record_count(const struct kmprof_record *rec)
{
	const struct kmprof_bucket_key key = {
		.period		= rec->period,
		.size		= rec->size,
		.profile	= rec->profile,
		.detail		= rec->detail,
		.nr_words	= rec->nr_words,
		.hash		= rec->hash,
		.frames		= rec->frames,
	};

	rec->profile->ops->resolve(rec, kmprof_bucket_get(&key));
}

static void record_discard(const struct kmprof_record *rec)
{
	if (rec->profile->ops->discard)
		rec->profile->ops->discard(rec);
}

/*
 * Empty the rings, up to the records that are committed now. Discard the records of
 * @discard_slot; KMPROF_NR_SLOTS is no slot.
 */
static void drain_rings(unsigned int discard_slot)
{
	const struct kmprof_record *rec;
	unsigned long limit;
	int cpu;

	for_each_possible_cpu(cpu) {
		limit = kmprof_ring_limit(cpu);
		while ((rec = kmprof_ring_peek(cpu, limit))) {
			if (rec->slot == discard_slot)
				record_discard(rec);
			else
				record_count(rec);
			kmprof_ring_consume(cpu, rec);
			cond_resched();
		}
	}
}

/**
 * kmprof_drain() - move the records of all rings into buckets
 *
 * Records that are committed meanwhile may stay. The spare memory for buckets is replaced when it
 * is used up.
 *
 * Context: Process context. Takes the drain lock. May sleep.
 */
void kmprof_drain(void)
{
	/* First: a reset holds the lock for long. Without memory, the next drain tries again. */
	kmprof_bucket_refill();
	mutex_lock(&kmprof_drain_lock);
	drain_rings(KMPROF_NR_SLOTS);
	mutex_unlock(&kmprof_drain_lock);
}

/**
 * kmprof_drain_discard() - like kmprof_drain(), but discard the records of one slot
 * @slot: a closed slot
 *
 * Context: Process context, drain lock held. May sleep.
 */
void kmprof_drain_discard(unsigned int slot)
{
	lockdep_assert_held(&kmprof_drain_lock);
	drain_rings(slot);
}

/**
 * kmprof_drain_reserve() - reserve a record for an event whose key has no bucket
 * @key: the key, with its hash; copied into the record
 * @slot: the slot of the cycle in which the event happened
 *
 * The caller fills the members that depend on the profile, and calls
 * kmprof_ring_commit(). See kmprof_ring_reserve().
 *
 * Context: Any but NMI. Interrupts off until the commit.
 * Return: the record, or NULL when the ring is full.
 */
struct kmprof_record *kmprof_drain_reserve(const struct kmprof_bucket_key *key,
					   unsigned int slot)
{
	struct kmprof_record *rec = kmprof_ring_reserve(key->nr_words,
							key->profile->leaves_half_of_rings);

	if (!rec)
		return NULL;
	rec->slot = slot;
	rec->hash = key->hash;
	rec->profile = key->profile;
	rec->detail = key->detail;
	rec->size = key->size;
	rec->period = key->period;
	memcpy(rec->frames, key->frames, key->nr_words * sizeof(*key->frames));
	return rec;
}

/**
 * kmprof_drain_kick() - schedule the drain
 *
 * On a CPU that is going offline, where kmprof_kick() does nothing, the CPU's records wait for a
 * kick by another CPU, for the next cycle, or until the CPU is back and its ring is a quarter full.
 *
 * Context: Any but NMI. Preemption off.
 */
void kmprof_drain_kick(void)
{
	kmprof_kick(&worker);
}

/**
 * kmprof_drain_stop() - wait for the scheduled drain, and empty the rings
 *
 * Context: Process context. No probe is armed any more. May sleep.
 */
void kmprof_drain_stop(void)
{
	kmprof_kick_cancel(&worker);
	kmprof_drain();
}
