// SPDX-License-Identifier: GPL-2.0
/* The scratch memory of all CPUs. */
#include "core/guard.h"

struct kmprof_scratches __percpu *kmprof_scratches;

/**
 * kmprof_guard_init() - allocate the scratch memory of all CPUs
 *
 * Context: Process context, before any probe is armed.
 * Return: 0 or -ENOMEM.
 */
int kmprof_guard_init(void)
{
	kmprof_scratches = alloc_percpu_gfp(struct kmprof_scratches, GFP_KERNEL | __GFP_NOWARN);
	return kmprof_scratches ? 0 : -ENOMEM;
}

/**
 * kmprof_guard_exit() - free the scratch memory
 *
 * Context: Process context, a grace period after the last probe ran.
 */
void kmprof_guard_exit(void)
{
	free_percpu(kmprof_scratches);
}
