/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The live table: sampled object -> bucket, so that a free finds the bucket to count in.
 * Follows setprofilebucket() of mprof.go.
 *
 * The entries are in lines of seven. A line is described by two words, which cmpxchg16b
 * changes together:
 *
 * @tags: seven bytes, one for each entry: 0 if the entry is unused, else 0x80 plus seven
 *	bits of the hash of its pointer. The eighth byte counts the objects whose home is
 *	this line, but whose entry is in another line of the group, because this line was
 *	full.
 * @present: the bit of each object in this line, selected by six of its seven tag bits.
 *	All bits are set while the eighth byte of @tags is not 0.
 *
 * A free tests one bit of @present. For almost every object that was not sampled the bit
 * is 0, however many objects the table holds.
 *
 * The key of an object is its pointer and, in the lowest bits, its kind. Objects of different kinds
 * can have the same pointer, because a per-CPU pointer is an offset, and because one allocator
 * takes the memory of its objects from another one. Pages that were allocated together are one
 * object of the table, a block, of eight pages at most; its key also says which of them are in use.
 * There can be two blocks that begin with the same page: one without it by now, and a younger one.
 *
 * max_live objects make four in a line on average. Which lines they get is chance, and an
 * object is refused when its group is full: with max_live objects at random addresses, one
 * group in 50 million is.
 */
#ifndef KMPROF_LIVE_H
#define KMPROF_LIVE_H

#include <linux/bitops.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/types.h>

#include "compat/compat.h"
#include "mem/kind.h"
#include "mem/live_table.h"

struct kmprof_bucket;
struct kmprof_image_object;
struct kmprof_record;

/**
 * kmprof_live_key() - get the key of an object
 * @ptr: the object
 * @kind: its kind
 *
 * The key of an object of a slab is its pointer.
 *
 * Context: Any.
 * Return: the key, by which the table knows the object.
 */
static __always_inline const void *kmprof_live_key(const void *ptr, enum kmprof_kind_id kind)
{
	return (const void *)((unsigned long)ptr | kind);
}

/*
 * The hash is the product of pointer and multiplier without its lowest 26 bits: its lowest
 * 7 bits make the tag, the bits above select the line. The multiplier is odd, and small
 * enough to be an immediate operand.
 */
#define KMPROF_LIVE_SHIFT	26

static __always_inline u64 kmprof_live_hash(const void *ptr)
{
	return ((u64)(unsigned long)ptr * GOLDEN_RATIO_32) >> KMPROF_LIVE_SHIFT;
}

/**
 * kmprof_live_may_hold() - test whether an object can be in the table
 * @ptr: key of the object
 *
 * This is all that the free of an unsampled object costs. An object is in the table before
 * its pointer is returned to the allocation's caller, so a legal free of @ptr sees it.
 *
 * Context: Any but NMI.
 * Return: false when @ptr is certainly not in the table.
 */
static __always_inline bool kmprof_live_may_hold(const void *ptr)
{
	/* Bit number: the line times the bits of a line, plus the bit in @present. */
	return test_bit(kmprof_live_hash(ptr) & kmprof_live_mask,
			(const unsigned long *)kmprof_live_lines);
}

/**
 * kmprof_live_round() - compute the size of a table
 * @objects: objects to make room for, at least 1
 *
 * Lines come in whole groups, and in a power of two for the mask.
 *
 * Context: Any.
 * Return: the number of objects that fit, a power of two.
 */
static inline unsigned int kmprof_live_round(unsigned int objects)
{
	return roundup_pow_of_two(max_t(unsigned int, objects,
					KMPROF_LIVE_GROUP * KMPROF_LIVE_MEAN));
}

/**
 * kmprof_live_pages() - get the bits of some pages of a block
 * @first: the first one, counted from the start of the block
 * @order: log2 of their number
 *
 * Context: Any.
 * Return: their bits in the key of the block.
 */
static __always_inline unsigned long kmprof_live_pages(unsigned int first, unsigned int order)
{
	return ((1UL << (1 << order)) - 1) << (first + KMPROF_LIVE_PAGES_SHIFT);
}

bool kmprof_live_insert(const void *ptr, unsigned long pages, struct kmprof_bucket *bucket,
			unsigned int slot);
bool kmprof_live_insert_pending(const void *ptr, unsigned long pages, struct kmprof_record *rec);
bool kmprof_live_free(const void *ptr, unsigned int slot);
bool kmprof_live_has_page(const void *page);
bool kmprof_live_free_pages(const void *block, unsigned long pages, unsigned int slot);
void kmprof_live_defer(const void *ptr, unsigned int slot);
bool kmprof_live_queue(const void *ptr, unsigned int slot);
bool kmprof_live_undefer(u32 index);
void kmprof_live_resolve(const struct kmprof_record *rec, struct kmprof_bucket *bucket);
void kmprof_live_drop(const struct kmprof_record *rec);
void kmprof_live_drop_dead(void);
void kmprof_live_drop_kinds(u64 kinds, unsigned int slot);
unsigned int kmprof_live_count(void);
void kmprof_live_walk(void (*visit)(void *data, const struct kmprof_bucket *b,
				    struct kmprof_image_object *o), void *data, bool bytes);
int kmprof_live_init(void);
void kmprof_live_exit(void);

#endif
