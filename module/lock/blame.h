/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Blames releases for the delay of waiters, for the mutex profile. What no release can be
 * blamed for is counted, too. Of waits that began while mutex_fraction was on, and when none
 * is in flight: blamed_ns + unblamed_ns == wait_ns, of what has been waited since the last reset.
 *
 * Where a function takes a pointer to a slot, this is a slot read by the caller in this section;
 * it returns the slot in which the caller counts the event (lock/contended.h).
 */
#ifndef KMPROF_BLAME_H
#define KMPROF_BLAME_H

#include <linux/types.h>

struct kmprof_wait;
struct pt_regs;

void kmprof_blame_begin(struct kmprof_wait *wait);
void kmprof_blame_give_up(struct kmprof_wait *wait, u64 now);
void kmprof_blame_excuse(struct kmprof_wait *wait);
bool kmprof_blame_can_cancel(const struct kmprof_wait *wait);
void kmprof_blame_cancel(const struct kmprof_wait *wait, u64 now);
u64 kmprof_blame_end(struct kmprof_wait *wait, u64 now, unsigned int *slot);
void kmprof_blame_release(const void *lock, u32 kind, u32 flags, const struct pt_regs *regs);
void kmprof_blame_set_fraction(u64 fraction);
void kmprof_blame_for_listeners(bool heard);
void kmprof_blame_forget(void);

#endif
