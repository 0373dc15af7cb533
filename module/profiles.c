// SPDX-License-Identifier: GPL-2.0
/* The list of the profiles that kmprof has itself. */
#include <linux/stddef.h>

#include "core/profile.h"
#include "lock/lock_profile.h"
#include "mem/heap.h"
#include "task/threadcreate.h"

struct kmprof_profile * const kmprof_builtin_profiles[] = {
	&kmprof_heap_profile,
	&kmprof_block_profile.profile,
	&kmprof_mutex_profile.profile,
	&kmprof_threadcreate_profile.profile,
	NULL
};
