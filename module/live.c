// SPDX-License-Identifier: GPL-2.0
/*
 * The life of a slot, without locks.
 *
 * An insert claims a slot by setting its tag (cmpxchg on the line's word), then
 * writes the value, then publishes the key. Whoever takes the key away (cmpxchg
 * to 0) owns the slot: a free, or a sweep. The owner reads the value last,
 * clears it, and gives the slot back by clearing the tag.
 *
 * The value is the bucket, or the record in a ring that will tell the drain
 * which bucket it is. A free that comes before the drain leaves a note in the
 * record: it needs no room anywhere, and is never lost.
 *
 *	record|PENDING --drain--> bucket --free--> (slot free)
 *	record|PENDING --free--> record|PENDING|FREED, note --> (slot free)
 *
 * The drain keeps the record until it has moved the value on, or has the note.
 *
 * kfree_rcu() adds DYING to a value: the object counts as freed from then on,
 * and the free that follows only ends the waiting.
 */
#include <linux/bitops.h>
#include <linux/log2.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "bucket.h"
#include "limits.h"
#include "live.h"
#include "ring.h"
#include "stats.h"

/* Low bits of a value; buckets and records are aligned accordingly. */
enum {
	LIVE_PENDING	= 1 << 0,	/* the rest is a record, not a bucket */
	LIVE_DYING	= 1 << 1,
	LIVE_FREED	= 1 << 2,	/* only with PENDING: the note is coming */
	LIVE_SLOT_SHIFT	= 3,		/* only with PENDING: slot of DYING */
	LIVE_SLOT_MASK	= 3,
	LIVE_DROP	= 1 << 5,	/* only with PENDING: the drain gives the slot back */
	LIVE_POINTER	= ~(KMPROF_RECORD_ALIGN - 1),
};

static_assert((LIVE_SLOT_MASK << LIVE_SLOT_SHIFT) < LIVE_DROP);
static_assert(LIVE_DROP < KMPROF_RECORD_ALIGN);

/* A record's note: the flags and slots of what happened to its object. */
enum {
	NOTE_FREED	= LIVE_FREED,
	NOTE_DYING	= LIVE_DYING,
	NOTE_DYING_SLOT	= LIVE_SLOT_SHIFT,
	NOTE_FREED_SLOT	= LIVE_SLOT_SHIFT + 3,
};

struct live_entry {
	atomic_long_t key;
	atomic_long_t value;
};

atomic64_t *kmprof_live_tags __read_mostly;
unsigned int kmprof_live_shift __read_mostly;
static struct live_entry *entries __read_mostly;

/* Of a line's eight entries the last one is unused. */
enum {
	ENTRIES_PER_LINE = 8,
};

#define LIVE_SLOT_TAGS	(KMPROF_LIVE_BYTES(0x80) & ~KMPROF_LIVE_OVERFLOWED)

static unsigned int nr_lines(void)
{
	return kmprof_limits.max_live / KMPROF_LIVE_LINE;
}

static unsigned int nr_entries(void)
{
	return nr_lines() * ENTRIES_PER_LINE;
}

/* The @i-th line in which an object whose hash is @hash may be. */
static u32 chain_line(u64 hash, unsigned int i)
{
	u32 home = hash >> kmprof_live_shift;

	return (home & ~(KMPROF_LIVE_GROUP - 1)) | ((home + i) & (KMPROF_LIVE_GROUP - 1));
}

static struct kmprof_bucket *value_bucket(long value)
{
	return (struct kmprof_bucket *)(value & ~(long)LIVE_DYING);
}

/* The slot's owner is done with key and value: anybody may claim it. */
static void slot_release(u32 index)
{
	atomic_long_set(&entries[index].value, 0);
	smp_mb__before_atomic();	/* pairs with the cmpxchg of a claim */
	atomic64_andnot(0xffULL << (index % ENTRIES_PER_LINE * 8),
			&kmprof_live_tags[index / ENTRIES_PER_LINE]);
}

/* Index of @ptr's slot, or -1. */
static int slot_find(const void *ptr)
{
	u64 hash = kmprof_live_hash(ptr);
	unsigned int i;

	for (i = 0; i < KMPROF_LIVE_GROUP; i++) {
		u32 line = chain_line(hash, i);
		u64 tags = atomic64_read(&kmprof_live_tags[line]);
		u64 match = kmprof_live_match(tags, kmprof_live_tag(hash)) & LIVE_SLOT_TAGS;

		for (; match; match &= match - 1) {
			u32 index = line * ENTRIES_PER_LINE + __ffs64(match) / 8;

			/* Pairs with the release in slot_insert(). */
			if (atomic_long_read_acquire(&entries[index].key) == (long)ptr)
				return index;
		}
		if (!(tags & KMPROF_LIVE_OVERFLOWED))
			break;
	}
	return -1;
}

/* Become the owner of a slot that holds @ptr. */
static bool slot_take(u32 index, long key)
{
	return atomic_long_cmpxchg(&entries[index].key, key, 0) == key;
}

/* Claim a slot of one line. Returns its index or -1. */
static int line_claim(u32 line, u8 tag)
{
	s64 old = atomic64_read(&kmprof_live_tags[line]);
	unsigned int byte;
	u64 room;

	do {
		room = ~old & LIVE_SLOT_TAGS;
		if (!room)
			return -1;
		byte = __ffs64(room) / 8;
		/* A failure means that another CPU got on: no lock is spun on. */
	} while (!atomic64_try_cmpxchg(&kmprof_live_tags[line], &old,
				       old | (u64)tag << byte * 8));
	return line * ENTRIES_PER_LINE + byte;
}

/* Claim a slot for @ptr, fill it and publish it. Returns its index or -1. */
static int slot_insert(const void *ptr, long value)
{
	u64 hash = kmprof_live_hash(ptr);
	unsigned int i;
	int index = -1;

	for (i = 0; i < KMPROF_LIVE_GROUP; i++) {
		index = line_claim(chain_line(hash, i), kmprof_live_tag(hash));
		if (index >= 0)
			break;
		atomic64_or(KMPROF_LIVE_OVERFLOWED, &kmprof_live_tags[chain_line(hash, i)]);
	}
	if (index < 0)
		return -1;
	atomic_long_set(&entries[index].value, value);
	/* Pairs with the acquire in slot_find(): the value is there. */
	atomic_long_set_release(&entries[index].key, (long)ptr);
	return index;
}

/**
 * kmprof_live_insert() - remember a sampled object
 * @ptr: object, not in the table
 * @bucket: its bucket
 *
 * Context: Any but NMI. Preemption off. Before @ptr is handed to its owner.
 * Return: false when the table is full here.
 */
bool kmprof_live_insert(const void *ptr, struct kmprof_bucket *bucket)
{
	return slot_insert(ptr, (long)bucket) >= 0;
}

/**
 * kmprof_live_insert_pending() - remember an object whose bucket is not known
 * @ptr: object, not in the table
 * @rec: record that is about to be committed; @live and @note are set
 *
 * Context: Any but NMI. Interrupts off. Before @ptr is handed to its owner.
 * Return: false when the table is full here.
 */
bool kmprof_live_insert_pending(const void *ptr, struct kmprof_record *rec)
{
	int index;

	atomic_set(&rec->note, 0);
	index = slot_insert(ptr, (long)rec | LIVE_PENDING);
	rec->live = index;
	return index >= 0;
}

/* Book the end of an object that had its bucket. */
static void book_free(struct kmprof_bucket *b, bool dying, unsigned int slot)
{
	if (dying)
		atomic_long_dec(&b->future[slot].pending);
	else
		atomic_long_inc(&b->future[slot].frees);
}

static void book_dying(struct kmprof_bucket *b, unsigned int slot)
{
	/* Waiting implies freed: count the free first. */
	atomic_long_inc(&b->future[slot].frees);
	atomic_long_inc(&b->future[slot].pending);
}

/*
 * The end of a slot whose key was taken: book it, or leave a note for the drain
 * that will. Returns the bucket, NULL when it is not known (yet).
 */
static struct kmprof_bucket *slot_end(u32 index, unsigned int slot)
{
	long value = atomic_long_read(&entries[index].value);
	struct kmprof_bucket *b = NULL;

	while (!atomic_long_try_cmpxchg(&entries[index].value, &value,
					value & LIVE_PENDING ? value | LIVE_FREED : 0))
		;	/* the drain or kfree_rcu() moved it on; neither does so twice */

	if (value & LIVE_PENDING) {
		struct kmprof_record *rec = (void *)(value & LIVE_POINTER);
		int note = (value & (LIVE_DYING | LIVE_SLOT_MASK << LIVE_SLOT_SHIFT)) |
			   NOTE_FREED | slot << NOTE_FREED_SLOT;

		/* Pairs with the acquires in kmprof_live_resolve(). */
		atomic_set_release(&rec->note, note);
		if (value & LIVE_DROP)
			return NULL;
	} else {
		b = value_bucket(value);
		book_free(b, value & LIVE_DYING, slot);
	}
	slot_release(index);
	return b;
}

/**
 * kmprof_live_free() - an object goes
 * @ptr: object
 * @slot: current slot, read in this section
 *
 * Context: Any but NMI. Preemption off. Before the memory can be reused.
 * Return: true when the object was in the table.
 */
bool kmprof_live_free(const void *ptr, unsigned int slot)
{
	int index = slot_find(ptr);

	if (index < 0 || !slot_take(index, (long)ptr))
		return false;
	slot_end(index, slot);
	return true;
}

/**
 * kmprof_live_defer() - an object is handed to kfree_rcu()
 * @ptr: object
 * @slot: current slot, read in this section
 *
 * Context: Any but NMI. Preemption off.
 */
void kmprof_live_defer(const void *ptr, unsigned int slot)
{
	int index = slot_find(ptr);
	long value, new;

	if (index < 0)
		return;
	value = atomic_long_read(&entries[index].value);
	do {
		/* A sweep can take the slot away, and others then reuse it. */
		if (atomic_long_read(&entries[index].key) != (long)ptr ||
		    value & LIVE_DYING)
			return;
		new = value | LIVE_DYING;
		if (value & LIVE_PENDING)
			new |= slot << LIVE_SLOT_SHIFT;
	} while (!atomic_long_try_cmpxchg(&entries[index].value, &value, new));

	if (!(value & LIVE_PENDING))
		book_dying(value_bucket(value), slot);
}

/* What a note says has happened to the object, now that its bucket is known. */
static void book_note(struct kmprof_bucket *b, int note)
{
	if (note & NOTE_DYING)
		book_dying(b, note >> NOTE_DYING_SLOT & LIVE_SLOT_MASK);
	if (note & NOTE_FREED)
		book_free(b, note & NOTE_DYING, note >> NOTE_FREED_SLOT & LIVE_SLOT_MASK);
}

/* The value says that the object is still @rec's and nobody has freed it. */
static bool is_pending(long value, const struct kmprof_record *rec)
{
	return (value & (LIVE_POINTER | LIVE_PENDING | LIVE_FREED)) ==
	       ((long)rec | LIVE_PENDING);
}

/* Wait for the note of a free that has claimed the record. */
static int record_note(const struct kmprof_record *rec)
{
	/* Pairs with the release in slot_end(). */
	return atomic_cond_read_acquire(&rec->note, VAL);
}

/**
 * kmprof_live_resolve() - the drain knows the bucket of a pending object
 * @rec: its record
 * @bucket: its bucket, with the allocation counted
 *
 * Context: Process context, under the drain lock. May wait for the few
 * instructions between a free's claim of the record and its note; frees run
 * with preemption off, so the wait ends.
 */
void kmprof_live_resolve(const struct kmprof_record *rec, struct kmprof_bucket *bucket)
{
	struct live_entry *e = &entries[rec->live];
	/* Once there is a note, the slot may be another object's. */
	long value = atomic_long_read(&e->value);

	while (is_pending(value, rec)) {
		if (atomic_long_try_cmpxchg(&e->value, &value,
					    (long)bucket | (value & LIVE_DYING))) {
			book_note(bucket, value & ~LIVE_POINTER);
			return;
		}
	}
	book_note(bucket, record_note(rec));
}

/**
 * kmprof_live_drop() - there is no bucket for a pending object: forget it
 * @rec: its record
 *
 * From the moment that DROP is set, nobody else gives the slot back: what is
 * in it stays this object.
 *
 * Context: As kmprof_live_resolve().
 */
void kmprof_live_drop(const struct kmprof_record *rec)
{
	struct live_entry *e = &entries[rec->live];
	long value = atomic_long_read(&e->value);
	long key;

	while (is_pending(value, rec)) {
		if (!atomic_long_try_cmpxchg(&e->value, &value, value | LIVE_DROP))
			continue;
		key = atomic_long_read(&e->key);
		if (!key || !slot_take(rec->live, key))
			record_note(rec);
		slot_release(rec->live);
		return;
	}
	record_note(rec);
}

/* Take the object in @index out, if there is one, as freed in @slot. */
static struct kmprof_bucket *slot_drop(u32 index, unsigned int slot)
{
	long key = atomic_long_read(&entries[index].key);

	return key && slot_take(index, key) ? slot_end(index, slot) : NULL;
}

/**
 * kmprof_live_drop_dead() - let go of all objects whose bucket is dead
 *
 * Context: Process context, under the cycle lock, a grace period after the
 * buckets were unhashed. Probes run.
 */
void kmprof_live_drop_dead(void)
{
	struct kmprof_bucket *b;
	u32 i;

	for (i = 0; i < nr_entries(); i++) {
		long value = atomic_long_read(&entries[i].value);

		cond_resched();
		b = value_bucket(value);
		if (value & LIVE_PENDING || !b || !READ_ONCE(b->dead))
			continue;
		preempt_disable();
		b = slot_drop(i, kmprof_slot());
		/* The slot has changed hands since: a new object is lost. */
		if (b && !READ_ONCE(b->dead))
			kmprof_stats_count(kmprof_slot(), KMPROF_LOSS_UNTRACKED);
		preempt_enable();
	}
}

/**
 * kmprof_live_drop_all() - forget all objects; their fate cannot be known
 * @slot: slot in which they are booked as freed, and untracked in the ledger
 *
 * Context: Process context, under the cycle lock, rings drained, no probe
 * armed since.
 */
void kmprof_live_drop_all(unsigned int slot)
{
	u32 i;

	for (i = 0; i < nr_entries(); i++) {
		cond_resched();
		if (slot_drop(i, slot))
			kmprof_stats_count(slot, KMPROF_LOSS_UNTRACKED);
	}
	/* An empty table has no lines that overflowed into others. */
	for (i = 0; i < nr_lines(); i++)
		atomic64_andnot(KMPROF_LIVE_OVERFLOWED, &kmprof_live_tags[i]);
}

/**
 * kmprof_live_count() - slots in use
 *
 * Context: Process context.
 */
unsigned int kmprof_live_count(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr_lines(); i++) {
		n += hweight64(atomic64_read(&kmprof_live_tags[i]) & LIVE_SLOT_TAGS);
		cond_resched();
	}
	return n;
}

/**
 * kmprof_live_init() - allocate the table
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_live_init(void)
{
	kmprof_live_shift = 64 - ilog2(nr_lines());
	kmprof_live_tags = __vmalloc(array_size(nr_lines(), sizeof(*kmprof_live_tags)),
				     GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	entries = __vmalloc(array_size(nr_entries(), sizeof(*entries)),
			    GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	if (kmprof_live_tags && entries)
		return 0;
	kmprof_live_exit();
	return -ENOMEM;
}

/**
 * kmprof_live_exit() - free the table
 *
 * Context: Process context, after the last probe.
 */
void kmprof_live_exit(void)
{
	vfree(entries);
	vfree(kmprof_live_tags);
}
