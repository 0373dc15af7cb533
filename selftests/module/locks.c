// SPDX-License-Identifier: GPL-2.0
/*
 * The locks that the tests contend for: static ones with names that a profile can
 * show, and mutexes in a slab object, which have none.
 */
#include <linux/slab.h>

#include "locks.h"

/* Nothing is protected by any of these. */
struct mutex kmprof_test_mutexes[KMPROF_TEST_LOCKS];
struct rw_semaphore kmprof_test_rwsems[KMPROF_TEST_LOCKS];
struct semaphore kmprof_test_semaphores[KMPROF_TEST_LOCKS];
struct rt_mutex kmprof_test_rtmutexes[KMPROF_TEST_LOCKS];
struct percpu_rw_semaphore kmprof_test_percpu_rwsems[KMPROF_TEST_LOCKS];
struct ww_mutex kmprof_test_ww_mutexes[KMPROF_TEST_LOCKS];
spinlock_t kmprof_test_spinlocks[KMPROF_TEST_LOCKS];	/* protects nothing */
raw_spinlock_t kmprof_test_raw_spinlocks[KMPROF_TEST_LOCKS];	/* protects nothing */
rwlock_t kmprof_test_rwlocks[KMPROF_TEST_LOCKS];

DEFINE_WD_CLASS(kmprof_test_ww_class);

static struct mutex *slab_mutexes;	/* KMPROF_TEST_LOCKS of them */

/* /proc/lock_stat has a line for each class: these shall be told apart there. */
static struct lock_class_key mutex_keys[KMPROF_TEST_LOCKS];
static struct lock_class_key rwsem_keys[KMPROF_TEST_LOCKS];
static struct lock_class_key rwlock_keys[KMPROF_TEST_LOCKS];

static const char *const mutex_names[KMPROF_TEST_LOCKS] = {
	"kmprof_test_mutex_0", "kmprof_test_mutex_1",
	"kmprof_test_mutex_2", "kmprof_test_mutex_3",
};

static const char *const rwsem_names[KMPROF_TEST_LOCKS] = {
	"kmprof_test_rwsem_0", "kmprof_test_rwsem_1",
	"kmprof_test_rwsem_2", "kmprof_test_rwsem_3",
};

static const char *const rwlock_names[KMPROF_TEST_LOCKS] = {
	"kmprof_test_rwlock_0", "kmprof_test_rwlock_1",
	"kmprof_test_rwlock_2", "kmprof_test_rwlock_3",
};

static void init_one(unsigned int i)
{
	mutex_init(&kmprof_test_mutexes[i]);
	mutex_init(&slab_mutexes[i]);
	init_rwsem(&kmprof_test_rwsems[i]);
	sema_init(&kmprof_test_semaphores[i], 1);
	rt_mutex_init(&kmprof_test_rtmutexes[i]);
	ww_mutex_init(&kmprof_test_ww_mutexes[i], &kmprof_test_ww_class);
	spin_lock_init(&kmprof_test_spinlocks[i]);
	raw_spin_lock_init(&kmprof_test_raw_spinlocks[i]);
	rwlock_init(&kmprof_test_rwlocks[i]);

	lockdep_set_class_and_name(&kmprof_test_mutexes[i], &mutex_keys[i], mutex_names[i]);
	lockdep_set_class_and_name(&kmprof_test_rwsems[i], &rwsem_keys[i], rwsem_names[i]);
	lockdep_set_class_and_name(&kmprof_test_rwlocks[i], &rwlock_keys[i], rwlock_names[i]);
}

/* Waits for the callbacks that these have on their way. */
static void free_percpu_rwsems(unsigned int count)
{
	while (count--)
		percpu_free_rwsem(&kmprof_test_percpu_rwsems[count]);
}

/**
 * locks_init() - make all locks ready
 *
 * Context: Task. Sleeps.
 * Return: 0 or -ENOMEM.
 */
int locks_init(void)
{
	unsigned int i;
	int ret;

	slab_mutexes = kcalloc(KMPROF_TEST_LOCKS, sizeof(*slab_mutexes), GFP_KERNEL);
	if (!slab_mutexes)
		return -ENOMEM;
	for (i = 0; i < KMPROF_TEST_LOCKS; i++) {
		ret = percpu_init_rwsem(&kmprof_test_percpu_rwsems[i]);
		if (ret)
			goto err_percpu;
		init_one(i);
	}
	return 0;

err_percpu:
	free_percpu_rwsems(i);
	kfree(slab_mutexes);
	return ret;
}

/**
 * locks_exit() - undo locks_init()
 *
 * Context: Task. Sleeps. Nobody is in any of the locks.
 */
void locks_exit(void)
{
	unsigned int i;

	for (i = 0; i < KMPROF_TEST_LOCKS; i++)
		mutex_destroy(&slab_mutexes[i]);
	free_percpu_rwsems(KMPROF_TEST_LOCKS);
	kfree(slab_mutexes);
}

/**
 * locks_find() - a lock
 * @kind: enum kmprof_test_lock_kind
 * @index: below KMPROF_TEST_LOCKS
 *
 * Return: its address, of the type that belongs to @kind; NULL for no kind.
 */
void *locks_find(u32 kind, u32 index)
{
	switch (kind) {
	case KMPROF_TEST_LOCK_MUTEX:
		return &kmprof_test_mutexes[index];
	case KMPROF_TEST_LOCK_SLAB_MUTEX:
		return &slab_mutexes[index];
	case KMPROF_TEST_LOCK_RWSEM:
		return &kmprof_test_rwsems[index];
	case KMPROF_TEST_LOCK_SEMAPHORE:
		return &kmprof_test_semaphores[index];
	case KMPROF_TEST_LOCK_RTMUTEX:
		return &kmprof_test_rtmutexes[index];
	case KMPROF_TEST_LOCK_PERCPU_RWSEM:
		return &kmprof_test_percpu_rwsems[index];
	case KMPROF_TEST_LOCK_WW_MUTEX:
		return &kmprof_test_ww_mutexes[index];
	case KMPROF_TEST_LOCK_SPINLOCK:
		return &kmprof_test_spinlocks[index];
	case KMPROF_TEST_LOCK_RAW_SPINLOCK:
		return &kmprof_test_raw_spinlocks[index];
	case KMPROF_TEST_LOCK_RWLOCK:
		return &kmprof_test_rwlocks[index];
	default:
		return NULL;
	}
}

/**
 * locks_find_queue() - the lock in a lock, in which writers wait for each other
 * @kind: enum kmprof_test_lock_kind
 * @index: below KMPROF_TEST_LOCKS
 *
 * Return: its address; NULL when it has none.
 */
void *locks_find_queue(u32 kind, u32 index)
{
#ifdef CONFIG_PREEMPT_RT
	if (kind == KMPROF_TEST_LOCK_RWSEM)
		return &kmprof_test_rwsems[index].rwbase.rtmutex;
	if (kind == KMPROF_TEST_LOCK_RWLOCK)
		return &kmprof_test_rwlocks[index].rwbase.rtmutex;
#endif
	return NULL;
}

/**
 * locks_always_traced() - whether also a free lock is reported as contended
 * @kind: enum kmprof_test_lock_kind
 *
 * With lockdep a mutex has no fast path, and __mutex_lock_common() begins with the
 * report.
 */
bool locks_always_traced(u32 kind)
{
	switch (kind) {
	case KMPROF_TEST_LOCK_MUTEX:
	case KMPROF_TEST_LOCK_SLAB_MUTEX:
	case KMPROF_TEST_LOCK_WW_MUTEX:
		return IS_ENABLED(CONFIG_DEBUG_LOCK_ALLOC) && !IS_ENABLED(CONFIG_PREEMPT_RT);
	default:
		return false;
	}
}
