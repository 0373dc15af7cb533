/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a snapshot says about waits for locks, in particular for those that the test
 * module's waiter functions take.
 */
#ifndef CONTENTION_H
#define CONTENTION_H

#include <stdint.h>

#include "kmprof_test.h"
#include "snapshot.h"
#include "symbols.h"

#define CONTENTION_ANY_LOCK	UINT64_MAX
#define CONTENTION_ANY_CHAIN	(-1)

/**
 * struct contention - waits, summed over buckets
 * @buckets: how many
 * @count: estimated number of waits, times 1 << KMPROF_WAIT_COUNT_SHIFT
 * @delay_ns: estimated sum of what they took
 * @longest_ns: the longest one that was sampled
 * @kind: enum kmprof_lock_kind; 0 when the buckets do not agree
 * @flags: KMPROF_WAIT_*, of any of the buckets
 */
struct contention {
	unsigned int buckets;
	uint64_t count;
	uint64_t delay_ns;
	uint64_t longest_ns;
	uint32_t kind;
	uint32_t flags;
};

int contention_chain(const struct symbols *symbols, const struct snapshot *snapshot,
		     const struct kmprof_image_contention *bucket);
struct contention contention_sum(const struct snapshot *snapshot, const struct symbols *symbols,
				 uint64_t lock, int chain);
void contention_print(const struct snapshot *snapshot, const struct symbols *symbols);

#endif /* CONTENTION_H */
