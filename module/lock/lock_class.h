/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The class of a lock, a part of the bucket's key: the address of a static lock, or the name
 * of the slab cache that the lock's object is from. The locks of all inodes of a filesystem,
 * for example, are one class.
 */
#ifndef KMPROF_LOCK_CLASS_H
#define KMPROF_LOCK_CLASS_H

#include <linux/types.h>

enum {
	KMPROF_NR_CACHE_NAMES	= 256,
	KMPROF_CACHE_NAME_LEN	= 32,
};

/**
 * struct kmprof_cache_name - the name of a slab cache with contended locks
 * @id: hash of the name; 0 until @name is written
 * @claimed: 1: the entry is taken, @name is written or being written
 * @name: name of the cache, cut to this length, with a NUL
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
