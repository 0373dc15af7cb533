// SPDX-License-Identifier: GPL-2.0
/*
 * Memory of vmalloc that is allocated through known call chains. The allocator is called in the
 * leaf function itself. This file is compiled without tail calls.
 */
#include <linux/kernel.h>
#include <linux/mm.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/topology.h>
#include <linux/vmalloc.h>

#include "context.h"
#include "slots.h"
#include "vmalloc.h"

enum { SIZE_MAX_ONE = 64 << 20 };

/* What an object begins with. */
struct object {
	struct rcu_head rcu;
};

/* Protects @slots. */
static DEFINE_MUTEX(slots_lock);
static struct object *slots[KMPROF_TEST_VMALLOC_SLOTS];

static __always_inline void *alloc_one(u32 how, size_t size)
{
	switch (how) {
	case KMPROF_TEST_VMALLOC_PLAIN:
		return vmalloc(size);
	case KMPROF_TEST_VMALLOC_ZEROED:
		return vzalloc(size);
	case KMPROF_TEST_VMALLOC_USER:
		return vmalloc_user(size);
	case KMPROF_TEST_VMALLOC_NODE:
		return vmalloc_node(size, numa_mem_id());
	case KMPROF_TEST_VMALLOC_GFP:
		return __vmalloc(size, GFP_KERNEL | __GFP_NOWARN);
	case KMPROF_TEST_KVMALLOC:
		return kvmalloc(size, GFP_KERNEL);
	default:
		return NULL;
	}
}

/* Neither inlined, cloned nor otherwise made into something else. */
#define CHAIN_FUNCTION static __attribute__((noipa)) void *

#define CHAIN(n)								\
CHAIN_FUNCTION kmprof_test_v##n##_leaf(u32 how, size_t size)			\
{										\
	return alloc_one(how, size);						\
}										\
										\
CHAIN_FUNCTION kmprof_test_v##n##_outer(u32 how, size_t size)			\
{										\
	return kmprof_test_v##n##_leaf(how, size);				\
}

#define EACH_CHAIN(X) X(00) X(01) X(02) X(03)

EACH_CHAIN(CHAIN)

#define CHAIN_OUTER(n) kmprof_test_v##n##_outer,
static void *(*const chains[])(u32 how, size_t size) = { EACH_CHAIN(CHAIN_OUTER) };

static_assert(ARRAY_SIZE(chains) == KMPROF_TEST_VMALLOC_CHAINS);

static void do_alloc(struct kmprof_test_vmalloc *order)
{
	struct object **slot = &slots[order->first];

	for (; order->done < order->count; order->done++, slot++) {
		*slot = chains[order->chain](order->how, order->size);
		if (!*slot)
			break;
	}
}

static void free_one(struct object *object, u32 how)
{
	switch (how) {
	case KMPROF_TEST_KVFREE:
		kvfree(object);
		break;
	case KMPROF_TEST_KVFREE_RCU:
		kvfree_rcu(object, rcu);
		break;
	default:
		vfree(object);
	}
}

static void do_free(void *arg)
{
	struct kmprof_test_vmalloc *order = arg;
	struct object **slot = &slots[order->first];

	for (; order->done < order->count; order->done++, slot++) {
		free_one(*slot, order->how);
		*slot = NULL;
	}
}

static void do_churn(struct kmprof_test_vmalloc *order)
{
	void *object;

	for (; order->done < order->count; order->done++) {
		object = chains[order->chain](order->how, order->size);
		if (!object)
			break;
		vfree(object);
		cond_resched();
	}
}

static int check(const struct kmprof_test_vmalloc *order)
{
	if (!order->count)
		return -EINVAL;
	if (order->op == KMPROF_TEST_FREE)
		return order->how < KMPROF_TEST_NR_VFREE_HOWS ? 0 : -EINVAL;
	if (order->op != KMPROF_TEST_ALLOC && order->op != KMPROF_TEST_CHURN)
		return -EINVAL;
	if (order->how >= KMPROF_TEST_NR_VMALLOC_HOWS ||
	    order->chain >= KMPROF_TEST_VMALLOC_CHAINS ||
	    order->size < sizeof(struct object) || order->size > SIZE_MAX_ONE)
		return -EINVAL;
	/* What kmalloc() has is no memory of vmalloc. */
	return order->how == KMPROF_TEST_KVMALLOC && order->size <= KMALLOC_MAX_SIZE ? -EINVAL : 0;
}

static int run(struct kmprof_test_vmalloc *order)
{
	u32 context = order->how == KMPROF_TEST_VFREE_ATOMIC ? KMPROF_TEST_SOFTIRQ :
							       KMPROF_TEST_TASK;
	int ret = slots_check((void *const *)slots, KMPROF_TEST_VMALLOC_SLOTS, order->op,
			      order->first, order->count);

	if (ret)
		return ret;
	if (order->op == KMPROF_TEST_FREE)
		return context_run(context, KMPROF_TEST_CPU_ANY, do_free, order);
	do_alloc(order);
	return 0;
}

/**
 * vmalloc_run() - KMPROF_TEST_IOC_VMALLOC
 * @order: what to do; @order->done is written
 *
 * Context: Task. Sleeps.
 * Return: 0 or a negative errno, see struct kmprof_test_vmalloc.
 */
int vmalloc_run(struct kmprof_test_vmalloc *order)
{
	int ret = check(order);

	order->done = 0;
	if (ret)
		return ret;
	/* Those who churn run in parallel. */
	if (order->op == KMPROF_TEST_CHURN) {
		do_churn(order);
	} else {
		mutex_lock(&slots_lock);
		ret = run(order);
		mutex_unlock(&slots_lock);
	}
	return !ret && order->done < order->count ? -ENOMEM : ret;
}

/**
 * vmalloc_exit() - free what is left in the slots
 *
 * Context: Task. Nobody gives orders any more.
 */
void vmalloc_exit(void)
{
	unsigned int i;

	for (i = 0; i < KMPROF_TEST_VMALLOC_SLOTS; i++)
		vfree(slots[i]);
}
