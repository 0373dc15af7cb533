/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The cycle that events belong to, as a slot number: cycle modulo three.
 *
 * One slot is current, one may be closing, and the third has been folded and
 * is zero. Who reads the current slot must use it in the same section with
 * preemption off: kmprof_cycle_advance() waits for such sections before it
 * folds the slot. Follows memRecord.future of mprof.go.
 */
#ifndef KMPROF_SLOT_H
#define KMPROF_SLOT_H

#include <asm/barrier.h>

enum {
	KMPROF_NR_SLOTS = 3,
};

/* Written by kmprof_cycle_advance() only. */
extern unsigned int kmprof_slot_current;

/**
 * kmprof_slot() - the slot of the current cycle
 *
 * Context: Any. Preemption off, until the last use of the result.
 */
static __always_inline unsigned int kmprof_slot(void)
{
	/* Pairs with the release in slot_close(). */
	return smp_load_acquire(&kmprof_slot_current);
}

static inline unsigned int kmprof_slot_next(unsigned int slot)
{
	return slot + 1 == KMPROF_NR_SLOTS ? 0 : slot + 1;
}

#endif
