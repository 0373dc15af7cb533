// SPDX-License-Identifier: GPL-2.0
/*
 * The call chains. The allocators are called in the leaf function itself
 * (everything below it is inlined), so that the leaf is the caller that a
 * profile has to show. This file is compiled without tail calls.
 */
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/topology.h>

#include "chain.h"

enum { COPY_MAX = 65536 };

static int node = NUMA_NO_NODE;
module_param(node, int, 0600);
MODULE_PARM_DESC(node, "NUMA node of what is allocated on a node (default -1: the nearest)");

static __always_inline int wanted_node(void)
{
	return node == NUMA_NO_NODE ? numa_mem_id() : node;
}

/* What the methods that copy copy: COPY_MAX - 1 characters and a NUL. */
static char copy_source[COPY_MAX];

static __always_inline void *alloc_const(u32 size, gfp_t gfp)
{
	switch (size) {
#define CASE(bytes) case bytes: return kmalloc(bytes, gfp);
	KMPROF_TEST_CONST_SIZES(CASE)
#undef CASE
	}
	return NULL;
}

static __always_inline void *alloc_const_node(u32 size, gfp_t gfp)
{
	switch (size) {
#define CASE(bytes) case bytes: return kmalloc_node(bytes, gfp, wanted_node());
	KMPROF_TEST_CONST_SIZES(CASE)
#undef CASE
	}
	return NULL;
}

static __always_inline void *alloc_one(const struct chain_order *order,
				       void *old)
{
	u32 size = order->size;
	gfp_t gfp = order->gfp;

	switch (order->method) {
	case KMPROF_TEST_KMALLOC:
		return alloc_const(size, gfp);
	case KMPROF_TEST_KMALLOC_VARIABLE:
		return kmalloc(size, gfp);
	case KMPROF_TEST_KMALLOC_NODE:
		return alloc_const_node(size, gfp);
	case KMPROF_TEST_KMALLOC_NODE_VARIABLE:
		return kmalloc_node(size, gfp, wanted_node());
	case KMPROF_TEST_KCALLOC:
		return kcalloc(2, size / 2, gfp);
	case KMPROF_TEST_KREALLOC:
		return krealloc(old, size, gfp);
	case KMPROF_TEST_KMEMDUP:
		return kmemdup(copy_source, size, gfp);
	case KMPROF_TEST_KSTRDUP:
		return kstrdup(copy_source + COPY_MAX - size, gfp);
	case KMPROF_TEST_CACHE:
		return kmem_cache_alloc(order->cache, gfp);
	case KMPROF_TEST_CACHE_NODE:
		return kmem_cache_alloc_node(order->cache, gfp, wanted_node());
	default:
		return NULL;
	}
}

static __always_inline unsigned int alloc_many(const struct chain_order *order,
					       void **objects,
					       unsigned int count)
{
	unsigned int i;
	void *object;

	if (order->method == KMPROF_TEST_CACHE_BULK)
		return kmem_cache_alloc_bulk(order->cache, order->gfp, count,
					     objects);

	for (i = 0; i < count; i++) {
		object = alloc_one(order, objects[i]);
		if (!object)
			break;
		objects[i] = object;
	}
	return i;
}

/* Neither inlined, cloned nor otherwise made into something else. */
#define CHAIN_FUNCTION static __attribute__((noipa)) unsigned int

#define CHAIN(n)							\
CHAIN_FUNCTION kmprof_test_c##n##_leaf(const struct chain_order *order,	\
				       void **objects,			\
				       unsigned int count)		\
{									\
	return alloc_many(order, objects, count);			\
}									\
									\
CHAIN_FUNCTION kmprof_test_c##n##_middle(const struct chain_order *order, \
					 void **objects,		\
					 unsigned int count)		\
{									\
	return kmprof_test_c##n##_leaf(order, objects, count);		\
}									\
									\
CHAIN_FUNCTION kmprof_test_c##n##_outer(const struct chain_order *order, \
					void **objects,			\
					unsigned int count)		\
{									\
	return kmprof_test_c##n##_middle(order, objects, count);	\
}

#define EACH_CHAIN(X)							\
	X(00) X(01) X(02) X(03) X(04) X(05) X(06) X(07) X(08) X(09)	\
	X(10) X(11) X(12) X(13) X(14) X(15) X(16) X(17) X(18) X(19)

EACH_CHAIN(CHAIN)

typedef unsigned int (*chain_fn)(const struct chain_order *order,
				 void **objects, unsigned int count);

#define CHAIN_OUTER(n) kmprof_test_c##n##_outer,
static const chain_fn chains[] = { EACH_CHAIN(CHAIN_OUTER) };

static_assert(ARRAY_SIZE(chains) == KMPROF_TEST_CHAINS);

/**
 * chain_init() - prepare what the copying methods copy
 */
void chain_init(void)
{
	memset(copy_source, 'x', COPY_MAX - 1);
}

static bool size_is_const(u32 size)
{
	switch (size) {
#define CASE(bytes) case bytes:
	KMPROF_TEST_CONST_SIZES(CASE)
#undef CASE
		return true;
	}
	return false;
}

/**
 * chain_can() - whether an order can be carried out
 * @order: what to allocate
 * @context: where it would happen
 *
 * Return: true when the method has that size and is allowed there.
 */
bool chain_can(const struct chain_order *order,
	       enum kmprof_test_context context)
{
	switch (order->method) {
	case KMPROF_TEST_KMALLOC:
	case KMPROF_TEST_KMALLOC_NODE:
		return size_is_const(order->size);
	case KMPROF_TEST_KCALLOC:
		return order->size % 2 == 0;
	case KMPROF_TEST_CACHE:
	case KMPROF_TEST_CACHE_NODE:
		return order->cache;
	case KMPROF_TEST_CACHE_BULK:
		return order->cache && context < KMPROF_TEST_HARDIRQ;
	case KMPROF_TEST_KMALLOC_VARIABLE:
	case KMPROF_TEST_KMALLOC_NODE_VARIABLE:
	case KMPROF_TEST_KREALLOC:
		return true;
	case KMPROF_TEST_KMEMDUP:
	case KMPROF_TEST_KSTRDUP:
		return order->size <= COPY_MAX;
	default:
		return false;
	}
}

/**
 * chain_alloc() - allocate objects through a call chain
 * @chain: which one
 * @order: what to allocate; chain_can() has agreed to it
 * @objects: out: the objects. In, for KMPROF_TEST_KREALLOC: the objects to
 *	resize, or NULL
 * @count: how many
 *
 * Context: the one that chain_can() was asked about.
 * Return: the number of objects allocated.
 */
unsigned int chain_alloc(u32 chain, const struct chain_order *order,
			 void **objects, unsigned int count)
{
	return chains[chain](order, objects, count);
}
