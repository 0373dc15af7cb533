/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Time that waits have taken, on its way into a bucket: of whoever has waited, or of
 * whoever has made others wait.
 */
#ifndef KMPROF_BOOKING_H
#define KMPROF_BOOKING_H

#include <linux/types.h>

struct kmprof_bucket;
struct kmprof_record;
struct kmprof_stack;

/**
 * struct kmprof_delay - a sampled delay
 * @profile: KMPROF_PROFILE_BLOCK or KMPROF_PROFILE_MUTEX
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*
 * @lock: the lock
 * @ns: the delay
 * @period: under which it was sampled
 */
struct kmprof_delay {
	u32 profile;
	u32 kind;
	u32 flags;
	const void *lock;
	u64 ns;
	u64 period;
};

void kmprof_booking_add(const struct kmprof_delay *delay, const struct kmprof_stack *stack,
		       unsigned int slot);
void kmprof_booking_resolve(const struct kmprof_record *rec, struct kmprof_bucket *b);

#endif
