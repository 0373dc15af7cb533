// SPDX-License-Identifier: GPL-2.0
/*
 * The entries of the live table. All operations are lock-free.
 *
 * An insert claims an entry by setting its tag (cmpxchg on the line), writes the value, and
 * publishes the key. A free or a sweep (live_sweep.c) takes the entry by changing the key to 0
 * (cmpxchg); the context that succeeds owns the entry. It takes the value and releases the entry by
 * clearing the tag.
 *
 * If an object's home line is full, its entry is in another line of the group. The home
 * line counts the object from before the key is published until the entry is released.
 *
 * The time and the cycle of the allocation are written before the key, too, and stay until the
 * entry is used again.
 *
 * The value points to the bucket, or, while the object is pending, to the record in a ring
 * for which the drain will get the bucket:
 *
 *	record|PENDING --drain--> bucket --free--> entry released
 *	record|PENDING --free--> record|PENDING|FREED, note in the record --> entry released
 *	record|PENDING --no bucket--> record|PENDING|DROP --> the drain releases the entry
 *
 * A free that comes before the drain writes a note into the record. The note needs no
 * memory, so it is never lost. The drain keeps the record until it has replaced the value or
 * has read the note.
 *
 * kfree_rcu() and call_rcu() set DYING in a value. The object counts as freed from then on; the
 * free that follows only ends the pending grace period. If a callback of call_rcu() has not freed
 * it (callbacks.c), DYING is cleared, and both counts are taken back.
 *
 * The pages of a block can be freed in parts, at the same time. A free clears the bits of its pages
 * in the key; the one that clears the last takes the entry. A page that is freed again belongs to
 * somebody else by then: its bit is not set. Who counts the pages in the bucket depends on whether
 * there is one yet, so key and value change together (cmpxchg16b) in both places: when a part is
 * freed, and when the drain replaces the record by the bucket. While the record is there, the drain
 * counts them.
 *
 * "slot" means the slot of a cycle here, never a place in the table.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/lockdep.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <asm/cpufeature.h>

#include "core/bucket.h"
#include "core/cycle_lock.h"
#include "core/limits.h"
#include "core/ring.h"
#include "core/slot.h"
#include "mem/block.h"
#include "mem/live.h"
#include "mem/live_table.h"
#include "mem/owners.h"
#include "mem/queued.h"
#include "mem/tell_samples.h"

/* A record's note: what happened to its object, and in which slots. */
enum {
	NOTE_FREED	= LIVE_FREED,
	NOTE_DYING	= LIVE_DYING,
	NOTE_DYING_SLOT	= LIVE_SLOT_SHIFT,
	NOTE_FREED_SLOT	= LIVE_SLOT_SHIFT + 3,
};

struct kmprof_pair *kmprof_live_lines __read_mostly;
u64 kmprof_live_mask __read_mostly;
struct live_entry *kmprof_live_entries __read_mostly;
u64 *kmprof_live_births __read_mostly;

enum {
	/* Position of the line's number in a hash: log2 of the bits of a line. */
	LINE_SHIFT	= 7,
	AWAY_SHIFT	= 56,
};

#define AWAY_ONE	BIT_ULL(AWAY_SHIFT)

static_assert(sizeof(struct kmprof_pair) * BITS_PER_BYTE == 1 << LINE_SHIFT);
/* The count of objects away from home fits, even if the rest of the group is full. */
static_assert(KMPROF_LIVE_LINE * (KMPROF_LIVE_GROUP - 1) < 1 << (64 - AWAY_SHIFT));

static u32 home_line(u64 hash)
{
	return (hash & kmprof_live_mask) >> LINE_SHIFT;
}

static u8 tag_of(u64 hash)
{
	return LIVE_TAG_USED | (hash & (LIVE_TAG_USED - 1));
}

/* The @i-th line in which an object with home line @home may be. */
static u32 chain_line(u32 home, unsigned int i)
{
	return (home & ~(KMPROF_LIVE_GROUP - 1)) | ((home + i) & (KMPROF_LIVE_GROUP - 1));
}

/* LIVE_TAG_USED in each byte that equals @tag. A byte above such a byte may match falsely. */
static u64 match_tag(u64 tags, u8 tag)
{
	u64 x = tags ^ LIVE_BYTES(tag);

	return (x - LIVE_BYTES(1)) & ~x & LIVE_ENTRY_TAGS;
}

/* The word @present of a line with these @tags. */
static u64 present_bits(u64 tags)
{
	u64 used, bits = 0;

	if (tags >> AWAY_SHIFT)
		return ~0ULL;
	for (used = tags & LIVE_ENTRY_TAGS; used; used &= used - 1)
		bits |= BIT_ULL(tags >> (__ffs64(used) - 7) & 63);
	return bits;
}

/* May mix old and new words; line_replace() then fails. */
static struct kmprof_pair line_read(u32 line)
{
	return (struct kmprof_pair) {
		.lo = READ_ONCE(kmprof_live_lines[line].lo),
		.hi = READ_ONCE(kmprof_live_lines[line].hi),
	};
}

/* Replace a line that has not changed. If it has, another CPU made progress. */
static bool line_replace(u32 line, struct kmprof_pair old, u64 present, u64 tags)
{
	struct kmprof_pair new = { .lo = present, .hi = tags };

	return kmprof_compat_cmpxchg_pair(&kmprof_live_lines[line], old, new);
}

/* Add @tags to a line's tags, modulo 2^64. */
static __always_inline void line_add(u32 line, u64 tags)
{
	struct kmprof_pair old;
	u64 sum;

	do {
		old = line_read(line);
		sum = old.hi + tags;
	} while (!line_replace(line, old, present_bits(sum), sum));
}

/* Count one more object away from this home line, or, with -AWAY_ONE, one less. */
static noinline void line_add_away(u32 home, u64 one)
{
	line_add(home, one);
}

/* What the hash is made of. */
static __always_inline long key_without_pages(long key)
{
	return live_is_block(key) ? key & ~(long)KMPROF_LIVE_PAGES : key;
}

/* Change key and value of an entry, unless they have changed. */
static bool entry_replace(u32 index, struct kmprof_pair old, long key, long value)
{
	struct kmprof_pair new = { .lo = key, .hi = value };

	return kmprof_compat_cmpxchg_pair((struct kmprof_pair *)&kmprof_live_entries[index], old,
					  new);
}

/* Release an entry: it can be claimed again. The caller owns the entry. */
static __always_inline void entry_release(u32 index, u32 home)
{
	u32 line = index / LIVE_ENTRIES;
	unsigned int shift = index % LIVE_ENTRIES * 8;

	atomic_long_set(&kmprof_live_entries[index].value, 0);
	kmprof_owner_forget(index);
	/*
	 * Only the owner changes an entry's tag. The cmpxchg orders the clearing of the
	 * value before it; pairs with the cmpxchg in line_claim().
	 */
	line_add(line, -(READ_ONCE(kmprof_live_lines[line].hi) & 0xffULL << shift));
	if (unlikely(line != home))
		line_add_away(home, -AWAY_ONE);
}

/*
 * Find the entry of @ptr, or of the block @ptr that has @pages in use, in a line with these @tags.
 * Returns its index or -1.
 */
static __always_inline int line_find(u32 line, u64 tags, u8 tag, const void *ptr, long pages)
{
	const long ignored = pages ? KMPROF_LIVE_PAGES & ~pages : 0;
	u64 match = match_tag(tags, tag);

	for (; match; match &= match - 1) {
		u32 index = line * LIVE_ENTRIES + __ffs64(match) / 8;

		/* Pairs with the release in entry_insert(): the value is visible. */
		if ((atomic_long_read_acquire(&kmprof_live_entries[index].key) & ~ignored) ==
		    ((long)ptr | pages))
			return index;
	}
	return -1;
}

/* The same in the other lines of the group. */
static noinline int find_away(u32 home, u8 tag, const void *ptr, long pages)
{
	int index = -1;
	unsigned int i;

	for (i = 1; i < KMPROF_LIVE_GROUP && index < 0; i++) {
		u32 line = chain_line(home, i);

		index = line_find(line, READ_ONCE(kmprof_live_lines[line].hi), tag, ptr, pages);
	}
	return index;
}

static __always_inline int find(const void *ptr, long pages)
{
	u64 hash = kmprof_live_hash(ptr);
	u32 home = home_line(hash);
	u64 tags = READ_ONCE(kmprof_live_lines[home].hi);
	int index = line_find(home, tags, tag_of(hash), ptr, pages);

	if (unlikely(index < 0 && tags >> AWAY_SHIFT))
		index = find_away(home, tag_of(hash), ptr, pages);
	return index;
}

/* Find the entry of @ptr. Returns its index or -1. */
static __always_inline int entry_find(const void *ptr)
{
	return find(ptr, 0);
}

/**
 * kmprof_live_has_page() - is a single page in the table?
 * @page: its key; not of a part of a block
 *
 * Context: Any but NMI. Takes no locks.
 * Return: true if so.
 */
bool kmprof_live_has_page(const void *page)
{
	return find(page, kmprof_live_pages(0, 0)) >= 0;
}

/* Take the entry that holds @key: true if the caller owns it now. */
static bool entry_take(u32 index, long key)
{
	return atomic_long_cmpxchg(&kmprof_live_entries[index].key, key, 0) == key;
}

/* Claim an unused entry of a line. Returns its index or -1. */
static __always_inline int line_claim(u32 line, u8 tag)
{
	struct kmprof_pair old;
	unsigned int byte;
	u64 room;

	do {
		old = line_read(line);
		room = ~old.hi & LIVE_ENTRY_TAGS;
		if (unlikely(!room))
			return -1;
		byte = __ffs64(room) / 8;
	} while (!line_replace(line, old, old.lo | BIT_ULL(tag & 63),
			       old.hi | (u64)tag << byte * 8));
	return line * LIVE_ENTRIES + byte;
}

/* Claim an entry of another line of the group. Returns its index or -1. */
static noinline int claim_away(u32 home, u8 tag)
{
	int index = -1;
	unsigned int i;

	for (i = 1; i < KMPROF_LIVE_GROUP && index < 0; i++)
		index = line_claim(chain_line(home, i), tag);
	if (index >= 0)
		line_add_away(home, AWAY_ONE);
	return index;
}

/*
 * Claim an entry for @ptr, of a block with these @pages, fill it and publish it. Returns its index
 * or -1.
 */
static __always_inline int entry_insert(const void *ptr, unsigned long pages, long value,
					unsigned int slot)
{
	u64 hash = kmprof_live_hash(ptr);
	u32 home = home_line(hash);
	int index = line_claim(home, tag_of(hash));

	if (unlikely(index < 0)) {
		index = claim_away(home, tag_of(hash));
		if (index < 0)
			return -1;
	}
	/* A walk may read it meanwhile. */
	WRITE_ONCE(kmprof_live_births[index], live_birth(kmprof_slot_cycle(slot)));
	kmprof_owner_note(index, slot);
	/* Who sees the value sees the birth. Pairs with the acquire in read_state(). */
	atomic_long_set_release(&kmprof_live_entries[index].value, value);
	/* Publish all. Pairs with the acquire in line_find(). */
	atomic_long_set_release(&kmprof_live_entries[index].key, (long)ptr | pages);
	return index;
}

/**
 * kmprof_live_insert() - insert a sampled object
 * @ptr: key of the object, not in the table
 * @pages: of a block: kmprof_live_pages(); else 0
 * @bucket: the object's bucket
 * @slot: the slot in which its allocation is counted
 *
 * Must be called before the object is returned to the allocation's caller.
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 * Return: false when the lines in which @ptr may be are full.
 */
bool kmprof_live_insert(const void *ptr, unsigned long pages, struct kmprof_bucket *bucket,
			unsigned int slot)
{
	return entry_insert(ptr, pages, (long)bucket, slot) >= 0;
}

/**
 * kmprof_live_insert_pending() - insert a sampled object that has no bucket yet
 * @ptr: key of the object, not in the table
 * @pages: as of kmprof_live_insert()
 * @rec: the reserved record of the sample; @live, @home and @note are filled in
 *
 * Must be called before the object is returned to the allocation's caller. On success the caller
 * commits @rec.
 *
 * Context: Any but NMI. Interrupts off until the commit. Takes no locks.
 * Return: false when the lines in which @ptr may be are full.
 */
bool kmprof_live_insert_pending(const void *ptr, unsigned long pages, struct kmprof_record *rec)
{
	int index;

	atomic_set(&rec->note, 0);
	index = entry_insert(ptr, pages, (long)rec | LIVE_PENDING, rec->slot);
	rec->live = index;
	rec->home = home_line(kmprof_live_hash(ptr));
	return index >= 0;
}

/* Count the free of an object, or, if it was dying, the end of its grace period. */
static void book_free(struct kmprof_bucket *b, bool dying, unsigned int slot)
{
	if (dying)
		atomic_long_dec(&b->future[slot].pending);
	else
		atomic_long_inc(&b->future[slot].frees);
}

/* Count the free of @nr objects of a block. Nobody passes them to kfree_rcu(). */
static void book_parts(struct kmprof_bucket *b, unsigned long nr, unsigned int slot)
{
	atomic_long_add(nr, &b->future[slot].frees);
}

static void book_dying(struct kmprof_bucket *b, unsigned int slot)
{
	/* In this order, because pending <= frees. */
	atomic_long_inc(&b->future[slot].frees);
	atomic_long_inc(&b->future[slot].pending);
}

/* Takes back book_dying(), which may have been in an earlier slot. */
static void book_kept(struct kmprof_bucket *b, unsigned int slot)
{
	atomic_long_dec(&b->future[slot].pending);
	atomic_long_dec(&b->future[slot].frees);
}

/* How the objects of an entry were sampled that the caller owns, or owns a part of. */
static struct kmprof_sampled sampled_as(long value)
{
	const struct kmprof_record *rec = (void *)(value & LIVE_POINTER);
	const struct kmprof_bucket *b = live_value_bucket(value);

	if (value & LIVE_PENDING)
		return (struct kmprof_sampled) { .size = rec->size, .period = rec->period };
	return (struct kmprof_sampled) { .size = b->key.size, .period = b->key.period };
}

/* The objects in @key are freed: of a block, those that are next to each other together. */
static void tell_freed(long key, const struct kmprof_sampled *as)
{
	unsigned long address = live_key_address(key), parts = live_key_parts(key);
	unsigned int first, nr;

	for (; parts; parts &= ~0UL << (first + nr)) {
		first = __ffs(parts);
		nr = ffz(parts >> first);
		kmprof_tell_unsampled((const void *)(address + first * as->size),
				      key & KMPROF_LIVE_KIND, nr, as);
	}
}

/*
 * All objects of an entry are freed, whose key the caller has taken. Until it sets FREED, the drain
 * does not pass the record on.
 */
static noinline void tell_taken(u32 index, long key)
{
	const struct kmprof_sampled as =
		sampled_as(atomic_long_read(&kmprof_live_entries[index].value));

	tell_freed(key, &as);
}

/* Of a block without a bucket. While its record may have been passed on, that of another. */
static noinline u64 period_of_pending(long value)
{
	const struct kmprof_record *rec = (void *)(value & LIVE_POINTER);

	/* If it has been passed on, the value has changed, and the caller finds out. */
	return value & LIVE_PENDING ? data_race(rec->period) : 0;
}

/* The pages in @key, a part of a block, are freed. @period: period_of_pending() */
static noinline void tell_part_freed(long key, long value, u64 period)
{
	struct kmprof_sampled as = { .size = PAGE_SIZE, .period = period };

	if (!(value & LIVE_PENDING))
		as = sampled_as(value);
	/* 0: nobody followed when that was asked. */
	if (as.period)
		tell_freed(key, &as);
}

/*
 * End an entry whose key the caller has taken. Counts the free, or leaves a note for the
 * drain. Returns the bucket, or NULL if there was none. @block: live_is_block(@key), if that is
 * known.
 */
static __always_inline struct kmprof_bucket *entry_end(u32 index, long key, bool block,
						       unsigned int slot)
{
	long value = atomic_long_read(&kmprof_live_entries[index].value);
	struct kmprof_bucket *b = NULL;

	while (!atomic_long_try_cmpxchg(&kmprof_live_entries[index].value, &value,
					value & LIVE_PENDING ? value | LIVE_FREED : 0))
		;	/* three times at most: drain, kfree_rcu() or call_rcu(), and taken back */

	if (unlikely(value & LIVE_DYING))
		kmprof_queued_forget(index);
	if (value & LIVE_PENDING) {
		struct kmprof_record *rec = (void *)(value & LIVE_POINTER);
		int note = (value & (LIVE_DYING | LIVE_SLOT_MASK << LIVE_SLOT_SHIFT)) |
			   NOTE_FREED | slot << NOTE_FREED_SLOT;

		/* Pairs with the acquire in record_note(). */
		atomic_set_release(&rec->note, note);
		if (value & LIVE_DROP)
			return NULL;
	} else {
		b = live_value_bucket(value);
		if (block)
			book_parts(b, live_key_objects(key), slot);
		else
			book_free(b, value & LIVE_DYING, slot);
	}
	if (block)
		key = key_without_pages(key);
	entry_release(index, home_line(kmprof_live_hash((void *)key)));
	return b;
}

/**
 * kmprof_live_free() - remove an object, and count its free
 * @ptr: key of the object, which is no block
 * @slot: the current slot
 *
 * Must be called before the memory can be reused.
 *
 * Context: Any but NMI. Preemption off since @slot was read. Takes no locks.
 * Return: true when the object was in the table.
 */
bool kmprof_live_free(const void *ptr, unsigned int slot)
{
	int index = entry_find(ptr);

	if (index < 0 || !entry_take(index, (long)ptr))
		return false;
	if (kmprof_tells_unsampled())
		tell_taken(index, (long)ptr);
	entry_end(index, (long)ptr, false, slot);
	return true;
}

/**
 * kmprof_live_free_pages() - count the free of pages of a block
 * @block: key of the block
 * @pages: kmprof_live_pages()
 * @slot: the current slot
 *
 * The block is removed with its last page. Parts of it can be freed at the same time.
 *
 * Must be called before the memory can be reused.
 *
 * Context: Any but NMI. Preemption off since @slot was read. Takes no locks.
 * Return: true when all of these pages were in use, of one block.
 */
bool kmprof_live_free_pages(const void *block, unsigned long pages, unsigned int slot)
{
	int index = find(block, pages);
	struct kmprof_pair old;
	u64 period = 0;
	long left;

	if (index < 0)
		return false;
	for (;;) {
		old.lo = atomic_long_read_acquire(&kmprof_live_entries[index].key);
		old.hi = atomic_long_read(&kmprof_live_entries[index].value);
		/* A sweep has taken them. */
		if (key_without_pages(old.lo) != (long)block || ~old.lo & pages)
			return false;
		left = old.lo & ~pages;
		if (!(left & KMPROF_LIVE_PAGES))
			left = 0;
		if (kmprof_tells_unsampled())
			period = period_of_pending(old.hi);
		if (entry_replace(index, old, left, old.hi))
			break;
	}
	if (!left) {
		if (kmprof_tells_unsampled())
			tell_taken(index, old.lo);
		entry_end(index, old.lo, true, slot);
		return true;
	}
	if (!(old.hi & LIVE_PENDING))
		book_parts(live_value_bucket(old.hi), hweight_long(pages), slot);
	if (kmprof_tells_unsampled())
		tell_part_freed((long)block | pages, old.hi, period);
	return true;
}

/* Count an object as freed, and as pending. Returns its entry; -1: it is not in the table. */
static int make_dying(const void *ptr, unsigned int slot)
{
	int index = entry_find(ptr);
	long value, new;

	if (index < 0)
		return -1;
	value = atomic_long_read(&kmprof_live_entries[index].value);
	do {
		/* A sweep may have taken the entry, and another object may have it by now. */
		if (atomic_long_read(&kmprof_live_entries[index].key) != (long)ptr)
			return -1;
		if (value & LIVE_DYING)
			return index;
		new = value | LIVE_DYING;
		if (value & LIVE_PENDING)
			new |= slot << LIVE_SLOT_SHIFT;
	} while (!atomic_long_try_cmpxchg(&kmprof_live_entries[index].value, &value, new));

	if (!(value & LIVE_PENDING))
		book_dying(live_value_bucket(value), slot);
	return index;
}

/**
 * kmprof_live_defer() - count an object that is passed to kfree_rcu() as freed
 * @ptr: key of the object
 * @slot: the current slot
 *
 * Context: Any but NMI. Preemption off since @slot was read. Takes no locks.
 */
void kmprof_live_defer(const void *ptr, unsigned int slot)
{
	int index = make_dying(ptr, slot);

	/* It may have been a callback that has passed the object on. */
	if (index >= 0)
		kmprof_queued_forget(index);
}

/**
 * kmprof_live_queue() - count an object that is passed to call_rcu() as freed
 * @ptr: key of the object
 * @slot: the current slot
 *
 * Context: Any but NMI. Preemption off since @slot was read. Takes no locks.
 * Return: true when the object was in the table.
 */
bool kmprof_live_queue(const void *ptr, unsigned int slot)
{
	int index = make_dying(ptr, slot);

	if (index >= 0)
		kmprof_queued_note(index);
	return index >= 0;
}

/**
 * kmprof_live_undefer() - count an object as in use again, because it was not freed
 * @index: the entry in which it was dying
 *
 * Does nothing if no object is dying there any more. While an object has no bucket, it keeps dying.
 *
 * Context: Process context, cycle lock held, so that what is taken back was counted in this cycle
 * or before. Probes run meanwhile. The lock is held until this cycle is closed: a walk visits the
 * object from now on.
 * Return: true if there was such an object.
 */
bool kmprof_live_undefer(u32 index)
{
	atomic_long_t *value = &kmprof_live_entries[index].value;
	long was;

	lockdep_assert_held(&kmprof_cycle_lock);

	/* Another object may have the entry by now: then that one is in use until it is freed. */
	kmprof_queued_forget(index);
	/* Who sets the bit after this is in the next wait; who has set it before is seen dying. */
	smp_mb__after_atomic();
	was = atomic_long_read(value);
	if (was & LIVE_PENDING) {
		kmprof_queued_note(index);
		return false;
	}
	if (!(was & LIVE_DYING) || !atomic_long_try_cmpxchg(value, &was, was & ~LIVE_DYING))
		return false;
	book_kept(live_value_bucket(was), kmprof_slot_current);
	return true;
}

/* Count what a note, or the flags of a value, say. The bucket is known now. */
static void book_note(struct kmprof_bucket *b, int note)
{
	if (note & NOTE_DYING)
		book_dying(b, note >> NOTE_DYING_SLOT & LIVE_SLOT_MASK);
	if (!(note & NOTE_FREED))
		return;
	if (kmprof_bucket_kind(&b->key) == KMPROF_KIND_PAGE)
		book_parts(b, kmprof_block_objects(b->key.detail),
			   note >> NOTE_FREED_SLOT & LIVE_SLOT_MASK);
	else
		book_free(b, note & NOTE_DYING, note >> NOTE_FREED_SLOT & LIVE_SLOT_MASK);
}

/* Is the value still that of @rec, with no free of its object? */
static bool is_pending(long value, const struct kmprof_record *rec)
{
	return (value & (LIVE_POINTER | LIVE_PENDING | LIVE_FREED)) ==
	       ((long)rec | LIVE_PENDING);
}

/* Wait for the note of a free that has set FREED. */
static int record_note(const struct kmprof_record *rec)
{
	/* Pairs with the release in entry_end(). */
	return atomic_cond_read_acquire(&rec->note, VAL);
}

/**
 * kmprof_live_resolve() - replace the record of a pending object by its bucket
 * @rec: the record
 * @bucket: the bucket, in which the allocation is counted already
 *
 * May spin while a free that has taken the entry writes its note. The free runs with preemption
 * off and needs a few instructions for that; if somebody follows the samples, some more.
 *
 * Context: Process context, drain lock held.
 */
void kmprof_live_resolve(const struct kmprof_record *rec, struct kmprof_bucket *bucket)
{
	struct live_entry *e = &kmprof_live_entries[rec->live];
	struct kmprof_pair old;

	for (;;) {
		old.lo = atomic_long_read(&e->key);
		old.hi = atomic_long_read(&e->value);
		/* The value of another object, if a free has written the note. */
		if (!is_pending(old.hi, rec)) {
			book_note(bucket, record_note(rec));
			return;
		}
		if (old.lo && entry_replace(rec->live, old, old.lo,
					    (long)bucket | (old.hi & LIVE_DYING)))
			break;
		cpu_relax();
	}
	book_note(bucket, old.hi & ~LIVE_POINTER);
	/* In the slot in which the block was allocated: it is not folded yet. */
	if (live_is_block(old.lo))
		book_parts(bucket, kmprof_block_objects(rec->detail) - live_key_objects(old.lo),
			   rec->slot);
}

/**
 * kmprof_live_drop() - remove a pending object that gets no bucket
 * @rec: the record of the object
 *
 * Once DROP is set, only this function releases the entry, so that the entry cannot become
 * another object's meanwhile. May spin like kmprof_live_resolve().
 *
 * Context: Process context, drain lock held.
 */
void kmprof_live_drop(const struct kmprof_record *rec)
{
	struct live_entry *e = &kmprof_live_entries[rec->live];
	long value = atomic_long_read(&e->value);
	long key;

	while (is_pending(value, rec)) {
		if (!atomic_long_try_cmpxchg(&e->value, &value, value | LIVE_DROP))
			continue;
		/* Once it is taken, its free is not seen: the memory is soon somebody else's. */
		preempt_disable();
		do {
			key = atomic_long_read(&e->key);
		} while (key && !entry_take(rec->live, key));
		if (key && kmprof_tells_unsampled())
			tell_taken(rec->live, key);
		preempt_enable();
		if (!key)
			record_note(rec);
		kmprof_queued_forget(rec->live);
		entry_release(rec->live, rec->home);
		return;
	}
	record_note(rec);
}

/**
 * kmprof_live_drop_entry() - remove what is in an entry, and count it as freed
 * @index: the entry
 * @key: the key that was seen in it
 * @slot: the slot in which to count it
 * @bucket: returns the bucket, or NULL while the object is pending
 *
 * Context: Process context.
 * Return: the number of objects that were there; 0 if the entry has another key by now.
 */
unsigned int kmprof_live_drop_entry(u32 index, long key, unsigned int slot,
				    struct kmprof_bucket **bucket)
{
	unsigned int objects = 0;

	/* The drain may spin between the two. */
	preempt_disable();
	if (key && entry_take(index, key)) {
		if (kmprof_tells_unsampled())
			tell_taken(index, key);
		*bucket = entry_end(index, key, live_is_block(key), slot);
		objects = live_key_objects(key);
	}
	preempt_enable();
	return objects;
}

/**
 * kmprof_live_init() - allocate the table, and round max_live up to what fits
 *
 * Context: Process context, before any probe is armed.
 * Return: 0; -ENOMEM; -EOPNOTSUPP when the CPU has no cmpxchg16b.
 */
int kmprof_live_init(void)
{
	if (!boot_cpu_has(X86_FEATURE_CX16)) {
		pr_err("this CPU has no cmpxchg16b\n");
		return -EOPNOTSUPP;
	}
	kmprof_limits.max_live = kmprof_live_round(kmprof_limits.max_live);
	kmprof_live_mask = (u64)(live_nr_lines() - 1) << LINE_SHIFT | 63;
	kmprof_live_lines = __vmalloc(array_size(live_nr_lines(), sizeof(*kmprof_live_lines)),
				      GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	kmprof_live_entries = __vmalloc(array_size(live_nr_entries(), sizeof(*kmprof_live_entries)),
					GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	kmprof_live_births = __vmalloc(array_size(live_nr_entries(), sizeof(*kmprof_live_births)),
				       GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	if (kmprof_live_lines && kmprof_live_entries && kmprof_live_births)
		return 0;
	kmprof_live_exit();
	return -ENOMEM;
}

/**
 * kmprof_live_exit() - free the table
 *
 * Context: Process context, a grace period after the last probe ran.
 */
void kmprof_live_exit(void)
{
	vfree(kmprof_live_births);
	vfree(kmprof_live_entries);
	vfree(kmprof_live_lines);
}
