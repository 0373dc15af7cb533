// SPDX-License-Identifier: GPL-2.0
/*
 * Orders to the test module to take locks, alone and in threads, and a look at who
 * is there.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "lib/kmprof_guest.h"
#include "lib/locker.h"

enum {
	UNTIL_S = 60,
	FIRST_CPU = 1,	/* a pinned holder's; its waiters have the next ones */
};

/**
 * locker_order() - take a lock, hold it, release it
 * @fd: the test module's device
 * @order: what to do; what came of it is written
 *
 * Says nothing when the test module cannot do that (-EINVAL).
 */
int locker_order(int fd, struct kmprof_test_lock *order)
{
	int error;

	if (!ioctl(fd, KMPROF_TEST_IOC_LOCK, order))
		return 0;
	error = errno;
	if (error != EINVAL)
		fprintf(stderr,
			"# lock kind %u index %u access %u how %u chain %u flags %#x waiters %u: %s\n",
			order->kind, order->index, order->access, order->how, order->chain,
			order->flags, order->waiters, strerror(error));
	return -error;
}

static int get_state(int fd, struct kmprof_test_lock_state *state)
{
	int error;

	if (!ioctl(fd, KMPROF_TEST_IOC_LOCK_STATE, state))
		return 0;
	error = errno;
	fprintf(stderr, "# state of lock kind %u index %u: %s\n", state->kind, state->index,
		strerror(error));
	return -error;
}

/**
 * locker_state() - look who is at a lock
 * @fd: the test module's device
 * @kind: enum kmprof_test_lock_kind
 * @index: which one of them
 * @state: out: who
 */
int locker_state(int fd, unsigned int kind, unsigned int index,
		 struct kmprof_test_lock_state *state)
{
	*state = (struct kmprof_test_lock_state){ .kind = kind, .index = index };
	return get_state(fd, state);
}

/**
 * locker_release() - tell who keeps a lock now to let go of it
 * @fd: the test module's device
 * @kind: enum kmprof_test_lock_kind
 * @index: which one of them
 */
int locker_release(int fd, unsigned int kind, unsigned int index)
{
	struct kmprof_test_lock_state state = { .kind = kind, .index = index, .release = 1 };

	return get_state(fd, &state);
}

/**
 * locker_until() - wait until enough tasks are at a lock
 * @fd: the test module's device
 * @kind: enum kmprof_test_lock_kind
 * @index: which one of them
 * @held: so many hold it
 * @asleep: so many sleep on their way into it
 *
 * Return: 0 or a negative errno; -ETIMEDOUT after a minute.
 */
int locker_until(int fd, unsigned int kind, unsigned int index, unsigned int held,
		 unsigned int asleep)
{
	struct kmprof_test_lock_state state;
	time_t limit = time(NULL) + UNTIL_S;
	int ret;

	for (;;) {
		ret = locker_state(fd, kind, index, &state);
		if (ret)
			return ret;
		if (state.held >= held && state.asleep >= asleep)
			return 0;
		if (time(NULL) > limit)
			break;
		usleep(1000);
	}
	fprintf(stderr, "# lock kind %u index %u: %u hold it, %u wait, %u of them asleep\n",
		kind, index, state.held, state.waiting, state.asleep);
	return -ETIMEDOUT;
}

static void *run(void *arg)
{
	struct locker *locker = arg;
	unsigned int i;

	locker->ret = locker->cpu == LOCKER_ANY_CPU ? 0 : guest_pin_cpu(locker->cpu);
	for (i = 0; i < locker->count; i++) {
		/* The others count on it. */
		if (locker->barrier)
			pthread_barrier_wait(locker->barrier);
		if (!locker->ret)
			locker->ret = locker_order(locker->fd, &locker->orders[i]);
	}
	return NULL;
}

/**
 * locker_start() - start a thread
 * @locker: with its first five members filled in
 */
int locker_start(struct locker *locker)
{
	int error = pthread_create(&locker->thread, NULL, run, locker);

	if (error)
		fprintf(stderr, "# pthread_create: %s\n", strerror(error));
	return -error;
}

/**
 * locker_join() - wait for a thread's end
 * @locker: the thread
 *
 * Return: @locker->ret.
 */
int locker_join(struct locker *locker)
{
	int error = pthread_join(locker->thread, NULL);

	return error ? -error : locker->ret;
}

/**
 * locker_crew() - threads that wait for each other before each order
 * @lockers: all but their barriers filled in
 * @count: of these
 *
 * Return: 0 or a negative errno, of any of them.
 */
int locker_crew(struct locker *lockers, unsigned int count)
{
	pthread_barrier_t barrier;
	unsigned int i;
	int error, ret;

	ret = -pthread_barrier_init(&barrier, NULL, count);
	if (ret)
		return ret;
	for (i = 0; i < count; i++) {
		lockers[i].barrier = &barrier;
		/* Without it, the others would wait at the barrier for ever. */
		if (locker_start(&lockers[i]))
			exit(EXIT_FAILURE);
	}
	for (i = 0; i < count; i++) {
		error = locker_join(&lockers[i]);
		ret = ret ?: error;
	}
	pthread_barrier_destroy(&barrier);
	return ret;
}

/**
 * locker_contend() - let one hold a lock, and others wait for it
 * @fd: the test module's device
 * @holder: what the one does
 * @waiters: what the others do, best with KMPROF_TEST_AFTER_HELD
 * @count: of these
 * @pinned: each has a CPU for itself, and goes there before anybody begins: who holds
 *	or waits for a lock that spins lets nobody else have its CPU
 *
 * Return: 0 or a negative errno: of any order, or the holder's result.
 */
int locker_contend(int fd, struct kmprof_test_lock *holder, struct kmprof_test_lock *waiters,
		   unsigned int count, int pinned)
{
	long cpus = sysconf(_SC_NPROCESSORS_ONLN);
	struct locker lockers[LOCKER_MAX_WAITERS + 1];
	unsigned int i;

	if (count > LOCKER_MAX_WAITERS || (pinned && count >= cpus))
		return -EINVAL;
	for (i = 0; i <= count; i++)
		lockers[i] = (struct locker){
			.fd = fd,
			.cpu = pinned ? (FIRST_CPU + i) % cpus : LOCKER_ANY_CPU,
			.orders = i ? &waiters[i - 1] : holder,
			.count = 1,
		};
	return locker_crew(lockers, count + 1) ?: holder->result;
}

/**
 * locker_start_one() - start a thread that carries out one order
 * @locker: the thread
 * @fd: the test module's device
 * @order: what it shall do
 */
int locker_start_one(struct locker *locker, int fd, struct kmprof_test_lock *order)
{
	*locker = (struct locker){
		.fd = fd, .cpu = LOCKER_ANY_CPU, .orders = order, .count = 1,
	};
	return locker_start(locker);
}

/**
 * locker_keep() - let somebody take a lock and keep it
 * @locker: the thread that does so, until locker_let_go()
 * @fd: the test module's device
 * @order: how to take it
 *
 * Return: 0 when it has the lock, or a negative errno.
 */
int locker_keep(struct locker *locker, int fd, struct kmprof_test_lock *order)
{
	order->flags |= KMPROF_TEST_KEEP;
	return locker_start_one(locker, fd, order) ?:
	       locker_until(fd, order->kind, order->index, 1, 0);
}

/**
 * locker_wait() - let somebody wait for a lock that is kept
 * @locker: the thread that does so
 * @fd: the test module's device
 * @order: how to take it
 *
 * Return: 0 when it sleeps, or a negative errno.
 */
int locker_wait(struct locker *locker, int fd, struct kmprof_test_lock *order)
{
	return locker_start_one(locker, fd, order) ?:
	       locker_until(fd, order->kind, order->index, 1, 1);
}

/**
 * locker_let_go() - let the keeper of a lock release it
 * @locker: the keeper
 *
 * Return: 0 when it has, or a negative errno; its result if it never had it.
 */
int locker_let_go(struct locker *locker)
{
	const struct kmprof_test_lock *order = locker->orders;

	return locker_release(locker->fd, order->kind, order->index) ?: locker_join(locker) ?:
	       order->result;
}
