/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The common base of the block and the mutex profile: their events are delays, which
 * booking.c counts, and their rows are struct kmprof_image_contention. The profiles differ
 * in the weight of a sampled delay.
 */
#ifndef KMPROF_LOCK_PROFILE_H
#define KMPROF_LOCK_PROFILE_H

#include <linux/limits.h>

#include "core/profile.h"
#include "core/stats.h"

/* Most ns of a bucket's delay: a signed number too, as in pprof files. A sum stays there. */
#define KMPROF_DELAY_MAX	((u64)LONG_MAX)

/* What can become of a sampled delay. */
enum kmprof_delay_fate {
	KMPROF_DELAY_COUNTED,
	KMPROF_DELAY_NESTED,
	KMPROF_DELAY_RING_FULL,
	KMPROF_DELAY_BUCKET_FULL,
	KMPROF_DELAY_OWN,
	KMPROF_NR_DELAY_FATES,
};

/**
 * struct kmprof_lock_profile - a profile of delays
 * @profile: the part that core/ knows
 * @weigh: returns the number of events, times 1 << KMPROF_WAIT_COUNT_SHIFT, that a delay of
 *	@ns sampled with @period stands for, and in @sum their total in ns; U64_MAX if that
 *	does not fit
 * @enter_era: called by a reset, see struct kmprof_profile_ops; NULL: nothing to do
 * @sampled: counter of all sampled delays
 * @saturated: counter of additions to a bucket's delay that were cut: see KMPROF_DELAY_MAX
 * @fate: counters by enum kmprof_delay_fate; each sampled delay counts in exactly one
 */
struct kmprof_lock_profile {
	struct kmprof_profile profile;
	u64 (*weigh)(u64 ns, u64 period, u64 *sum);
	void (*enter_era)(void);
	enum kmprof_counter sampled;
	enum kmprof_counter saturated;
	enum kmprof_counter fate[KMPROF_NR_DELAY_FATES];
};

/* The two columns of both. */
#define KMPROF_DELAY_COLUMN(name_)						\
	{									\
		.name	= (name_),						\
		.unit	= "nanoseconds",					\
		.offset	= offsetof(struct kmprof_image_contention, delay_ns),	\
	}

#define KMPROF_DELAY_COUNT_COLUMN(name_)					\
	{									\
		.name	= (name_),						\
		.unit	= "count",						\
		.offset	= offsetof(struct kmprof_image_contention, count),	\
		.shift	= KMPROF_WAIT_COUNT_SHIFT,				\
	}

extern struct kmprof_lock_profile kmprof_block_profile;
extern struct kmprof_lock_profile kmprof_mutex_profile;

extern const struct kmprof_profile_ops kmprof_lock_profile_ops;

#endif
