/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Booking sampled delays: the time that a wait took, or the time for which a release made
 * others wait.
 */
#ifndef KMPROF_BOOKING_H
#define KMPROF_BOOKING_H

#include <linux/types.h>

struct kmprof_lock_profile;
struct kmprof_stack;

/**
 * struct kmprof_delay - a sampled delay
 * @profile: the block or the mutex profile
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 * @lock: the lock
 * @ns: the delay
 * @period: under which it was sampled
 */
struct kmprof_delay {
	struct kmprof_lock_profile *profile;
	u32 kind;
	u32 flags;
	const void *lock;
	u64 ns;
	u64 period;
};

void kmprof_booking_add(const struct kmprof_delay *delay, const struct kmprof_stack *stack,
			unsigned int slot);

#endif
