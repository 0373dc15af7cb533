/* SPDX-License-Identifier: GPL-2.0 */
/* The bounds of all memory that can grow, fixed when the module is loaded. */
#ifndef KMPROF_LIMITS_H
#define KMPROF_LIMITS_H

#include <linux/types.h>

enum {
	KMPROF_STACK_DEPTH_MAX	= 128,
	KMPROF_BUCKETS_MIN	= 16,
	KMPROF_BUCKETS_MAX	= 1 << 22,
	KMPROF_LIVE_MAX		= 1 << 24,
	KMPROF_RING_MIN		= 4096,
	KMPROF_RING_MAX		= 64 << 20,
	KMPROF_SNAPSHOTS_MAX	= 1 << 16,
	KMPROF_WAITS_MIN	= 16,
	KMPROF_WAITS_MAX	= 1 << 22,
	KMPROF_OBJECTS_MIN	= 16,
	KMPROF_OBJECTS_MAX	= 1 << 24,
};

/**
 * struct kmprof_limits - the bounds in force
 * @max_buckets: buckets of each profile
 * @max_live: objects that fit into the live table; kmprof_live_init() rounds it up
 * @stack_depth: frames of a stack
 * @ring_bytes: bytes of each CPU's record ring, a power of two
 * @max_snapshots: images that exist at a time
 * @max_waits: waits for locks in flight, and contended locks, that there is room for at first;
 *	a power of two. The tables grow with the number of tasks that wait: see lock/growing.h
 * @max_objects: objects that all profiles of objects together can follow at a time
 */
struct kmprof_limits {
	unsigned int max_buckets;
	unsigned int max_live;
	unsigned int stack_depth;
	unsigned int ring_bytes;
	unsigned int max_snapshots;
	unsigned int max_waits;
	unsigned int max_objects;
};

/* Written only by kmprof_limits_init() and kmprof_live_init(). */
extern struct kmprof_limits kmprof_limits;

int kmprof_limits_init(void);

#endif
