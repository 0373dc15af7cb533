/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cycles: consistent points in time. Follows mProf_NextCycle() and
 * mProf_Flush() of mprof.go; a grace period stands in for stopping the world.
 */
#ifndef KMPROF_CYCLE_H
#define KMPROF_CYCLE_H

#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "core/bucket.h"
#include "core/stats.h"

/*
 * Serialises everything that closes a cycle or looks at a closed one: guards
 * kmprof_published, the buckets' active sums and the life of all buckets.
 */
extern struct mutex kmprof_cycle_lock;

/**
 * struct kmprof_published - what the last closed cycle left
 * @cycle: its number
 * @start_ns: CLOCK_REALTIME at which counting started
 * @time_ns: CLOCK_REALTIME at which the cycle was closed
 * @stats: sums since @start_ns
 */
struct kmprof_published {
	u64 cycle;
	u64 start_ns;
	u64 time_ns;
	struct kmprof_stats stats;
};

extern struct kmprof_published kmprof_published;

/* Woken when a cycle was published. */
extern wait_queue_head_t kmprof_cycle_wait;

/* All buckets: they die under the cycle lock only; new ones may come meanwhile. */
#define kmprof_cycle_for_each_bucket(b)					\
	list_for_each_entry_rcu(b, &kmprof_buckets, list,		\
				lockdep_is_held(&kmprof_cycle_lock))

void kmprof_cycle_advance(void);
void kmprof_cycle_reset(void);
u64 kmprof_cycle_number(void);
void kmprof_cycle_start(void);

#endif
