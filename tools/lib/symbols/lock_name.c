// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <stdio.h>

#include "symbols/lock_name.h"

static const char *const kinds[] = {
	[KMPROF_LOCK_MUTEX]		= "mutex",
	[KMPROF_LOCK_RWSEM]		= "rwsem",
	[KMPROF_LOCK_SEMAPHORE]		= "semaphore",
	[KMPROF_LOCK_RTMUTEX]		= "rtmutex",
	[KMPROF_LOCK_PERCPU_RWSEM]	= "percpu_rwsem",
	[KMPROF_LOCK_SPINLOCK]		= "spinlock",
	[KMPROF_LOCK_RWLOCK]		= "rwlock",
};

static_assert(ARRAY_SIZE(kinds) == KMPROF_LOCK_RWLOCK + 1, "each kind has its name");

const char *kmprof_lock_kind(__u32 kind)
{
	return kind < ARRAY_SIZE(kinds) && kinds[kind] ? kinds[kind] : "unknown";
}

const char *kmprof_lock_access(__u32 flags)
{
	if (flags & KMPROF_WAIT_READ)
		return "read";
	return flags & KMPROF_WAIT_WRITE ? "write" : NULL;
}

const char *kmprof_lock_name(const struct kmprof_resolver *resolver, __u64 lock,
			     char text[KMPROF_LOCK_TEXT])
{
	struct kmprof_symbol symbol;
	char offset[32] = "";

	if (!kmprof_resolver_lock(resolver, lock, &symbol)) {
		snprintf(text, KMPROF_LOCK_TEXT, "%#llx", lock);
		return text;
	}
	if (lock != symbol.start)
		snprintf(offset, sizeof(offset), "+%#llx", lock - symbol.start);
	if (symbol.module)
		snprintf(text, KMPROF_LOCK_TEXT, "%s%s [%s]", symbol.name, offset, symbol.module);
	else
		snprintf(text, KMPROF_LOCK_TEXT, "%s%s", symbol.name, offset);
	return text;
}
