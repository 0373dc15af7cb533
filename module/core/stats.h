/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exact totals and the loss ledger, counted per CPU and per cycle. In the sums of the
 * closed cycles each sampled event is counted or lost: see KMPROF_SCALAR_SAMPLED.
 *
 * Sampled events count in the cycle's slot, unsampled events in a turn (hot.h). Closing a
 * cycle switches both, one after the other: of two events in that moment one may count
 * in the old cycle and the other in the new one.
 */
#ifndef KMPROF_STATS_H
#define KMPROF_STATS_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "core/hot.h"
#include "core/mark.h"
#include "core/slot.h"

/*
 * The counters besides the totals. Each is a scalar of one profile, which gives it a name
 * and says whether a sampled event can end there: see struct kmprof_scalar.
 */
enum kmprof_counter {
	KMPROF_PERCPU_CALLS,	/* per-CPU memory: allocations */
	KMPROF_PERCPU_BYTES,	/* bytes that these allocations requested, on all CPUs */
	KMPROF_PERCPU_FREES,	/* objects freed */
	KMPROF_VMALLOC_CALLS,	/* the same of vmalloc memory */
	KMPROF_VMALLOC_BYTES,
	KMPROF_VMALLOC_FREES,	/* areas removed, also those that were never allocated memory */
	KMPROF_PAGES_ALLOCATED,	/* movable ones if seen; also for slabs */
	KMPROF_PAGES_FREED,	/* of all kinds */
	KMPROF_FILTERED,	/* objects that the sampler has chosen, and heap_filter has not */
	KMPROF_FILTERED_BYTES,	/* bytes of these objects */
	KMPROF_SAMPLED,
	KMPROF_COUNTED,
	KMPROF_WAITS,		/* waits for locks that have ended */
	KMPROF_WAIT_NS,		/* duration of these waits */
	KMPROF_WAITS_SAMPLED,
	KMPROF_WAITS_COUNTED,
	KMPROF_RELEASES,	/* releases that a wait was blamed on */
	KMPROF_BLAMED_NS,	/* wait time blamed on these releases */
	KMPROF_UNBLAMED_NS,	/* wait time blamed on no release */
	KMPROF_UNBLAMED_SPINNING,/* ns of it, by reason: the lock is one that waiters spin for */
	KMPROF_UNBLAMED_SPUN,	/* the waiter got the lock by spinning: by the fast path */
	KMPROF_UNBLAMED_HAND_OVER,/* from the last release until the waiter has the lock */
	KMPROF_UNBLAMED_UNSEEN,	/* the waiter got the lock, and no release was seen */
	KMPROF_UNBLAMED_FAILED,	/* the wait ended without the lock, and nobody else waits */
	KMPROF_UNBLAMED_GRACE,	/* the writer of a percpu_rwsem waited for a grace period */
	KMPROF_UNBLAMED_NOT_FOLLOWED,/* the wait is not in the table of contended locks */
	KMPROF_DELAYS_SAMPLED,	/* sampled releases, and waits with unblamed time */
	KMPROF_DELAYS_COUNTED,

	KMPROF_LOSS_NESTED,	/* the level was taking a sample already: guard.h */
	KMPROF_LOSS_RING_FULL,	/* new stack, no room in this CPU's ring */
	KMPROF_LOSS_LIVE_FULL,	/* no unused entry in the live table */
	KMPROF_LOSS_BUCKET_FULL,/* new stack, max_buckets reached or no memory */
	KMPROF_LOSS_ALLOC_FAILED,/* the allocation returned NULL */
	KMPROF_LOSS_OWN,	/* kmprof's own memory, never counted */
	KMPROF_LOSS_MISSED_PROBE,/* allocations that the probes missed */
	KMPROF_LOSS_PROBES_OFF,	/* snapshots that found all kprobes switched off */
	KMPROF_LOSS_MISSED_FREE,/* entries healed because a free was missed */
	KMPROF_LOSS_STACK_TRUNCATED,/* a stack was cut at stack_depth; it is counted */
	KMPROF_LOSS_UNTRACKED,	/* live objects dropped, their frees unseen */
	KMPROF_LOSS_OWNER_FULL,	/* objects whose owner is not known: too many tasks have some */
	KMPROF_LOSS_WAIT_NESTED,/* the level was taking a sample already */
	KMPROF_LOSS_WAIT_RING_FULL,
	KMPROF_LOSS_WAIT_BUCKET_FULL,
	KMPROF_LOSS_WAIT_OWN,	/* kmprof's own waits, never counted */
	KMPROF_LOSS_WAIT_TABLE_FULL,/* no room to track the wait */
	KMPROF_LOSS_WAIT_UNPAIRED,/* an end without a known begin */
	KMPROF_LOSS_DELAY_NESTED,/* the same losses, of the mutex profile */
	KMPROF_LOSS_DELAY_RING_FULL,
	KMPROF_LOSS_DELAY_BUCKET_FULL,
	KMPROF_LOSS_DELAY_OWN,
	KMPROF_LOSS_DELAY_TABLE_FULL,/* no room for the lock: no release is blamed */
	KMPROF_LOSS_MISSED_RELEASE,/* hits skipped by the kprobe core, or in NMI */
	KMPROF_LOSS_MISSED_WAIT,/* the same, or no room to track the wait */
	KMPROF_LOSS_WAIT_DIED,	/* the task has exited while it waited */
	KMPROF_LOSS_WAIT_SATURATED,/* a bucket's delay was cut, of the block profile */
	KMPROF_LOSS_DELAY_SATURATED,/* the same, of the mutex profile */
	KMPROF_LOSS_MISSED_TASK,/* new tasks that the kprobe core has skipped */

	KMPROF_NR_COUNTERS,
};

/**
 * struct kmprof_stats - one sum of everything that is counted
 * @totals: exact numbers of all calls of slab allocators, sampled or not
 * @marks: by enum kmprof_mark; no CPU counts them, mem/marks.c sets them in kmprof_published
 * @counter: counters, by enum kmprof_counter
 */
struct kmprof_stats {
	struct kmprof_totals totals;
	struct kmprof_marked marks[KMPROF_NR_MARKS];
	u64 counter[KMPROF_NR_COUNTERS];
};

/**
 * struct kmprof_stats_slot - one CPU's numbers of one cycle
 * @alloc_calls: sampled allocations
 * @alloc_bytes: bytes that these allocations requested
 * @counter: counters, by enum kmprof_counter
 */
struct kmprof_stats_slot {
	u64 alloc_calls;
	u64 alloc_bytes;
	u64 counter[KMPROF_NR_COUNTERS];
};

struct kmprof_stats_cpu {
	struct kmprof_stats_slot slot[KMPROF_NR_SLOTS];
};

DECLARE_PER_CPU_ALIGNED(struct kmprof_stats_cpu, kmprof_stats_cpu);

/**
 * kmprof_stats_alloc() - count a sampled allocation in the totals
 * @slot: the current slot
 * @bytes: bytes requested
 *
 * Context: Any but NMI. Preemption off since @slot was read.
 */
static inline void kmprof_stats_alloc(unsigned int slot, size_t bytes)
{
	this_cpu_inc(kmprof_stats_cpu.slot[slot].alloc_calls);
	this_cpu_add(kmprof_stats_cpu.slot[slot].alloc_bytes, bytes);
}

/**
 * kmprof_stats_count() - add 1 to a counter
 * @slot: slot of the cycle in which the event happened
 * @counter: the counter
 *
 * Context: Any. Preemption off since @slot was read as the current slot; or the slot's
 * cycle cannot be folded meanwhile (the drain).
 */
static inline void kmprof_stats_count(unsigned int slot, enum kmprof_counter counter)
{
	this_cpu_inc(kmprof_stats_cpu.slot[slot].counter[counter]);
}

/**
 * kmprof_stats_add() - add to a counter
 * @slot: slot of the cycle in which the event happened
 * @counter: the counter
 * @value: the summand
 *
 * Context: As for kmprof_stats_count().
 */
static inline void kmprof_stats_add(unsigned int slot, enum kmprof_counter counter, u64 value)
{
	this_cpu_add(kmprof_stats_cpu.slot[slot].counter[counter], value);
}

void kmprof_stats_close(void);
void kmprof_stats_fold(unsigned int slot, struct kmprof_stats *into);

#endif
