// SPDX-License-Identifier: GPL-2.0
/*
 * The table of contended locks, for blame.c. Probes on all CPUs update it without a lock:
 * the two words of an entry's state change together, by cmpxchg16b.
 *
 * The state of an entry; times are in ns, modulo 2^52:
 *
 *	n	number of waiters
 *	base	time of the last release (or "took"); before, the start of the first waiter
 *	sum	total of (start - base) over all waiters, less what waiters that gave up
 *		have waited since base. A waiter that started before base counts as
 *		starting at base
 *
 * Delay of all waiters since base, in ns:
 *
 *	delay = n * (now - base) - sum
 *
 * Two waiters that started at base and at base + 4 cost 2 * 10 - 4 = 16 ns at base + 10.
 * With own = now - max(start, base) for one waiter, and s = max(start, base) - base:
 *
 *	event		n	base	sum		returned, in ns
 *
 *	join		n + 1		sum + s
 *	release			now	0		delay: the release is blamed
 *	took		n - 1	now	0		delay: nobody is blamed
 *	acquired	n - 1		sum - s		own: nobody is blamed
 *	gave up		n - 1		sum - s - own	0: left to the next release
 *
 * When the last waiter leaves, sum becomes 0 and what is left in it is returned too, since
 * no release will be blamed for it. An entry without waiters can be claimed for any lock.
 *
 * A reset does not stop the probes. An entry is brought into the new era by the first event of
 * this era that changes it:
 *
 *	reset at t		base = t, sum = 0; since = t for all waiters that joined before
 *
 * The state has the lowest bit of its era's number, so that the change is one step. Events that
 * come before it on this entry count in the old era, whose sums are discarded. They can have read
 * the clock after t: that a waiter joined in an earlier era decides, not its time.
 */
#include <linux/bits.h>
#include <linux/hash.h>

#include "compat/compat.h"
#include "core/limits.h"
#include "core/slot.h"
#include "lock/contended.h"
#include "lock/growing.h"

enum {
	/* Two times compare correctly if they differ by less than 2^51 ns, 26 days. */
	TIME_BITS	= 52,
	ERA_BITS	= 1,
	COUNT_BITS	= 64 - TIME_BITS - ERA_BITS,
	/* The n of an entry whose lock is being replaced. */
	CLAIMED		= (1 << COUNT_BITS) - 1,
	/* Number of adjacent entries of a part that a lock can be in. */
	WINDOW		= 8,
	/* So many of them are taken: time for a larger part. */
	CROWDED		= WINDOW / 2,
};

/**
 * struct entry - a contended lock
 * @lock: address of the lock; replaced only while n is CLAIMED
 * @state: lo: base << (ERA_BITS + COUNT_BITS) | era << COUNT_BITS | n; hi: sum
 */
struct entry {
	const void *lock;
	struct kmprof_pair state;
};

static u64 modulo(u64 ns)
{
	return ns & GENMASK_ULL(TIME_BITS - 1, 0);
}

static u64 base_of(struct kmprof_pair state)
{
	return state.lo >> (ERA_BITS + COUNT_BITS);
}

static u32 era_of(struct kmprof_pair state)
{
	return state.lo >> COUNT_BITS & GENMASK(ERA_BITS - 1, 0);
}

static u32 count_of(struct kmprof_pair state)
{
	return state.lo & GENMASK(COUNT_BITS - 1, 0);
}

static struct kmprof_pair state_of(u64 base, u32 era, u32 count, u64 sum)
{
	return (struct kmprof_pair) {
		.lo = base << (ERA_BITS + COUNT_BITS) | (u64)era << COUNT_BITS | count,
		.hi = sum,
	};
}

/* The later of two times. @a can precede @b by a little: it may be another CPU's clock. */
static u64 later(u64 a, u64 b)
{
	return modulo(a - b) >> (TIME_BITS - 1) ? b : a;
}

/*
 * Can return halves of two states; state_change() then fails. A decision that needs both
 * halves holds only after a state_change(), if need be of the state to itself. To read @lo
 * again is not enough: n and base can be the same as before, after others have come and gone.
 */
static struct kmprof_pair state_read(const struct entry *e)
{
	struct kmprof_pair state = { .lo = READ_ONCE(e->state.lo) };

	/* Pairs with smp_store_release() in claim(): the caller reads the lock after this. */
	smp_rmb();
	state.hi = READ_ONCE(e->state.hi);
	return state;
}

static bool state_change(struct entry *e, struct kmprof_pair old, struct kmprof_pair new)
{
	return kmprof_compat_cmpxchg_pair(&e->state, old, new);
}

/* What the state of an entry has of the number of a slot's era. */
static u32 era_bit(unsigned int slot)
{
	return kmprof_era(slot)->number & GENMASK(ERA_BITS - 1, 0);
}

/*
 * What @state is in the era of @slot; @slot moves on if @state is of a later one. The result holds
 * after a state_change() from @state, as any decision does.
 */
static struct kmprof_pair enter_era(struct kmprof_pair state, unsigned int *slot)
{
	if (era_of(state) == era_bit(*slot))
		return state;
	/* The slot is read after the state: if another CPU has seen the new era, so does this. */
	smp_rmb();
	*slot = kmprof_slot();
	if (era_of(state) == era_bit(*slot))
		return state;
	return state_of(modulo(kmprof_era(*slot)->start_ns), era_bit(*slot), count_of(state), 0);
}

/* A waiter that joined in an earlier era waits since the current one began. */
static void waiter_enter_era(struct kmprof_waiter *waiter, unsigned int slot)
{
	const struct kmprof_era *era = kmprof_era(slot);

	if (waiter->era == era->number)
		return;
	waiter->era = era->number;
	waiter->since = modulo(era->start_ns);
}

static bool is_taken(const void *entry)
{
	return READ_ONCE(((const struct entry *)entry)->state.lo) & GENMASK(COUNT_BITS - 1, 0);
}

static struct kmprof_growing entries = {
	.entry_size	= sizeof(struct entry),
	.window		= WINDOW,
	.is_taken	= is_taken,
};

/* The first of the WINDOW entries of a part that @lock can be in. */
static struct entry *entries_of(const void *lock, unsigned int part)
{
	return kmprof_growing_window(&entries, part, hash_ptr(lock, 32));
}

/* The number of an entry, in the whole table. */
static u32 number_of(const struct entry *e, unsigned int part)
{
	return part * KMPROF_WAITS_MAX + (e - (const struct entry *)entries.part[part]);
}

static struct entry *entry_of(const struct kmprof_waiter *waiter)
{
	return kmprof_growing_entry(&entries, waiter->entry / KMPROF_WAITS_MAX,
				    waiter->entry % KMPROF_WAITS_MAX);
}

/* Add a waiter to the entry of @lock. */
static bool join(struct entry *e, const void *lock, u64 now, u64 *since, unsigned int *slot)
{
	struct kmprof_pair old, state, new;
	u64 base;
	u32 count;

	do {
		old = state_read(e);
		count = count_of(old);
		/* The entry was claimed for another lock, is CLAIMED, or n is at its limit. */
		if (READ_ONCE(e->lock) != lock || count >= CLAIMED - 1)
			return false;
		state = enter_era(old, slot);
		base = count ? base_of(state) : now;
		*since = later(now, base);
		new = state_of(base, era_of(state), count + 1,
			       (count ? state.hi : 0) + modulo(*since - base));
	} while (!state_change(e, old, new));
	return true;
}

/* Give an entry without waiters to @lock, with one waiter. */
static bool claim(struct entry *e, const void *lock, u64 now, unsigned int *slot)
{
	struct kmprof_pair old = state_read(e);
	u32 era = era_of(enter_era(old, slot));

	if (count_of(old) ||
	    !state_change(e, old, state_of(base_of(old), era, CLAIMED, 0)))
		return false;
	WRITE_ONCE(e->lock, lock);
	/* Pairs with smp_rmb() in state_read(): a CPU that sees n = 1 sees the lock. */
	smp_store_release(&e->state.lo, state_of(now, era, 1, 0).lo);
	return true;
}

/**
 * kmprof_contended_join() - a wait begins
 * @waiter: returns the table's handle of the wait
 * @lock: the lock waited for
 * @now: time in ns, of a clock that all CPUs share
 * @slot: current slot, read in this section; returns the slot in which the event counts
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: true: one of the three functions that end a wait is due; false when the table has
 * no room.
 */
bool kmprof_contended_join(struct kmprof_waiter *waiter, const void *lock, u64 now,
			   unsigned int *slot)
{
	unsigned int part, nr = kmprof_growing_nr(&entries);
	struct entry *e;
	unsigned int i;

	now = modulo(now);
	for (part = nr; part--;) {
		e = entries_of(lock, part);
		for (i = 0; i < WINDOW; i++, e++) {
			if (READ_ONCE(e->lock) == lock &&
			    join(e, lock, now, &waiter->since, slot))
				goto found;
		}
	}
	waiter->since = now;
	/* Two CPUs that do this for one lock give it two entries; a release sums them up. */
	for (part = nr; part--;) {
		e = entries_of(lock, part);
		for (i = 0; i < WINDOW; i++, e++) {
			if (i == CROWDED)
				kmprof_growing_kick(&entries);
			if (claim(e, lock, now, slot))
				goto found;
		}
	}
	return false;

found:
	waiter->entry = number_of(e, part);
	waiter->until = waiter->since;
	waiter->era = kmprof_era(*slot)->number;
	return true;
}

/* What all waiters have waited since base, in ns. */
static u64 delay_until(struct kmprof_pair state, u64 now)
{
	return count_of(state) * modulo(now - base_of(state)) - state.hi;
}

/* This CPU's clock is behind that of a waiter: leave the delay to the next caller. */
static bool is_before_all(u64 delay)
{
	return (s64)delay < 0;
}

/* @stays: leave what the waiter has waited since base to the next release. */
static u64 leave(struct kmprof_waiter *waiter, u64 now, bool stays, unsigned int *slot)
{
	struct entry *e = entry_of(waiter);
	struct kmprof_pair old, state, new;
	u64 base, start, rest, sum;

	do {
		old = state_read(e);
		state = enter_era(old, slot);
		waiter_enter_era(waiter, *slot);
		base = base_of(state);
		start = later(waiter->since, base);
		waiter->until = later(modulo(now), start);
		rest = modulo(waiter->until - start);
		sum = state.hi - modulo(start - base);
		if (stays) {
			sum -= rest;
			rest = 0;
		}
		waiter->left = 0;
		if (count_of(state) == 1) {
			/* The last waiter: what others have left is returned, too. */
			waiter->left = stays ? 0 : -sum;
			rest -= sum;
			sum = 0;
		}
		new = state_of(base, era_of(state), count_of(state) - 1, sum);
	} while (!state_change(e, old, new));
	waiter->is_released = modulo(start - waiter->since);
	return rest;
}

/**
 * kmprof_contended_is_blamed() - has a part of a wait been accounted for?
 * @waiter: a wait that has joined and not ended
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: true if a release or another waiter's kmprof_contended_took() has moved base past
 * the start of the wait, in this era.
 */
bool kmprof_contended_is_blamed(const struct kmprof_waiter *waiter)
{
	unsigned int slot = kmprof_slot();
	u64 base = base_of(enter_era(state_read(entry_of(waiter)), &slot));
	struct kmprof_waiter w = *waiter;

	waiter_enter_era(&w, slot);
	w.since = modulo(w.since);
	return base != w.since && later(w.since, base) == base;
}

/**
 * kmprof_contended_took() - a wait ends: the waiter found the lock free
 * @waiter: the wait
 * @now: as for kmprof_contended_join()
 * @slot: as for kmprof_contended_join()
 *
 * Tasks whose releases were not seen may have held the lock since base: the new owner is not
 * to be blamed for them.
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: ns that no release will be blamed for.
 */
u64 kmprof_contended_took(struct kmprof_waiter *waiter, u64 now, unsigned int *slot)
{
	struct entry *e = entry_of(waiter);
	struct kmprof_pair old, state, new;
	u64 base, delay;
	bool is_early;

	do {
		old = state_read(e);
		state = enter_era(old, slot);
		waiter_enter_era(waiter, *slot);
		base = later(modulo(now), base_of(state));
		delay = delay_until(state, base);
		/* Or this CPU's clock is behind the start of this wait. */
		is_early = is_before_all(delay) || later(base, waiter->since) != base;
		new = is_early ? state :
				 state_of(base, era_of(state), count_of(state) - 1, 0);
	} while (!state_change(e, old, new));
	if (is_early)
		return leave(waiter, now, false, slot);
	waiter->until = base;
	return delay;
}

/**
 * kmprof_contended_acquired() - a wait ends: the last release woke the waiter
 * @waiter: the wait
 * @now: as for kmprof_contended_join()
 * @slot: as for kmprof_contended_join()
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: ns that no release will be blamed for.
 */
u64 kmprof_contended_acquired(struct kmprof_waiter *waiter, u64 now, unsigned int *slot)
{
	return leave(waiter, now, false, slot);
}

/**
 * kmprof_contended_gave_up() - a wait ends without the lock
 * @waiter: the wait
 * @now: as for kmprof_contended_join()
 * @slot: as for kmprof_contended_join()
 *
 * The next release is blamed for this wait, provided that other waiters stay.
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: ns that no release will be blamed for.
 */
u64 kmprof_contended_gave_up(struct kmprof_waiter *waiter, u64 now, unsigned int *slot)
{
	return leave(waiter, now, true, slot);
}

/* Take what all waiters of the entry of @lock have waited since base. */
static u64 take_delay(struct entry *e, const void *lock, u64 now, unsigned int *slot)
{
	struct kmprof_pair old, state, new;
	u64 delay, base;

	do {
		old = state_read(e);
		if (READ_ONCE(e->lock) != lock || !count_of(old) || count_of(old) == CLAIMED)
			return 0;
		state = enter_era(old, slot);
		base = later(modulo(now), base_of(state));
		delay = delay_until(state, base);
		new = state_of(base, era_of(state), count_of(state), 0);
		if (is_before_all(delay)) {
			delay = 0;
			new = state;
		}
	} while (!state_change(e, old, new));
	return delay;
}

/**
 * kmprof_contended_blame() - a lock is released
 * @lock: the lock released
 * @now: as for kmprof_contended_join()
 * @slot: as for kmprof_contended_join()
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: ns that the release is blamed for; 0 when nobody waits.
 */
u64 kmprof_contended_blame(const void *lock, u64 now, unsigned int *slot)
{
	unsigned int part = kmprof_growing_nr(&entries);
	struct entry *e, *end;
	u64 total = 0, delay;
	u32 era;

	while (part--) {
		e = entries_of(lock, part);
		for (end = e + WINDOW; e < end; e++) {
			if (READ_ONCE(e->lock) != lock)
				continue;
			era = kmprof_era(*slot)->number;
			delay = take_delay(e, lock, now, slot);
			/* What other entries of the lock had is of the era before. */
			if (kmprof_era(*slot)->number != era)
				total = 0;
			total += delay;
		}
	}
	return total;
}

/**
 * kmprof_contended_enter_era() - bring all entries into the current era
 *
 * An entry has one bit of its era, so it cannot be left behind by two resets.
 *
 * Context: Process context, under the cycle lock, a grace period after the era has begun. Parts of
 * the table are not freed meanwhile.
 */
void kmprof_contended_enter_era(void)
{
	unsigned int part = kmprof_growing_nr(&entries), slot = kmprof_slot(), i;
	struct kmprof_pair old, new;
	struct entry *e;

	while (part--) {
		for (i = 0; i < kmprof_growing_size(&entries, part); i++) {
			e = kmprof_growing_entry(&entries, part, i);
			do {
				old = state_read(e);
				/* Whoever claims it does so in the current era. */
				if (!count_of(old) || count_of(old) == CLAIMED)
					break;
				new = enter_era(old, &slot);
			} while (!state_change(e, old, new));
			cond_resched();
		}
	}
}

/**
 * kmprof_waiter_late() - how much later than @now a wait counts as begun
 * @waiter: a wait that has joined
 * @now: the time given to kmprof_contended_join()
 *
 * A release between @now and the join was not blamed for this wait: the wait starts there.
 *
 * Context: Any.
 * Return: ns from @now to the start of the wait.
 */
u64 kmprof_waiter_late(const struct kmprof_waiter *waiter, u64 now)
{
	return modulo(waiter->since - now);
}

/**
 * kmprof_waiter_ns() - length of a wait
 * @waiter: a wait that has ended
 *
 * Context: Any.
 * Return: ns, less than 2^52.
 */
u64 kmprof_waiter_ns(const struct kmprof_waiter *waiter)
{
	return modulo(waiter->until - waiter->since);
}

/**
 * kmprof_contended_forget() - empty the table; free what has grown
 *
 * Context: Process context. No probe uses the table meanwhile. Sleeps.
 */
void kmprof_contended_forget(void)
{
	kmprof_growing_forget(&entries);
}

/**
 * kmprof_contended_init() - allocate the table
 * @locks: number of entries at first: a power of two, at least KMPROF_WAITS_MIN
 *
 * Context: Process context. Sleeps.
 * Return: 0 or -ENOMEM.
 */
int kmprof_contended_init(unsigned int locks)
{
	return kmprof_growing_init(&entries, locks);
}

/**
 * kmprof_contended_exit() - free the table
 *
 * Context: Process context, after the last probe.
 */
void kmprof_contended_exit(void)
{
	kmprof_growing_exit(&entries);
}
