// SPDX-License-Identifier: GPL-2.0
/* The memory behind the recursion guard. */
#include "core/guard.h"

struct kmprof_scratches __percpu *kmprof_scratches;

/**
 * kmprof_guard_init() - allocate every CPU's scratch
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_guard_init(void)
{
	kmprof_scratches = alloc_percpu_gfp(struct kmprof_scratches, GFP_KERNEL | __GFP_NOWARN);
	return kmprof_scratches ? 0 : -ENOMEM;
}

/**
 * kmprof_guard_exit() - free it
 *
 * Context: Process context, after the last probe.
 */
void kmprof_guard_exit(void)
{
	free_percpu(kmprof_scratches);
}
