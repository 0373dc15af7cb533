// SPDX-License-Identifier: GPL-2.0
/* The arena allocator: chunks from vmalloc, filled from the start. */
#include <linux/align.h>
#include <linux/bug.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "core/arena.h"

enum {
	CHUNK_BYTES	= 64 * 1024,
	PIECE_ALIGN	= sizeof(long),
};

/**
 * struct kmprof_arena_chunk - one allocation of CHUNK_BYTES
 * @next: the chunk that was filled before this one
 * @used: bytes of @memory that were handed out
 * @memory: the pieces; zero from @used on
 */
struct kmprof_arena_chunk {
	struct kmprof_arena_chunk *next;
	size_t used;
	u8 memory[] __aligned(PIECE_ALIGN);
};

/**
 * kmprof_arena_chunk_alloc() - allocate a chunk, to become the spare of an arena
 *
 * Context: Process context. May sleep.
 * Return: the chunk or NULL.
 */
struct kmprof_arena_chunk *kmprof_arena_chunk_alloc(void)
{
	return __vmalloc(CHUNK_BYTES, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
}

/**
 * kmprof_arena_chunk_free() - free a chunk that no arena has
 * @chunk: the chunk or NULL
 *
 * Context: Process context. May sleep.
 */
void kmprof_arena_chunk_free(struct kmprof_arena_chunk *chunk)
{
	vfree(chunk);
}

/**
 * kmprof_arena_take() - take zeroed memory from an arena
 * @arena: the arena
 * @bytes: size, at most CHUNK_BYTES / 2
 *
 * Context: Any. The caller serialises all calls for @arena, and all changes of its spare.
 * Return: the memory, aligned to a long; NULL when the newest chunk is full and there is no
 * spare.
 */
void *kmprof_arena_take(struct kmprof_arena *arena, size_t bytes)
{
	struct kmprof_arena_chunk *chunk = arena->chunks;
	void *piece;

	if (WARN_ON_ONCE(bytes > CHUNK_BYTES / 2))
		return NULL;
	bytes = ALIGN(bytes, PIECE_ALIGN);
	if (!chunk || chunk->used + bytes > CHUNK_BYTES - sizeof(*chunk)) {
		chunk = arena->spare;
		if (!chunk)
			return NULL;
		WRITE_ONCE(arena->spare, NULL);
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	piece = chunk->memory + chunk->used;
	chunk->used += bytes;
	return piece;
}

/**
 * kmprof_arena_free() - free all memory of an arena
 * @arena: the arena; empty and usable afterwards
 *
 * Context: Process context. May sleep. Nothing points into the arena any more.
 */
void kmprof_arena_free(struct kmprof_arena *arena)
{
	struct kmprof_arena_chunk *chunk;

	while ((chunk = arena->chunks)) {
		arena->chunks = chunk->next;
		vfree(chunk);
		cond_resched();
	}
	vfree(arena->spare);
	arena->spare = NULL;
}
