/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stacks of a snapshot by the cases of the catalogue.
 */
#ifndef STACKS_H
#define STACKS_H

#include <stdint.h>

#include "lib/snapshot.h"
#include "lib/symbols.h"
#include "module/kmprof_catalogue.h"

enum { STACKS_CASES = 256 };

/**
 * struct stacks - what stacks are told apart by
 * @symbols: names of addresses
 * @text_start: where the module's functions begin
 * @text_end: and end
 * @cases: the cases
 * @count: how many
 */
struct stacks {
	const struct symbols *symbols;
	uint64_t text_start;
	uint64_t text_end;
	struct kmprof_catalogue_case cases[STACKS_CASES];
	unsigned int count;
};

/**
 * struct held - what the stacks of a case have
 * @allocs: objects allocated
 * @in_use: those that are not freed
 * @bytes: of @in_use, with heap_rate=1
 */
struct held {
	uint64_t allocs;
	uint64_t in_use;
	uint64_t bytes;
};

int stacks_init(struct stacks *stacks, int fd, const struct symbols *symbols);
void stacks_sum(const struct stacks *stacks, const struct snapshot *snapshot,
		struct held held[STACKS_CASES]);
void stacks_print(const struct stacks *stacks, const struct snapshot *snapshot,
		  unsigned int number);

#endif /* STACKS_H */
