/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Lock doors: functions that waits for locks, or releases of locks, go through. Which
 * of them a kernel has, and under which name, its compiler has decided.
 */
#ifndef KMPROF_LOCK_DOORS_H
#define KMPROF_LOCK_DOORS_H

#include <linux/types.h>

/**
 * struct kmprof_lock_door - a function to be probed
 * @what: goes through it; of those with the same, which are beside each other, one has
 *	to be there
 * @symbol: the function; NULL: there is none, or it is part of another
 * @is_extra: some kernels have it, and where it is not, nothing is unseen
 */
struct kmprof_lock_door {
	const char *what;
	const char *symbol;
	bool is_extra;
};

/**
 * struct kmprof_lock_doors - all that somebody wants to have probed
 * @wanted: module parameter, for messages
 * @unseen: what cannot be seen where one is missing, likewise
 * @first: of an array whose elements begin with a door
 * @nr: its length, at most 64
 * @size: of an element, in bytes
 * @arm: probes one of them, which has a symbol; 0 or why not
 */
struct kmprof_lock_doors {
	const char *wanted;
	const char *unseen;
	const struct kmprof_lock_door *first;
	unsigned int nr;
	size_t size;
	int (*arm)(const struct kmprof_lock_door *door);
};

int kmprof_lock_doors_open(const struct kmprof_lock_doors *doors, bool *lacks);

#endif
