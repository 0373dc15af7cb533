// SPDX-License-Identifier: GPL-2.0
/*
 * Per-CPU memory that is allocated through known call chains. The allocator is called in the
 * leaf function itself. This file is compiled without tail calls.
 */
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "context.h"
#include "percpu.h"
#include "slots.h"

enum { SIZE_MAX_ON_CPU = 32768 };

/* Protects @slots. */
static DEFINE_MUTEX(slots_lock);
static void __percpu *slots[KMPROF_TEST_PERCPU_SLOTS];

/* Neither inlined, cloned nor otherwise made into something else. */
#define CHAIN_FUNCTION static __attribute__((noipa)) void __percpu *

#define CHAIN(n)								\
CHAIN_FUNCTION kmprof_test_p##n##_leaf(size_t size, gfp_t gfp)			\
{										\
	return __alloc_percpu_gfp(size, sizeof(u64), gfp);			\
}										\
										\
CHAIN_FUNCTION kmprof_test_p##n##_outer(size_t size, gfp_t gfp)			\
{										\
	return kmprof_test_p##n##_leaf(size, gfp);				\
}

#define EACH_CHAIN(X) X(00) X(01) X(02) X(03)

EACH_CHAIN(CHAIN)

#define CHAIN_OUTER(n) kmprof_test_p##n##_outer,
static void __percpu *(*const chains[])(size_t size, gfp_t gfp) = { EACH_CHAIN(CHAIN_OUTER) };

static_assert(ARRAY_SIZE(chains) == KMPROF_TEST_PERCPU_CHAINS);

static void __percpu *allocate(const struct kmprof_test_percpu *order)
{
	/* A failure is told to the test; the log is for real trouble. */
	return chains[order->chain](order->size, (order->atomic ? GFP_ATOMIC : GFP_KERNEL) |
				    __GFP_NOWARN);
}

static void do_alloc(struct kmprof_test_percpu *order)
{
	void __percpu **slot = &slots[order->first];

	for (; order->done < order->count; order->done++, slot++) {
		*slot = allocate(order);
		if (!*slot)
			break;
	}
}

static void do_free(struct kmprof_test_percpu *order)
{
	void __percpu **slot = &slots[order->first];

	for (; order->done < order->count; order->done++, slot++) {
		free_percpu(*slot);
		*slot = NULL;
	}
}

static void do_churn(struct kmprof_test_percpu *order)
{
	void __percpu *object;

	for (; order->done < order->count; order->done++) {
		object = allocate(order);
		if (!object)
			break;
		free_percpu(object);
	}
}

static void work(void *arg)
{
	struct kmprof_test_percpu *order = arg;

	if (order->op == KMPROF_TEST_ALLOC)
		do_alloc(order);
	else if (order->op == KMPROF_TEST_FREE)
		do_free(order);
	else
		do_churn(order);
}

static int check_slots(const struct kmprof_test_percpu *order)
{
	if (order->op == KMPROF_TEST_CHURN)
		return 0;
	return slots_check((__force void *const *)slots, KMPROF_TEST_PERCPU_SLOTS, order->op,
			   order->first, order->count);
}

static int check(const struct kmprof_test_percpu *order)
{
	if (order->__reserved || !order->count || order->op == KMPROF_TEST_RESIZE ||
	    order->op >= KMPROF_TEST_NR_OPS || order->context >= KMPROF_TEST_DYING)
		return -EINVAL;
	if (IS_ENABLED(CONFIG_PREEMPT_RT) && order->context == KMPROF_TEST_HARDIRQ)
		return -EINVAL;
	if (order->op == KMPROF_TEST_FREE)
		return 0;
	if (order->chain >= KMPROF_TEST_PERCPU_CHAINS || !order->size ||
	    order->size > SIZE_MAX_ON_CPU ||
	    (order->context != KMPROF_TEST_TASK && !order->atomic))
		return -EINVAL;
	return 0;
}

/**
 * percpu_run() - KMPROF_TEST_IOC_PERCPU
 * @order: what to do; @order->done is written
 *
 * Context: Task. Sleeps.
 * Return: 0 or a negative errno, see struct kmprof_test_percpu.
 */
int percpu_run(struct kmprof_test_percpu *order)
{
	int ret = check(order);

	order->done = 0;
	if (ret)
		return ret;
	/* Those who churn run in parallel. */
	if (order->op != KMPROF_TEST_CHURN)
		mutex_lock(&slots_lock);
	ret = check_slots(order);
	if (!ret)
		ret = context_run(order->context, order->cpu, work, order);
	if (!ret && order->done < order->count)
		ret = -ENOMEM;
	if (order->op != KMPROF_TEST_CHURN)
		mutex_unlock(&slots_lock);
	return ret;
}

/**
 * percpu_exit() - free what is left in the slots
 *
 * Context: Task. Nobody gives orders any more.
 */
void percpu_exit(void)
{
	unsigned int i;

	for (i = 0; i < KMPROF_TEST_PERCPU_SLOTS; i++) {
		free_percpu(slots[i]);
		cond_resched();
	}
}
