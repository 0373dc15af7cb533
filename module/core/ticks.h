/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A coarse clock: jiffies in units of 8 to 14 ms, so that 32 bits last for more than a year.
 * Reading it costs one load, in any context. It stands still while the system is suspended.
 */
#ifndef KMPROF_TICKS_H
#define KMPROF_TICKS_H

#include <linux/bits.h>
#include <linux/jiffies.h>
#include <linux/log2.h>
#include <linux/types.h>

/* Jiffies of a tick, a power of two: 8 ms with HZ=1000 or 250, 10 ms with 100, 13.3 with 300. */
#define KMPROF_TICK_JIFFIES	BIT(const_ilog2(HZ / 64 | 1))

/**
 * kmprof_ticks() - get the time
 *
 * Context: Any.
 * Return: ticks since some moment; wraps around.
 */
static __always_inline u32 kmprof_ticks(void)
{
	return jiffies / KMPROF_TICK_JIFFIES;
}

/* What is not more than that late is early. */
#define KMPROF_TICKS_MINUTE	(60 * HZ / KMPROF_TICK_JIFFIES)

/**
 * kmprof_ticks_span() - compute the time from one moment to another
 * @from: the first moment
 * @to: the other one; up to a minute earlier counts as the same moment
 *
 * Context: Any.
 * Return: the time in ns.
 */
static inline u64 kmprof_ticks_span(u32 from, u32 to)
{
	if (from - to <= KMPROF_TICKS_MINUTE)
		return 0;
	return (u64)(to - from) * KMPROF_TICK_JIFFIES * TICK_NSEC;
}

#endif
