// SPDX-License-Identifier: GPL-2.0
/* The table of unwind rules: what is not on the way of a walk that finds its rules. */
#include <linux/atomic.h>
#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/vmalloc.h>

#include "stack/rules.h"

u64 *kmprof_rules __read_mostly;
u32 kmprof_rules_epoch __read_mostly;

enum {
	NR_PLACES	= BIT(KMPROF_RULES_BITS),
	/* Places looked at before others may run. */
	STRETCH		= 1024,
};

/* Find a place of the set of @place, other than @place, whose lower half is @low. */
static u32 other_place(const u64 *rules, u32 place, u32 low)
{
	u32 i;

	for (i = 1; i < KMPROF_RULES_SET; i++)
		if ((u32)READ_ONCE(rules[place ^ i]) == low)
			return place ^ i;
	return place;
}

/**
 * kmprof_rules_search() - find the rule of an address that is not at its preferred place
 * @rules: kmprof_rules
 * @ip: return address
 *
 * Context: Any.
 * Return: the rule; 0 if there is none.
 */
u32 kmprof_rules_search(const u64 *rules, unsigned long ip)
{
	u64 word = READ_ONCE(rules[other_place(rules, kmprof_rules_place(ip), ip)]);

	return (u32)word == (u32)ip ? word >> 32 : 0;
}

/**
 * kmprof_rules_keep() - store the rule of an address
 * @ip: return address; it has no rule
 * @rule: its rule, not 0
 *
 * The rule gets the preferred place, if that is empty, or another one of the set. Who comes first
 * stays: the more often an address is met, the sooner it is learned. In a full set the others are
 * replaced, each in turn.
 *
 * Context: Process context. The caller sees to it that there is one writer at a time.
 */
void kmprof_rules_keep(unsigned long ip, u32 rule)
{
	static u32 turn;
	u32 preferred = kmprof_rules_place(ip), place = preferred;

	if (READ_ONCE(kmprof_rules[preferred])) {
		place = other_place(kmprof_rules, preferred, 0);
		if (place == preferred)
			place ^= 1 + turn++ % (KMPROF_RULES_SET - 1);
	}
	WRITE_ONCE(kmprof_rules[place], (u64)rule << 32 | (u32)ip);
}

/**
 * kmprof_rules_forget() - forget the rules of some addresses
 * @belongs: callback: shall the rule of this address be forgotten?
 * @data: for @belongs
 *
 * Context: Process context. May sleep. One writer at a time.
 */
void kmprof_rules_forget(bool (*belongs)(unsigned long ip, const void *data), const void *data)
{
	u64 word;
	u32 i;

	for (i = 0; i < NR_PLACES; i++) {
		word = READ_ONCE(kmprof_rules[i]);
		if (word && belongs((u32)word | ~0UL << 32, data))
			WRITE_ONCE(kmprof_rules[i], 0);
		if (i % STRETCH == STRETCH - 1)
			cond_resched();
	}
	/* Pairs with kmprof_trail_note(): who sees this does not see what was forgotten. */
	smp_store_release(&kmprof_rules_epoch, kmprof_rules_epoch + 1);
}

/**
 * kmprof_rules_init() - allocate the table
 *
 * Context: Process context, before any walk.
 * Return: 0 or -ENOMEM.
 */
int kmprof_rules_init(void)
{
	kmprof_rules = __vmalloc(sizeof(*kmprof_rules) << KMPROF_RULES_BITS,
				 GFP_KERNEL | __GFP_ZERO | __GFP_NOWARN);
	return kmprof_rules ? 0 : -ENOMEM;
}

/**
 * kmprof_rules_exit() - free the table
 *
 * Context: Process context, a grace period after the last walk.
 */
void kmprof_rules_exit(void)
{
	vfree(kmprof_rules);
}
