/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many waits for a semaphore, round by round. Of all locks a semaphore tells the
 * least: nothing while it is free, and a wait once.
 */
#ifndef ROUNDS_H
#define ROUNDS_H

#include "module/kmprof_test.h"

enum {
	ROUNDS_WAITERS = KMPROF_TEST_WAITERS - 1,
	ROUNDS_HOLDER = ROUNDS_WAITERS,	/* the last function */
	ROUNDS_MAX = 68,
};

/**
 * struct rounds - what is done
 * @count: of rounds; in each, all of ROUNDS_WAITERS wait once
 * @hold_us: how long the holder sleeps when all wait for it
 * @pass_us: how long each of the others does when it has got the semaphore
 * @orders: by function and round, what came of it
 */
struct rounds {
	unsigned int count;
	unsigned int hold_us;
	unsigned int pass_us;
	struct kmprof_test_lock orders[KMPROF_TEST_WAITERS][ROUNDS_MAX];
};

int rounds_run(int fd, struct rounds *rounds);

#endif /* ROUNDS_H */
