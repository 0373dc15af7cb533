/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an event that is not sampled writes: one cache line of this CPU.
 *
 * The totals only grow. They belong to no cycle: a closed cycle has what was there
 * when it was folded, see kmprof_stats_fold().
 */
#ifndef KMPROF_HOT_H
#define KMPROF_HOT_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "compat.h"

/**
 * struct kmprof_totals - exact numbers
 * @alloc_calls: allocations
 * @alloc_bytes: bytes that they asked for
 * @free_calls: objects freed
 */
struct kmprof_totals {
	u64 alloc_calls;
	u64 alloc_bytes;
	u64 free_calls;
};

/**
 * struct kmprof_hot - one CPU's
 * @bytes_left: bytes until the next sample, never negative between events
 * @totals: of allocations that are not sampled, and of all frees
 */
struct kmprof_hot {
	s64 bytes_left;
	struct kmprof_totals totals;
};

DECLARE_PER_CPU_ALIGNED(struct kmprof_hot, kmprof_hot);

/**
 * kmprof_hot_countdown() - take bytes off the countdown
 * @size: bytes, at most KMALLOC_MAX_SIZE
 *
 * In one instruction, so that no interrupt comes between; its sign is the result.
 *
 * Context: Any but NMI. Preemption off.
 * Return: true when it ran out.
 */
static __always_inline bool kmprof_hot_countdown(size_t size)
{
	bool negative;

	asm volatile("subq %[size], " KMPROF_PERCPU_OPERAND([left])
		     : "=@ccs" (negative), [left] "+m" (kmprof_hot.bytes_left)
		     : [size] "er" (size));
	return negative;
}

/**
 * kmprof_hot_alloc() - count an allocation that is not sampled
 * @size: bytes
 *
 * Context: Any but NMI. Preemption off.
 */
static __always_inline void kmprof_hot_alloc(size_t size)
{
	this_cpu_inc(kmprof_hot.totals.alloc_calls);
	this_cpu_add(kmprof_hot.totals.alloc_bytes, size);
}

/**
 * kmprof_hot_free() - count a free
 *
 * Context: Any but NMI. Preemption off.
 */
static __always_inline void kmprof_hot_free(void)
{
	this_cpu_inc(kmprof_hot.totals.free_calls);
}

#endif
