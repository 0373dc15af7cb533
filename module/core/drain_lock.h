/* SPDX-License-Identifier: GPL-2.0 */
/* The drain lock, for both sides of the drain: rings and buckets. */
#ifndef KMPROF_DRAIN_LOCK_H
#define KMPROF_DRAIN_LOCK_H

#include <linux/mutex.h>

/*
 * The holder is the only consumer of all rings, and alone makes buckets from records. Taken
 * inside the cycle lock.
 */
extern struct mutex kmprof_drain_lock;

#endif
