/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Recursion guard and scratch memory of the sampled path.
 *
 * A softirq can interrupt a task that takes a sample, and a hardirq can interrupt both:
 * each of the three levels has a scratch of its own on each CPU. A second entry on the
 * same level (from a fault, say) is refused, and the caller counts it.
 */
#ifndef KMPROF_GUARD_H
#define KMPROF_GUARD_H

#include <linux/compiler.h>
#include <linux/percpu.h>
#include <linux/preempt.h>
#include <linux/sched.h>	/* in_serving_softirq() */

#include "core/limits.h"

enum {
	KMPROF_GUARD_TASK,
	KMPROF_GUARD_SOFTIRQ,
	KMPROF_GUARD_HARDIRQ,
	KMPROF_NR_GUARDS,

	/* Frames between an event's stack and its probe; also room for labels. */
	KMPROF_STACK_EXTRA = 16,
};

/**
 * struct kmprof_scratch - memory for one sample, of one level of one CPU
 * @busy: the level is taking a sample
 * @frames: the stack of the sample, then its labels
 */
struct kmprof_scratch {
	bool busy;
	unsigned long frames[KMPROF_STACK_DEPTH_MAX + KMPROF_STACK_EXTRA];
};

/**
 * struct kmprof_scratches - the scratches of one CPU
 * @level: the scratches, by KMPROF_GUARD_*
 */
struct kmprof_scratches {
	struct kmprof_scratch level[KMPROF_NR_GUARDS];
};

/* Allocated, because all modules share 8 KiB of static per-CPU memory. */
extern struct kmprof_scratches __percpu *kmprof_scratches;

/**
 * kmprof_guard_level() - get the level of the current context
 *
 * Context: Any. An NMI is on the level of hardirqs.
 * Return: KMPROF_GUARD_*.
 */
static inline unsigned int kmprof_guard_level(void)
{
	return in_hardirq() ? KMPROF_GUARD_HARDIRQ :
	       in_serving_softirq() ? KMPROF_GUARD_SOFTIRQ : KMPROF_GUARD_TASK;
}

/**
 * kmprof_guard_enter() - take the scratch of the current level
 *
 * Context: Any. Preemption off until kmprof_guard_leave().
 * Return: the scratch; NULL when the level is busy, and in NMI.
 */
static inline struct kmprof_scratch *kmprof_guard_enter(void)
{
	const unsigned int level = kmprof_guard_level();
	struct kmprof_scratch *s = &this_cpu_ptr(kmprof_scratches)->level[level];

	/* The address is computed once, not for each use. */
	OPTIMIZER_HIDE_VAR(s);
	if (s->busy || (level == KMPROF_GUARD_HARDIRQ && in_nmi()))
		return NULL;
	s->busy = true;
	barrier();	/* pairs with kmprof_guard_leave(), for interrupts on this CPU */
	return s;
}

/**
 * kmprof_guard_leave() - release a scratch
 * @s: the scratch, from kmprof_guard_enter()
 *
 * Context: As for kmprof_guard_enter().
 */
static inline void kmprof_guard_leave(struct kmprof_scratch *s)
{
	barrier();	/* pairs with kmprof_guard_enter() */
	s->busy = false;
}

int kmprof_guard_init(void);
void kmprof_guard_exit(void);

#endif
