/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who waits for a lock, as two numbers: how many do, and since when, summed up.
 * That is enough to tell at a release, in O(1), what all of them have suffered
 * since the last one. Source: the treatment of waiters in semrelease1() of
 * sema.go, with all of them in the place of one.
 *
 * In any history, what waits have taken is what kmprof_contended_blame() has told
 * and what the ends of waits have, to the nanosecond.
 */
#ifndef KMPROF_CONTENDED_H
#define KMPROF_CONTENDED_H

#include <linux/types.h>

/**
 * struct kmprof_waiter - a wait; times are in ns, modulo 2^52
 * @entry: of the lock, in the table
 * @since: its start, and after its end
 * @until: the end
 */
struct kmprof_waiter {
	u32 entry;
	u64 since;
	u64 until;
};

bool kmprof_contended_join(struct kmprof_waiter *waiter, const void *lock, u64 now);
bool kmprof_contended_is_blamed(const struct kmprof_waiter *waiter);
u64 kmprof_contended_took(struct kmprof_waiter *waiter, u64 now);
u64 kmprof_contended_acquired(struct kmprof_waiter *waiter, u64 now);
u64 kmprof_contended_gave_up(struct kmprof_waiter *waiter, u64 now);
u64 kmprof_contended_blame(const void *lock, u64 now);
u64 kmprof_waiter_late(const struct kmprof_waiter *waiter, u64 now);
u64 kmprof_waiter_ns(const struct kmprof_waiter *waiter);
void kmprof_contended_forget(void);
int kmprof_contended_init(unsigned int locks);
void kmprof_contended_exit(void);

#endif
