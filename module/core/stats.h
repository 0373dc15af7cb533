/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Exact totals and the loss ledger.
 *
 * Everything is counted per CPU and per cycle, so that a closed cycle's numbers fit
 * together: in each one, sampled == counted + sample losses. What is sampled has the
 * cycle's slot; what is not has one of two turns (hot.h), which change together with
 * the slot, but not in one step: of two events at that moment one can be here and
 * one there.
 */
#ifndef KMPROF_STATS_H
#define KMPROF_STATS_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "core/hot.h"
#include "core/slot.h"

/*
 * What is counted beside the totals. The sample losses, from
 * KMPROF_LOSS_FIRST to KMPROF_LOSS_LAST_SAMPLE, are samples that no bucket
 * shows; each sampled allocation ends up in exactly one of them or in
 * KMPROF_COUNTED. In the same way each sampled wait ends up in one of
 * KMPROF_LOSS_FIRST_WAIT to KMPROF_LOSS_LAST_WAIT or in KMPROF_WAITS_COUNTED, and
 * each sampled delay in one of KMPROF_LOSS_FIRST_DELAY to KMPROF_LOSS_LAST_DELAY or in
 * KMPROF_DELAYS_COUNTED.
 */
enum kmprof_counter {
	KMPROF_SAMPLED,
	KMPROF_COUNTED,
	KMPROF_WAITS,		/* waits for locks that have ended */
	KMPROF_WAIT_NS,		/* what they took */
	KMPROF_WAITS_SAMPLED,
	KMPROF_WAITS_COUNTED,
	KMPROF_RELEASES,	/* of locks for which others have waited */
	KMPROF_BLAMED_NS,	/* what they have waited because of these */
	KMPROF_UNBLAMED_NS,	/* what no release was blamed for */
	KMPROF_DELAYS_SAMPLED,	/* releases, and waits with a part of the last */
	KMPROF_DELAYS_COUNTED,

	KMPROF_LOSS_NESTED,	/* sampled inside kmprof's own sampling */
	KMPROF_LOSS_RING_FULL,	/* new stack, no room in this CPU's ring */
	KMPROF_LOSS_LIVE_FULL,	/* no unused entry in the live table */
	KMPROF_LOSS_BUCKET_FULL,/* new stack, max_buckets reached or no memory */
	KMPROF_LOSS_ALLOC_FAILED,/* the allocation returned NULL */
	KMPROF_LOSS_OWN,	/* kmprof's own memory, never counted */
	KMPROF_LOSS_MISSED_PROBE,/* hits skipped by the kprobe core */
	KMPROF_LOSS_MISSED_FREE,/* entries healed because a free was missed */
	KMPROF_LOSS_STACK_TRUNCATED,/* stacks deeper than stack_depth, counted */
	KMPROF_LOSS_UNTRACKED,	/* live objects forgotten while detached */
	KMPROF_LOSS_WAIT_NESTED,/* the wait ended inside kmprof's own sampling */
	KMPROF_LOSS_WAIT_RING_FULL,
	KMPROF_LOSS_WAIT_BUCKET_FULL,
	KMPROF_LOSS_WAIT_OWN,	/* kmprof's own waits, never counted */
	KMPROF_LOSS_WAIT_TABLE_FULL,/* no room to follow the wait */
	KMPROF_LOSS_WAIT_UNPAIRED,/* the wait's begin is not known */
	KMPROF_LOSS_DELAY_NESTED,/* the same of the mutex profile */
	KMPROF_LOSS_DELAY_RING_FULL,
	KMPROF_LOSS_DELAY_BUCKET_FULL,
	KMPROF_LOSS_DELAY_OWN,
	KMPROF_LOSS_DELAY_TABLE_FULL,/* no room for the lock: nobody is blamed for the wait */
	KMPROF_LOSS_MISSED_RELEASE,/* hits skipped by the kprobe core */
	KMPROF_LOSS_MISSED_WAIT,/* the same of waits, or without room to follow them */

	KMPROF_NR_COUNTERS,
	KMPROF_LOSS_FIRST = KMPROF_LOSS_NESTED,
	KMPROF_LOSS_LAST_SAMPLE = KMPROF_LOSS_OWN,
	KMPROF_LOSS_FIRST_WAIT = KMPROF_LOSS_WAIT_NESTED,
	KMPROF_LOSS_LAST_WAIT = KMPROF_LOSS_WAIT_OWN,
	KMPROF_LOSS_FIRST_DELAY = KMPROF_LOSS_DELAY_NESTED,
	KMPROF_LOSS_LAST_DELAY = KMPROF_LOSS_DELAY_OWN,
};

enum {
	KMPROF_NR_LOSSES = KMPROF_NR_COUNTERS - KMPROF_LOSS_FIRST,
};

/* Indexed by counter - KMPROF_LOSS_FIRST. */
extern const char * const kmprof_loss_names[KMPROF_NR_LOSSES];

/**
 * struct kmprof_stats - one sum of everything that is counted
 * @totals: exact numbers, of sampled and unsampled calls
 * @counter: enum kmprof_counter
 */
struct kmprof_stats {
	struct kmprof_totals totals;
	u64 counter[KMPROF_NR_COUNTERS];
};

/**
 * struct kmprof_stats_slot - one CPU's numbers of one cycle
 * @alloc_calls: sampled allocations
 * @alloc_bytes: bytes that they asked for
 * @counter: enum kmprof_counter
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
 * kmprof_stats_alloc() - count one sampled allocation
 * @slot: current slot, read in this section
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
 * kmprof_stats_count() - tick one counter
 * @slot: the slot in which the event happened
 * @counter: what happened
 *
 * Context: Any. Preemption off since the slot was read, or the slot's cycle
 * is not folded yet (drain).
 */
static inline void kmprof_stats_count(unsigned int slot, enum kmprof_counter counter)
{
	this_cpu_inc(kmprof_stats_cpu.slot[slot].counter[counter]);
}

/**
 * kmprof_stats_add() - add to one counter
 * @slot: as for kmprof_stats_count()
 * @counter: what is summed up
 * @value: by how much
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
