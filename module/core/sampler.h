/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Decides which events are sampled. Allocations: by a per-CPU countdown of bytes (hot.h)
 * drawn from an exponential distribution; follows MemProfileRate and nextSample() of Go.
 * Waits and releases: each by a draw of its own.
 */
#ifndef KMPROF_SAMPLER_H
#define KMPROF_SAMPLER_H

#include <linux/types.h>

/* Every event hits: see kmprof_sampler_hit_all(). */
extern bool kmprof_sampler_hits_all;

u64 kmprof_sampler_refill(size_t size);
u64 kmprof_sampler_take(s64 left, size_t bytes, u64 *period);
u64 kmprof_sampler_decide(size_t size);
u64 kmprof_sampler_decide_several(size_t bytes, u64 *period);
u64 kmprof_sampler_gap(u64 period);
u64 kmprof_sampler_gap_below(u64 period, u64 bytes);
bool kmprof_sampler_wait(u64 ns, u64 period);
bool kmprof_sampler_one_of(u64 number);
void kmprof_sampler_set_rate(u64 rate);
void kmprof_sampler_hit_all(bool all);
u64 kmprof_sampler_rate(void);
void kmprof_sampler_init(void);

#endif
