// SPDX-License-Identifier: GPL-2.0
/* The arena: every piece is as large as it was asked for, zero, and one's own. */
#include <kunit/test.h>

#include "core/arena.c"
#include "chance.h"

enum { PIECES = 4000 };

struct piece {
	u8 *memory;
	size_t bytes;
};

static void free_arena(void *arena)
{
	kmprof_arena_free(arena);
}

static bool is_all(const u8 *memory, u8 byte, size_t bytes)
{
	return !bytes || (memory[0] == byte && !memcmp(memory, memory + 1, bytes - 1));
}

/* A piece, with a new chunk whenever the arena is out of memory. */
static void *take(struct kmprof_arena *arena, size_t bytes)
{
	void *piece = kmprof_arena_take(arena, bytes);

	if (piece)
		return piece;
	arena->spare = kmprof_arena_chunk_alloc();
	return kmprof_arena_take(arena, bytes);
}

/* What is there is used up, down to the last chunk and the spare; nothing is allocated. */
static void no_piece_without_memory(struct kunit *test)
{
	struct kmprof_arena *arena = kunit_kzalloc(test, sizeof(*arena), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, arena);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, free_arena, arena), 0);

	KUNIT_EXPECT_NULL(test, kmprof_arena_take(arena, 1));
	arena->spare = kmprof_arena_chunk_alloc();
	KUNIT_ASSERT_NOT_NULL(test, arena->spare);
	for (i = 0; kmprof_arena_take(arena, 1000); i++)
		KUNIT_ASSERT_LT(test, i, CHUNK_BYTES / 1000);
	KUNIT_EXPECT_EQ(test, i, CHUNK_BYTES / 1000);
	/* A smaller one still finds room in the same chunk. */
	KUNIT_EXPECT_NOT_NULL(test, kmprof_arena_take(arena, 8));
	KUNIT_EXPECT_NULL(test, arena->spare);
	arena->spare = kmprof_arena_chunk_alloc();
	KUNIT_EXPECT_NOT_NULL(test, kmprof_arena_take(arena, 1000));
	KUNIT_EXPECT_NULL(test, arena->spare);
}

static void pieces_are_ones_own(struct kunit *test)
{
	struct piece *pieces = kunit_kcalloc(test, PIECES, sizeof(*pieces), GFP_KERNEL);
	struct kmprof_arena *arena = kunit_kzalloc(test, sizeof(*arena), GFP_KERNEL);
	size_t asked = 0, chunks = 0;
	struct kmprof_arena_chunk *c;
	struct rnd_state r;
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, pieces);
	KUNIT_ASSERT_NOT_NULL(test, arena);
	KUNIT_ASSERT_EQ(test, kunit_add_action_or_reset(test, free_arena, arena), 0);

	prandom_seed_state(&r, 1);
	for (i = 0; i < PIECES; i++) {
		struct piece *p = &pieces[i];

		p->bytes = 1 + chance_below(&r, 1200);
		/* The largest there is, now and then. */
		if (i % 500 == 0)
			p->bytes = CHUNK_BYTES / 2;
		p->memory = take(arena, p->bytes);
		KUNIT_ASSERT_NOT_NULL(test, p->memory);
		KUNIT_ASSERT_TRUE(test, IS_ALIGNED((long)p->memory, PIECE_ALIGN));
		KUNIT_ASSERT_TRUE(test, is_all(p->memory, 0, p->bytes));
		memset(p->memory, i, p->bytes);
		asked += p->bytes;
	}
	for (i = 0; i < PIECES; i++)
		KUNIT_ASSERT_TRUE(test, is_all(pieces[i].memory, i, pieces[i].bytes));

	/* No more is lost than rounding, the headers, and the ends of the chunks. */
	for (c = arena->chunks; c; c = c->next)
		chunks += CHUNK_BYTES;
	KUNIT_EXPECT_LT(test, chunks, asked * 11 / 10 + (PIECES / 500 + 1) * CHUNK_BYTES / 2);

	kmprof_arena_free(arena);
	KUNIT_EXPECT_NULL(test, arena->chunks);
	/* It can be used again. */
	KUNIT_EXPECT_NOT_NULL(test, take(arena, 1));
}

static struct kunit_case arena_cases[] = {
	KUNIT_CASE(no_piece_without_memory),
	KUNIT_CASE(pieces_are_ones_own),
	{}
};

static struct kunit_suite arena_suite = {
	.name		= "kmprof_arena",
	.test_cases	= arena_cases,
};

kunit_test_suite(arena_suite);
