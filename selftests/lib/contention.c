// SPDX-License-Identifier: GPL-2.0
/*
 * Finds waits and releases in a snapshot, by lock and by the function that waited or
 * made others wait, and sums them up.
 */
#include <stdio.h>
#include <string.h>

#include "lib/contention.h"

/*
 * The number of the waiter function that is the leaf of the stack, the function that
 * called that of the lock, if this part of it is; NULL: any part.
 */
static int chain_of(const struct symbols *symbols, const struct snapshot *snapshot,
		    const struct kmprof_image_contention *bucket, const char *part)
{
	const uint64_t *frames = snapshot_frames(snapshot, &bucket->row);
	const struct symbol *symbol;
	int chain, end = 0;

	symbol = bucket->row.nr_frames ? symbols_caller(symbols, frames[0]) : NULL;
	if (!symbol || strcmp(symbol->module, "kmprof_test") ||
	    sscanf(symbol->name, "kmprof_test_w%2d_%n", &chain, &end) != 1 || !end)
		return CONTENTION_NO_CHAIN;
	return !part || !strcmp(symbol->name + end, part) ? chain : CONTENTION_NO_CHAIN;
}

/* What lies in a lock that has no static address has none either. */
static int is_inside(const struct kmprof_image_contention *bucket)
{
	return !bucket->lock && bucket->kind == KMPROF_LOCK_SPINLOCK;
}

static int has_chain(const struct snapshot *snapshot, const struct symbols *symbols,
		     const struct kmprof_image_contention *bucket,
		     const struct contention_which *which)
{
	const char *part = which->chain == CONTENTION_NO_CHAIN ? NULL : which->part;

	return which->chain == CONTENTION_ANY_CHAIN ||
	       chain_of(symbols, snapshot, bucket, part) == which->chain;
}

/**
 * contention_is_wanted() - whether a bucket is one of those that are asked for
 * @snapshot: the image
 * @symbols: with those of the test module
 * @bucket: a row of @which->profile
 * @which: as for contention_sum()
 */
int contention_is_wanted(const struct snapshot *snapshot, const struct symbols *symbols,
			 const struct kmprof_image_contention *bucket,
			 const struct contention_which *which)
{
	if (!bucket->count)
		return 0;
	if ((bucket->flags & which->with) != which->with || bucket->flags & which->without)
		return 0;
	if (which->lock != CONTENTION_ANY_LOCK &&
	    (bucket->lock != which->lock || is_inside(bucket)))
		return 0;
	return has_chain(snapshot, symbols, bucket, which);
}

/**
 * contention_sum() - sum waits or releases up
 * @snapshot: the image
 * @symbols: with those of the test module
 * @which: see contention_waits(), contention_blamed(), contention_unblamed()
 *
 * Return: the sum; all zero when there are none.
 */
struct contention contention_sum(const struct snapshot *snapshot, const struct symbols *symbols,
				 struct contention_which which)
{
	struct contention sum = { 0 };
	uint32_t i;

	for (i = 0; i < snapshot_rows(snapshot, which.profile); i++) {
		const struct kmprof_image_contention *bucket =
			snapshot_contention(snapshot, which.profile, i);

		if (!contention_is_wanted(snapshot, symbols, bucket, &which))
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
 * contention_balance() - what waits for a lock have taken, and who is to blame
 * @snapshot: the image
 * @symbols: with those of the test module
 * @lock: its address
 */
struct contention_balance contention_balance(const struct snapshot *snapshot,
					     const struct symbols *symbols, uint64_t lock)
{
	return (struct contention_balance){
		.waits = contention_sum(snapshot, symbols,
					contention_waits(lock, CONTENTION_ANY_CHAIN)),
		.blamed = contention_sum(snapshot, symbols,
					 contention_blamed(lock, CONTENTION_ANY_CHAIN)),
		.unblamed = contention_sum(snapshot, symbols, contention_unblamed(lock)),
	};
}

/**
 * contention_is_balanced() - whether each wait has its blame, or that nobody has it
 * @balance: with all waits and releases sampled, and none in flight
 *
 * It has it to the nanosecond, unless a sample was lost.
 */
int contention_is_balanced(const struct contention_balance *balance)
{
	uint64_t waited = balance->waits.delay_ns;
	uint64_t told = balance->blamed.delay_ns + balance->unblamed.delay_ns;

	return (told > waited ? told - waited : waited - told) <= waited / 100;
}

static void print_profile(const struct snapshot *snapshot, const struct symbols *symbols,
			  const char *profile)
{
	uint32_t i, k;

	for (i = 0; i < snapshot_rows(snapshot, profile); i++) {
		const struct kmprof_image_contention *bucket =
			snapshot_contention(snapshot, profile, i);
		const uint64_t *frames = snapshot_frames(snapshot, &bucket->row);
		int ours = !bucket->row.nr_frames && bucket->lock;

		for (k = 0; k < bucket->row.nr_frames; k++) {
			const struct symbol *symbol = symbols_caller(symbols, frames[k]);

			ours |= symbol && !strcmp(symbol->module, "kmprof_test");
		}
		if (!ours)
			continue;
		fprintf(stderr,
			"# %s kind %u flags %#x lock %#llx count %.3f ns %llu longest %llu:",
			profile, bucket->kind, bucket->flags,
			(unsigned long long)bucket->lock,
			(double)bucket->count / (1 << KMPROF_WAIT_COUNT_SHIFT),
			(unsigned long long)bucket->delay_ns,
			(unsigned long long)bucket->longest_ns);
		for (k = 0; k < bucket->row.nr_frames && k < 3; k++) {
			const struct symbol *symbol = symbols_caller(symbols, frames[k]);

			fprintf(stderr, " %s", symbol ? symbol->name : "?");
		}
		fprintf(stderr, "\n");
	}
}

/**
 * contention_print() - print what there is of the test module, as a diagnostic
 * @snapshot: the image
 * @symbols: with those of the test module
 *
 * And what nobody is blamed for, if the lock is a static one.
 */
void contention_print(const struct snapshot *snapshot, const struct symbols *symbols)
{
	print_profile(snapshot, symbols, "block");
	print_profile(snapshot, symbols, "mutex");
}
