/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hash tables that grow while probes use them, for inflight.c and contended.c. A table consists
 * of parts, each twice as large as the one before. An entry stays in its part. Probes add
 * entries to the newest part, and look for them in all parts.
 *
 * A probe cannot allocate memory: it asks a worker for the next part when a part fills up.
 */
#ifndef KMPROF_GROWING_H
#define KMPROF_GROWING_H

#include <linux/math.h>
#include <linux/types.h>

#include "core/kick.h"
#include "core/limits.h"

enum {
	KMPROF_GROWING_PARTS = 19,
};

static_assert(KMPROF_WAITS_MIN << (KMPROF_GROWING_PARTS - 1) == KMPROF_WAITS_MAX);

/**
 * struct kmprof_growing - the memory of a table
 * @entry_size: bytes of an entry
 * @window: number of adjacent entries of a part among which a key can be, at most
 *	KMPROF_WAITS_MIN
 * @is_taken: is an entry in use? Context: Any
 * @first: number of entries of part 0, a power of two
 * @nr: number of parts
 * @part: the parts, arrays of entries; zero at first
 * @kicked: the worker has been asked for a part
 * @worker: adds a part
 */
struct kmprof_growing {
	size_t entry_size;
	unsigned int window;
	bool (*is_taken)(const void *entry);
	unsigned int first;
	unsigned int nr;
	void *part[KMPROF_GROWING_PARTS];
	bool kicked;
	struct kmprof_kick worker;
};

/**
 * kmprof_growing_nr() - get the number of parts
 * @g: the table
 *
 * Context: Any.
 * Return: the number. These parts can be used until the table is forgotten.
 */
static inline unsigned int kmprof_growing_nr(const struct kmprof_growing *g)
{
	/* Pairs with smp_store_release() in add_part(): the part is there, and zero. */
	return smp_load_acquire(&g->nr);
}

/**
 * kmprof_growing_size() - get the size of a part
 * @g: the table
 * @part: number of the part
 *
 * Context: Any.
 * Return: number of entries, a power of two.
 */
static inline unsigned int kmprof_growing_size(const struct kmprof_growing *g, unsigned int part)
{
	return g->first << part;
}

/**
 * kmprof_growing_entry() - get an entry
 * @g: the table
 * @part: number of the part, less than kmprof_growing_nr()
 * @i: number of the entry, less than kmprof_growing_size()
 *
 * Context: Any.
 * Return: the entry.
 */
static inline void *kmprof_growing_entry(const struct kmprof_growing *g, unsigned int part,
					 unsigned int i)
{
	return g->part[part] + i * g->entry_size;
}

/**
 * kmprof_growing_window() - get the entries among which a key can be
 * @g: the table
 * @part: number of the part, less than kmprof_growing_nr()
 * @hash: hash of the key; the upper bits count most
 *
 * Context: Any.
 * Return: the first of @g->window entries. All of them lie in the part, so that a probe goes from
 * one to the next by adding.
 */
static inline void *kmprof_growing_window(const struct kmprof_growing *g, unsigned int part,
					  u32 hash)
{
	unsigned int starts = kmprof_growing_size(g, part) - g->window + 1;

	return kmprof_growing_entry(g, part, reciprocal_scale(hash, starts));
}

void kmprof_growing_kick(struct kmprof_growing *g);
void kmprof_growing_forget(struct kmprof_growing *g);
int kmprof_growing_init(struct kmprof_growing *g, unsigned int first);
void kmprof_growing_exit(struct kmprof_growing *g);

#endif
