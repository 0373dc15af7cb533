/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Slow paths: the functions in which a task waits for a lock, or releases a contended one.
 * The kernel's version, configuration and compiler decide which of them exist and under
 * which names; the tables are in compat/.
 */
#ifndef KMPROF_SLOW_PATH_H
#define KMPROF_SLOW_PATH_H

#include <linux/types.h>

/**
 * struct kmprof_slow_path - a function to be probed
 * @what: the kind of lock that uses the function, for messages. Entries with the same @what
 *	are adjacent alternatives; at least one of them has to be armed
 * @symbol: name of the function; NULL: this kernel does not have it, or inlines it
 * @is_extra: a kernel without this function needs no probe for @what
 */
struct kmprof_slow_path {
	const char *what;
	const char *symbol;
	bool is_extra;
};

/**
 * struct kmprof_slow_paths - a table of slow paths, and how to probe one
 * @wanted: module parameter that asks for the probes, for messages
 * @unseen: the events that cannot be seen where a path is missing, for messages
 * @first: first element of an array whose elements begin with a struct kmprof_slow_path
 * @nr: length of the array, at most 64
 * @size: size of an element in bytes
 * @arm: arms a probe on a path that has a symbol; returns 0 or a negative errno
 */
struct kmprof_slow_paths {
	const char *wanted;
	const char *unseen;
	const struct kmprof_slow_path *first;
	unsigned int nr;
	size_t size;
	int (*arm)(const struct kmprof_slow_path *path);
};

int kmprof_slow_paths_arm(const struct kmprof_slow_paths *paths, bool *lacks);

#endif
