/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The hot path: all that an unsampled event writes, in one cache line of this CPU.
 *
 * The totals are exact and only grow. There are two of them for each CPU, and consecutive
 * cycles alternate between the two. Closing a cycle switches to the other turn
 * (kmprof_stats_close()), and after a grace period adds what the old turn has grown by to
 * the published sums (kmprof_stats_fold()).
 */
#ifndef KMPROF_HOT_H
#define KMPROF_HOT_H

#include <linux/percpu.h>
#include <linux/types.h>

#include "compat/compat.h"

/**
 * struct kmprof_totals - exact numbers of events
 * @alloc_calls: allocations
 * @alloc_bytes: bytes that these allocations requested
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
 * struct kmprof_hot - what unsampled events write on one CPU
 * @bytes_left: countdown of bytes until the next sample; negative only between the event
 *	that runs it down and its refill
 * @totals: all frees, and the allocations that are not sampled, by turn
 */
struct kmprof_hot {
	s64 bytes_left;
	struct kmprof_totals totals[KMPROF_NR_TURNS];
};

DECLARE_PER_CPU_ALIGNED(struct kmprof_hot, kmprof_hot);

/* The current turn, as a byte offset into @totals. Written under the cycle lock. */
extern unsigned long kmprof_hot_turn;

/* The number at a byte offset in this CPU's kmprof_hot, for this_cpu_add(). */
#define KMPROF_HOT_AT(offset) (*(u64 __percpu *)((char __percpu *)&kmprof_hot + (offset)))

/* Byte offsets of the numbers of turn 0. */
#define KMPROF_HOT_CALLS	offsetof(struct kmprof_hot, totals[0].alloc_calls)
#define KMPROF_HOT_BYTES	offsetof(struct kmprof_hot, totals[0].alloc_bytes)
#define KMPROF_HOT_FREES	offsetof(struct kmprof_hot, totals[0].free_calls)

/**
 * kmprof_hot_countdown() - subtract an allocation from the countdown
 * @size: bytes requested, less than 2^62
 *
 * One instruction subtracts and sets the sign flag: an interrupt cannot come between.
 *
 * Context: Any but NMI. Preemption off.
 * Return: true when the countdown is negative now.
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
 * @calls: number of allocations
 * @bytes: bytes that they requested together
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
 * @size: bytes requested
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
