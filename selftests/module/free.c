// SPDX-License-Identifier: GPL-2.0
/*
 * The doors through which an object can leave.
 */
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "free.h"

/* What kfree_rcu() writes into an object that waits for its grace period. */
struct rcu_object {
	struct rcu_head rcu;
};

/* What is passed to call_rcu(): the rcu_head is somewhere in it. */
struct queued_object {
	char before[24];
	struct rcu_head rcu;
};

/**
 * free_can() - whether an object may leave that way
 * @method: which way
 * @size: bytes of the object
 * @from_cache: it comes from a cache of the module
 * @context: where it would happen
 *
 * Return: true when it is allowed.
 */
bool free_can(enum kmprof_test_free_method method, u32 size, bool from_cache,
	      enum kmprof_test_context context)
{
	switch (method) {
	case KMPROF_TEST_KFREE:
	case KMPROF_TEST_KFREE_SENSITIVE:
	case KMPROF_TEST_KREALLOC_ZERO:
		return !from_cache;
	case KMPROF_TEST_KFREE_RCU:
		return !from_cache && size >= sizeof(struct rcu_object);
	case KMPROF_TEST_CALL_RCU:
		return !from_cache && size >= sizeof(struct queued_object);
	case KMPROF_TEST_KFREE_RCU_MIGHTSLEEP:
		return !from_cache && context == KMPROF_TEST_TASK;
	case KMPROF_TEST_KFREE_BULK:
		return !from_cache && context < KMPROF_TEST_HARDIRQ;
	case KMPROF_TEST_CACHE_FREE:
		return from_cache;
	case KMPROF_TEST_CACHE_FREE_BULK:
		return from_cache && context < KMPROF_TEST_HARDIRQ;
	default:
		return false;
	}
}

static void free_queued(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct queued_object, rcu));
}

static void free_one(enum kmprof_test_free_method method,
		     struct kmem_cache *cache, void *object)
{
	struct queued_object *queued_object = object;
	struct rcu_object *rcu_object = object;

	switch (method) {
	case KMPROF_TEST_KFREE:
		kfree(object);
		break;
	case KMPROF_TEST_KFREE_SENSITIVE:
		kfree_sensitive(object);
		break;
	case KMPROF_TEST_KFREE_RCU:
		kfree_rcu(rcu_object, rcu);
		break;
	case KMPROF_TEST_KFREE_RCU_MIGHTSLEEP:
		kfree_rcu_mightsleep(rcu_object);
		break;
	case KMPROF_TEST_CALL_RCU:
		call_rcu(&queued_object->rcu, free_queued);
		break;
	case KMPROF_TEST_KREALLOC_ZERO:
		WARN_ON_ONCE(krealloc(object, 0, GFP_ATOMIC) != ZERO_SIZE_PTR);
		break;
	case KMPROF_TEST_CACHE_FREE:
		kmem_cache_free(cache, object);
		break;
	default:
		break;
	}
}

/**
 * free_objects() - free objects
 * @method: which way; free_can() has agreed to it for each object
 * @cache: the cache they come from, or NULL
 * @objects: the objects
 * @count: how many
 *
 * Context: the one that free_can() was asked about.
 */
void free_objects(enum kmprof_test_free_method method, struct kmem_cache *cache,
		  void **objects, unsigned int count)
{
	unsigned int i;

	switch (method) {
	case KMPROF_TEST_KFREE_BULK:
		kfree_bulk(count, objects);
		return;
	case KMPROF_TEST_CACHE_FREE_BULK:
		kmem_cache_free_bulk(cache, count, objects);
		return;
	default:
		break;
	}

	for (i = 0; i < count; i++)
		free_one(method, cache, objects[i]);
}
