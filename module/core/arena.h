/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory that is taken piece by piece and given back all at once, without what a
 * slab would round each piece up to. Follows persistentalloc() of Go's malloc.go.
 */
#ifndef KMPROF_ARENA_H
#define KMPROF_ARENA_H

#include <linux/types.h>

struct kmprof_arena_chunk;

/**
 * struct kmprof_arena - what was taken so far
 * @chunks: the newest first; NULL: nothing
 */
struct kmprof_arena {
	struct kmprof_arena_chunk *chunks;
};

void *kmprof_arena_take(struct kmprof_arena *arena, size_t bytes);
void kmprof_arena_free(struct kmprof_arena *arena);

#endif
