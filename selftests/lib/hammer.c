// SPDX-License-Identifier: GPL-2.0
/*
 * What the threads do is drawn before they begin, the same in every run; only when
 * who comes to a lock is not.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "lib/hammer.h"

enum {
	TURN = 4,	/* times that a kind of lock is taken, before the next one is */
	SEED = 20221211,
};

static unsigned int draw(unsigned int *seed, unsigned int least, unsigned int most)
{
	return least + rand_r(seed) % (most - least + 1);
}

static int has_readers(unsigned int kind)
{
	return kind == KMPROF_TEST_LOCK_RWSEM || kind == KMPROF_TEST_LOCK_PERCPU_RWSEM ||
	       kind == KMPROF_TEST_LOCK_RWLOCK;
}

static int is_interruptible(unsigned int kind, unsigned int access)
{
	switch (kind) {
	case KMPROF_TEST_LOCK_MUTEX:
	case KMPROF_TEST_LOCK_SEMAPHORE:
	case KMPROF_TEST_LOCK_RTMUTEX:
	case KMPROF_TEST_LOCK_WW_MUTEX:
		return 1;
	case KMPROF_TEST_LOCK_RWSEM:
		return access == KMPROF_TEST_READ;
	default:
		return 0;
	}
}

static struct kmprof_test_lock order_of(const struct hammer *hammer, unsigned int thread,
					unsigned int i, unsigned int *seed)
{
	struct kmprof_test_lock order = {
		.kind = hammer->kinds[i / TURN % hammer->nr_kinds],
		.chain = thread,
	};

	if (has_readers(order.kind) && draw(seed, 0, 1))
		order.access = KMPROF_TEST_READ;
	if (hammer->interrupt_us && is_interruptible(order.kind, order.access) &&
	    draw(seed, 0, 1))
		order.how = KMPROF_TEST_INTERRUPTIBLE;
	if (draw(seed, 1, 100) <= hammer->busy_percent)
		order.busy_us = draw(seed, 1, hammer->busy_us);
	else
		order.sleep_us = draw(seed, hammer->sleep_least_us, hammer->sleep_most_us);
	return order;
}

static void on_signal(int signal)
{
	(void)signal;
}

/**
 * hammer_start() - start the threads
 * @hammer: what they shall do
 * @fd: the test module's device
 *
 * Return: 0 or a negative errno.
 */
int hammer_start(struct hammer *hammer, int fd)
{
	struct sigaction action = { .sa_handler = on_signal };
	unsigned int seed = SEED, i, k;
	int ret = 0;

	if (hammer->threads > HAMMER_THREADS || hammer->count > HAMMER_ORDERS)
		return -EINVAL;
	if (sigaction(SIGUSR1, &action, NULL))
		return -errno;
	for (i = 0; i < hammer->threads; i++)
		for (k = 0; k < hammer->count; k++)
			hammer->orders[i][k] = order_of(hammer, i, k, &seed);
	for (i = 0; !ret && i < hammer->threads; i++) {
		hammer->lockers[i] = (struct locker){
			.fd = fd, .cpu = LOCKER_ANY_CPU, .orders = hammer->orders[i],
			.count = hammer->count,
		};
		ret = locker_start(&hammer->lockers[i]);
	}
	return ret;
}

static unsigned int count_interrupted(const struct hammer *hammer)
{
	unsigned int i, k, count = 0;

	for (i = 0; i < hammer->threads; i++)
		for (k = 0; k < hammer->count; k++)
			count += hammer->orders[i][k].result == -EINTR;
	return count;
}

/* Interrupts one after the other, until the first has ended. */
static int interrupt(struct hammer *hammer)
{
	unsigned int i;

	for (i = 0; pthread_tryjoin_np(hammer->lockers[0].thread, NULL); i++) {
		usleep(hammer->interrupt_us);
		/* The first one has not been joined, the others will be last. */
		pthread_kill(hammer->lockers[i % hammer->threads].thread, SIGUSR1);
	}
	return hammer->lockers[0].ret;
}

/**
 * hammer_join() - wait for the threads' end
 * @hammer: what they do
 *
 * Return: 0 or a negative errno, of any of them.
 */
int hammer_join(struct hammer *hammer)
{
	unsigned int i = 0;
	int error, ret = 0;

	if (hammer->interrupt_us) {
		ret = interrupt(hammer);
		i = 1;
	}
	for (; i < hammer->threads; i++) {
		error = locker_join(&hammer->lockers[i]);
		ret = ret ?: error;
	}
	hammer->interrupted = count_interrupted(hammer);
	return ret;
}

/**
 * struct span - a stretch of time
 * @begin: ns
 * @end: likewise
 */
struct span {
	uint64_t begin;
	uint64_t end;
};

static int by_begin(const void *a, const void *b)
{
	const struct span *left = a, *right = b;

	return left->begin < right->begin ? -1 : left->begin > right->begin;
}

/* Makes one of those that overlap. Returns how many are left. */
static unsigned int merge(struct span *spans, unsigned int count)
{
	unsigned int i, last = 0;

	qsort(spans, count, sizeof(*spans), by_begin);
	for (i = 1; i < count; i++) {
		if (spans[i].begin > spans[last].end)
			spans[++last] = spans[i];
		else if (spans[i].end > spans[last].end)
			spans[last].end = spans[i].end;
	}
	return count ? last + 1 : 0;
}

static uint64_t overlap(const struct span *a, const struct span *b)
{
	uint64_t begin = a->begin > b->begin ? a->begin : b->begin;
	uint64_t end = a->end < b->end ? a->end : b->end;

	return end > begin ? end - begin : 0;
}

/**
 * hammer_held_ns() - how long all have waited, together, while somebody had the lock
 * @hammer: has ended; of one kind of lock
 *
 * The rest was for who is woken to wake up.
 */
uint64_t hammer_held_ns(const struct hammer *hammer)
{
	static struct span waits[HAMMER_THREADS * HAMMER_ORDERS];
	static struct span holds[HAMMER_THREADS * HAMMER_ORDERS];
	unsigned int i, k, nr_waits = 0, nr_holds = 0;
	uint64_t ns = 0;

	for (i = 0; i < hammer->threads; i++) {
		for (k = 0; k < hammer->count; k++) {
			const struct kmprof_test_lock *order = &hammer->orders[i][k];
			uint64_t got = order->start_ns + order->wait_ns;

			waits[nr_waits++] = (struct span){ order->start_ns, got };
			if (!order->result)
				holds[nr_holds++] = (struct span){ got, got + order->held_ns };
		}
	}
	nr_holds = merge(holds, nr_holds);
	for (i = 0; i < nr_waits; i++)
		for (k = 0; k < nr_holds; k++)
			ns += overlap(&waits[i], &holds[k]);
	return ns;
}
