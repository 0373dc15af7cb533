/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Cycles. A cycle is closed by a grace period instead of stopping the world: the sums of
 * the closed cycles are a consistent snapshot, while probes count in the next cycle.
 * Follows mProf_NextCycle() and mProf_Flush() of mprof.go.
 */
#ifndef KMPROF_CYCLE_H
#define KMPROF_CYCLE_H

#include <linux/lockdep.h>
#include <linux/rculist.h>
#include <linux/types.h>
#include <linux/wait.h>

#include "core/bucket.h"
#include "core/cycle_lock.h"
#include "core/stats.h"

/**
 * struct kmprof_published - what a snapshot shows besides the buckets
 * @cycle: number of the last closed cycle
 * @reset_cycle: @cycle after the last reset
 * @start_ns: CLOCK_REALTIME at which counting started
 * @time_ns: CLOCK_REALTIME at which the cycle was closed
 * @ticks: kmprof_ticks() at @time_ns
 * @stats: sums from @start_ns to @time_ns
 */
struct kmprof_published {
	u64 cycle;
	u64 reset_cycle;
	u64 start_ns;
	u64 time_ns;
	u32 ticks;
	struct kmprof_stats stats;
};

extern struct kmprof_published kmprof_published;

/* Woken when a cycle is published. */
extern wait_queue_head_t kmprof_cycle_wait;

/* Walk all buckets under the cycle lock. Events and the drain may add some meanwhile. */
#define kmprof_cycle_for_each_bucket(b)					\
	list_for_each_entry_rcu(b, &kmprof_buckets, list,		\
				lockdep_is_held(&kmprof_cycle_lock))

void kmprof_cycle_advance(void);
void kmprof_cycle_reset(void);
u64 kmprof_cycle_number(void);
void kmprof_cycle_start(void);

#endif
