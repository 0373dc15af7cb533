/* SPDX-License-Identifier: GPL-2.0 */
/* What snapshots have of a kind of memory, and of the test module's call chains for it. */
#ifndef KIND_H
#define KIND_H

#include "lib/snapshot.h"
#include "lib/symbols.h"
#include "lib/tally.h"

/**
 * struct kind - a kind of memory of the test module
 * @id: enum kmprof_kind_id
 * @letter: of the chains: kmprof_test_<letter>NN_leaf() and _outer()
 * @inner: beginnings of the names of the allocator's functions, and NULL: no stack shows them
 */
struct kind {
	uint32_t id;
	char letter;
	const char *const *inner;
};

int kind_chain(const struct kind *kind, const struct symbols *symbols,
	       const struct snapshot *snapshot, const struct kmprof_image_sample *sample);
struct cell kind_cell(const struct kind *kind, const struct snapshot *snapshot,
		      const struct symbols *symbols, unsigned int chain, uint64_t size);
uint64_t kind_inuse(const struct snapshot *snapshot, uint32_t id);
const char *kind_stacks_wrong(const struct kind *kind, const struct snapshot *snapshot,
			      const struct symbols *symbols, uint64_t allocs);

#endif /* KIND_H */
