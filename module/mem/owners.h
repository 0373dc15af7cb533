/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Owners: the task that has allocated an object of the live table. While the setting owners is 1,
 * each entry of the table that comes into use refers to its owner, a task's id and name. What is
 * remembered of an owner stays for as long as an entry refers to it.
 */
#ifndef KMPROF_OWNERS_H
#define KMPROF_OWNERS_H

#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/types.h>

#include <asm/barrier.h>

struct kmprof_image_object;

/* The owner of each entry; NULL while the setting is off. */
extern u32 *kmprof_owners_in_force;

/* Off until the setting is on first: until then, no entry has an owner. */
DECLARE_STATIC_KEY_FALSE(kmprof_owners_are_kept);

void kmprof_owner_note_current(u32 *owners, u32 entry, unsigned int slot);
void kmprof_owner_forget_kept(u32 entry);

/**
 * kmprof_owner_note() - remember who allocates the object of an entry
 * @entry: the entry, which nobody can find yet
 * @slot: the current slot, for the ledger
 *
 * Context: Any but NMI. Preemption off. Takes no locks.
 */
static __always_inline void kmprof_owner_note(u32 entry, unsigned int slot)
{
	u32 *owners;

	if (!static_branch_unlikely(&kmprof_owners_are_kept))
		return;
	/* Pairs with the release in set(): the table of owners is there. */
	owners = smp_load_acquire(&kmprof_owners_in_force);
	if (owners)
		kmprof_owner_note_current(owners, entry, slot);
}

/**
 * kmprof_owner_forget() - forget who has allocated the object of an entry
 * @entry: the entry, which the caller owns
 *
 * Context: Any but NMI. Takes no locks.
 */
static __always_inline void kmprof_owner_forget(u32 entry)
{
	if (static_branch_unlikely(&kmprof_owners_are_kept))
		kmprof_owner_forget_kept(entry);
}

void kmprof_owner_read(u32 entry, struct kmprof_image_object *object);
int kmprof_owners_set(u64 on);
int kmprof_owners_init(void);
void kmprof_owners_exit(void);

#endif
