// SPDX-License-Identifier: GPL-2.0
/*
 * The functions that take and release the tests' locks. The locks' functions are
 * called in kmprof_test_wNN_lock() itself (everything below it is inlined), so that
 * this is the caller that a profile has to show; likewise for the release. This
 * file is compiled without tail calls.
 *
 * A lock is taken in one function and released in another. sparse, which counts
 * within a function, is told that it is the other way round.
 */
#include "locks.h"
#include "waiter.h"

static __always_inline int lock_mutex(struct mutex *lock, u32 how)
{
	switch (how) {
	case KMPROF_TEST_INTERRUPTIBLE:
		return mutex_lock_interruptible(lock);
	case KMPROF_TEST_KILLABLE:
		return mutex_lock_killable(lock);
	case KMPROF_TEST_TRYLOCK:
		return mutex_trylock(lock) ? 0 : -EBUSY;
	case KMPROF_TEST_IO:
		mutex_lock_io(lock);
		return 0;
	default:
		mutex_lock(lock);
		return 0;
	}
}

static __always_inline int lock_rwsem_read(struct rw_semaphore *lock, u32 how)
{
	switch (how) {
	case KMPROF_TEST_INTERRUPTIBLE:
		return down_read_interruptible(lock);
	case KMPROF_TEST_KILLABLE:
		return down_read_killable(lock);
	case KMPROF_TEST_TRYLOCK:
		return down_read_trylock(lock) ? 0 : -EBUSY;
	default:
		down_read(lock);
		return 0;
	}
}

static __always_inline int lock_rwsem_write(struct rw_semaphore *lock, u32 how)
{
	switch (how) {
	case KMPROF_TEST_KILLABLE:
		return down_write_killable(lock);
	case KMPROF_TEST_TRYLOCK:
		return down_write_trylock(lock) ? 0 : -EBUSY;
	default:
		down_write(lock);
		return 0;
	}
}

static __always_inline int lock_semaphore(struct semaphore *lock, u32 how)
{
	switch (how) {
	case KMPROF_TEST_INTERRUPTIBLE:
		return down_interruptible(lock);
	case KMPROF_TEST_KILLABLE:
		return down_killable(lock);
	case KMPROF_TEST_TRYLOCK:
		return down_trylock(lock) ? -EBUSY : 0;
	default:
		down(lock);
		return 0;
	}
}

static __always_inline int lock_rtmutex(struct rt_mutex *lock, u32 how)
{
	switch (how) {
	case KMPROF_TEST_INTERRUPTIBLE:
		return rt_mutex_lock_interruptible(lock);
	case KMPROF_TEST_KILLABLE:
		return rt_mutex_lock_killable(lock);
	case KMPROF_TEST_TRYLOCK:
		return rt_mutex_trylock(lock) ? 0 : -EBUSY;
	default:
		rt_mutex_lock(lock);
		return 0;
	}
}

static __always_inline int lock_percpu_rwsem(struct percpu_rw_semaphore *lock, u32 access,
					     u32 how)
{
	if (access == KMPROF_TEST_WRITE)
		percpu_down_write(lock);
	else if (how != KMPROF_TEST_TRYLOCK)
		percpu_down_read(lock);
	else if (!percpu_down_read_trylock(lock))
		return -EBUSY;
	return 0;
}

static __always_inline int lock_ww_mutex(struct ww_mutex *lock, struct ww_acquire_ctx *ctx,
					 u32 how)
{
	switch (how) {
	case KMPROF_TEST_INTERRUPTIBLE:
		return ww_mutex_lock_interruptible(lock, ctx);
	case KMPROF_TEST_TRYLOCK:
		return ww_mutex_trylock(lock, ctx) ? 0 : -EBUSY;
	default:
		return ww_mutex_lock(lock, ctx);
	}
}

static __always_inline int lock_spinlock(spinlock_t *lock, u32 how)
{
	if (how != KMPROF_TEST_TRYLOCK)
		spin_lock(lock);
	else if (!spin_trylock(lock))
		return -EBUSY;
	__release(lock);
	return 0;
}

static __always_inline int lock_raw_spinlock(raw_spinlock_t *lock, u32 how)
{
	if (how != KMPROF_TEST_TRYLOCK)
		raw_spin_lock(lock);
	else if (!raw_spin_trylock(lock))
		return -EBUSY;
	__release(lock);
	return 0;
}

static __always_inline int lock_rwlock_read(rwlock_t *lock, u32 how)
{
	if (how != KMPROF_TEST_TRYLOCK)
		read_lock(lock);
	else if (!read_trylock(lock))
		return -EBUSY;
	__release(lock);
	return 0;
}

static __always_inline int lock_rwlock_write(rwlock_t *lock, u32 how)
{
	if (how != KMPROF_TEST_TRYLOCK)
		write_lock(lock);
	else if (!write_trylock(lock))
		return -EBUSY;
	__release(lock);
	return 0;
}

static __always_inline int lock_it(const struct waiter_call *call)
{
	bool read = call->access == KMPROF_TEST_READ;

	switch (call->kind) {
	case KMPROF_TEST_LOCK_MUTEX:
	case KMPROF_TEST_LOCK_SLAB_MUTEX:
		return lock_mutex(call->lock, call->how);
	case KMPROF_TEST_LOCK_RWSEM:
		return read ? lock_rwsem_read(call->lock, call->how) :
			      lock_rwsem_write(call->lock, call->how);
	case KMPROF_TEST_LOCK_SEMAPHORE:
		return lock_semaphore(call->lock, call->how);
	case KMPROF_TEST_LOCK_RTMUTEX:
		return lock_rtmutex(call->lock, call->how);
	case KMPROF_TEST_LOCK_PERCPU_RWSEM:
		return lock_percpu_rwsem(call->lock, call->access, call->how);
	case KMPROF_TEST_LOCK_WW_MUTEX:
		return lock_ww_mutex(call->lock, call->ctx, call->how);
	case KMPROF_TEST_LOCK_SPINLOCK:
		return lock_spinlock(call->lock, call->how);
	case KMPROF_TEST_LOCK_RAW_SPINLOCK:
		return lock_raw_spinlock(call->lock, call->how);
	case KMPROF_TEST_LOCK_RWLOCK:
		return read ? lock_rwlock_read(call->lock, call->how) :
			      lock_rwlock_write(call->lock, call->how);
	default:
		return -EINVAL;
	}
}

static __always_inline void unlock_spinlock(spinlock_t *lock)
{
	__acquire(lock);
	spin_unlock(lock);
}

static __always_inline void unlock_raw_spinlock(raw_spinlock_t *lock)
{
	__acquire(lock);
	raw_spin_unlock(lock);
}

static __always_inline void unlock_rwlock(rwlock_t *lock, bool read)
{
	__acquire(lock);
	if (read)
		read_unlock(lock);
	else
		write_unlock(lock);
}

static __always_inline void unlock_it(const struct waiter_call *call)
{
	bool read = call->access == KMPROF_TEST_READ;

	switch (call->kind) {
	case KMPROF_TEST_LOCK_MUTEX:
	case KMPROF_TEST_LOCK_SLAB_MUTEX:
		mutex_unlock(call->lock);
		break;
	case KMPROF_TEST_LOCK_RWSEM:
		if (read)
			up_read(call->lock);
		else
			up_write(call->lock);
		break;
	case KMPROF_TEST_LOCK_SEMAPHORE:
		up(call->lock);
		break;
	case KMPROF_TEST_LOCK_RTMUTEX:
		rt_mutex_unlock(call->lock);
		break;
	case KMPROF_TEST_LOCK_PERCPU_RWSEM:
		if (read)
			percpu_up_read(call->lock);
		else
			percpu_up_write(call->lock);
		break;
	case KMPROF_TEST_LOCK_WW_MUTEX:
		ww_mutex_unlock(call->lock);
		break;
	case KMPROF_TEST_LOCK_SPINLOCK:
		unlock_spinlock(call->lock);
		break;
	case KMPROF_TEST_LOCK_RAW_SPINLOCK:
		unlock_raw_spinlock(call->lock);
		break;
	case KMPROF_TEST_LOCK_RWLOCK:
		unlock_rwlock(call->lock, read);
		break;
	default:
		break;
	}
}

static __always_inline void downgrade_it(const struct waiter_call *call)
{
	if (call->kind == KMPROF_TEST_LOCK_RWSEM)
		downgrade_write(call->lock);
}

/* Neither inlined, cloned nor otherwise made into something else. */
#define WAITER_FUNCTION static __attribute__((noipa))

#define WAITER(n)							\
WAITER_FUNCTION int kmprof_test_w##n##_lock(const struct waiter_call *call) \
{									\
	return lock_it(call);						\
}									\
									\
WAITER_FUNCTION void kmprof_test_w##n##_unlock(const struct waiter_call *call) \
{									\
	unlock_it(call);						\
}									\
									\
WAITER_FUNCTION void kmprof_test_w##n##_downgrade(const struct waiter_call *call) \
{									\
	downgrade_it(call);						\
}

#define EACH_WAITER(X)							\
	X(00) X(01) X(02) X(03) X(04) X(05) X(06) X(07)			\
	X(08) X(09) X(10) X(11) X(12) X(13) X(14) X(15)

EACH_WAITER(WAITER)

/**
 * struct waiter - a set of waiter functions
 * @lock: takes
 * @unlock: releases
 * @downgrade: turns a writer into a reader
 */
struct waiter {
	int (*lock)(const struct waiter_call *call);
	void (*unlock)(const struct waiter_call *call);
	void (*downgrade)(const struct waiter_call *call);
};

#define WAITER_SET(n) \
	{ kmprof_test_w##n##_lock, kmprof_test_w##n##_unlock, kmprof_test_w##n##_downgrade },
static const struct waiter waiters[] = { EACH_WAITER(WAITER_SET) };

static_assert(ARRAY_SIZE(waiters) == KMPROF_TEST_WAITERS);

static bool has_readers(u32 kind)
{
	return kind == KMPROF_TEST_LOCK_RWSEM || kind == KMPROF_TEST_LOCK_PERCPU_RWSEM ||
	       kind == KMPROF_TEST_LOCK_RWLOCK;
}

/**
 * waiter_can() - whether a lock can be taken that way
 * @kind: enum kmprof_test_lock_kind
 * @access: enum kmprof_test_lock_access
 * @how: enum kmprof_test_lock_how
 *
 * Return: true when there is a function for it.
 */
bool waiter_can(u32 kind, u32 access, u32 how)
{
	bool read = access == KMPROF_TEST_READ;

	if (access >= KMPROF_TEST_NR_ACCESSES || (read && !has_readers(kind)))
		return false;

	switch (how) {
	case KMPROF_TEST_PLAIN:
		return kind < KMPROF_TEST_NR_LOCK_KINDS;
	case KMPROF_TEST_INTERRUPTIBLE:
		if (kind == KMPROF_TEST_LOCK_WW_MUTEX)
			return true;
		if (kind == KMPROF_TEST_LOCK_RWSEM && !read)
			return false;
		fallthrough;
	case KMPROF_TEST_KILLABLE:
		return kind == KMPROF_TEST_LOCK_MUTEX || kind == KMPROF_TEST_LOCK_SLAB_MUTEX ||
		       kind == KMPROF_TEST_LOCK_RWSEM || kind == KMPROF_TEST_LOCK_SEMAPHORE ||
		       kind == KMPROF_TEST_LOCK_RTMUTEX;
	case KMPROF_TEST_IO:
		return kind == KMPROF_TEST_LOCK_MUTEX || kind == KMPROF_TEST_LOCK_SLAB_MUTEX;
	case KMPROF_TEST_TRYLOCK:
		return kind < KMPROF_TEST_NR_LOCK_KINDS &&
		       (kind != KMPROF_TEST_LOCK_PERCPU_RWSEM || read);
	default:
		return false;
	}
}

/**
 * waiter_spins() - whether who waits for or holds a lock may not sleep
 * @kind: enum kmprof_test_lock_kind
 */
bool waiter_spins(u32 kind)
{
	return kind == KMPROF_TEST_LOCK_SPINLOCK || kind == KMPROF_TEST_LOCK_RAW_SPINLOCK ||
	       kind == KMPROF_TEST_LOCK_RWLOCK;
}

/**
 * waiter_lock() - take a lock
 * @chain: number of the function to do it
 * @call: what to do; waiter_can() has agreed to it
 *
 * Context: Task. As the lock's function.
 * Return: 0 or a negative errno: that of the lock's function, -EBUSY for a trylock
 * in vain.
 */
int waiter_lock(u32 chain, const struct waiter_call *call)
{
	return waiters[chain].lock(call);
}

/**
 * waiter_unlock() - release a lock
 * @chain: number of the function to do it
 * @call: as for waiter_lock()
 */
void waiter_unlock(u32 chain, const struct waiter_call *call)
{
	waiters[chain].unlock(call);
}

/**
 * waiter_downgrade() - go on as a reader of a rwsem
 * @chain: number of the function to do it
 * @call: as for waiter_lock(), for writing
 */
void waiter_downgrade(u32 chain, const struct waiter_call *call)
{
	waiters[chain].downgrade(call);
}
