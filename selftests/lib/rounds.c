// SPDX-License-Identifier: GPL-2.0
/*
 * A thread for each function; the others wait for those that are behind.
 */
#include <errno.h>

#include "lib/locker.h"
#include "lib/rounds.h"

static struct kmprof_test_lock order_of(const struct rounds *rounds, unsigned int chain)
{
	struct kmprof_test_lock order = {
		.kind = KMPROF_TEST_LOCK_SEMAPHORE,
		.chain = chain,
		.flags = KMPROF_TEST_AFTER_HELD,
		.sleep_us = rounds->pass_us,
	};

	if (chain == ROUNDS_HOLDER) {
		order.flags = 0;
		order.waiters = ROUNDS_WAITERS;
		order.sleep_us = rounds->hold_us;
	}
	return order;
}

/**
 * rounds_run() - let one hold a semaphore, again and again, and the others wait for it
 * @fd: the test module's device
 * @rounds: what to do; what came of it is written
 *
 * Return: 0 or a negative errno, with a message on stderr.
 */
int rounds_run(int fd, struct rounds *rounds)
{
	struct locker lockers[KMPROF_TEST_WAITERS];
	unsigned int i, round;

	if (rounds->count > ROUNDS_MAX)
		return -EINVAL;
	for (i = 0; i < KMPROF_TEST_WAITERS; i++) {
		for (round = 0; round < rounds->count; round++)
			rounds->orders[i][round] = order_of(rounds, i);
		lockers[i] = (struct locker){
			.fd = fd, .cpu = LOCKER_ANY_CPU, .orders = rounds->orders[i],
			.count = rounds->count,
		};
	}
	return locker_crew(lockers, KMPROF_TEST_WAITERS);
}
