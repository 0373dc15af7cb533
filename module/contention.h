/* SPDX-License-Identifier: GPL-2.0 */
/* What the begin and the end of a wait for a lock mean, whichever source saw them. */
#ifndef KMPROF_CONTENTION_H
#define KMPROF_CONTENTION_H

#include <linux/types.h>

void kmprof_contention_begin(const void *lock, u32 kind, u32 flags);
void kmprof_contention_end(const void *lock, u32 flags);
void kmprof_contention_set_rate(u64 rate);

#endif
