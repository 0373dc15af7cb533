/* SPDX-License-Identifier: GPL-2.0 */
/* The lock under which records leave the rings and buckets are made. */
#ifndef KMPROF_DRAIN_LOCK_H
#define KMPROF_DRAIN_LOCK_H

#include <linux/mutex.h>

/*
 * Makes its holder the rings' only consumer, and the only one that adds to the bucket
 * hash. Taken inside the cycle lock, never around it.
 */
extern struct mutex kmprof_drain_lock;

#endif
