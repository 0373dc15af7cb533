// SPDX-License-Identifier: GPL-2.0
/*
 * The drain empties the rings: as a worker that is woken when a ring fills, and as a part
 * of closing a cycle. It finds or makes the bucket of each record; the record's profile
 * then turns it into a count, or into a tick of the loss ledger.
 */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/sched.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "core/bucket.h"
#include "core/drain.h"
#include "core/ring.h"

/* See drain_lock.h for what it protects. */
DEFINE_MUTEX(kmprof_drain_lock);

static void drain_work_fn(struct work_struct *work)
{
	kmprof_drain();
	/*
	 * What came meanwhile found the ring not empty, and woke nobody.
	 * Pairs with the barrier in kmprof_ring_commit().
	 */
	smp_mb();
	if (!kmprof_ring_all_empty())
		queue_work(system_unbound_wq, work);
}

static DECLARE_WORK(drain_work, drain_work_fn);

/*
 * A probe may run under a run queue's or a worker pool's lock, so it may not
 * queue work itself. irq_work is lockless, and runs when interrupts come on: also
 * with PREEMPT_RT, where the thread that would run it otherwise is parked before
 * its CPU goes offline.
 */
static void drain_irq_fn(struct irq_work *work)
{
	queue_work(system_unbound_wq, &drain_work);
}

static struct irq_work drain_irq = IRQ_WORK_INIT_HARD(drain_irq_fn);

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

/* Empty all rings as far as they are filled now. */
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
 * kmprof_drain() - move all records that are in the rings now
 *
 * Context: Process context. Takes the drain lock.
 */
void kmprof_drain(void)
{
	mutex_lock(&kmprof_drain_lock);
	drain_rings(KMPROF_NR_SLOTS);
	mutex_unlock(&kmprof_drain_lock);
}

/**
 * kmprof_drain_discard() - the same, but forget what happened in one slot
 * @slot: a closed slot whose numbers are thrown away (reset)
 *
 * Context: Process context, under the drain lock.
 */
void kmprof_drain_discard(unsigned int slot)
{
	lockdep_assert_held(&kmprof_drain_lock);
	drain_rings(slot);
}

/**
 * kmprof_drain_reserve() - a record for a key that has no bucket
 * @key: with its hash; copied
 * @slot: of the cycle in which the event happened
 *
 * What kmprof_ring_reserve() says holds; beside the key, the record is the caller's
 * to fill and to commit.
 *
 * Context: Any but NMI. Interrupts off.
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
 * kmprof_drain_kick() - wake the worker
 *
 * A CPU on its way out takes no interrupt any more: what is queued there would wait
 * until that CPU goes offline another time, and meanwhile nobody could be woken, nor
 * the module be unloaded. Its records wait for the next kick from elsewhere, the next
 * cycle, or its own ring to be a quarter full when it is back.
 *
 * Context: Any but NMI. Preemption off.
 */
void kmprof_drain_kick(void)
{
	if (cpu_is_offline(smp_processor_id()))
		return;
	irq_work_queue(&drain_irq);
}

/**
 * kmprof_drain_stop() - wait for the worker, and drain what is left
 *
 * Context: Process context. No probe is armed any more.
 */
void kmprof_drain_stop(void)
{
	irq_work_sync(&drain_irq);
	cancel_work_sync(&drain_work);
	kmprof_drain();
}
