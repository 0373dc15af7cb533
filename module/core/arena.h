/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An arena: memory that is allocated in small pieces and freed all at once. Buckets
 * live in one, because a slab would round the size of each bucket up. Follows
 * persistentalloc() of Go's malloc.go.
 */
#ifndef KMPROF_ARENA_H
#define KMPROF_ARENA_H

#include <linux/types.h>

struct kmprof_arena_chunk;

/**
 * struct kmprof_arena - an arena; all zero is an empty one
 * @chunks: list of chunks, the newest first
 */
struct kmprof_arena {
	struct kmprof_arena_chunk *chunks;
};

void *kmprof_arena_take(struct kmprof_arena *arena, size_t bytes);
void kmprof_arena_free(struct kmprof_arena *arena);

#endif
