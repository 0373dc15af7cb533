/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The class of a lock, a part of the bucket's key: the address of a static lock, or the name
 * of the slab cache that the lock's object is from. The locks of all inodes of a filesystem,
 * for example, are one class.
 */
#ifndef KMPROF_LOCK_CLASS_H
#define KMPROF_LOCK_CLASS_H

#include <linux/types.h>

u64 kmprof_lock_class(const void *lock);
bool kmprof_lock_class_is_address(u64 class);
const char *kmprof_lock_class_name(u64 class);

#endif
