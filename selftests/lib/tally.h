/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a snapshot says about the test module's chains: a cell for each chain
 * and object size, summed over everything that called the chain.
 */
#ifndef TALLY_H
#define TALLY_H

#include <stdint.h>

#include "module/kmprof_test.h"
#include "lib/snapshot.h"
#include "lib/symbols.h"

struct cell {
	unsigned int chain;
	uint64_t size;
	uint64_t allocs;
	uint64_t frees;
	uint64_t rcu_pending;
	double estimate;	/* bytes allocated */
	double variance;	/* of the estimate */
};

struct tally {
	struct cell *cells;
	unsigned int count;
};

int tally_take(struct tally *tally, const struct snapshot *snapshot,
	       const struct symbols *symbols);
void tally_free(struct tally *tally);
struct cell tally_cell(const struct tally *tally, unsigned int chain, uint64_t size);
struct cell tally_total(const struct tally *tally);

void estimate_add(const struct kmprof_image_sample *sample, double *bytes, double *variance);

#endif /* TALLY_H */
