/* SPDX-License-Identifier: GPL-2.0 */
/* What an image as a whole estimates, beside the exact totals in its header. */
#ifndef KMPROF_LIB_SUMS_H
#define KMPROF_LIB_SUMS_H

#include "scale.h"
#include "waits.h"

/**
 * struct kmprof_sums - estimates
 * @alloc: everything allocated
 * @inuse: of that, what is still in use
 * @rcu_pending: freed already, but the memory waits for a grace period
 * @waits: all waits for locks
 */
struct kmprof_sums {
	struct kmprof_amount alloc;
	struct kmprof_amount inuse;
	struct kmprof_amount rcu_pending;
	struct kmprof_waits_amount waits;
};

struct kmprof_sums kmprof_sums(const struct kmprof_image *image);

#endif
