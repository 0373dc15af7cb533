/* SPDX-License-Identifier: GPL-2.0 */
/* The cycle lock, for files that core/cycle.h itself needs. */
#ifndef KMPROF_CYCLE_LOCK_H
#define KMPROF_CYCLE_LOCK_H

#include <linux/mutex.h>

/*
 * Serialises closing a cycle and reading closed cycles. Protects kmprof_published, @active
 * and @marks of all buckets, the removal of buckets, the registration of profiles, and the settings
 * of marks (mem/marks.c). Outside the drain lock.
 */
extern struct mutex kmprof_cycle_lock;

#endif
