/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of the functions that release a contended lock. Include it with
 * RELEASE_PATH(what, symbol, seen) defined. The fields are those of struct release_path in
 * lock/release_kprobe.c, which also has the handlers. Neighbours with the same @what are
 * names of one function in different kernels or by different compilers; NULL: this kernel
 * has no such function.
 *
 * No include guard: it is a list.
 */
#include "compat/compat.h"

#ifdef KMPROF_COMPAT_RT
RELEASE_PATH("mutex, rtmutex and writers' rwsem", "rt_mutex_slowunlock", on_rt_mutex_slowunlock)
RELEASE_PATH("readers' rwsem", NULL, NULL)
RELEASE_PATH("ww_mutex", NULL, NULL)
#else
RELEASE_PATH("mutex", "__mutex_unlock_slowpath", on_mutex_unlock_slowpath)
RELEASE_PATH("mutex", "__mutex_unlock_slowpath.constprop.0", on_mutex_unlock_slowpath)
RELEASE_PATH("rwsem", "rwsem_wake", on_rwsem_wake)
RELEASE_PATH("rwsem", "rwsem_wake.isra.0", on_rwsem_wake)
RELEASE_PATH("downgraded rwsem", "rwsem_mark_wake", on_rwsem_mark_wake)
RELEASE_PATH("rtmutex", "mark_wakeup_next_waiter", on_mark_wakeup_next_waiter)
#endif
RELEASE_PATH("semaphore", "__up", on_up)
RELEASE_PATH("semaphore", "__up.isra.0", on_up_isra)
RELEASE_PATH("writers' percpu_rwsem", "percpu_up_write", on_percpu_up_write)
RELEASE_PATH("readers' percpu_rwsem", "rcuwait_wake_up", on_rcuwait_wake_up)
/* No release, but the end of what no release is blamed for. */
RELEASE_PATH("grace periods of percpu_rwsem", "rcu_sync_func", on_rcu_sync_func)

#undef RELEASE_PATH
