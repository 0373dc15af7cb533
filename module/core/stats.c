// SPDX-License-Identifier: GPL-2.0
/* The per-CPU counters, and adding closed cycles up. */
#include <linux/cpumask.h>

#include "core/stats.h"

DEFINE_PER_CPU_ALIGNED(struct kmprof_stats_cpu, kmprof_stats_cpu);

unsigned long kmprof_hot_turn __read_mostly;

/* The totals that are folded already, by turn. Protected by the cycle lock. */
static struct kmprof_totals hot_folded[KMPROF_NR_TURNS];

static struct kmprof_totals hot_totals(unsigned int turn)
{
	struct kmprof_totals sum = {};
	int cpu;

	for_each_possible_cpu(cpu) {
		const struct kmprof_totals *t = &per_cpu(kmprof_hot, cpu).totals[turn];

		sum.alloc_calls += READ_ONCE(t->alloc_calls);
		sum.alloc_bytes += READ_ONCE(t->alloc_bytes);
		sum.free_calls += READ_ONCE(t->free_calls);
	}
	return sum;
}

/* Add what the totals of a turn have grown by since the last fold. */
static void fold_hot(unsigned int turn, struct kmprof_totals *into)
{
	struct kmprof_totals *folded = &hot_folded[turn], now = hot_totals(turn);

	into->alloc_calls += now.alloc_calls - folded->alloc_calls;
	into->alloc_bytes += now.alloc_bytes - folded->alloc_bytes;
	into->free_calls += now.free_calls - folded->free_calls;
	*folded = now;
}

static unsigned int hot_turn(void)
{
	return kmprof_hot_turn / sizeof(struct kmprof_totals);
}

static unsigned int other_turn(void)
{
	return KMPROF_NR_TURNS - 1 - hot_turn();
}

/**
 * kmprof_stats_close() - switch unsampled events to the other turn
 *
 * Like a new slot, the new turn is in use everywhere after a grace period.
 *
 * Context: Process context, cycle lock held.
 */
void kmprof_stats_close(void)
{
	WRITE_ONCE(kmprof_hot_turn, other_turn() * sizeof(struct kmprof_totals));
}

/**
 * kmprof_stats_fold() - add a closed cycle's numbers to a sum, and clear them
 * @slot: slot of the cycle: closed by a grace period, and drained
 * @into: the sum
 *
 * Context: Process context, cycle lock held.
 */
void kmprof_stats_fold(unsigned int slot, struct kmprof_stats *into)
{
	int cpu, i;

	for_each_possible_cpu(cpu) {
		struct kmprof_stats_slot *s = &per_cpu(kmprof_stats_cpu, cpu).slot[slot];

		into->totals.alloc_calls += s->alloc_calls;
		into->totals.alloc_bytes += s->alloc_bytes;
		for (i = 0; i < KMPROF_NR_COUNTERS; i++)
			into->counter[i] += s->counter[i];
		memset(s, 0, sizeof(*s));
	}
	fold_hot(other_turn(), &into->totals);
}
