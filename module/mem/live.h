/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The live table: sampled pointer -> bucket, so that a free finds out whom to
 * credit. Follows setprofilebucket() of mprof.go.
 *
 * Lines of seven entries. A line has two words that change together (cmpxchg16b):
 *
 * @tags: a byte for each entry, 0 when it is unused, else 0x80 plus seven bits of its
 *	pointer's hash. The eighth byte counts objects whose home this line is, and
 *	which have gone to another line of the group since it was full.
 * @present: a bit for each object, by six of the seven bits of its tag; all bits
 *	while objects have gone elsewhere.
 *
 * A free tests one bit of @present: for almost every object it is 0, however many
 * the table holds.
 */
#ifndef KMPROF_LIVE_H
#define KMPROF_LIVE_H

#include <linux/bitops.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "compat/compat.h"

struct kmprof_bucket;
struct kmprof_record;

enum {
	KMPROF_LIVE_LINE	= 7,	/* entries a line */
	KMPROF_LIVE_GROUP	= 8,	/* lines an overflow chain can have */
};

/* Written once, before the first probe. */
extern struct kmprof_pair *kmprof_live_lines;	/* lo: present, hi: tags */
extern u64 kmprof_live_mask;

/*
 * Of a product's bits, 26 to 32 make the tag and those above the line's number.
 * The multiplier is odd, and small enough to be an instruction's immediate.
 */
#define KMPROF_LIVE_SHIFT	26

static __always_inline u64 kmprof_live_hash(const void *ptr)
{
	return ((u64)(unsigned long)ptr * GOLDEN_RATIO_32) >> KMPROF_LIVE_SHIFT;
}

/**
 * kmprof_live_may_hold() - the whole cost of a free that nobody sampled
 * @ptr: object
 *
 * An allocation's entry is visible here before its pointer is handed to anybody,
 * so whoever legally frees @ptr sees it.
 *
 * Context: Any but NMI.
 * Return: false when @ptr is certainly not in the table.
 */
static __always_inline bool kmprof_live_may_hold(const void *ptr)
{
	/* The line's number times the bits of a line, plus the bit in @present. */
	return test_bit(kmprof_live_hash(ptr) & kmprof_live_mask,
			(const unsigned long *)kmprof_live_lines);
}

/**
 * kmprof_live_round() - entries of a table that has room for so many objects
 * @objects: at least 1
 *
 * Whole groups of lines, and a power of two of them for the mask.
 */
static inline unsigned int kmprof_live_round(unsigned int objects)
{
	unsigned int lines = DIV_ROUND_UP(objects, KMPROF_LIVE_LINE);

	lines = roundup_pow_of_two(max_t(unsigned int, lines, KMPROF_LIVE_GROUP));
	return lines * KMPROF_LIVE_LINE;
}

bool kmprof_live_insert(const void *ptr, struct kmprof_bucket *bucket);
bool kmprof_live_insert_pending(const void *ptr, struct kmprof_record *rec);
bool kmprof_live_free(const void *ptr, unsigned int slot);
void kmprof_live_defer(const void *ptr, unsigned int slot);
void kmprof_live_resolve(const struct kmprof_record *rec, struct kmprof_bucket *bucket);
void kmprof_live_drop(const struct kmprof_record *rec);
void kmprof_live_drop_dead(void);
void kmprof_live_drop_all(unsigned int slot);
unsigned int kmprof_live_count(void);
int kmprof_live_init(void);
void kmprof_live_exit(void);

#endif
