/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The slot of a cycle: the cycle's number modulo three. One slot is the current one, one
 * may be closing, and the third one is folded and zero.
 *
 * An event reads the current slot and counts in it without enabling preemption in
 * between: kmprof_cycle_advance() waits for such sections before it folds the slot.
 *
 * Only two slots are ever in use, because a slot is folded before the next one is opened. There
 * are three as in memRecord.future of mprof.go.
 */
#ifndef KMPROF_SLOT_H
#define KMPROF_SLOT_H

#include <linux/types.h>

#include <asm/barrier.h>

enum {
	KMPROF_NR_SLOTS = 3,
};

/**
 * struct kmprof_era - the time from one reset to the next
 * @number: number of resets before; wraps around
 * @start_ns: time of the last reset in ns, of ktime_get_mono_fast_ns(); 0: there was none
 */
struct kmprof_era {
	u32 number;
	u64 start_ns;
};

/* The era of each slot's cycle. Written before the slot is opened. */
extern struct kmprof_era kmprof_slot_eras[KMPROF_NR_SLOTS];

/* The number of each slot's cycle, its lowest bits. Written before the slot is opened. */
extern u32 kmprof_slot_cycles[KMPROF_NR_SLOTS];

/* Written by slot_close() only, under the cycle lock. */
extern unsigned int kmprof_slot_current;

/**
 * kmprof_slot() - get the slot of the current cycle
 *
 * Context: Any. Preemption off until the last use of the result.
 * Return: the slot, less than KMPROF_NR_SLOTS.
 */
static __always_inline unsigned int kmprof_slot(void)
{
	/* Pairs with the release in slot_close(): the slot is folded and zero. */
	return smp_load_acquire(&kmprof_slot_current);
}

/**
 * kmprof_era() - get the era of a slot's cycle
 * @slot: a slot from kmprof_slot(), in use
 *
 * Context: Any. Preemption off since @slot was read.
 * Return: the era.
 */
static __always_inline const struct kmprof_era *kmprof_era(unsigned int slot)
{
	return &kmprof_slot_eras[slot];
}

/**
 * kmprof_slot_cycle() - get the number of a slot's cycle
 * @slot: a slot from kmprof_slot(), in use
 *
 * Context: Any. Preemption off since @slot was read.
 * Return: the lowest 32 bits of the number.
 */
static __always_inline u32 kmprof_slot_cycle(unsigned int slot)
{
	return kmprof_slot_cycles[slot];
}

static inline unsigned int kmprof_slot_next(unsigned int slot)
{
	return slot + 1 == KMPROF_NR_SLOTS ? 0 : slot + 1;
}

#endif
