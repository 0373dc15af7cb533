/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The memory of the live table. live.h says what lines, tags and keys are, and live.c what happens
 * to an entry.
 */
#ifndef KMPROF_LIVE_TABLE_H
#define KMPROF_LIVE_TABLE_H

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/types.h>

#include "compat/compat.h"
#include "core/limits.h"
#include "core/ring.h"
#include "core/ticks.h"
#include "mem/block.h"
#include "mem/kind.h"

enum {
	KMPROF_LIVE_LINE	= 7,	/* entries in a line */
	KMPROF_LIVE_MEAN	= 4,	/* those in use on average, with max_live objects */
	KMPROF_LIVE_GROUP	= 16,	/* lines in which an object may be */
};

/* The lowest bits of a key. No allocator aligns objects to less than 4 bytes. */
enum {
	KMPROF_LIVE_KIND	= 3,
	/* Of a block of pages: a bit for each page in use, the first one lowest. */
	KMPROF_LIVE_PAGES_SHIFT	= 2,
	KMPROF_LIVE_PAGES	= 0xff << KMPROF_LIVE_PAGES_SHIFT,
};

/* Flags in the low bits of a value. Buckets and records are aligned accordingly. */
enum {
	LIVE_PENDING	= 1 << 0,	/* the pointer is to a record, not a bucket */
	LIVE_DYING	= 1 << 1,
	LIVE_FREED	= 1 << 2,	/* only with PENDING: a free will write the note */
	LIVE_SLOT_SHIFT	= 3,		/* only with PENDING: the slot of DYING */
	LIVE_SLOT_MASK	= 3,
	LIVE_DROP	= 1 << 5,	/* only with PENDING: the drain releases the entry */
	LIVE_POINTER	= ~(KMPROF_RECORD_ALIGN - 1),
};

static_assert((LIVE_SLOT_MASK << LIVE_SLOT_SHIFT) < LIVE_DROP);
static_assert(LIVE_DROP < KMPROF_RECORD_ALIGN);
static_assert(KMPROF_NR_KINDS - 1 <= KMPROF_LIVE_KIND);

/**
 * struct live_entry - an entry, which is also a struct kmprof_pair
 * @key: kmprof_live_key() of the object, and of a block the pages in use; 0: no object
 * @value: its bucket or record, and flags
 */
struct live_entry {
	atomic_long_t key;
	atomic_long_t value;
};

static_assert(sizeof(struct live_entry) == sizeof(struct kmprof_pair));
static_assert(offsetof(struct live_entry, value) == offsetof(struct kmprof_pair, hi));
static_assert(KMPROF_LIVE_PAGES >> KMPROF_LIVE_PAGES_SHIFT == (1 << KMPROF_BLOCK_MAX) - 1);

enum {
	/* Entries of a line in memory; the last one is not used. */
	LIVE_ENTRIES	= 8,
	LIVE_TAG_USED	= 0x80,
};

#define LIVE_BYTES(b)	(0x0101010101010101ULL * (b))
/* LIVE_TAG_USED of each entry of a line. */
#define LIVE_ENTRY_TAGS	(LIVE_BYTES(LIVE_TAG_USED) >> 8)

/*
 * When the object of an entry was allocated: kmprof_ticks() in the upper half, the cycle in the
 * lower one. One word, so that a walk reads both of the same object.
 */
static __always_inline u64 live_birth(u32 cycle)
{
	return (u64)kmprof_ticks() << 32 | cycle;
}

static inline u32 live_birth_ticks(u64 birth)
{
	return birth >> 32;
}

static inline u32 live_birth_cycle(u64 birth)
{
	return birth;
}

/* Written by kmprof_live_init() only. */
extern struct kmprof_pair *kmprof_live_lines;	/* lo: present, hi: tags */
extern u64 kmprof_live_mask;
extern struct live_entry *kmprof_live_entries;
extern u64 *kmprof_live_births;

static inline unsigned int live_nr_lines(void)
{
	return kmprof_limits.max_live / KMPROF_LIVE_MEAN;
}

static inline unsigned int live_nr_entries(void)
{
	return live_nr_lines() * LIVE_ENTRIES;
}

static inline struct kmprof_bucket *live_value_bucket(long value)
{
	return (struct kmprof_bucket *)(value & ~(long)LIVE_DYING);
}

static __always_inline bool live_is_block(long key)
{
	return unlikely((key & KMPROF_LIVE_KIND) == KMPROF_KIND_PAGE);
}

/* Without kind and pages. */
static inline unsigned long live_key_address(long key)
{
	const long low = live_is_block(key) ? KMPROF_LIVE_KIND | KMPROF_LIVE_PAGES :
					      KMPROF_LIVE_KIND;

	return key & ~low;
}

/* A bit for each object in an entry: pages in use of a block, or one. */
static __always_inline u32 live_key_parts(long key)
{
	return live_is_block(key) ? (key & KMPROF_LIVE_PAGES) >> KMPROF_LIVE_PAGES_SHIFT : 1;
}

/* How many objects there are in an entry. */
static __always_inline unsigned int live_key_objects(long key)
{
	return live_is_block(key) ? hweight8(live_key_parts(key)) : 1;
}

unsigned int kmprof_live_drop_entry(u32 index, long key, unsigned int slot,
				    struct kmprof_bucket **bucket);

#endif
