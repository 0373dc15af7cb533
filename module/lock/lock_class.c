// SPDX-License-Identifier: GPL-2.0
#include <linux/limits.h>

#include "compat/compat.h"
#include "core/cache_name.h"
#include "lock/lock_class.h"

/**
 * kmprof_lock_class() - the class of a lock
 * @lock: a lock that is in use, so that its memory is not freed meanwhile
 *
 * Context: Any. Takes no locks.
 * Return: the address of a static lock; else kmprof_cache_id(), of 32 bits; 0 for a lock that is
 * not in a slab object.
 */
u64 kmprof_lock_class(const void *lock)
{
	return kmprof_compat_is_static(lock) ? (unsigned long)lock : kmprof_cache_id(lock);
}

/**
 * kmprof_lock_class_is_address() - is a class the address of a static lock?
 * @class: from kmprof_lock_class()
 *
 * Context: Any.
 * Return: true if so.
 */
bool kmprof_lock_class_is_address(u64 class)
{
	return class > U32_MAX;
}

/**
 * kmprof_lock_class_name() - get the name of a class: of a slab cache
 * @class: from kmprof_lock_class()
 *
 * Context: Any.
 * Return: kmprof_cache_name(); NULL for a static lock.
 */
const char *kmprof_lock_class_name(u64 class)
{
	return kmprof_lock_class_is_address(class) ? NULL : kmprof_cache_name(class);
}
