/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recursion guard and scratch memory of the sampled path.
 *
 * A task's sampling can be interrupted by a softirq's, and that by a hardirq's;
 * each level has its own scratch. A second entry on the same level (from a
 * fault, say) is turned away and counted.
 */
#ifndef KMPROF_GUARD_H
#define KMPROF_GUARD_H

#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>	/* in_serving_softirq() */

#include "core/limits.h"

enum {
	KMPROF_GUARD_TASK,
	KMPROF_GUARD_SOFTIRQ,
	KMPROF_GUARD_HARDIRQ,
	KMPROF_NR_GUARDS,

	/* Frames of kmprof and of the allocator on top of the caller's. */
	KMPROF_STACK_EXTRA = 16,
};

/**
 * struct kmprof_scratch - what sampling needs on one level of one CPU
 * @busy: the level is in use
 * @frames: the stack being captured
 */
struct kmprof_scratch {
	bool busy;
	unsigned long frames[KMPROF_STACK_DEPTH_MAX + KMPROF_STACK_EXTRA];
};

/**
 * struct kmprof_scratches - all levels of one CPU
 * @level: KMPROF_GUARD_*
 */
struct kmprof_scratches {
	struct kmprof_scratch level[KMPROF_NR_GUARDS];
};

/* Not static: modules share 8 KiB of static per-CPU memory. */
extern struct kmprof_scratches __percpu *kmprof_scratches;

/**
 * kmprof_guard_level() - which of a CPU's contexts this is
 *
 * Context: Any but NMI.
 * Return: KMPROF_GUARD_*.
 */
static inline unsigned int kmprof_guard_level(void)
{
	return in_hardirq() ? KMPROF_GUARD_HARDIRQ :
	       in_serving_softirq() ? KMPROF_GUARD_SOFTIRQ : KMPROF_GUARD_TASK;
}

/**
 * kmprof_guard_enter() - take this context's scratch
 *
 * Context: Any. Preemption off until kmprof_guard_leave().
 * Return: the scratch, or NULL when this context has it already or is an NMI.
 */
static inline struct kmprof_scratch *kmprof_guard_enter(void)
{
	struct kmprof_scratch *s = &this_cpu_ptr(kmprof_scratches)->level[kmprof_guard_level()];

	if (in_nmi() || s->busy)
		return NULL;
	s->busy = true;
	barrier();	/* an interrupt on this CPU must see the level taken */
	return s;
}

/**
 * kmprof_guard_leave() - give the scratch back
 * @s: from kmprof_guard_enter()
 */
static inline void kmprof_guard_leave(struct kmprof_scratch *s)
{
	barrier();	/* all use of the scratch is done */
	s->busy = false;
}

int kmprof_guard_init(void);
void kmprof_guard_exit(void);

#endif
