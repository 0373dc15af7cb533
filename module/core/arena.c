// SPDX-License-Identifier: GPL-2.0
/* Chunks of whole pages, filled from the start. */
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
 * struct kmprof_arena_chunk - memory for many pieces
 * @next: chunk that was filled before
 * @used: bytes of @memory
 * @memory: all zero behind @used
 */
struct kmprof_arena_chunk {
	struct kmprof_arena_chunk *next;
	size_t used;
	u8 memory[] __aligned(PIECE_ALIGN);
};

/**
 * kmprof_arena_take() - take a piece of zeroed memory
 * @arena: arena
 * @bytes: at most half of a chunk
 *
 * Context: Process context, one at a time for an arena. May allocate.
 * Return: the memory, or NULL.
 */
void *kmprof_arena_take(struct kmprof_arena *arena, size_t bytes)
{
	struct kmprof_arena_chunk *chunk = arena->chunks;
	void *piece;

	if (WARN_ON_ONCE(bytes > CHUNK_BYTES / 2))
		return NULL;
	bytes = ALIGN(bytes, PIECE_ALIGN);
	if (!chunk || chunk->used + bytes > CHUNK_BYTES - sizeof(*chunk)) {
		chunk = __vmalloc(CHUNK_BYTES, GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
		if (!chunk)
			return NULL;
		chunk->next = arena->chunks;
		arena->chunks = chunk;
	}
	piece = chunk->memory + chunk->used;
	chunk->used += bytes;
	return piece;
}

/**
 * kmprof_arena_free() - give all of it back
 * @arena: empty afterwards
 *
 * Context: Process context. Nobody has a piece any more.
 */
void kmprof_arena_free(struct kmprof_arena *arena)
{
	struct kmprof_arena_chunk *chunk;

	while ((chunk = arena->chunks)) {
		arena->chunks = chunk->next;
		vfree(chunk);
		cond_resched();
	}
}
