/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a lock is known by: its address, if it has a symbol; or the name of the slab
 * cache that its object is from, so that the locks of all inodes, say, are one class.
 */
#ifndef KMPROF_LOCK_CLASS_H
#define KMPROF_LOCK_CLASS_H

#include <linux/types.h>

enum {
	KMPROF_NR_CACHE_NAMES	= 256,
	KMPROF_CACHE_NAME_LEN	= 32,
};

/**
 * struct kmprof_cache_name - a cache in which there are contended locks
 * @id: hash of its name; 0: free, or not written yet
 * @claimed: somebody writes, or has written, it
 * @name: cut to this length, with a NUL
 */
struct kmprof_cache_name {
	u32 id;
	u32 claimed;
	char name[KMPROF_CACHE_NAME_LEN];
};

u64 kmprof_lock_class(const void *lock);
bool kmprof_lock_class_is_address(u64 class);
const struct kmprof_cache_name *kmprof_lock_class_names(void);
int kmprof_lock_class_index(u64 class);
int kmprof_lock_class_init(void);

#endif
