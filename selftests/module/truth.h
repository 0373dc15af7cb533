/* SPDX-License-Identifier: GPL-2.0 */
#ifndef TRUTH_H
#define TRUTH_H

#include <linux/atomic.h>
#include <linux/types.h>

/**
 * struct truth - what really happened to the objects of one chain and size
 * @chain: call chain
 * @size: bytes per object
 * @allocs: objects allocated
 * @frees: objects freed
 */
struct truth {
	u32 chain;
	u32 size;
	atomic64_t allocs;
	atomic64_t frees;
};

struct truth *truth_get(u32 chain, u32 size);
struct truth *truth_find(u32 chain, u32 size);
void truth_forget(void);

#endif /* TRUTH_H */
