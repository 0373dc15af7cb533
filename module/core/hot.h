/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What an event that is not sampled writes: one cache line of this CPU.
 *
 * The totals only grow. Cycles take turns at two of them; who closes a cycle folds
 * what its own have grown by: see kmprof_stats_close() and kmprof_stats_fold().
 */
#ifndef KMPROF_HOT_H
#define KMPROF_HOT_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "compat/compat.h"

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

enum {
	KMPROF_NR_TURNS = 2,
};

/**
 * struct kmprof_hot - one CPU's
 * @bytes_left: bytes until the next sample, never negative between events
 * @totals: of allocations that are not sampled, and of all frees
 */
struct kmprof_hot {
	s64 bytes_left;
	struct kmprof_totals totals[KMPROF_NR_TURNS];
};

DECLARE_PER_CPU_ALIGNED(struct kmprof_hot, kmprof_hot);

/* Whose turn it is, as bytes from the first totals. Under the cycle lock. */
extern unsigned long kmprof_hot_turn;

/* What lies there in this CPU's, for this_cpu_add(). */
#define KMPROF_HOT_AT(offset) (*(u64 __percpu *)((char __percpu *)&kmprof_hot + (offset)))

/* Of the totals, whose turn it is, the offset of a number. */
#define KMPROF_HOT_CALLS	offsetof(struct kmprof_hot, totals[0].alloc_calls)
#define KMPROF_HOT_BYTES	offsetof(struct kmprof_hot, totals[0].alloc_bytes)
#define KMPROF_HOT_FREES	offsetof(struct kmprof_hot, totals[0].free_calls)

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
 * kmprof_hot_allocs() - count allocations that are not sampled
 * @calls: how many
 * @bytes: of all of them
 *
 * Context: Any but NMI. Preemption off.
 */
static __always_inline void kmprof_hot_allocs(u64 calls, u64 bytes)
{
	unsigned long turn = READ_ONCE(kmprof_hot_turn);

	this_cpu_add(KMPROF_HOT_AT(turn + KMPROF_HOT_CALLS), calls);
	this_cpu_add(KMPROF_HOT_AT(turn + KMPROF_HOT_BYTES), bytes);
}

/**
 * kmprof_hot_alloc() - count an allocation that is not sampled
 * @size: bytes
 *
 * Context: Any but NMI. Preemption off.
 */
static __always_inline void kmprof_hot_alloc(size_t size)
{
	kmprof_hot_allocs(1, size);
}

/**
 * kmprof_hot_free() - count a free
 *
 * Context: Any but NMI. Preemption off.
 */
static __always_inline void kmprof_hot_free(void)
{
	this_cpu_inc(KMPROF_HOT_AT(READ_ONCE(kmprof_hot_turn) + KMPROF_HOT_FREES));
}

#endif
