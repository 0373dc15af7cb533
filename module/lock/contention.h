/* SPDX-License-Identifier: GPL-2.0 */
/* Begin and end of a wait for a lock, as the two sources of waits report them. */
#ifndef KMPROF_CONTENTION_H
#define KMPROF_CONTENTION_H

#include <linux/types.h>

struct pt_regs;

bool kmprof_contention_begin(const void *lock, u32 kind, u32 flags);
void kmprof_contention_end(const void *lock, u32 flags, const struct pt_regs *regs);
bool kmprof_contention_cancel(const void *lock);
void kmprof_contention_exit(void);
void kmprof_contention_expect(const void *lock, u32 kind, u32 flags);
void kmprof_contention_expected(const void *lock);
void kmprof_contention_jumped_queue(const void *lock);
void kmprof_contention_set_rate(u64 rate);

#endif
