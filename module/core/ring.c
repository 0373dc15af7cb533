// SPDX-License-Identifier: GPL-2.0
/*
 * The record rings. Each has one producer (its CPU, with interrupts off) and one consumer
 * (the holder of the drain lock, on any CPU). head and tail count bytes since the module
 * was loaded; modulo the ring's size they are offsets.
 */
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/slab.h>
#include <linux/topology.h>

#include "core/drain_lock.h"
#include "core/label_words.h"
#include "core/limits.h"
#include "core/ring.h"

/**
 * struct kmprof_ring - one CPU's ring
 * @data: the memory, kmprof_limits.ring_bytes long
 * @head: bytes produced; the producer writes it
 * @pad: bytes from @head to the reserved record; the producer's
 * @tail: bytes consumed; the consumer writes it
 */
struct kmprof_ring {
	void *data;
	unsigned long head;
	unsigned int pad;
	unsigned long tail ____cacheline_aligned;
};

static DEFINE_PER_CPU_ALIGNED(struct kmprof_ring, rings);

static unsigned int record_bytes(unsigned int nr_words)
{
	struct kmprof_record *rec;

	return ALIGN(struct_size(rec, frames, nr_words), KMPROF_RECORD_ALIGN);
}

/**
 * kmprof_ring_reserve() - reserve a record in this CPU's ring
 * @nr_words: length of the record's key, in words
 * @leave_half: fail when the records, without padding, would take more than half the ring
 *
 * The consumer sees nothing before kmprof_ring_commit(). A record that is not committed is
 * reserved again by the next call.
 *
 * Context: Any but NMI. Interrupts off until the commit.
 * Return: the record with @bytes and @nr_words set, or NULL when the ring is full.
 */
struct kmprof_record *kmprof_ring_reserve(unsigned int nr_words, bool leave_half)
{
	struct kmprof_ring *r = this_cpu_ptr(&rings);
	unsigned int size = kmprof_limits.ring_bytes;
	unsigned int bytes = record_bytes(nr_words);
	unsigned int offset = r->head & (size - 1);
	struct kmprof_record *rec = r->data + offset;
	unsigned int pad = 0;
	unsigned long tail;

	BUILD_BUG_ON(sizeof(struct kmprof_record) + KMPROF_RECORD_ALIGN +
		     (KMPROF_STACK_DEPTH_MAX + KMPROF_LABEL_WORDS_MAX) * sizeof(long) >
		     KMPROF_RING_MIN / 2);

	if (offset + bytes > size)
		pad = size - offset;
	/* Pairs with the release in kmprof_ring_consume(): the consumer is done with it. */
	tail = smp_load_acquire(&r->tail);
	if (r->head + pad + bytes - tail > size ||
	    (leave_half && r->head + bytes - tail > size / 2))
		return NULL;
	r->pad = pad;
	if (pad) {
		rec->bytes = pad;
		rec->nr_words = KMPROF_RECORD_PAD;
		rec = r->data;
	}
	rec->bytes = bytes;
	rec->nr_words = nr_words;
	return rec;
}

/**
 * kmprof_ring_commit() - make a filled record visible to the drain
 * @rec: the record, from kmprof_ring_reserve()
 *
 * Context: Any but NMI. Interrupts off since the reserve.
 * Return: true when the drain should be scheduled: when the ring was empty, so that a new
 * stack soon has a bucket; or when the ring is a quarter full.
 */
bool kmprof_ring_commit(const struct kmprof_record *rec)
{
	struct kmprof_ring *r = this_cpu_ptr(&rings);
	unsigned long start = r->head, tail;

	/* Pairs with the acquire in kmprof_ring_limit(): the record is complete. */
	smp_store_release(&r->head, start + r->pad + rec->bytes);
	/*
	 * Pairs with the barrier in drain_work_fn():
	 *
	 *	producer		worker
	 *	head = end of record	tail = end of last record
	 *	smp_mb()		smp_mb()
	 *	read tail		read head
	 *
	 * Either the worker sees the new record and queues itself again, or the producer
	 * sees that the ring was empty.
	 */
	smp_mb();
	tail = READ_ONCE(r->tail);
	return tail == start || r->head - tail >= kmprof_limits.ring_bytes / 4;
}

/**
 * kmprof_ring_limit() - get the end of what is committed in a CPU's ring now
 * @cpu: CPU of the ring
 *
 * A consumer that stops at this limit ends, however fast the producer is.
 *
 * Context: Process context, drain lock held.
 * Return: the limit for kmprof_ring_peek().
 */
unsigned long kmprof_ring_limit(int cpu)
{
	/* Pairs with the release in kmprof_ring_commit(). */
	return smp_load_acquire(&per_cpu_ptr(&rings, cpu)->head);
}

/**
 * kmprof_ring_peek() - get the oldest record of a CPU's ring
 * @cpu: CPU of the ring
 * @limit: where to stop, from kmprof_ring_limit()
 *
 * Context: Process context, drain lock held.
 * Return: the record, valid until kmprof_ring_consume(); NULL at @limit.
 */
const struct kmprof_record *kmprof_ring_peek(int cpu, unsigned long limit)
{
	struct kmprof_ring *r = per_cpu_ptr(&rings, cpu);
	const struct kmprof_record *rec;

	lockdep_assert_held(&kmprof_drain_lock);

	while (r->tail != limit) {
		rec = r->data + (r->tail & (kmprof_limits.ring_bytes - 1));
		if (rec->nr_words != KMPROF_RECORD_PAD)
			return rec;
		kmprof_ring_consume(cpu, rec);
	}
	return NULL;
}

/**
 * kmprof_ring_consume() - release the room of the oldest record
 * @cpu: CPU of the ring
 * @rec: the record, from kmprof_ring_peek()
 *
 * Context: Process context, drain lock held.
 */
void kmprof_ring_consume(int cpu, const struct kmprof_record *rec)
{
	struct kmprof_ring *r = per_cpu_ptr(&rings, cpu);

	/* Pairs with the acquire in kmprof_ring_reserve(). */
	smp_store_release(&r->tail, r->tail + rec->bytes);
}

/**
 * kmprof_ring_all_empty() - are all rings empty?
 *
 * Context: Process context.
 * Return: false when a ring holds a committed record.
 */
bool kmprof_ring_all_empty(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct kmprof_ring *r = per_cpu_ptr(&rings, cpu);

		if (READ_ONCE(r->head) != READ_ONCE(r->tail))
			return false;
	}
	return true;
}

/**
 * kmprof_ring_init() - allocate all rings
 *
 * Context: Process context, before any probe is armed.
 * Return: 0 or -ENOMEM.
 */
int kmprof_ring_init(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		per_cpu_ptr(&rings, cpu)->data =
			kvzalloc_node(kmprof_limits.ring_bytes, GFP_KERNEL | __GFP_NOWARN,
				      cpu_to_node(cpu));
		if (!per_cpu_ptr(&rings, cpu)->data) {
			kmprof_ring_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * kmprof_ring_exit() - free all rings
 *
 * Context: Process context, after kmprof_drain_stop().
 */
void kmprof_ring_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		kvfree(per_cpu_ptr(&rings, cpu)->data);
}
