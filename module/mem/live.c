// SPDX-License-Identifier: GPL-2.0
/*
 * The life of an entry of the live table, without locks.
 *
 * An insert claims an entry by setting its tag (cmpxchg on the line), then writes the
 * value, then publishes the key. Taking the key away (cmpxchg to 0) makes the taker, a
 * free or a sweep, the owner of the entry. The owner reads the value last, clears it, and
 * gives the entry back by clearing the tag.
 *
 * An object whose home line is full goes to another line of the group. The home line
 * counts it from before its key is published until after its entry was given back.
 *
 * The value is the bucket, or the record in a ring from which the drain will learn the
 * bucket. A free that comes before the drain leaves a note in the record: it needs no
 * room anywhere, and is never lost.
 *
 *	record|PENDING --drain--> bucket --free--> (entry unused)
 *	record|PENDING --free--> record|PENDING|FREED, note --> (entry unused)
 *
 * The drain keeps the record until it has moved the value on, or has the note.
 *
 * kfree_rcu() adds DYING to a value: the object counts as freed from then on, and the
 * free that follows only ends the waiting.
 *
 * A slot, in this file as everywhere, is a cycle's.
 */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/build_bug.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>
#include <asm/cpufeature.h>

#include "core/bucket.h"
#include "core/limits.h"
#include "core/ring.h"
#include "core/stats.h"
#include "mem/live.h"

/* Low bits of a value; buckets and records are aligned accordingly. */
enum {
	LIVE_PENDING	= 1 << 0,	/* the rest is a record, not a bucket */
	LIVE_DYING	= 1 << 1,
	LIVE_FREED	= 1 << 2,	/* only with PENDING: the note is coming */
	LIVE_SLOT_SHIFT	= 3,		/* only with PENDING: slot of DYING */
	LIVE_SLOT_MASK	= 3,
	LIVE_DROP	= 1 << 5,	/* only with PENDING: the drain gives the entry back */
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

struct kmprof_pair *kmprof_live_lines __read_mostly;
u64 kmprof_live_mask __read_mostly;
static struct live_entry *entries __read_mostly;

enum {
	/* Of a line's eight entries the last one is unused. */
	ENTRIES_PER_LINE	= 8,
	/* A line's number in a hash begins there: bits in struct kmprof_pair. */
	LINE_SHIFT		= 7,
	TAG_USED		= 0x80,
	AWAY_SHIFT		= 56,
};

#define BYTES(b)	(0x0101010101010101ULL * (b))
#define ENTRY_TAGS	(BYTES(TAG_USED) >> 8)
#define AWAY_ONE	BIT_ULL(AWAY_SHIFT)

static_assert(sizeof(struct kmprof_pair) * BITS_PER_BYTE == 1 << LINE_SHIFT);
/* Not more than are away from a line if all others of its group are full. */
static_assert(KMPROF_LIVE_LINE * (KMPROF_LIVE_GROUP - 1) < 1 << (64 - AWAY_SHIFT));

static unsigned int nr_lines(void)
{
	return kmprof_limits.max_live / KMPROF_LIVE_LINE;
}

static unsigned int nr_entries(void)
{
	return nr_lines() * ENTRIES_PER_LINE;
}

static u32 home_line(u64 hash)
{
	return (hash & kmprof_live_mask) >> LINE_SHIFT;
}

static u8 tag_of(u64 hash)
{
	return TAG_USED | (hash & (TAG_USED - 1));
}

/* The @i-th line in which an object of the line @home may be. */
static u32 chain_line(u32 home, unsigned int i)
{
	return (home & ~(KMPROF_LIVE_GROUP - 1)) | ((home + i) & (KMPROF_LIVE_GROUP - 1));
}

/* TAG_USED in each byte that equals @tag; perhaps also in one above such a byte. */
static u64 match_tag(u64 tags, u8 tag)
{
	u64 x = tags ^ BYTES(tag);

	return (x - BYTES(1)) & ~x & ENTRY_TAGS;
}

/* The bits of @present that a line with these @tags has. */
static u64 present_bits(u64 tags)
{
	u64 used, bits = 0;

	if (tags >> AWAY_SHIFT)
		return ~0ULL;
	for (used = tags & ENTRY_TAGS; used; used &= used - 1)
		bits |= BIT_ULL(tags >> (__ffs64(used) - 7) & 63);
	return bits;
}

/* Torn while the line changes; whoever replaces it then fails. */
static struct kmprof_pair line_read(u32 line)
{
	return (struct kmprof_pair) {
		.lo = READ_ONCE(kmprof_live_lines[line].lo),
		.hi = READ_ONCE(kmprof_live_lines[line].hi),
	};
}

/* A failure means that another CPU got on: no lock is spun on. */
static bool line_replace(u32 line, struct kmprof_pair old, u64 tags)
{
	struct kmprof_pair new = { .lo = present_bits(tags), .hi = tags };

	return kmprof_compat_cmpxchg_pair(&kmprof_live_lines[line], old, new);
}

/* Add to a line's tags, or take away. */
static void line_add(u32 line, u64 tags)
{
	struct kmprof_pair old;

	do {
		old = line_read(line);
	} while (!line_replace(line, old, old.hi + tags));
}

static struct kmprof_bucket *value_bucket(long value)
{
	return (struct kmprof_bucket *)(value & ~(long)LIVE_DYING);
}

/* The owner of an entry is done with key and value: the entry can be claimed again. */
static void entry_release(u32 index, u32 home)
{
	u32 line = index / ENTRIES_PER_LINE;
	unsigned int shift = index % ENTRIES_PER_LINE * 8;

	atomic_long_set(&entries[index].value, 0);
	/* Only the owner changes an entry's tag. The cmpxchg pairs with a claim's. */
	line_add(line, -(READ_ONCE(kmprof_live_lines[line].hi) & 0xffULL << shift));
	if (line != home)
		line_add(home, -AWAY_ONE);
}

/* Index of @ptr's entry, or -1. */
static int entry_find(const void *ptr)
{
	u64 hash = kmprof_live_hash(ptr);
	u32 home = home_line(hash);
	unsigned int i;

	for (i = 0; i < KMPROF_LIVE_GROUP; i++) {
		u32 line = chain_line(home, i);
		u64 tags = READ_ONCE(kmprof_live_lines[line].hi);
		u64 match = match_tag(tags, tag_of(hash));

		for (; match; match &= match - 1) {
			u32 index = line * ENTRIES_PER_LINE + __ffs64(match) / 8;

			/* Pairs with the release in entry_insert(). */
			if (atomic_long_read_acquire(&entries[index].key) == (long)ptr)
				return index;
		}
		if (line == home && !(tags >> AWAY_SHIFT))
			break;
	}
	return -1;
}

/* Become the owner of the entry that holds @key. */
static bool entry_take(u32 index, long key)
{
	return atomic_long_cmpxchg(&entries[index].key, key, 0) == key;
}

/* Claim an entry of one line. Returns its index or -1. */
static int line_claim(u32 line, u8 tag)
{
	struct kmprof_pair old;
	unsigned int byte;
	u64 room;

	do {
		old = line_read(line);
		room = ~old.hi & ENTRY_TAGS;
		if (!room)
			return -1;
		byte = __ffs64(room) / 8;
	} while (!line_replace(line, old, old.hi | (u64)tag << byte * 8));
	return line * ENTRIES_PER_LINE + byte;
}

/* Claim an entry for @ptr, fill it and publish it. Returns its index or -1. */
static int entry_insert(const void *ptr, long value)
{
	u64 hash = kmprof_live_hash(ptr);
	u32 home = home_line(hash);
	unsigned int i;
	int index = -1;

	for (i = 0; i < KMPROF_LIVE_GROUP && index < 0; i++)
		index = line_claim(chain_line(home, i), tag_of(hash));
	if (index < 0)
		return -1;
	if (index / ENTRIES_PER_LINE != home)
		line_add(home, AWAY_ONE);
	atomic_long_set(&entries[index].value, value);
	/* Pairs with the acquire in entry_find(): the value is there. */
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
	return entry_insert(ptr, (long)bucket) >= 0;
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
	index = entry_insert(ptr, (long)rec | LIVE_PENDING);
	rec->live = index;
	rec->home = home_line(kmprof_live_hash(ptr));
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
 * The end of an entry whose key was taken: book it, or leave a note for the drain
 * that will. Returns the bucket, NULL when it is not known (yet).
 */
static struct kmprof_bucket *entry_end(u32 index, long key, unsigned int slot)
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
	entry_release(index, home_line(kmprof_live_hash((void *)key)));
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
	int index = entry_find(ptr);

	if (index < 0 || !entry_take(index, (long)ptr))
		return false;
	entry_end(index, (long)ptr, slot);
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
	int index = entry_find(ptr);
	long value, new;

	if (index < 0)
		return;
	value = atomic_long_read(&entries[index].value);
	do {
		/* A sweep can take the entry away; then it can become another object's. */
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
	/* Pairs with the release in entry_end(). */
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
	/* Once there is a note, the entry may be another object's. */
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
 * From the moment that DROP is set, nobody else gives the entry back: what is
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
		if (!key || !entry_take(rec->live, key))
			record_note(rec);
		entry_release(rec->live, rec->home);
		return;
	}
	record_note(rec);
}

/*
 * Take the object in @index out, if there is one, as freed in @slot. Its @bucket
 * is NULL when it is not known (yet).
 */
static bool entry_drop(u32 index, unsigned int slot, struct kmprof_bucket **bucket)
{
	long key = atomic_long_read(&entries[index].key);

	if (!key || !entry_take(index, key))
		return false;
	*bucket = entry_end(index, key, slot);
	return true;
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
		/* If the entry is another object's by now, that new object is lost. */
		if (entry_drop(i, kmprof_slot(), &b) && (!b || !READ_ONCE(b->dead)))
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
	struct kmprof_bucket *b;
	u32 i;

	for (i = 0; i < nr_entries(); i++) {
		cond_resched();
		if (entry_drop(i, slot, &b))
			kmprof_stats_count(slot, KMPROF_LOSS_UNTRACKED);
	}
}

/**
 * kmprof_live_count() - entries in use
 *
 * Context: Process context.
 */
unsigned int kmprof_live_count(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < nr_lines(); i++) {
		n += hweight64(READ_ONCE(kmprof_live_lines[i].hi) & ENTRY_TAGS);
		cond_resched();
	}
	return n;
}

/**
 * kmprof_live_init() - round max_live up, and allocate the table
 *
 * Return: 0, -ENOMEM, or -EOPNOTSUPP when the CPU cannot change a line at once.
 */
int kmprof_live_init(void)
{
	if (!boot_cpu_has(X86_FEATURE_CX16)) {
		pr_err("this CPU has no cmpxchg16b\n");
		return -EOPNOTSUPP;
	}
	kmprof_limits.max_live = kmprof_live_round(kmprof_limits.max_live);
	kmprof_live_mask = (u64)(nr_lines() - 1) << LINE_SHIFT | 63;
	kmprof_live_lines = __vmalloc(array_size(nr_lines(), sizeof(*kmprof_live_lines)),
				      GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	entries = __vmalloc(array_size(nr_entries(), sizeof(*entries)),
			    GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	if (kmprof_live_lines && entries)
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
	vfree(kmprof_live_lines);
}
