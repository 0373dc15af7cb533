// SPDX-License-Identifier: GPL-2.0
/*
 * The table of contended locks, written by probes on any CPU: two words of an
 * entry change together, by cmpxchg16b, and nobody waits for anybody.
 */
#include <linux/bits.h>
#include <linux/hash.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "compat/compat.h"
#include "lock/contended.h"

enum {
	/* 26 days, to either side; a longer wait is not told right. */
	TIME_BITS	= 52,
	COUNT_BITS	= 64 - TIME_BITS,
	/* A count, of an entry that is being given to another lock. */
	CLAIMED		= (1 << COUNT_BITS) - 1,
	/* Entries next to each other, in which a lock can be. */
	WINDOW		= 8,
};

/**
 * struct entry - a lock that somebody waits for
 * @lock: which; changes while @state says CLAIMED
 * @state: lo: base << COUNT_BITS | number of waiters; hi: sum
 *
 * The base is the time of the last release, or when the first one came. The sum is
 * that of the waiters' starts, those that the base has passed counting as there,
 * less the base for each: so that n * (now - base) - sum is what they have waited
 * since. Who has given up since then has left what he waited in the sum. Without
 * waiters the sum is 0, and the entry anybody's.
 */
struct entry {
	const void *lock;
	struct kmprof_pair state;
};

static struct entry *entries;
static u32 entries_mask;

static u64 modulo(u64 ns)
{
	return ns & GENMASK_ULL(TIME_BITS - 1, 0);
}

static u64 base_of(struct kmprof_pair state)
{
	return state.lo >> COUNT_BITS;
}

static u32 count_of(struct kmprof_pair state)
{
	return state.lo & GENMASK(COUNT_BITS - 1, 0);
}

static struct kmprof_pair state_of(u64 base, u32 count, u64 sum)
{
	return (struct kmprof_pair) { .lo = base << COUNT_BITS | count, .hi = sum };
}

/* The later one of two; CPUs' clocks can differ by a little. */
static u64 later(u64 a, u64 b)
{
	return modulo(a - b) >> (TIME_BITS - 1) ? b : a;
}

/* Halves that do not belong together are found out by the exchange. */
static struct kmprof_pair state_read(const struct entry *e)
{
	struct kmprof_pair state = { .lo = READ_ONCE(e->state.lo) };

	/* Pairs with the exchange in claim(): then the lock is read. */
	smp_rmb();
	state.hi = READ_ONCE(e->state.hi);
	return state;
}

static bool state_change(struct entry *e, struct kmprof_pair old, struct kmprof_pair new)
{
	return kmprof_compat_cmpxchg_pair(&e->state, old, new);
}

/* Entry @i of those in which a lock can be. */
static struct entry *entry_at(const void *lock, u32 i)
{
	return &entries[(hash_ptr(lock, 32) + i) & entries_mask];
}

/* Into an entry that the lock has. */
static bool join(struct entry *e, const void *lock, u64 now, u64 *since)
{
	struct kmprof_pair old, new;
	u32 count;

	do {
		old = state_read(e);
		count = count_of(old);
		/* Another lock's by now, or about to be; or all that can be counted. */
		if (READ_ONCE(e->lock) != lock || count >= CLAIMED - 1)
			return false;
		*since = count ? later(now, base_of(old)) : now;
		new = count ? state_of(base_of(old), count + 1,
				       old.hi + modulo(*since - base_of(old))) :
			      state_of(now, 1, 0);
	} while (!state_change(e, old, new));
	return true;
}

/* An entry in which nobody waits. */
static bool claim(struct entry *e, const void *lock, u64 now)
{
	struct kmprof_pair old = state_read(e);

	if (count_of(old) ||
	    !state_change(e, old, state_of(base_of(old), CLAIMED, 0)))
		return false;
	WRITE_ONCE(e->lock, lock);
	/* Pairs with state_read(): who sees a waiter sees the lock. */
	smp_store_release(&e->state.lo, state_of(now, 1, 0).lo);
	return true;
}

/**
 * kmprof_contended_join() - a wait begins
 * @waiter: the wait
 * @lock: what for
 * @now: in ns, of a clock that CPUs agree on
 *
 * Context: Any but NMI. Preemption off.
 * Return: false when there is no room: the wait is not known, and must not end here.
 */
bool kmprof_contended_join(struct kmprof_waiter *waiter, const void *lock, u64 now)
{
	struct entry *e;
	u32 i;

	now = modulo(now);
	for (i = 0; i < WINDOW; i++) {
		e = entry_at(lock, i);
		if (READ_ONCE(e->lock) == lock && join(e, lock, now, &waiter->since))
			goto found;
	}
	/* If somebody else does so for the same lock, it has two. */
	for (i = 0; i < WINDOW; i++) {
		e = entry_at(lock, i);
		waiter->since = now;
		if (claim(e, lock, now))
			goto found;
	}
	return false;

found:
	waiter->entry = e - entries;
	waiter->until = waiter->since;
	return true;
}

/* What all waiters have waited since the base. */
static u64 delay_until(struct kmprof_pair state, u64 now)
{
	return count_of(state) * modulo(now - base_of(state)) - state.hi;
}

/* By this CPU's clock they have not come yet: the next one to ask will tell. */
static bool is_before_all(u64 delay)
{
	return (s64)delay < 0;
}

/* @stays: whether what it has waited since the base is to be blamed on a release. */
static u64 leave(struct kmprof_waiter *waiter, u64 now, bool stays)
{
	struct entry *e = &entries[waiter->entry];
	struct kmprof_pair old, new;
	u64 base, start, rest, sum;

	do {
		old = state_read(e);
		base = base_of(old);
		start = later(waiter->since, base);
		waiter->until = later(modulo(now), start);
		rest = modulo(waiter->until - start);
		sum = old.hi - modulo(start - base);
		if (stays) {
			sum -= rest;
			rest = 0;
		}
		if (count_of(old) == 1) {
			/* What others have left there: nobody will be blamed. */
			rest -= sum;
			sum = 0;
		}
		new = state_of(base, count_of(old) - 1, sum);
	} while (!state_change(e, old, new));
	return rest;
}

/**
 * kmprof_contended_is_blamed() - has a release been blamed for a wait?
 * @waiter: the wait
 *
 * Context: Any but NMI. Preemption off.
 */
bool kmprof_contended_is_blamed(const struct kmprof_waiter *waiter)
{
	u64 base = base_of(state_read(&entries[waiter->entry])), since = modulo(waiter->since);

	return base != since && later(since, base) == base;
}

/**
 * kmprof_contended_took() - a wait ends, since the lock was free, if not for long
 * @waiter: the wait
 * @now: as for kmprof_contended_join()
 *
 * Others have had it since the last release that was seen: what has been waited until
 * now is not for the new owner.
 *
 * Context: Any but NMI. Preemption off.
 * Return: ns that no release will be blamed for: those of all waiters since the last
 * one.
 */
u64 kmprof_contended_took(struct kmprof_waiter *waiter, u64 now)
{
	struct entry *e = &entries[waiter->entry];
	struct kmprof_pair old, new;
	u64 base, delay;

	do {
		old = state_read(e);
		base = later(modulo(now), base_of(old));
		delay = delay_until(old, base);
		/* So it does when its own begin is what has not come. */
		if (is_before_all(delay) || later(base, waiter->since) != base)
			return leave(waiter, now, false);
		new = state_of(base, count_of(old) - 1, 0);
	} while (!state_change(e, old, new));
	waiter->until = base;
	return delay;
}

/**
 * kmprof_contended_acquired() - a wait ends, since the last release that was seen
 * @waiter: the wait
 * @now: as for kmprof_contended_join()
 *
 * Context: Any but NMI. Preemption off.
 * Return: ns that no release will be blamed for: its own since the last one.
 */
u64 kmprof_contended_acquired(struct kmprof_waiter *waiter, u64 now)
{
	return leave(waiter, now, false);
}

/**
 * kmprof_contended_gave_up() - a wait ends without the lock
 * @waiter: the wait
 * @now: as for kmprof_contended_join()
 *
 * Who has the lock is blamed when others wait, too, and a release comes to know.
 *
 * Context: Any but NMI. Preemption off.
 * Return: ns that no release will be blamed for.
 */
u64 kmprof_contended_gave_up(struct kmprof_waiter *waiter, u64 now)
{
	return leave(waiter, now, true);
}

/**
 * kmprof_contended_blame() - a lock is released
 * @lock: which
 * @now: as for kmprof_contended_join()
 *
 * Context: Any but NMI. Preemption off.
 * Return: ns that waiters have suffered since the last release, all together.
 */
u64 kmprof_contended_blame(const void *lock, u64 now)
{
	struct kmprof_pair old, new;
	u64 total = 0, delay, base;
	struct entry *e;
	u32 i;

	for (i = 0; i < WINDOW; i++) {
		e = entry_at(lock, i);
		if (READ_ONCE(e->lock) != lock)
			continue;
		do {
			delay = 0;
			old = state_read(e);
			if (READ_ONCE(e->lock) != lock || !count_of(old) ||
			    count_of(old) == CLAIMED)
				break;
			base = later(modulo(now), base_of(old));
			delay = delay_until(old, base);
			if (is_before_all(delay)) {
				delay = 0;
				break;
			}
			new = state_of(base, count_of(old), 0);
		} while (!state_change(e, old, new));
		total += delay;
	}
	return total;
}

/**
 * kmprof_waiter_late() - how late a wait was in the table
 * @waiter: that has joined
 * @now: when it had begun to do so
 *
 * There was a release in between, which was not blamed for it.
 *
 * Context: Any.
 * Return: ns after @now in which the wait counts as begun.
 */
u64 kmprof_waiter_late(const struct kmprof_waiter *waiter, u64 now)
{
	return modulo(waiter->since - now);
}

/**
 * kmprof_waiter_ns() - how long a wait was
 * @waiter: that has ended
 *
 * Context: Any.
 * Return: ns, less than 2^52.
 */
u64 kmprof_waiter_ns(const struct kmprof_waiter *waiter)
{
	return modulo(waiter->until - waiter->since);
}

/**
 * kmprof_contended_forget() - nobody waits for anything
 *
 * Context: Process context. Nobody joins, leaves or releases meanwhile.
 */
void kmprof_contended_forget(void)
{
	memset(entries, 0, (entries_mask + 1) * sizeof(*entries));
}

/**
 * kmprof_contended_init() - allocate the table
 * @locks: that can be contended at a time, in the best case; a power of two, at
 *	least 8
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_contended_init(unsigned int locks)
{
	entries = kvcalloc(locks, sizeof(*entries), GFP_KERNEL | __GFP_NOWARN);
	if (!entries)
		return -ENOMEM;
	entries_mask = locks - 1;
	return 0;
}

/**
 * kmprof_contended_exit() - free it
 *
 * Context: Process context, after the last probe.
 */
void kmprof_contended_exit(void)
{
	kvfree(entries);
}
