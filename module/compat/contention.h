/* SPDX-License-Identifier: GPL-2.0 */
/* What the tracepoint lock:contention_begin (v5.19) says about a lock. */
#ifndef KMPROF_COMPAT_CONTENTION_H
#define KMPROF_COMPAT_CONTENTION_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/rwbase_rt.h>
#include <linux/sched.h>
#include <linux/uaccess.h>
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

/**
 * kmprof_compat_lock_sleeps() - does a task sleep for such a lock?
 * @flags: LCB_F_* of contention_begin
 *
 * Context: Any.
 * Return: false if it spins only. A waiter that spins for a mutex may sleep for it later.
 */
static inline bool kmprof_compat_lock_sleeps(unsigned int flags)
{
	return (flags & LCB_F_MUTEX) || !(flags & LCB_F_SPIN);
}

/*
 * The word in which a lock has its owner: the address of a task, with flags of mutex.c, rwsem.c or
 * rtmutex_common.h in its lowest bits. 0: nobody has the lock, or it is not known who.
 */
static inline unsigned long kmprof_compat_owner_word(const void *lock, u32 kind)
{
	switch (kind) {
#ifdef KMPROF_COMPAT_RT
	case KMPROF_LOCK_RWSEM: {
		const struct rwbase_rt *rwb = lock;

		/* A writer takes the rtmutex first, and may still wait for readers. */
		return atomic_read(&rwb->readers) == WRITER_BIAS ?
		       (unsigned long)READ_ONCE(rwb->rtmutex.owner) : 0;
	}
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
 * kmprof_compat_wait_is_new() - has the wait not begun before?
 * @lock: the lock
 * @kind: enum kmprof_lock_kind
 * @flags: KMPROF_WAIT_*, at its begin
 *
 * Who waits for a mutex begins again before it sleeps, and each time that it is woken and spins. It
 * is in the mutex's list of waiters then.
 *
 * Context: Any.
 * Return: true if so; false: that is not known.
 */
static inline bool kmprof_compat_wait_is_new(const void *lock, u32 kind, u32 flags)
{
	/* As mutex.c has it, in the word of the owner. */
	enum { HAS_WAITERS = 1 };

	if (kind != KMPROF_LOCK_MUTEX)
		return true;
	return flags & KMPROF_WAIT_SPUN && !(kmprof_compat_owner_word(lock, kind) & HAS_WAITERS);
}

/**
 * kmprof_compat_lock_owner() - get the task that holds a lock
 * @lock: a lock that cannot be freed meanwhile: the current context waits for it
 * @kind: enum kmprof_lock_kind
 *
 * A task that holds a lock exists; after it has let the lock go, its memory stays for a grace
 * period, which cannot end meanwhile. Waiters that spin on the owner rely on the same. Only a task
 * that was killed with the lock in its hands, by an oops, may be gone: then the read may fail.
 *
 * Context: Any. Preemption off.
 * Return: the id of the task; 0: nobody holds it; or it is not known who, as of readers, and of
 * locks without an owner; or it is the waiter itself, to which the lock is being handed over.
 */
static inline u32 kmprof_compat_lock_owner(const void *lock, u32 kind)
{
	enum { FLAGS = 7 };
	struct task_struct *owner = (void *)(kmprof_compat_owner_word(lock, kind) &
					     ~(unsigned long)FLAGS);
	pid_t pid;

	if (!owner || owner == current || get_kernel_nofault(pid, &owner->pid))
		return 0;
	return pid;
}

#endif
