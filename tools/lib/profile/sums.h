/* SPDX-License-Identifier: GPL-2.0 */
/* What an image as a whole estimates, beside its exact totals. */
#ifndef KMPROF_PROFILE_SUMS_H
#define KMPROF_PROFILE_SUMS_H

#include "image/memory.h"
#include "profile/delays.h"
#include "profile/scale.h"

/**
 * struct kmprof_memory_sums - estimates of one kind of memory
 * @alloc: what was allocated
 * @inuse: of that, what is still in use
 */
struct kmprof_memory_sums {
	struct kmprof_amount alloc;
	struct kmprof_amount inuse;
};

/**
 * struct kmprof_sums - estimates
 * @alloc: everything allocated, of all kinds of memory
 * @inuse: of that, what is still in use
 * @kind: the same of each kind of memory that this program knows
 * @rcu_pending: freed already, but the memory waits for a grace period
 * @waits: all waits for locks
 * @releases: releases of locks, and what others have waited because of them
 * @unblamed: waits with a part for which no release can be blamed, and that part
 */
struct kmprof_sums {
	struct kmprof_amount alloc;
	struct kmprof_amount inuse;
	struct kmprof_memory_sums kind[KMPROF_MEMORY_KINDS];
	struct kmprof_amount rcu_pending;
	struct kmprof_delay_amount waits;
	struct kmprof_delay_amount releases;
	struct kmprof_delay_amount unblamed;
};

/* The largest period that any of its samples of memory was taken with; 0 without any. */
__u64 kmprof_largest_period(const struct kmprof_image *image);

struct kmprof_sums kmprof_sums(const struct kmprof_image *image);

#endif
