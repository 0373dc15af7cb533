/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Threads that take the same locks again and again, for times that nobody knows
 * before.
 */
#ifndef HAMMER_H
#define HAMMER_H

#include <stdint.h>

#include "lib/locker.h"

enum {
	HAMMER_THREADS = 8,
	HAMMER_ORDERS = 6000,
};

/**
 * struct hammer - what they do
 * @kinds: enum kmprof_test_lock_kind, of the locks that are taken by turns
 * @nr_kinds: how many
 * @threads: how many, at most HAMMER_THREADS
 * @count: how many locks each of them takes, at most HAMMER_ORDERS
 * @busy_percent: how many of the holds do not let go of the CPU
 * @busy_us: how long these last, at most
 * @sleep_least_us: how long the others do, at least
 * @sleep_most_us: and at most
 * @interrupt_us: from one interrupt of a thread to that of the next; half of the waits
 *	that can be are interruptible then; 0: there are none
 * @interrupted: out: how many were
 * @orders: by thread, what came of it
 * @lockers: the threads
 */
struct hammer {
	const unsigned int *kinds;
	unsigned int nr_kinds;
	unsigned int threads;
	unsigned int count;
	unsigned int busy_percent;
	unsigned int busy_us;
	unsigned int sleep_least_us;
	unsigned int sleep_most_us;
	unsigned int interrupt_us;
	unsigned int interrupted;
	struct kmprof_test_lock orders[HAMMER_THREADS][HAMMER_ORDERS];
	struct locker lockers[HAMMER_THREADS];
};

int hammer_start(struct hammer *hammer, int fd);
int hammer_join(struct hammer *hammer);
uint64_t hammer_held_ns(const struct hammer *hammer);

#endif /* HAMMER_H */
