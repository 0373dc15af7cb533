// SPDX-License-Identifier: GPL-2.0
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "lib/kind.h"

/**
 * kind_chain() - find the chain that a row shows
 *
 * Return: the number of the chain whose leaf and outer function are the first frames; else -1.
 */
int kind_chain(const struct kind *kind, const struct symbols *symbols,
	       const struct snapshot *snapshot, const struct kmprof_image_sample *sample)
{
	static const char *const parts[] = { "leaf", "outer" };
	const uint64_t *frames = snapshot_frames(snapshot, &sample->row);
	int chain = -1, i;

	if (sample->kind != kind->id || sample->row.nr_frames < 2)
		return -1;
	for (i = 0; i < 2; i++) {
		const struct symbol *symbol = symbols_caller(symbols, frames[i]);
		char name[64], letter;

		if (!symbol || strcmp(symbol->module, "kmprof_test"))
			return -1;
		if (!i && (sscanf(symbol->name, "kmprof_test_%c%2d_", &letter, &chain) != 2 ||
			   letter != kind->letter))
			return -1;
		snprintf(name, sizeof(name), "kmprof_test_%c%02d_%s", kind->letter, chain,
			 parts[i]);
		if (strcmp(symbol->name, name))
			return -1;
	}
	return chain;
}

/**
 * kind_cell() - sum up what a snapshot has of a chain and size
 * @size: 0: of all sizes
 */
struct cell kind_cell(const struct kind *kind, const struct snapshot *snapshot,
		      const struct symbols *symbols, unsigned int chain, uint64_t size)
{
	struct cell cell = { .chain = chain, .size = size };
	uint32_t i;

	for (i = 0; i < snapshot_rows(snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);

		if ((size && sample->object_size != size) ||
		    kind_chain(kind, symbols, snapshot, sample) != (int)chain)
			continue;
		cell.allocs += sample->allocs;
		cell.frees += sample->frees;
		cell.rcu_pending += sample->rcu_pending;
		estimate_add(sample, &cell.estimate, &cell.variance);
	}
	return cell;
}

/**
 * kind_inuse() - count the objects in use of a kind, in all rows
 * @id: enum kmprof_kind_id
 */
uint64_t kind_inuse(const struct snapshot *snapshot, uint32_t id)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < snapshot_rows(snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);

		if (sample->kind == id)
			sum += sample->allocs - sample->frees;
	}
	return sum;
}

static int is_inner(const struct kind *kind, const char *name)
{
	const char *const *one;

	for (one = kind->inner; *one; one++)
		if (!strncmp(name, *one, strlen(*one)))
			return 1;
	return !strncmp(name, "__traceiter_", strlen("__traceiter_"));
}

/**
 * kind_stacks_wrong() - find a stack that is not whole
 * @allocs: objects of chain 0, all with one stack
 *
 * Stacks begin at the caller of the allocator, without a frame of kmprof. That of chain 0 ends
 * where the task has entered the kernel.
 *
 * Return: what is wrong, until the next call; NULL if nothing is.
 */
const char *kind_stacks_wrong(const struct kind *kind, const struct snapshot *snapshot,
			      const struct symbols *symbols, uint64_t allocs)
{
	static char text[200];
	unsigned int found = 0;
	uint32_t i, k;

	for (i = 0; i < snapshot_rows(snapshot, "heap"); i++) {
		const struct kmprof_image_sample *sample = snapshot_sample(snapshot, i);
		const uint64_t *frames = snapshot_frames(snapshot, &sample->row);
		const struct symbol *symbol = NULL;

		if (sample->kind != kind->id)
			continue;
		for (k = 0; k < sample->row.nr_frames; k++) {
			symbol = symbols_caller(symbols, frames[k]);
			if (!symbol || !strcmp(symbol->module, "kmprof") ||
			    (!*symbol->module && is_inner(kind, symbol->name))) {
				snprintf(text, sizeof(text), "row %u, frame %u: %#" PRIx64 " %s",
					 i, k, frames[k], symbol ? symbol->name : "has no name");
				return text;
			}
		}
		if (kind_chain(kind, symbols, snapshot, sample))
			continue;
		found++;
		if (sample->allocs != allocs ||
		    strcmp(symbol->name, "entry_SYSCALL_64_after_hwframe")) {
			snprintf(text, sizeof(text), "row %u of chain 0: %llu objects, ends in %s",
				 i, (unsigned long long)sample->allocs, symbol->name);
			return text;
		}
	}
	snprintf(text, sizeof(text), "%u stacks of chain 0", found);
	return found == 1 ? NULL : text;
}
