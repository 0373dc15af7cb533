/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The live table: sampled pointer -> bucket, so that a free finds out whom to
 * credit. Follows setprofilebucket() of mprof.go.
 *
 * Lines of seven slots. A line has one word of tags, a byte per slot: 0 for a
 * free slot, else 0x80 plus seven bits of the pointer's hash; the eighth byte
 * says whether the line has ever overflowed into the next one. A free tests
 * all eight in one load; for almost every object the word says no. The lines
 * of an overflow chain have their tags in one cache line.
 */
#ifndef KMPROF_LIVE_H
#define KMPROF_LIVE_H

#include <linux/atomic.h>
#include <linux/hash.h>
#include <linux/types.h>

struct kmprof_bucket;
struct kmprof_record;

enum {
	KMPROF_LIVE_LINE	= 7,	/* slots a line */
	KMPROF_LIVE_GROUP	= 8,	/* lines an overflow chain can have */
};

#define KMPROF_LIVE_BYTES(b)	(0x0101010101010101ULL * (b))
#define KMPROF_LIVE_OVERFLOWED	(0xffULL << 56)

/* Written once, before the first probe. */
extern atomic64_t *kmprof_live_tags;
extern unsigned int kmprof_live_shift;

static __always_inline u64 kmprof_live_hash(const void *ptr)
{
	return (u64)(unsigned long)ptr * GOLDEN_RATIO_64;
}

/*
 * High bit of each byte of @tags that may equal @tag, and of the eighth byte if
 * the line has overflowed; never misses one.
 */
static __always_inline u64 kmprof_live_match(u64 tags, u8 tag)
{
	u64 x = tags ^ (KMPROF_LIVE_BYTES(tag) | KMPROF_LIVE_OVERFLOWED);

	return (x - KMPROF_LIVE_BYTES(0x01)) & ~x & KMPROF_LIVE_BYTES(0x80);
}

static __always_inline u8 kmprof_live_tag(u64 hash)
{
	return 0x80 | (hash >> (kmprof_live_shift - 7));
}

/**
 * kmprof_live_may_hold() - the whole cost of a free that nobody sampled
 * @ptr: object
 *
 * An allocation's slot is visible here before its pointer is handed to anybody,
 * so whoever legally frees @ptr sees it.
 *
 * Context: Any but NMI.
 * Return: false when @ptr is certainly not in the table.
 */
static __always_inline bool kmprof_live_may_hold(const void *ptr)
{
	u64 hash = kmprof_live_hash(ptr);
	u64 tags = atomic64_read(&kmprof_live_tags[hash >> kmprof_live_shift]);

	return tags && kmprof_live_match(tags, kmprof_live_tag(hash));
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
