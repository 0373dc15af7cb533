/* SPDX-License-Identifier: GPL-2.0 */
/* Which entries of the live table have an object that was passed to call_rcu(). */
#ifndef KMPROF_QUEUED_H
#define KMPROF_QUEUED_H

#include <linux/types.h>

int kmprof_queued_init(void);
void kmprof_queued_exit(void);
void kmprof_queued_note(u32 index);
void kmprof_queued_forget(u32 index);
bool kmprof_queued_begin(void);
u32 kmprof_queued_next(u32 index);

#endif
