/* SPDX-License-Identifier: GPL-2.0 */
/* What the tracepoints lock:contention_begin and contention_end (v5.19) tell of a lock. */
#ifndef KMPROF_COMPAT_CONTENTION_H
#define KMPROF_COMPAT_CONTENTION_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <trace/events/lock.h>
#include <uapi/linux/kmprof.h>

#include "compat/compat.h"

/**
 * kmprof_compat_lock_kind() - get the kind of the lock
 * @flags: LCB_F_* of contention_begin
 *
 * Context: Any.
 * Return: enum kmprof_lock_kind.
 */
static inline u32 kmprof_compat_lock_kind(unsigned int flags)
{
	if (flags & LCB_F_MUTEX)
		return KMPROF_LOCK_MUTEX;
	if (flags & LCB_F_PERCPU)
		return KMPROF_LOCK_PERCPU_RWSEM;
	if (flags & LCB_F_SPIN)
		return flags & (LCB_F_READ | LCB_F_WRITE) ? KMPROF_LOCK_RWLOCK :
							    KMPROF_LOCK_SPINLOCK;
	if (flags & (LCB_F_READ | LCB_F_WRITE))
		return KMPROF_LOCK_RWSEM;
	return flags & LCB_F_RT ? KMPROF_LOCK_RTMUTEX : KMPROF_LOCK_SEMAPHORE;
}

/**
 * kmprof_compat_wait_flags() - get how the lock is waited for
 * @flags: LCB_F_* of contention_begin
 *
 * Context: Any.
 * Return: KMPROF_WAIT_READ, KMPROF_WAIT_WRITE, KMPROF_WAIT_SPUN: the waiter spins now.
 */
static inline u32 kmprof_compat_wait_flags(unsigned int flags)
{
	return (flags & LCB_F_READ ? KMPROF_WAIT_READ : 0) |
	       (flags & LCB_F_WRITE ? KMPROF_WAIT_WRITE : 0) |
	       (flags & LCB_F_SPIN ? KMPROF_WAIT_SPUN : 0);
}

/*
 * The word in which a lock has its owner: a task, and flags in the lowest bits, some of which say
 * that it is none. Those of mutex.c, rwsem.c and rtmutex_common.h. 0: the kind has no such word.
 */
static inline unsigned long kmprof_compat_owner_word(const void *lock, u32 kind)
{
	switch (kind) {
#ifdef KMPROF_COMPAT_RT
	case KMPROF_LOCK_RWSEM:
		/* Of a writer: the rtmutex inside it. */
		return (unsigned long)READ_ONCE(((const struct rwbase_rt *)lock)->rtmutex.owner);
#else
	case KMPROF_LOCK_MUTEX:
		return atomic_long_read(&((const struct mutex *)lock)->owner);
	case KMPROF_LOCK_RWSEM: {
		unsigned long word = atomic_long_read(&((const struct rw_semaphore *)lock)->owner);

		/* RWSEM_READER_OWNED: a reader has been there, and may be gone. */
		return word & 1 ? 0 : word;
	}
#endif
	case KMPROF_LOCK_RTMUTEX:
		return (unsigned long)READ_ONCE(((const struct rt_mutex_base *)lock)->owner);
	default:
		return 0;
	}
}

/**
 * kmprof_compat_lock_owner() - get the task that holds a lock
 * @lock: a lock that cannot be freed meanwhile: the current context waits for it
 * @kind: enum kmprof_lock_kind
 *
 * A task that holds a lock exists; after it has let the lock go, its memory stays for a grace
 * period, which cannot end meanwhile. Waiters that spin on the owner rely on the same.
 *
 * Context: Any. Preemption off.
 * Return: the id of the task; 0: nobody holds it, or it is not known who: readers, locks without
 * an owner, the waiter itself, which has been given one half of the lock.
 */
static inline u32 kmprof_compat_lock_owner(const void *lock, u32 kind)
{
	const unsigned long flags = 7;
	const struct task_struct *owner =
		(const void *)(kmprof_compat_owner_word(lock, kind) & ~flags);

	return owner && owner != current ? READ_ONCE(owner->pid) : 0;
}

#endif
