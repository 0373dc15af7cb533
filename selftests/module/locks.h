/* SPDX-License-Identifier: GPL-2.0 */
#ifndef LOCKS_H
#define LOCKS_H

#include <linux/mutex.h>
#include <linux/percpu-rwsem.h>
#include <linux/rtmutex.h>
#include <linux/rwsem.h>
#include <linux/semaphore.h>
#include <linux/spinlock.h>
#include <linux/ww_mutex.h>

#include "kmprof_test.h"

extern struct mutex kmprof_test_mutexes[KMPROF_TEST_LOCKS];
extern struct rw_semaphore kmprof_test_rwsems[KMPROF_TEST_LOCKS];
extern struct semaphore kmprof_test_semaphores[KMPROF_TEST_LOCKS];
extern struct rt_mutex kmprof_test_rtmutexes[KMPROF_TEST_LOCKS];
extern struct percpu_rw_semaphore kmprof_test_percpu_rwsems[KMPROF_TEST_LOCKS];
extern struct ww_mutex kmprof_test_ww_mutexes[KMPROF_TEST_LOCKS];
extern spinlock_t kmprof_test_spinlocks[KMPROF_TEST_LOCKS];
extern raw_spinlock_t kmprof_test_raw_spinlocks[KMPROF_TEST_LOCKS];
extern rwlock_t kmprof_test_rwlocks[KMPROF_TEST_LOCKS];

extern struct ww_class kmprof_test_ww_class;

int locks_init(void);
void locks_exit(void);
void *locks_find(u32 kind, u32 index);
void *locks_find_queue(u32 kind, u32 index);
bool locks_always_traced(u32 kind);

#endif /* LOCKS_H */
