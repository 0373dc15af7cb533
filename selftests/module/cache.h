/* SPDX-License-Identifier: GPL-2.0 */
#ifndef CACHE_H
#define CACHE_H

#include <linux/types.h>

struct kmem_cache;

int cache_init(void);
void cache_exit(void);
struct kmem_cache *cache_of_size(u32 size);

#endif /* CACHE_H */
