/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which allocations are sampled: a per-CPU countdown of bytes, refilled from
 * an exponential distribution. Follows MemProfileRate and nextSample() of Go.
 */
#ifndef KMPROF_SAMPLER_H
#define KMPROF_SAMPLER_H

#include <linux/percpu.h>
#include <linux/prandom.h>
#include <linux/types.h>

/**
 * struct kmprof_sampler_cpu - one CPU's countdown
 * @bytes_left: bytes until the next sample, never negative between events
 * @period: the rate under which @bytes_left was drawn; 0 before the first draw
 * @rnd: where the next draw comes from; interrupts off
 */
struct kmprof_sampler_cpu {
	s64 bytes_left;
	u64 period;
	struct rnd_state rnd;
};

DECLARE_PER_CPU_ALIGNED(struct kmprof_sampler_cpu, kmprof_sampler_cpu);

/**
 * kmprof_sampler_hit() - count an allocation down
 * @size: bytes, 1 to KMALLOC_MAX_SIZE
 *
 * The whole cost of an allocation that is not sampled, beside the totals.
 *
 * Context: Any but NMI. Preemption off.
 * Return: true when the countdown ran out: call kmprof_sampler_refill().
 */
static __always_inline bool kmprof_sampler_hit(size_t size)
{
	return this_cpu_sub_return(kmprof_sampler_cpu.bytes_left, size) < 0;
}

bool kmprof_sampler_refill(size_t size, u64 *period);
u64 kmprof_sampler_take(u64 *period);
u64 kmprof_sampler_gap(u64 period);
void kmprof_sampler_set_rate(u64 rate);
u64 kmprof_sampler_rate(void);
void kmprof_sampler_init(void);

#endif
