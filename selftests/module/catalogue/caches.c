// SPDX-License-Identifier: GPL-2.0
/*
 * Slab caches of the module's own, and mempools.
 */
#include <linux/mempool.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "catalogue.h"

enum { OBJECT_SIZE = 136, BULK = 8, RESERVE = 4, RESERVE_SIZE = 264 };

static struct kmem_cache *plain;	/* with a constructor, so that it is not merged */
static struct kmem_cache *typesafe;
static mempool_t *pool;

static void construct(void *object)
{
	memset(object, 0, OBJECT_SIZE);
}

static void caches_exit(void)
{
	mempool_destroy(pool);
	kmem_cache_destroy(typesafe);
	kmem_cache_destroy(plain);
}

static int caches_init(void)
{
	plain = kmem_cache_create("kmprof_catalogue", OBJECT_SIZE, 0, 0, construct);
	typesafe = kmem_cache_create("kmprof_catalogue_rcu", OBJECT_SIZE, 0,
				     SLAB_TYPESAFE_BY_RCU, construct);
	pool = mempool_create_kmalloc_pool(RESERVE, RESERVE_SIZE);
	return plain && typesafe && pool ? 0 : -ENOMEM;
}

static void release_plain(void *object)
{
	kmem_cache_free(plain, object);
}

CATALOGUE_CALL(own_cache)
{
	void *object = catalogue_made(c, kmem_cache_alloc(plain, GFP_KERNEL));

	if (object)
		catalogue_lose(c, object, 1, release_plain);
}

/* Frees all but the first. */
CATALOGUE_CALL(bulk_but_one)
{
	void *objects[BULK];

	if (!kmem_cache_alloc_bulk(plain, GFP_KERNEL, BULK, objects))
		return;
	catalogue_count(c, BULK);
	kmem_cache_free_bulk(plain, BULK - 1, objects + 1);
	catalogue_count(c, -(BULK - 1));
	catalogue_lose(c, objects[0], 1, release_plain);
}

static void release_to_pool(void *object)
{
	mempool_free(object, pool);
}

CATALOGUE_CALL(mempool_lost)
{
	void *object = catalogue_made(c, mempool_alloc(pool, GFP_KERNEL));

	if (object)
		catalogue_lose(c, object, 1, release_to_pool);
}

CATALOGUE_CALL(constructor)
{
	void *object = kmem_cache_alloc(plain, GFP_KERNEL);

	if (object)
		kmem_cache_free(plain, object);
}

CATALOGUE_CALL(bulk)
{
	void *objects[BULK];

	if (kmem_cache_alloc_bulk(plain, GFP_KERNEL, BULK, objects))
		kmem_cache_free_bulk(plain, BULK, objects);
}

CATALOGUE_CALL(typesafe_by_rcu)
{
	void *object = kmem_cache_alloc(typesafe, GFP_KERNEL);

	if (object)
		kmem_cache_free(typesafe, object);
}

CATALOGUE_CALL(mempool)
{
	void *objects[2 * RESERVE];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(objects); i++)
		objects[i] = mempool_alloc(pool, GFP_KERNEL);
	for (i = 0; i < ARRAY_SIZE(objects); i++)
		mempool_free(objects[i], pool);
}

CATALOGUE_CALL(large_freed)
{
	kfree(kmalloc(40000, GFP_KERNEL));
}

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(own_cache, 100, "an object of the module's own slab cache is forgotten"),
	CATALOGUE_LEAK(bulk_but_one, 100, "of 8 objects allocated in bulk, one is forgotten"),
	CATALOGUE_LEAK(mempool_lost, 100, "an object of a mempool is forgotten"),
	CATALOGUE_LOOKALIKE(constructor, 0, "objects of a slab cache with a constructor"),
	CATALOGUE_LOOKALIKE(bulk, 0, "objects are allocated and freed in bulk"),
	CATALOGUE_LOOKALIKE(typesafe_by_rcu, 0,
			    "a slab cache gives its slabs back after a grace period"),
	CATALOGUE_LOOKALIKE(mempool, 0, "a mempool, used beyond its reserve"),
	CATALOGUE_LOOKALIKE(large_freed, 0, "objects that are larger than slabs have them"),
};

const struct catalogue_family catalogue_caches = {
	.init	= caches_init,
	.exit	= caches_exit,
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
