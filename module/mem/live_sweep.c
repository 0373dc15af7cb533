// SPDX-License-Identifier: GPL-2.0
/*
 * Sweeps of the live table: they read it entry by entry, while probes insert and remove objects.
 */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/lockdep.h>
#include <linux/minmax.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/uaccess.h>
#include <uapi/linux/kmprof.h>

#include "core/bucket.h"
#include "core/cycle.h"
#include "core/slot.h"
#include "core/stats.h"
#include "mem/live.h"
#include "mem/live_table.h"
#include "mem/owners.h"

/* Lines that are looked at before the CPU is offered to others: 64 KiB of them. */
enum { LINES_AT_ONCE = 4096 };

/*
 * The first entry from @i on that is in use, or live_nr_entries(). Reads a word for all entries of
 * a line, so a sweep of a table that is nearly empty reads an eighth of it. An entry that is taken
 * into use behind the sweep's back is passed over, as one behind @i is.
 */
static u32 next_used(u32 i)
{
	const u32 nr = live_nr_lines();
	u32 line = i / LIVE_ENTRIES;
	u64 tags;

	/* The first line is looked at from @i on only. */
	for (tags = ~0ULL << i % LIVE_ENTRIES * BITS_PER_BYTE; line < nr; tags = ~0ULL) {
		tags &= READ_ONCE(kmprof_live_lines[line].hi) & LIVE_ENTRY_TAGS;
		if (tags)
			return line * LIVE_ENTRIES + __ffs64(tags) / BITS_PER_BYTE;
		/* To ask takes longer than to look at a line. */
		if (!(++line % LINES_AT_ONCE))
			cond_resched();
	}
	return nr * LIVE_ENTRIES;
}

/* Does an entry point to a dead bucket? */
static bool is_dead(u32 index)
{
	long value = atomic_long_read(&kmprof_live_entries[index].value);
	struct kmprof_bucket *b = live_value_bucket(value);

	return !(value & LIVE_PENDING) && b && READ_ONCE(b->dead);
}

/* Returns false when the entry has another key by now. */
static bool drop_dead(u32 index, long key)
{
	struct kmprof_bucket *b;
	unsigned int objects;

	preempt_disable();
	objects = kmprof_live_drop_entry(index, key, kmprof_slot(), &b);
	/* The entry may have become another object's: then that object is lost. */
	if (objects && (!b || !READ_ONCE(b->dead)))
		kmprof_stats_add(kmprof_slot(), KMPROF_LOSS_UNTRACKED, objects);
	preempt_enable();
	return objects;
}

/**
 * kmprof_live_drop_dead() - remove all objects whose bucket is dead
 *
 * Context: Process context, cycle lock held, a grace period after the buckets were
 * unhashed. Probes run meanwhile.
 */
void kmprof_live_drop_dead(void)
{
	u32 i;

	for (i = next_used(0); i < live_nr_entries(); i = next_used(i + 1)) {
		long key;

		cond_resched();
		/* Again, if a part of a block was freed meanwhile. */
		do {
			key = atomic_long_read(&kmprof_live_entries[i].key);
		} while (key && is_dead(i) && !drop_dead(i, key));
	}
}

/**
 * kmprof_live_drop_kinds() - remove all objects of some kinds, because their frees are not seen
 * @kinds: bits of enum kmprof_kind_id
 * @slot: slot in which to count them, as freed and as untracked
 *
 * Context: Process context, cycle lock held. The rings were drained since the last probe on
 * allocations and frees of these kinds was disarmed. Objects of them can still be marked as dying
 * meanwhile, and probes of other kinds run.
 */
void kmprof_live_drop_kinds(u64 kinds, unsigned int slot)
{
	struct kmprof_bucket *b;
	unsigned int objects;
	u32 i;

	for (i = next_used(0); i < live_nr_entries(); i = next_used(i + 1)) {
		long key = atomic_long_read(&kmprof_live_entries[i].key);

		cond_resched();
		if (!(kinds & BIT(key & KMPROF_LIVE_KIND)))
			continue;
		/*
		 * The entry can become an object of another kind meanwhile. No object of these
		 * kinds comes, so the same key is the same object.
		 */
		objects = kmprof_live_drop_entry(i, key, slot, &b);
		if (objects)
			kmprof_stats_add(slot, KMPROF_LOSS_UNTRACKED, objects);
	}
}

/**
 * kmprof_live_count() - count the entries in use
 *
 * Context: Process context. May sleep.
 * Return: their number, roughly while probes run.
 */
unsigned int kmprof_live_count(void)
{
	unsigned int i, n = 0;

	for (i = 0; i < live_nr_lines(); i++) {
		n += hweight64(READ_ONCE(kmprof_live_lines[i].hi) & LIVE_ENTRY_TAGS);
		cond_resched();
	}
	return n;
}

/*
 * Read the first bytes of an object, or of the first page in use of a block. Somebody may free it,
 * and take it out of the kernel's mapping, meanwhile.
 */
static void read_bytes(struct kmprof_image_object *o, const struct kmprof_bucket *b)
{
	u32 nr = min_t(u64, b->key.size, sizeof(o->bytes));
	const void *from = (const void *)(unsigned long)o->address + __ffs(o->parts) * b->key.size;

	/* A per-CPU pointer is an offset. */
	if (kmprof_bucket_kind(&b->key) == KMPROF_KIND_PERCPU)
		return;
	if (copy_from_kernel_nofault(o->bytes, from, nr))
		memset(o->bytes, 0, sizeof(o->bytes));
	else
		o->nr_bytes = nr;
}

/**
 * struct entry_state - what an entry has
 * @key: the key
 * @value: the value
 * @birth: the birth, which is that of the object with @value if @key was read before
 */
struct entry_state {
	long key;
	long value;
	u64 birth;
};

static struct entry_state read_state(u32 index)
{
	struct entry_state s;

	/* They pair with the releases in entry_insert(), whose order is the reverse. */
	s.key = atomic_long_read_acquire(&kmprof_live_entries[index].key);
	s.value = atomic_long_read_acquire(&kmprof_live_entries[index].value);
	s.birth = READ_ONCE(kmprof_live_births[index]);
	return s;
}

/* An object of a closed cycle that is in use? The drain has given each of them a bucket. */
static bool is_shown(const struct entry_state *s)
{
	return s->key && s->value && !(s->value & (LIVE_PENDING | LIVE_DYING)) &&
	       (s32)((u32)kmprof_published.cycle - live_birth_cycle(s->birth)) >= 0;
}

static void describe(struct kmprof_image_object *o, const struct entry_state *s)
{
	*o = (struct kmprof_image_object) {
		.address	= live_key_address(s->key),
		/* The clock may have ticked between the end of the cycle and its last event. */
		.age_ns		= kmprof_ticks_span(live_birth_ticks(s->birth),
						    kmprof_published.ticks),
		.cycle		= kmprof_published.cycle -
				  ((u32)kmprof_published.cycle - live_birth_cycle(s->birth)),
		.parts		= live_key_parts(s->key),
	};
}

/*
 * Read what is in an entry. Returns false unless it is an object of a closed cycle that is in use.
 * What is read is of that object: it is in use, with the same parts, after that, too. Such an
 * object changes as often as it has parts, and what comes into the entry behind it is of the open
 * cycle, so this ends.
 */
static bool read_object(u32 index, bool bytes, const struct kmprof_bucket **bucket,
			struct kmprof_image_object *o)
{
	struct entry_state before, after = read_state(index);

	do {
		before = after;
		if (!is_shown(&before))
			return false;
		*bucket = live_value_bucket(before.value);
		describe(o, &before);
		kmprof_owner_read(index, o);
		if (bytes)
			read_bytes(o, *bucket);
		/* Pairs with the cmpxchg of the key or the value by who frees it. */
		smp_rmb();
		after = read_state(index);
	} while (after.key != before.key || after.value != before.value ||
		 after.birth != before.birth);
	return true;
}

/* The memory of an object that is freed takes longer to become a device's, with preemption off. */
static bool read_object_at_once(u32 index, bool bytes, const struct kmprof_bucket **bucket,
				struct kmprof_image_object *o)
{
	bool is_there;

	preempt_disable();
	is_there = read_object(index, bytes, bucket, o);
	preempt_enable();
	return is_there;
}

/**
 * kmprof_live_walk() - visit all objects that the closed cycles have allocated and not freed
 * @visit: called for each, with its bucket; fills in what the table does not know
 * @data: first argument of @visit
 * @bytes: with the first bytes of the objects
 *
 * Of those that are freed in the open cycle, some are visited and some are not.
 *
 * Context: Process context, cycle lock held. May sleep. Probes run meanwhile.
 */
void kmprof_live_walk(void (*visit)(void *data, const struct kmprof_bucket *b,
				    struct kmprof_image_object *o), void *data, bool bytes)
{
	const struct kmprof_bucket *bucket;
	struct kmprof_image_object object;
	u32 i;

	lockdep_assert_held(&kmprof_cycle_lock);

	for (i = next_used(0); i < live_nr_entries(); i = next_used(i + 1)) {
		if (read_object_at_once(i, bytes, &bucket, &object))
			visit(data, bucket, &object);
		cond_resched();
	}
}
