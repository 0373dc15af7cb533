/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tasks that contend for the locks of the test module. Functions return 0 or a
 * negative errno; a failure is explained on stderr.
 */
#ifndef LOCKER_H
#define LOCKER_H

#include <pthread.h>

#include "module/kmprof_test.h"

#define LOCKER_ANY_CPU		(-1)
#define LOCKER_MAX_WAITERS	(KMPROF_TEST_WAITERS - 1)

/**
 * struct locker - a thread that carries orders out, one after the other
 * @fd: the test module's device
 * @cpu: where it shall run, or LOCKER_ANY_CPU
 * @orders: what to do, and what came of it
 * @count: number of @orders
 * @barrier: if not NULL, where it waits for others before each order
 * @ret: out: of the first order that failed; none is begun after it
 * @thread: the thread
 */
struct locker {
	int fd;
	int cpu;
	struct kmprof_test_lock *orders;
	unsigned int count;
	pthread_barrier_t *barrier;
	int ret;
	pthread_t thread;
};

int locker_order(int fd, struct kmprof_test_lock *order);
int locker_state(int fd, unsigned int kind, unsigned int index,
		 struct kmprof_test_lock_state *state);
int locker_release(int fd, unsigned int kind, unsigned int index);
int locker_until(int fd, unsigned int kind, unsigned int index, unsigned int held,
		 unsigned int asleep);

int locker_start(struct locker *locker);
int locker_start_one(struct locker *locker, int fd, struct kmprof_test_lock *order);
int locker_join(struct locker *locker);
int locker_crew(struct locker *lockers, unsigned int count);
int locker_contend(int fd, struct kmprof_test_lock *holder, struct kmprof_test_lock *waiters,
		   unsigned int count, int pinned);

int locker_keep(struct locker *locker, int fd, struct kmprof_test_lock *order);
int locker_wait(struct locker *locker, int fd, struct kmprof_test_lock *order);
int locker_let_go(struct locker *locker);

#endif /* LOCKER_H */
