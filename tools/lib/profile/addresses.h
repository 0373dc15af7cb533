/* SPDX-License-Identifier: GPL-2.0 */
/* All different addresses of a series, each known by its place in their order. */
#ifndef KMPROF_PROFILE_ADDRESSES_H
#define KMPROF_PROFILE_ADDRESSES_H

#include "profile/series.h"

/**
 * struct kmprof_addresses - the addresses
 * @address: return addresses, sorted, each once; 0 is a hidden one
 * @nr: how many
 * @nr_frames: frames of all rows together
 * @deepest: frames of the row that has most
 */
struct kmprof_addresses {
	__u64 *address;
	size_t nr;
	size_t nr_frames;
	__u32 deepest;
};

/**
 * kmprof_addresses_collect() - find them
 * @addresses: filled in; released by kmprof_addresses_release() in any case
 * @series: the profile
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_addresses_collect(struct kmprof_addresses *addresses,
			     const struct kmprof_series *series);
void kmprof_addresses_release(struct kmprof_addresses *addresses);

/* Index of an address that is there. */
size_t kmprof_addresses_find(const struct kmprof_addresses *addresses, __u64 ret_addr);

#endif
