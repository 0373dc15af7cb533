// SPDX-License-Identifier: GPL-2.0
/*
 * Books sampled delays in buckets, for contention.c and blame.c. Each sampled delay ends up
 * in exactly one counter of enum kmprof_delay_fate.
 */
#include <linux/irqflags.h>
#include <linux/minmax.h>
#include <linux/string.h>
#include <uapi/linux/kmprof.h>

#include "core/bucket.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "core/ring.h"
#include "core/stats.h"
#include "lock/booking.h"
#include "lock/lock_class.h"
#include "lock/lock_profile.h"
#include "stack/stack.h"

static const struct kmprof_lock_profile *lock_profile(const struct kmprof_profile *profile)
{
	return container_of(profile, struct kmprof_lock_profile, profile);
}

/* Add to a sum of at most KMPROF_DELAY_MAX. Returns what is added, less than @ns if cut. */
static u64 add_delay(atomic_long_t *sum, u64 ns)
{
	long old = atomic_long_read(sum);
	u64 more;

	do {
		more = min(ns, KMPROF_DELAY_MAX - old);
	} while (!atomic_long_try_cmpxchg_relaxed(sum, &old, old + more));
	return more;
}

static void count(struct kmprof_bucket *b, unsigned int slot, u64 ns)
{
	const struct kmprof_lock_profile *profile = lock_profile(b->key.profile);
	struct kmprof_bucket_slot *s = &b->future[slot];
	long longest = atomic_long_read(&s->longest);
	u64 number, sum;

	number = profile->weigh(ns, b->key.period, &sum);
	if (add_delay(&s->delay, sum) < sum)
		kmprof_stats_count(slot, profile->saturated);
	ns = min(ns, KMPROF_DELAY_MAX);
	while (longest < (long)ns &&
	       !atomic_long_try_cmpxchg_relaxed(&s->longest, &longest, ns))
		;
	atomic_long_add(number, &s->waits);
}

/* Queue a record for the drain. Returns false when the ring is full. */
static bool send(const struct kmprof_bucket_key *key, unsigned int slot, u64 ns)
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
	return rec;
}

/* Returns KMPROF_NR_DELAY_FATES when the drain will decide. */
static enum kmprof_delay_fate book(const struct kmprof_delay *delay,
				   const struct kmprof_stack *stack, unsigned int slot)
{
	struct kmprof_bucket_key key = {
		.period		= delay->period,
		.lock		= kmprof_lock_class(delay->lock),
		.profile	= &delay->profile->profile,
		.detail		= kmprof_bucket_detail(delay->kind, delay->flags, stack->labels),
		.nr_words	= stack->nr + kmprof_label_words(stack->labels),
		.frames		= stack->frames,
	};
	struct kmprof_bucket *b;

	if (stack->own)
		return KMPROF_DELAY_OWN;
	if (stack->truncated)
		kmprof_stats_count(slot, KMPROF_LOSS_STACK_TRUNCATED);
	key.hash = kmprof_bucket_hash_known(&key, stack->hash, stack->nr);
	b = kmprof_bucket_find(&key);
	if (b) {
		count(b, slot, delay->ns);
		return KMPROF_DELAY_COUNTED;
	}
	if (kmprof_bucket_is_full(key.profile))
		return KMPROF_DELAY_BUCKET_FULL;
	return send(&key, slot, delay->ns) ? KMPROF_NR_DELAY_FATES : KMPROF_DELAY_RING_FULL;
}

/**
 * kmprof_booking_add() - count a sampled delay
 * @delay: the delay
 * @stack: the stack that the delay is attributed to; NULL: this context's scratch is in use
 * @slot: current slot, read in this section
 *
 * If the bucket exists, the delay is counted here; otherwise by the drain.
 * Source: saveblockevent() of mprof.go.
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_booking_add(const struct kmprof_delay *delay, const struct kmprof_stack *stack,
			unsigned int slot)
{
	enum kmprof_delay_fate fate = stack ? book(delay, stack, slot) : KMPROF_DELAY_NESTED;

	kmprof_stats_count(slot, delay->profile->sampled);
	if (fate != KMPROF_NR_DELAY_FATES)
		kmprof_stats_count(slot, delay->profile->fate[fate]);
}

static void resolve(const struct kmprof_record *rec, struct kmprof_bucket *b)
{
	const struct kmprof_lock_profile *profile = lock_profile(rec->profile);

	if (b)
		count(b, rec->slot, rec->ns);
	kmprof_stats_count(rec->slot, profile->fate[b ? KMPROF_DELAY_COUNTED :
							KMPROF_DELAY_BUCKET_FULL]);
}

static void fold(struct kmprof_bucket *b, unsigned int slot)
{
	struct kmprof_bucket_slot *s = &b->future[slot];
	u64 delay = atomic_long_read(&s->delay);

	if (delay > KMPROF_DELAY_MAX - b->active.delay) {
		delay = KMPROF_DELAY_MAX - b->active.delay;
		/* The slot's counters are folded already. The caller holds the cycle lock. */
		kmprof_published.stats.counter[lock_profile(b->key.profile)->saturated]++;
	}
	b->active.waits += atomic_long_read(&s->waits);
	b->active.delay += delay;
	b->active.longest = max_t(u64, b->active.longest, atomic_long_read(&s->longest));
	atomic_long_set(&s->waits, 0);
	atomic_long_set(&s->delay, 0);
	atomic_long_set(&s->longest, 0);
}

static void enter_era(const struct kmprof_profile *profile)
{
	if (lock_profile(profile)->enter_era)
		lock_profile(profile)->enter_era();
}

static bool is_shown(const struct kmprof_bucket *b)
{
	return b->active.waits;
}

static void fill_row(void *row, const struct kmprof_bucket *b, bool addresses)
{
	const char *cache = kmprof_lock_class_name(b->key.lock);
	struct kmprof_image_contention *c = row;

	c->period = b->key.period;
	c->kind = kmprof_bucket_kind(&b->key);
	c->flags = kmprof_bucket_flags(&b->key);
	if (addresses && kmprof_lock_class_is_address(b->key.lock))
		c->lock = b->key.lock;
	c->count = b->active.waits;
	c->delay_ns = b->active.delay;
	c->longest_ns = b->active.longest;
	if (cache)
		strscpy(c->cache, cache, sizeof(c->cache));
}

const struct kmprof_profile_ops kmprof_lock_profile_ops = {
	.resolve	= resolve,
	.fold		= fold,
	.is_shown	= is_shown,
	.fill_row	= fill_row,
	.enter_era	= enter_era,
};
