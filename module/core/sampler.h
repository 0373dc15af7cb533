/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which allocations are sampled: a per-CPU countdown of bytes (hot.h), refilled
 * from an exponential distribution. Follows MemProfileRate and nextSample() of Go.
 * And which waits are: each by itself, by its length.
 */
#ifndef KMPROF_SAMPLER_H
#define KMPROF_SAMPLER_H

#include <linux/types.h>

bool kmprof_sampler_refill(size_t size, u64 *period);
u64 kmprof_sampler_take(s64 left, size_t bytes, u64 *period);
u64 kmprof_sampler_gap(u64 period);
bool kmprof_sampler_wait(u64 ns, u64 period);
bool kmprof_sampler_one_of(u64 number);
void kmprof_sampler_set_rate(u64 rate);
u64 kmprof_sampler_rate(void);
void kmprof_sampler_init(void);

#endif
