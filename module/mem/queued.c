// SPDX-License-Identifier: GPL-2.0
/*
 * Two bits for each entry of the live table. They can be those of an object that was there before:
 *
 * @queued: its object was passed to call_rcu(). Set by the probe
 * @waited_for: ... before the wait for callbacks began that is going on
 *
 * The bits say only what to look at. If one of them is wrong, an object counts as in use until it
 * is freed, or as dying until the next wait. An object that is passed to call_rcu() once more
 * during the wait is in use again when that ends: else one that is passed on and on would never be.
 */
#include <linux/bitops.h>
#include <linux/compiler.h>
#include <linux/errno.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "mem/live_table.h"
#include "mem/queued.h"

static unsigned long *queued __read_mostly;
static unsigned long *waited_for __read_mostly;

static unsigned int nr_words(void)
{
	return BITS_TO_LONGS(live_nr_entries());
}

/**
 * kmprof_queued_note() - the object of an entry was passed to call_rcu()
 * @index: the entry
 *
 * Context: Any but NMI. Preemption off since the object was found dying in the entry.
 */
void kmprof_queued_note(u32 index)
{
	set_bit(index, queued);
}

/**
 * kmprof_queued_forget() - no callback is waited for: the object is freed, or is in use
 * @index: the entry, whose object was dying
 *
 * Context: Any but NMI.
 */
void kmprof_queued_forget(u32 index)
{
	if (!test_bit(index, queued))
		return;
	clear_bit(index, waited_for);
	clear_bit(index, queued);
}

/**
 * kmprof_queued_begin() - begin a wait for all callbacks that are queued
 *
 * Context: Process context. One caller at a time.
 * Return: whether there is any.
 */
bool kmprof_queued_begin(void)
{
	bool found = false;
	unsigned int i;

	for (i = 0; i < nr_words(); i++) {
		unsigned long bits = READ_ONCE(queued[i]);

		WRITE_ONCE(waited_for[i], bits);
		found |= bits;
		cond_resched();
	}
	return found;
}

/**
 * kmprof_queued_next() - find an entry that is waited for
 * @index: the first one to look at
 *
 * Context: Process context.
 * Return: the next one from @index on; live_nr_entries() or more: there is none.
 */
u32 kmprof_queued_next(u32 index)
{
	unsigned long bits = ~0UL << index % BITS_PER_LONG;
	unsigned int i;

	/* The first word is looked at from @index on only. */
	for (i = index / BITS_PER_LONG; i < nr_words(); i++, bits = ~0UL) {
		bits &= READ_ONCE(waited_for[i]) & READ_ONCE(queued[i]);
		if (bits)
			return i * BITS_PER_LONG + __ffs(bits);
	}
	return nr_words() * BITS_PER_LONG;
}

/**
 * kmprof_queued_init() - allocate the bits
 *
 * Context: Process context, after kmprof_live_init(), before any probe is armed.
 * Return: 0 or -ENOMEM.
 */
int kmprof_queued_init(void)
{
	queued = __vmalloc(array_size(nr_words(), sizeof(long)),
			   GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	waited_for = __vmalloc(array_size(nr_words(), sizeof(long)),
			       GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	if (queued && waited_for)
		return 0;
	kmprof_queued_exit();
	return -ENOMEM;
}

/**
 * kmprof_queued_exit() - free the bits
 *
 * Context: Process context, a grace period after the last probe ran.
 */
void kmprof_queued_exit(void)
{
	vfree(waited_for);
	vfree(queued);
}
