/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The profiler without probes, for suites that need several of its parts: set up
 * with limits of the suite's choice, and taken down when the test case ends.
 */
#ifndef KMPROF_KUNIT_RIG_H
#define KMPROF_KUNIT_RIG_H

#include <linux/sched.h>
#include <linux/types.h>

#include "core/limits.h"
#include "core/profile.h"
#include "core/stats.h"

struct kunit;

enum {
	RIG_WORKERS = 4,
};

/* The smallest there are; and what a suite has room in. Stacks have all their depth. */
extern const struct kmprof_limits rig_narrow_limits;
extern const struct kmprof_limits rig_wide_limits;

int rig_create(struct kunit *test, const struct kmprof_limits *limits);

/* The test stays on this CPU, whose part of everything is its own; 0 or an errno. */
int rig_pin(void);

/* From where this CPU's sampler draws. */
void rig_seed(u64 seed);

/* While true, tables of waits and of contended locks do not grow. */
extern bool rig_holds_growth;

/* Close a cycle; discard all that was counted. Without the cycle lock. */
void rig_advance(void);
void rig_reset(void);

/* Buckets of all profiles. */
unsigned int rig_nr_buckets(void);

/* Everything counted so far in slots that are not folded. */
void rig_stats(struct kmprof_stats *sum);
u64 rig_counter(enum kmprof_counter counter);
/*
 * What is unblamed is compared as a whole; its reasons add up to it. They are compared where the
 * suite of blame.c asks for one.
 */
void rig_expect_stats(struct kunit *test, const struct kmprof_stats *want);
u64 rig_unblamed(const struct kmprof_stats *stats);

static inline u64 rig_scalar(const struct kmprof_scalar *s, const struct kmprof_stats *stats)
{
	return *(const u64 *)((const void *)stats + s->offset);
}

/* The sum of all scalars of a profile that have one of the flags KMPROF_SCALAR_*. */
u64 rig_sum(const struct kmprof_profile *p, u32 flags, const struct kmprof_stats *stats);

/* An address as slab objects have it; nothing looks behind it. */
static inline void *rig_object(u64 number)
{
	return (void *)(0xffff888000000000UL + number * 64);
}

static inline const void *rig_lock(u64 number)
{
	return rig_object(number);
}

/*
 * For a loop that does not sleep. With CONFIG_PREEMPT cond_resched() does nothing, and
 * user mode Linux does not preempt a task when an interrupt returns: the loop would
 * keep the only CPU.
 */
static inline void rig_let_others_run(void)
{
	if (need_resched())
		schedule();
}

/**
 * rig_run() - run a function on several CPUs at once
 * @test: test case
 * @work: called again and again on each CPU, up to RIG_WORKERS of them, with
 *	@data and the worker's number
 * @meanwhile: called once, here; may expect, but not assert: the threads are running
 * @data: for both
 *
 * Context: Process context. Returns when all have ended.
 */
void rig_run(struct kunit *test, void (*work)(void *data, unsigned int worker),
	     void (*meanwhile)(struct kunit *test, void *data), void *data);

#endif
