// SPDX-License-Identifier: GPL-2.0
#include "trace/waits.h"

bool kmprof_wait_spins(__u64 kind)
{
	return kind == KMPROF_LOCK_SPINLOCK || kind == KMPROF_LOCK_RWLOCK;
}

bool kmprof_wait_is_of_task(const struct kmprof_event *event, __u64 kind)
{
	return event->context == KMPROF_TRACE_IN_TASK ||
	       (event->context == KMPROF_TRACE_IN_SOFTIRQ && !kmprof_wait_spins(kind));
}

bool kmprof_wait_is_inner(__u32 outer, __u32 flags, __u64 kind)
{
	/* A writer waits for a grace period, which takes locks. */
	if (outer == KMPROF_LOCK_PERCPU_RWSEM && flags & KMPROF_WAIT_WRITE)
		return true;
	/* With PREEMPT_RT, there is one inside; or, before a task sleeps, its I/O is submitted. */
	if (kind == KMPROF_LOCK_RTMUTEX)
		return outer == KMPROF_LOCK_SEMAPHORE ||
		       (outer == KMPROF_LOCK_RWSEM && flags & KMPROF_WAIT_READ);
	/* An rwlock has a spinlock around its list of waiters. */
	if (kmprof_wait_spins(outer))
		return outer == KMPROF_LOCK_RWLOCK && kind == KMPROF_LOCK_SPINLOCK;
	return kmprof_wait_spins(kind);
}
