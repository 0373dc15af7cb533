/* SPDX-License-Identifier: GPL-2.0 */
/* Operations on locks: nobody else wants them, or a mutex that goes from hand to hand. */
#ifndef KMPROF_BENCH_LOCKS_H
#define KMPROF_BENCH_LOCKS_H

void bench_locks_mutex(unsigned int i);
void bench_locks_rwsem_read(unsigned int i);
void bench_locks_rwsem_write(unsigned int i);
void bench_locks_semaphore(unsigned int i);
void bench_locks_spinlock(unsigned int i);
void bench_locks_rwlock_read(unsigned int i);
void bench_locks_rwlock_write(unsigned int i);
void bench_locks_rtmutex(unsigned int i);
void bench_locks_ww_mutex(unsigned int i);
void bench_locks_percpu_rwsem_read(unsigned int i);
void bench_locks_handover(unsigned int i);
int bench_locks_init(void);
void bench_locks_exit(void);

#endif
