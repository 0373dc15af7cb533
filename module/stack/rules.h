/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The table of unwind rules, by return address (unwind.h says what a rule is). Any walk reads
 * it, in any context and without a lock; only the learner (learn.c) writes it.
 *
 * A word holds an address and its rule. Eight words of one cache line are a set. An address
 * belongs to one set, and prefers one place of it: the look-up begins there, and rarely has
 * to look at the other seven.
 */
#ifndef KMPROF_RULES_H
#define KMPROF_RULES_H

#include <linux/compiler.h>
#include <linux/hash.h>
#include <linux/types.h>

enum {
	/*
	 * log2 of the number of places: 256 KiB. With 8000 addresses, a quarter of the places,
	 * nearly no set has more than eight of them. With half of the places 8 % of the walks
	 * would miss a rule (12 frames each).
	 */
	KMPROF_RULES_BITS	= 15,
	KMPROF_RULES_SET	= 8,	/* places of a set; a power of two */
};

/*
 * The lower half of a word is the lower half of the address, which is unique within kernel
 * and modules. The upper half is the rule. 0: the place is empty.
 *
 * The pointer is written by kmprof_rules_init(); the words change at any time.
 */
extern u64 *kmprof_rules;

/* Counts how often rules were forgotten. What was found by rules is valid until then. */
extern u32 kmprof_rules_epoch;

/* The place that an address prefers. Those of the set differ in the lowest bits. */
static __always_inline u32 kmprof_rules_place(unsigned long ip)
{
	return hash_32((u32)ip, KMPROF_RULES_BITS);
}

u32 kmprof_rules_search(const u64 *rules, unsigned long ip);

/**
 * kmprof_rules_find() - find the rule of an address
 * @rules: kmprof_rules, which a walk reads once
 * @ip: return address
 *
 * Context: Any.
 * Return: the rule; 0 if there is none.
 */
static __always_inline u64 kmprof_rules_find(const u64 *rules, unsigned long ip)
{
	u64 word = READ_ONCE(rules[kmprof_rules_place(ip)]);

	if (likely((u32)word == (u32)ip))
		return word >> 32;
	return kmprof_rules_search(rules, ip);
}

void kmprof_rules_keep(unsigned long ip, u32 rule);
void kmprof_rules_forget(bool (*belongs)(unsigned long ip, const void *data), const void *data);
int kmprof_rules_init(void);
void kmprof_rules_exit(void);

#endif
