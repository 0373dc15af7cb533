/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CHAIN_H
#define CHAIN_H

#include <linux/gfp.h>

#include "kmprof_test.h"

struct kmem_cache;

/**
 * struct chain_order - what a chain shall allocate
 * @method: how
 * @size: bytes per object
 * @gfp: as for kmalloc()
 * @cache: for the methods that allocate from a cache
 */
struct chain_order {
	enum kmprof_test_method method;
	u32 size;
	gfp_t gfp;
	struct kmem_cache *cache;
};

void chain_init(void);
bool chain_can(const struct chain_order *order, enum kmprof_test_context context);
unsigned int chain_alloc(u32 chain, const struct chain_order *order, void **objects,
			 unsigned int count);

#endif /* CHAIN_H */
