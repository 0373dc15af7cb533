/* SPDX-License-Identifier: GPL-2.0 */
#ifndef FREE_H
#define FREE_H

#include "kmprof_test.h"

struct kmem_cache;

bool free_can(enum kmprof_test_free_method method, u32 size, bool from_cache,
	      enum kmprof_test_context context);
void free_objects(enum kmprof_test_free_method method, struct kmem_cache *cache,
		  void **objects, unsigned int count);

#endif /* FREE_H */
