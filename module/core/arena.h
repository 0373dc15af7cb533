/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An arena: memory that is allocated in small pieces and freed all at once. Buckets
 * live in one, because a slab would round the size of each bucket up. Follows
 * persistentalloc() of Go's malloc.go.
 *
 * Taking a piece never sleeps. For that the arena holds a spare chunk, which process context
 * replaces when it is used up.
 */
#ifndef KMPROF_ARENA_H
#define KMPROF_ARENA_H

#include <linux/types.h>

struct kmprof_arena_chunk;

/**
 * struct kmprof_arena - an arena; all zero is an empty one
 * @chunks: list of chunks, the newest first
 * @spare: the next chunk; NULL: there is none
 */
struct kmprof_arena {
	struct kmprof_arena_chunk *chunks;
	struct kmprof_arena_chunk *spare;
};

struct kmprof_arena_chunk *kmprof_arena_chunk_alloc(void);
void kmprof_arena_chunk_free(struct kmprof_arena_chunk *chunk);
void *kmprof_arena_take(struct kmprof_arena *arena, size_t bytes);
void kmprof_arena_free(struct kmprof_arena *arena);

#endif
