// SPDX-License-Identifier: GPL-2.0
/*
 * A known stack is counted here and now, a new one by the drain. Every sampled delay
 * is booked once, as what became of it.
 */
#include <linux/irqflags.h>
#include <linux/math64.h>
#include <linux/minmax.h>

#include "core/bucket.h"
#include "core/drain.h"
#include "core/ring.h"
#include "core/stats.h"
#include "lock/booking.h"
#include "lock/lock_class.h"
#include "stack/stack.h"

/* What can become of a sampled delay. */
enum fate {
	COUNTED,
	NESTED,
	RING_FULL,
	BUCKET_FULL,
	OWN,
	NR_FATES,
	/* The drain will say. */
	ON_ITS_WAY = NR_FATES,
};

/**
 * struct ledger - where a profile's delays are counted
 * @sampled: all that are sampled
 * @fate: what became of them
 */
struct ledger {
	enum kmprof_counter sampled;
	enum kmprof_counter fate[NR_FATES];
};

static const struct ledger block_ledger = {
	.sampled = KMPROF_WAITS_SAMPLED,
	.fate = {
		[COUNTED]	= KMPROF_WAITS_COUNTED,
		[NESTED]	= KMPROF_LOSS_WAIT_NESTED,
		[RING_FULL]	= KMPROF_LOSS_WAIT_RING_FULL,
		[BUCKET_FULL]	= KMPROF_LOSS_WAIT_BUCKET_FULL,
		[OWN]		= KMPROF_LOSS_WAIT_OWN,
	},
};

static const struct ledger mutex_ledger = {
	.sampled = KMPROF_DELAYS_SAMPLED,
	.fate = {
		[COUNTED]	= KMPROF_DELAYS_COUNTED,
		[NESTED]	= KMPROF_LOSS_DELAY_NESTED,
		[RING_FULL]	= KMPROF_LOSS_DELAY_RING_FULL,
		[BUCKET_FULL]	= KMPROF_LOSS_DELAY_BUCKET_FULL,
		[OWN]		= KMPROF_LOSS_DELAY_OWN,
	},
};

static const struct ledger *ledger_of(u32 profile)
{
	return profile == KMPROF_PROFILE_BLOCK ? &block_ledger : &mutex_ledger;
}

/*
 * What a wait stands for that was sampled with probability ns / period if it was
 * shorter than that. Source: saveBlockEventStack() of mprof.go.
 */
static u64 waits_like(u64 ns, u64 period, u64 *sum)
{
	*sum = max(ns, period);
	if (ns >= period)
		return 1ULL << KMPROF_WAIT_COUNT_SHIFT;
	return div64_u64(period << KMPROF_WAIT_COUNT_SHIFT, max(ns, 1ULL));
}

/* The same of one that was sampled out of @period. Source: mutexevent(), likewise. */
static u64 releases_like(u64 ns, u64 period, u64 *sum)
{
	*sum = ns * period;
	return period << KMPROF_WAIT_COUNT_SHIFT;
}

static void count(struct kmprof_bucket *b, unsigned int slot, u64 ns)
{
	struct kmprof_bucket_slot *s = &b->future[slot];
	long longest = atomic_long_read(&s->longest);
	u64 number, sum;

	if (b->key.profile == KMPROF_PROFILE_BLOCK)
		number = waits_like(ns, b->key.period, &sum);
	else
		number = releases_like(ns, b->key.period, &sum);
	atomic_long_add(sum, &s->delay);
	while (longest < (long)ns &&
	       !atomic_long_try_cmpxchg_relaxed(&s->longest, &longest, ns))
		;
	atomic_long_add(number, &s->waits);
}

static enum fate send(const struct kmprof_bucket_key *key, unsigned int slot, u64 ns)
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
	return rec ? ON_ITS_WAY : RING_FULL;
}

static enum fate book(const struct kmprof_delay *delay, const struct kmprof_stack *stack,
		      unsigned int slot)
{
	struct kmprof_bucket_key key = {
		.period		= delay->period,
		.lock		= kmprof_lock_class(delay->lock),
		.profile	= delay->profile,
		.detail		= kmprof_bucket_detail(delay->kind, delay->flags, stack->labels),
		.nr_words	= stack->nr + kmprof_labels_words(stack->labels),
		.frames		= stack->frames,
	};
	struct kmprof_bucket *b;

	if (stack->own)
		return OWN;
	if (stack->truncated)
		kmprof_stats_count(slot, KMPROF_LOSS_STACK_TRUNCATED);
	key.hash = kmprof_bucket_hash(&key);
	b = kmprof_bucket_find(&key);
	if (!b)
		return send(&key, slot, delay->ns);
	count(b, slot, delay->ns);
	return COUNTED;
}

/**
 * kmprof_booking_add() - count a sampled delay
 * @delay: the delay
 * @stack: whose it is; NULL: kmprof is busy with another one in this context
 * @slot: current slot, read in this section
 *
 * Source: saveblockevent() of mprof.go.
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_booking_add(const struct kmprof_delay *delay, const struct kmprof_stack *stack,
		       unsigned int slot)
{
	const struct ledger *ledger = ledger_of(delay->profile);
	enum fate fate = stack ? book(delay, stack, slot) : NESTED;

	kmprof_stats_count(slot, ledger->sampled);
	if (fate != ON_ITS_WAY)
		kmprof_stats_count(slot, ledger->fate[fate]);
}

/**
 * kmprof_booking_resolve() - the drain has found a record's bucket
 * @rec: of a delay
 * @b: the bucket, NULL if there cannot be another one
 *
 * Context: Process context, under the drain lock.
 */
void kmprof_booking_resolve(const struct kmprof_record *rec, struct kmprof_bucket *b)
{
	if (b)
		count(b, rec->slot, rec->ns);
	kmprof_stats_count(rec->slot, ledger_of(rec->profile)->fate[b ? COUNTED : BUCKET_FULL]);
}
