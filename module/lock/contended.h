/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The waiters of each contended lock, as two numbers: how many there are, and the sum of
 * their start times. At a release, these give the delay of all waiters since the release
 * before, in O(1). Source: the treatment of a waiter in semrelease1() of sema.go, here
 * applied to all waiters.
 *
 * When no wait is in flight, the total length of all waits equals the total of what
 * kmprof_contended_blame() and the three functions that end a wait have returned, to the
 * nanosecond. A reset begins a new era (core/slot.h), for which the same holds: a wait that joined
 * in an earlier era begins with the current one.
 *
 * The functions that change the table take the slot in which the caller counts the event. Other
 * CPUs may have seen a reset before the caller, and changed the entry: then the slot is read again,
 * and the event belongs to the new era, with all that it counts.
 */
#ifndef KMPROF_CONTENDED_H
#define KMPROF_CONTENDED_H

#include <linux/types.h>

/**
 * struct kmprof_waiter - a wait in the table; times are in ns, of which 52 bits count
 * @entry: number of the lock's entry
 * @since: start of the wait
 * @until: end of the wait; until it ends, the same as @since
 * @era: number of the era that @since is in
 * @left: ns of what the end has returned that waiters which gave up had left; 0 until it ends
 * @is_released: a release, or the end of another wait, was seen during the wait
 */
struct kmprof_waiter {
	u32 entry;
	u64 since;
	u64 until;
	u32 era;
	u64 left;
	bool is_released;
};

bool kmprof_contended_join(struct kmprof_waiter *waiter, const void *lock, u64 now,
			   unsigned int *slot);
bool kmprof_contended_is_blamed(const struct kmprof_waiter *waiter);
u64 kmprof_contended_took(struct kmprof_waiter *waiter, u64 now, unsigned int *slot);
u64 kmprof_contended_acquired(struct kmprof_waiter *waiter, u64 now, unsigned int *slot);
u64 kmprof_contended_gave_up(struct kmprof_waiter *waiter, u64 now, unsigned int *slot);
u64 kmprof_contended_blame(const void *lock, u64 now, unsigned int *slot);
void kmprof_contended_enter_era(void);
u64 kmprof_waiter_late(const struct kmprof_waiter *waiter, u64 now);
u64 kmprof_waiter_ns(const struct kmprof_waiter *waiter);
void kmprof_contended_forget(void);
int kmprof_contended_init(unsigned int locks);
void kmprof_contended_exit(void);

#endif
