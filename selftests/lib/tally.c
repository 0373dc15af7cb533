// SPDX-License-Identifier: GPL-2.0
/*
 * Sums a snapshot up by chain and object size, and scales samples to estimates.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lib/tally.h"

/**
 * estimate_add() - add what a bucket's samples stand for
 * @sample: the bucket
 * @bytes: in, out: estimated number of bytes allocated
 * @variance: in, out: variance of the estimate
 *
 * An object of s bytes is sampled with probability p = 1 - exp(-s / period)
 * and stands for 1 / p objects. Of k objects that are sampled together, each adds k times the
 * variance.
 */
void estimate_add(const struct kmprof_image_sample *sample, double *bytes, double *variance)
{
	double size = sample->object_size;
	double p = sample->period > 1 ? -expm1(-size / sample->period) : 1;

	if (!sample->object_size)
		return;
	*bytes += sample->allocs * size / p;
	*variance += sample->allocs * (1 - p) / (p * p) * size * size * sample->together;
}

static struct cell *cell_get(struct tally *tally, unsigned int chain, uint64_t size)
{
	struct cell *bigger;
	unsigned int i;

	for (i = 0; i < tally->count; i++)
		if (tally->cells[i].chain == chain && tally->cells[i].size == size)
			return &tally->cells[i];

	bigger = realloc(tally->cells, (tally->count + 1) * sizeof(*bigger));
	if (!bigger)
		return NULL;
	tally->cells = bigger;
	bigger = &tally->cells[tally->count++];
	*bigger = (struct cell){ .chain = chain, .size = size };
	return bigger;
}

/**
 * tally_take() - sum a snapshot up
 * @tally: out: for tally_free()
 * @snapshot: the image
 * @symbols: with those of the test module
 *
 * Return: 0 or -ENOMEM.
 */
int tally_take(struct tally *tally, const struct snapshot *snapshot,
	       const struct symbols *symbols)
{
	uint32_t i;

	memset(tally, 0, sizeof(*tally));
	for (i = 0; i < snapshot_rows(snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
		int chain = symbols_chain(symbols, snapshot, sample);
		struct cell *cell;

		if (chain < 0)
			continue;
		cell = cell_get(tally, chain, sample->object_size);
		if (!cell) {
			tally_free(tally);
			return -ENOMEM;
		}
		cell->allocs += sample->allocs;
		cell->frees += sample->frees;
		cell->rcu_pending += sample->rcu_pending;
		estimate_add(sample, &cell->estimate, &cell->variance);
	}
	return 0;
}

/**
 * tally_free() - free a tally
 * @tally: may be all zero
 */
void tally_free(struct tally *tally)
{
	free(tally->cells);
	memset(tally, 0, sizeof(*tally));
}

/**
 * tally_cell() - one cell
 * @tally: the tally
 * @chain: call chain
 * @size: bytes per object
 *
 * Return: the cell; all zero when nothing was counted there.
 */
struct cell tally_cell(const struct tally *tally, unsigned int chain, uint64_t size)
{
	unsigned int i;

	for (i = 0; i < tally->count; i++)
		if (tally->cells[i].chain == chain && tally->cells[i].size == size)
			return tally->cells[i];
	return (struct cell){ .chain = chain, .size = size };
}

/**
 * tally_total() - the sum of all cells
 * @tally: the tally
 */
struct cell tally_total(const struct tally *tally)
{
	struct cell sum = { 0 };
	unsigned int i;

	for (i = 0; i < tally->count; i++) {
		sum.allocs += tally->cells[i].allocs;
		sum.frees += tally->cells[i].frees;
		sum.rcu_pending += tally->cells[i].rcu_pending;
		sum.estimate += tally->cells[i].estimate;
		sum.variance += tally->cells[i].variance;
	}
	return sum;
}
