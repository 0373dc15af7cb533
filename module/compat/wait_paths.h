/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of the functions in which tasks wait for locks. Include it with
 * WAIT_PATH(what, symbol, kind, flags, result, entered, returned) and WAIT_PATH_EXTRA()
 * defined. The fields are those of struct wait_path in lock/contention_kprobe.c, which also
 * has the handlers. Neighbours with the same @what are names of one function in different
 * kernels or by different compilers.
 *
 * Functions that the kernel declares inline are missing: they cannot be traced, even where
 * the compiler does not inline them.
 *
 * No include guard: it is a list.
 */

WAIT_PATH("mutex", "__mutex_lock", KMPROF_LOCK_MUTEX, 0, ERRNO_RETURNED, begin, end)
WAIT_PATH("mutex", "__mutex_lock.constprop.0", KMPROF_LOCK_MUTEX, 0, ERRNO_RETURNED,
	  begin, end)
/* Calls one of the two above, except with DEBUG_LOCK_ALLOC. */
WAIT_PATH_EXTRA("mutex, for I/O", "mutex_lock_io_nested", KMPROF_LOCK_MUTEX, 0, ALWAYS_GOT,
		begin, end)
WAIT_PATH("ww_mutex", "__ww_mutex_lock", KMPROF_LOCK_MUTEX, 0, ERRNO_RETURNED, begin, end)
WAIT_PATH("ww_mutex", "__ww_mutex_lock.constprop.0", KMPROF_LOCK_MUTEX, 0, ERRNO_RETURNED,
	  begin, end)

WAIT_PATH("readers' rwsem", "rwsem_down_read_slowpath", KMPROF_LOCK_RWSEM,
	  KMPROF_WAIT_READ, POINTER_RETURNED, begin_rwsem_read, end)
WAIT_PATH("writers' rwsem", "rwsem_down_write_slowpath", KMPROF_LOCK_RWSEM,
	  KMPROF_WAIT_WRITE, POINTER_RETURNED, begin_rwsem_write, end)

WAIT_PATH("semaphore", "__down", KMPROF_LOCK_SEMAPHORE, 0, ALWAYS_GOT, begin, end)
WAIT_PATH("interruptible semaphore", "__down_interruptible", KMPROF_LOCK_SEMAPHORE, 0,
	  ERRNO_RETURNED, begin, end)
WAIT_PATH("killable semaphore", "__down_killable", KMPROF_LOCK_SEMAPHORE, 0,
	  ERRNO_RETURNED, begin, end)
WAIT_PATH("semaphore with timeout", "__down_timeout", KMPROF_LOCK_SEMAPHORE, 0,
	  ERRNO_RETURNED, begin, end)

WAIT_PATH("rtmutex", "rt_mutex_slowlock_block", KMPROF_LOCK_RTMUTEX, 0, ERRNO_RETURNED,
	  begin, end)
WAIT_PATH("rtmutex", "rt_mutex_slowlock_block.constprop.0", KMPROF_LOCK_RTMUTEX, 0,
	  ERRNO_RETURNED, begin, end)

WAIT_PATH("writers' percpu_rwsem", "percpu_down_write", KMPROF_LOCK_PERCPU_RWSEM,
	  KMPROF_WAIT_WRITE, ALWAYS_GOT, begin_percpu_write, end_percpu_write)
WAIT_PATH("start of writers' percpu_rwsem", "rcu_sync_enter", KMPROF_LOCK_PERCPU_RWSEM,
	  KMPROF_WAIT_WRITE, ALWAYS_GOT, begin_grace_period, end_grace_period)
WAIT_PATH("readers' percpu_rwsem", "percpu_rwsem_wait", KMPROF_LOCK_PERCPU_RWSEM,
	  KMPROF_WAIT_READ, ALWAYS_GOT, begin_percpu_read, end)

/* The kernel chooses one of these three when it boots. */
WAIT_PATH("spinlock", "queued_spin_lock_slowpath", KMPROF_LOCK_SPINLOCK, 0, ALWAYS_GOT,
	  begin, end)
WAIT_PATH("spinlock", "native_queued_spin_lock_slowpath", KMPROF_LOCK_SPINLOCK, 0,
	  ALWAYS_GOT, begin, end)
WAIT_PATH("spinlock", "__pv_queued_spin_lock_slowpath", KMPROF_LOCK_SPINLOCK, 0,
	  ALWAYS_GOT, begin, end)
WAIT_PATH("readers' rwlock", "queued_read_lock_slowpath", KMPROF_LOCK_RWLOCK,
	  KMPROF_WAIT_READ, ALWAYS_GOT, begin, end)
WAIT_PATH("writers' rwlock", "queued_write_lock_slowpath", KMPROF_LOCK_RWLOCK,
	  KMPROF_WAIT_WRITE, ALWAYS_GOT, begin, end)

#undef WAIT_PATH
#undef WAIT_PATH_EXTRA
