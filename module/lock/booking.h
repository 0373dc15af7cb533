/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Books sampled delays: the length of a wait (block profile), or the delay that a release is
 * blamed for (mutex profile).
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
 * @lock: the lock waited for or released
 * @ns: the delay in ns
 * @period: sampling period at that time: ns (block) or releases per sample (mutex)
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
