// SPDX-License-Identifier: GPL-2.0
/*
 * The table of owners. An owner has a state, the task's id and the number of entries that refer to
 * it, and the task's name, which does not change while entries refer to it. An owner that nobody
 * refers to can be taken for another task (cmpxchg of the state). Its name is written before any
 * entry refers to it, with an id that no task has.
 *
 * An owner has to be within WINDOW places from the one that its id selects. The kernel gives ids
 * in ascending order, so tasks that are there together have different places, up to as many as
 * the table has. If all places of the window are in use, the owner of the object is not known, and
 * the ledger counts the entry.
 */
#include <linux/atomic.h>
#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/log2.h>
#include <linux/minmax.h>
#include <linux/mutex.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/vmalloc.h>
#include <uapi/linux/kmprof.h>

#include "core/guard.h"
#include "core/limits.h"
#include "core/stats.h"
#include "mem/live_table.h"
#include "mem/owners.h"

enum {
	WINDOW		= 16,
	/* Objects for each place of the table. */
	OBJECTS_EACH	= 8,
	PLACES_MIN	= 1024,
	TID_SHIFT	= 32,
};

/* Of an entry, instead of 1 + the index of its owner. */
#define OWNER_NONE	0u
#define OWNER_SOFTIRQ	(U32_MAX - 1)
#define OWNER_HARDIRQ	U32_MAX

/* In the place of the id, while the name is being written. */
#define TID_BUSY	U32_MAX

/**
 * struct owner - a task
 * @state: its id in the upper half, and the number of entries that refer to it
 * @name: its name, as two words
 */
struct owner {
	atomic64_t state;
	u64 name[KMPROF_COMM_LEN / sizeof(u64)];
};

u32 *kmprof_owners_in_force __read_mostly;
DEFINE_STATIC_KEY_FALSE(kmprof_owners_are_kept);
/* The same; NULL until the setting is on first. */
static u32 *kept __read_mostly;
static struct owner *owners __read_mostly;
static u32 owners_mask __read_mostly;

/* For the two below, and what is allocated: parameters are set while the module is loaded, too. */
static DEFINE_MUTEX(owners_lock);
/* The value of the setting. */
static bool is_on;
/* There is a live table. */
static bool is_ready;

static s64 state_of(u32 tid, u32 entries)
{
	return (s64)tid << TID_SHIFT | entries;
}

static u32 state_tid(s64 state)
{
	return (u64)state >> TID_SHIFT;
}

static u32 state_entries(s64 state)
{
	return state;
}

static void read_current_name(u64 name[2])
{
	/* Another task may change it meanwhile. Any mixture of old and new name will do. */
	data_race(memcpy(name, current->comm, KMPROF_COMM_LEN));
}

/* Refer to an owner, if it is this task under its present name. */
static bool refer(struct owner *o, u32 tid, const u64 name[2])
{
	s64 state = atomic64_read(&o->state);

	do {
		if (state_tid(state) != tid)
			return false;
	} while (!atomic64_try_cmpxchg(&o->state, &state, state + 1));
	/* The name does not change any more; the cmpxchg orders it. */
	if (READ_ONCE(o->name[0]) == name[0] && READ_ONCE(o->name[1]) == name[1])
		return true;
	atomic64_dec(&o->state);
	return false;
}

/* Make an owner that nobody refers to this task, and refer to it. */
static bool take(struct owner *o, u32 tid, const u64 name[2])
{
	s64 state = atomic64_read(&o->state);

	if (state_entries(state) ||
	    !atomic64_try_cmpxchg(&o->state, &state, state_of(TID_BUSY, 1)))
		return false;
	WRITE_ONCE(o->name[0], name[0]);
	WRITE_ONCE(o->name[1], name[1]);
	/* The name is seen by who sees the id. */
	atomic64_set_release(&o->state, state_of(tid, 1));
	return true;
}

static u32 place(u32 tid, unsigned int i)
{
	return (tid + i) & owners_mask;
}

static u32 owner_of_task(void)
{
	const u32 tid = current->pid;
	unsigned int i;
	u64 name[2];

	read_current_name(name);
	for (i = 0; i < WINDOW; i++)
		if (refer(&owners[place(tid, i)], tid, name))
			return place(tid, i) + 1;
	for (i = 0; i < WINDOW; i++)
		if (take(&owners[place(tid, i)], tid, name))
			return place(tid, i) + 1;
	return OWNER_NONE;
}

/**
 * kmprof_owner_note_current() - kmprof_owner_note() while the setting is on
 * @of_entries: kmprof_owners_in_force
 * @entry: the entry
 * @slot: the current slot
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
void kmprof_owner_note_current(u32 *of_entries, u32 entry, unsigned int slot)
{
	unsigned int level = kmprof_guard_level();
	u32 owner = level == KMPROF_GUARD_HARDIRQ ? OWNER_HARDIRQ :
		    level == KMPROF_GUARD_SOFTIRQ ? OWNER_SOFTIRQ : owner_of_task();

	if (unlikely(owner == OWNER_NONE))
		kmprof_stats_count(slot, KMPROF_LOSS_OWNER_FULL);
	/* kmprof_owner_read() may read it. The key of the entry is published later. */
	WRITE_ONCE(of_entries[entry], owner);
}

static bool is_task(u32 owner)
{
	return owner != OWNER_NONE && owner < OWNER_SOFTIRQ;
}

/**
 * kmprof_owner_forget_kept() - kmprof_owner_forget() if the setting has ever been on
 * @entry: the entry
 *
 * Context: Any but NMI. Takes no locks.
 */
void kmprof_owner_forget_kept(u32 entry)
{
	u32 owner = kept[entry];

	if (owner == OWNER_NONE)
		return;
	WRITE_ONCE(kept[entry], OWNER_NONE);
	if (!is_task(owner))
		return;
	/* The entry has lost its key by now, which read_object() finds out. */
	smp_mb__before_atomic();
	atomic64_dec(&owners[owner - 1].state);
}

static void read_task(const struct owner *o, struct kmprof_image_object *object)
{
	u64 name[2] = { READ_ONCE(o->name[0]), READ_ONCE(o->name[1]) };

	object->tid = state_tid(atomic64_read(&o->state));
	strscpy_pad(object->comm, (const char *)name, sizeof(object->comm));
}

/**
 * kmprof_owner_read() - read who has allocated the object of an entry
 * @entry: the entry
 * @object: @tid and @comm are filled in, if they are known
 *
 * While the entry refers to its owner, that is nobody else's. So what is read is right if the same
 * object is in the entry after that, too, which the caller finds out.
 *
 * Context: Process context.
 */
void kmprof_owner_read(u32 entry, struct kmprof_image_object *object)
{
	/* Pairs with the release in allocate(). */
	const u32 *of_entries = smp_load_acquire(&kept);
	u32 owner;

	if (!of_entries)
		return;
	owner = READ_ONCE(of_entries[entry]);
	if (owner == OWNER_HARDIRQ)
		strscpy_pad(object->comm, "[hardirq]", sizeof(object->comm));
	else if (owner == OWNER_SOFTIRQ)
		strscpy_pad(object->comm, "[softirq]", sizeof(object->comm));
	else if (owner != OWNER_NONE)
		read_task(&owners[owner - 1], object);
}

/* All of it is there until the module goes: entries refer to it after the setting is off, too. */
static int allocate(void)
{
	u32 places = roundup_pow_of_two(max_t(u32, kmprof_limits.max_live / OBJECTS_EACH,
					      PLACES_MIN));
	struct owner *table;
	u32 *of_entries;

	if (kept)
		return 0;
	table = __vmalloc(array_size(places, sizeof(*table)),
			  GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	of_entries = __vmalloc(array_size(live_nr_entries(), sizeof(*of_entries)),
			       GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	if (!table || !of_entries) {
		vfree(of_entries);
		vfree(table);
		return -ENOMEM;
	}
	owners = table;
	owners_mask = places - 1;
	/* Who sees it sees the table of owners. */
	smp_store_release(&kept, of_entries);
	/* No entry has an owner yet: all CPUs look at them before one has. */
	static_branch_enable(&kmprof_owners_are_kept);
	return 0;
}

static int set(bool on)
{
	int err = on && is_ready ? allocate() : 0;

	lockdep_assert_held(&owners_lock);

	if (err)
		return err;
	is_on = on;
	/* Pairs with the acquire in kmprof_owner_note(). */
	smp_store_release(&kmprof_owners_in_force, on ? kept : NULL);
	return 0;
}

/**
 * kmprof_owners_set() - remember owners from now on, or not
 * @on: 1 or 0
 *
 * Objects that are there keep what is known of them.
 *
 * Context: Process context. Also before there is a live table.
 * Return: 0, or -ENOMEM and nothing has changed.
 */
int kmprof_owners_set(u64 on)
{
	int err;

	mutex_lock(&owners_lock);
	err = set(on);
	mutex_unlock(&owners_lock);
	return err;
}

/**
 * kmprof_owners_init() - allocate the table, if the setting is on already
 *
 * Context: Process context, before any probe is armed, with the live table allocated.
 * Return: 0 or -ENOMEM.
 */
int kmprof_owners_init(void)
{
	int err;

	mutex_lock(&owners_lock);
	is_ready = true;
	err = set(is_on);
	is_ready = !err;
	mutex_unlock(&owners_lock);
	return err;
}

/**
 * kmprof_owners_exit() - free the table
 *
 * Context: Process context, a grace period after the last probe ran.
 */
void kmprof_owners_exit(void)
{
	mutex_lock(&owners_lock);
	is_ready = false;
	static_branch_disable(&kmprof_owners_are_kept);
	kmprof_owners_in_force = NULL;
	vfree(kept);
	kept = NULL;
	vfree(owners);
	owners = NULL;
	mutex_unlock(&owners_lock);
}
