// SPDX-License-Identifier: GPL-2.0
/*
 * The kmem_caches that the tests allocate from, one for each of
 * KMPROF_TEST_CACHE_SIZES.
 */
#include <linux/kernel.h>
#include <linux/slab.h>

#include "cache.h"
#include "kmprof_test.h"

struct cache {
	u32 size;
	const char *name;
	struct kmem_cache *slab;
};

#define CACHE(bytes) { .size = bytes, .name = "kmprof_test_" #bytes },
static struct cache caches[] = { KMPROF_TEST_CACHE_SIZES(CACHE) };

/*
 * A cache with a constructor is never merged with another one, so the size of
 * its objects stays what was asked for.
 */
static void cache_construct(void *object)
{
}

/**
 * cache_exit() - destroy the caches
 *
 * Context: Task. All objects have been freed.
 */
void cache_exit(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(caches); i++) {
		kmem_cache_destroy(caches[i].slab);
		caches[i].slab = NULL;
	}
}

/**
 * cache_init() - create the caches
 *
 * Return: 0 or -ENOMEM.
 */
int cache_init(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(caches); i++) {
		caches[i].slab = kmem_cache_create(caches[i].name,
						   caches[i].size, 8, 0,
						   cache_construct);
		if (!caches[i].slab) {
			cache_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * cache_of_size() - the cache for objects of a size
 * @size: bytes per object
 *
 * Return: the cache, or NULL when none has objects of that size.
 */
struct kmem_cache *cache_of_size(u32 size)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(caches); i++)
		if (caches[i].size == size)
			return caches[i].slab;
	return NULL;
}
