// SPDX-License-Identifier: GPL-2.0
/*
 * Memory that each CPU has of its own.
 */
#include <linux/percpu.h>
#include <linux/percpu_counter.h>
#include <linux/slab.h>

#include "catalogue.h"

enum { RING = 8 };

struct statistics {
	u64 packets[5];
};

/* Per-CPU addresses are no pointers: they are kept as such, and never looked at. */
static void release_percpu(void *object)
{
	free_percpu((void __percpu __force *)object);
}

CATALOGUE_CALL(percpu)
{
	struct statistics __percpu *statistics = alloc_percpu(struct statistics);

	if (!statistics)
		return;
	catalogue_count(c, 1);
	catalogue_lose(c, (void __force *)statistics, 1, release_percpu);
}

struct counter_of_old {
	struct percpu_counter counter;
};

static void release_counter(void *object)
{
	struct counter_of_old *old = object;

	percpu_counter_destroy(&old->counter);
	kfree(old);
}

/* The counter is taken out of use, without percpu_counter_destroy(). */
CATALOGUE_CALL(percpu_counter)
{
	struct counter_of_old *old = kmalloc(sizeof(*old), GFP_KERNEL);

	if (!old)
		return;
	if (percpu_counter_init(&old->counter, 0, GFP_KERNEL)) {
		kfree(old);
		return;
	}
	catalogue_count(c, 1);
	catalogue_lose(c, old, 1, release_counter);
}

CATALOGUE_CALL(percpu_freed)
{
	struct statistics __percpu *statistics = alloc_percpu(struct statistics);

	free_percpu(statistics);
}

static struct statistics __percpu *ring[RING];

static void ring_put(struct catalogue_case *c, unsigned int slot,
		     struct statistics __percpu *statistics)
{
	if (ring[slot]) {
		free_percpu(ring[slot]);
		catalogue_count(c, -1);
	}
	ring[slot] = statistics;
	if (statistics)
		catalogue_count(c, 1);
}

CATALOGUE_CALL(percpu_ring)
{
	ring_put(c, n % RING, alloc_percpu(struct statistics));
}

static void percpu_ring_cleanup(struct catalogue_case *c)
{
	unsigned int i;

	for (i = 0; i < RING; i++)
		ring_put(c, i, NULL);
}

#define PERCPU .memory = KMPROF_CATALOGUE_PERCPU

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(percpu, 100, "statistics of each CPU are forgotten", PERCPU),
	CATALOGUE_LEAK(percpu_counter, 100, "a per-CPU counter is not destroyed", PERCPU),
	CATALOGUE_LOOKALIKE(percpu_freed, 0, "statistics of each CPU come and go", PERCPU),
	CATALOGUE_LOOKALIKE(percpu_ring, RING, "the last ones of such statistics are kept", PERCPU,
			    .cleanup = percpu_ring_cleanup),
};

const struct catalogue_family catalogue_percpu = {
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
