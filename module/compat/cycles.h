/* SPDX-License-Identifier: GPL-2.0 */
/* The cycle counters of the CPUs. */
#ifndef KMPROF_CYCLES_H
#define KMPROF_CYCLES_H

#include <linux/types.h>
#include <asm/msr.h>
#include <asm/tsc.h>

/**
 * kmprof_cycles() - read this CPU's cycle counter
 *
 * Context: Any.
 * Return: cycles.
 */
static __always_inline u64 kmprof_cycles(void)
{
	return rdtsc();
}

/**
 * kmprof_cycles_per_s() - how fast do the cycle counters count?
 *
 * Context: Any.
 * Return: cycles in a second; 0: they cannot be compared between CPUs, or stop.
 */
static inline u64 kmprof_cycles_per_s(void)
{
	return check_tsc_unstable() ? 0 : (u64)tsc_khz * 1000;
}

#endif
