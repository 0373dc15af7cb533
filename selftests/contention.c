// SPDX-License-Identifier: GPL-2.0
/*
 * Finds waits in a snapshot by lock and by the function that waited, and sums them
 * up.
 */
#include <stdio.h>
#include <string.h>

#include "contention.h"

/**
 * contention_chain() - the waiter function of the test module that a bucket shows
 * @symbols: where to look
 * @snapshot: the image
 * @bucket: the bucket
 *
 * Return: its number when it is the leaf of the stack, the function that called that
 * of the lock; else -1.
 */
int contention_chain(const struct symbols *symbols, const struct snapshot *snapshot,
		     const struct kmprof_image_contention *bucket)
{
	const uint64_t *frames = snapshot_contention_frames(snapshot, bucket);
	const struct symbol *symbol = symbols_caller(symbols, frames[0]);
	char name[64];
	int chain;

	if (!symbol || strcmp(symbol->module, "kmprof_test") ||
	    sscanf(symbol->name, "kmprof_test_w%2d_", &chain) != 1)
		return -1;
	snprintf(name, sizeof(name), "kmprof_test_w%02d_lock", chain);
	return strcmp(symbol->name, name) ? -1 : chain;
}

/* What lies in a lock that has no static address has none either. */
static int is_inside(const struct kmprof_image_contention *bucket)
{
	return !bucket->lock && bucket->kind == KMPROF_LOCK_SPINLOCK;
}

/**
 * contention_sum() - sum waits up
 * @snapshot: the image
 * @symbols: with those of the test module
 * @lock: waits for that lock only, 0: for one that is not static, or
 *	CONTENTION_ANY_LOCK
 * @chain: waits of that waiter function only, or CONTENTION_ANY_CHAIN
 *
 * Return: the sum; all zero when there are none.
 */
struct contention contention_sum(const struct snapshot *snapshot, const struct symbols *symbols,
				 uint64_t lock, int chain)
{
	struct contention sum = { 0 };
	uint32_t i;

	for (i = 0; i < snapshot_contentions(snapshot); i++) {
		const struct kmprof_image_contention *bucket = snapshot_contention(snapshot, i);

		if (!bucket->count)
			continue;
		if (lock != CONTENTION_ANY_LOCK && (bucket->lock != lock || is_inside(bucket)))
			continue;
		if (chain != CONTENTION_ANY_CHAIN &&
		    contention_chain(symbols, snapshot, bucket) != chain)
			continue;
		sum.kind = !sum.buckets || sum.kind == bucket->kind ? bucket->kind : 0;
		sum.buckets++;
		sum.flags |= bucket->flags;
		sum.count += bucket->count;
		sum.delay_ns += bucket->delay_ns;
		if (bucket->longest_ns > sum.longest_ns)
			sum.longest_ns = bucket->longest_ns;
	}
	return sum;
}

/**
 * contention_print() - print all waits of the test module as a diagnostic
 * @snapshot: the image
 * @symbols: with those of the test module
 */
void contention_print(const struct snapshot *snapshot, const struct symbols *symbols)
{
	uint32_t i, k;

	for (i = 0; i < snapshot_contentions(snapshot); i++) {
		const struct kmprof_image_contention *bucket = snapshot_contention(snapshot, i);
		const uint64_t *frames = snapshot_contention_frames(snapshot, bucket);
		int ours = 0;

		for (k = 0; k < bucket->nr_frames; k++) {
			const struct symbol *symbol = symbols_caller(symbols, frames[k]);

			ours |= symbol && !strcmp(symbol->module, "kmprof_test");
		}
		if (!ours)
			continue;
		fprintf(stderr, "# kind %u flags %#x lock %#llx count %.3f ns %llu longest %llu:",
			bucket->kind, bucket->flags, (unsigned long long)bucket->lock,
			(double)bucket->count / (1 << KMPROF_WAIT_COUNT_SHIFT),
			(unsigned long long)bucket->delay_ns,
			(unsigned long long)bucket->longest_ns);
		for (k = 0; k < bucket->nr_frames && k < 3; k++) {
			const struct symbol *symbol = symbols_caller(symbols, frames[k]);

			fprintf(stderr, " %s", symbol ? symbol->name : "?");
		}
		fprintf(stderr, "\n");
	}
}
