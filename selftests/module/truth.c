// SPDX-License-Identifier: GPL-2.0
/*
 * The counters that the tests hold kmprof's own against: one pair for every
 * call chain and object size. Entries are only ever added, in task context;
 * they are counted in any context.
 */
#include <linux/kernel.h>
#include <linux/spinlock.h>

#include "truth.h"

enum { TRUTH_MAX = 2048 };

static DEFINE_SPINLOCK(truth_lock);	/* serialises adding entries */
static struct truth truths[TRUTH_MAX];
static unsigned int truth_count;	/* published by truth_get() */

/**
 * truth_find() - look up the counters of a chain and size
 * @chain: call chain
 * @size: bytes per object
 *
 * Context: Any.
 * Return: the counters, or NULL when there are none yet.
 */
struct truth *truth_find(u32 chain, u32 size)
{
	/* Pairs with the release in truth_get(): entries below are complete. */
	unsigned int count = smp_load_acquire(&truth_count);
	unsigned int i;

	for (i = 0; i < count; i++)
		if (truths[i].chain == chain && truths[i].size == size)
			return &truths[i];
	return NULL;
}

/**
 * truth_get() - look up or add the counters of a chain and size
 * @chain: call chain
 * @size: bytes per object
 *
 * Context: Task.
 * Return: the counters, or NULL when the table is full.
 */
struct truth *truth_get(u32 chain, u32 size)
{
	struct truth *truth = truth_find(chain, size);

	if (truth)
		return truth;

	spin_lock(&truth_lock);
	truth = truth_find(chain, size);
	if (!truth && truth_count < TRUTH_MAX) {
		truth = &truths[truth_count];
		truth->chain = chain;
		truth->size = size;
		/* Pairs with the acquire in truth_find(). */
		smp_store_release(&truth_count, truth_count + 1);
	}
	spin_unlock(&truth_lock);
	return truth;
}

/**
 * truth_forget() - set all counters to zero
 *
 * Context: Task. Objects that are still allocated count as freed only.
 */
void truth_forget(void)
{
	/* Pairs with the release in truth_get(): entries below are complete. */
	unsigned int count = smp_load_acquire(&truth_count);
	unsigned int i;

	for (i = 0; i < count; i++) {
		atomic64_set(&truths[i].allocs, 0);
		atomic64_set(&truths[i].frees, 0);
	}
}
