/* SPDX-License-Identifier: GPL-2.0 */
/* Estimates of all objects from the raw counts of the heap profile. */
#ifndef KMPROF_ESTIMATE_H
#define KMPROF_ESTIMATE_H

#include <linux/types.h>
#include <uapi/linux/kmprof.h>

/**
 * struct kmprof_heap_estimate - estimated sums over samples, each scaled by its own 1/p
 * @inuse_bytes: bytes in use
 * @alloc_bytes: bytes allocated
 * @inuse_variance: variance of @inuse_bytes, in square bytes
 * @alloc_variance: variance of @alloc_bytes, in square bytes
 */
struct kmprof_heap_estimate {
	u64 inuse_bytes;
	u64 alloc_bytes;

	unsigned __int128 inuse_variance;
	unsigned __int128 alloc_variance;
};

u64 kmprof_heap_bytes_of(u64 size, u64 period, u64 objects);
u64 kmprof_heap_bytes(const struct kmprof_image_sample *s, u64 objects);
u64 kmprof_heap_rescale(const struct kmprof_image_sample *s, u64 objects,
			u64 period, u64 *carry);
void kmprof_heap_estimate_add(struct kmprof_heap_estimate *e,
			      const struct kmprof_image_sample *s);
u64 kmprof_heap_error(unsigned __int128 variance);

#endif
