/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the contention table of an image estimates, and the entries of a profile in
 * order. An entry counts waits, or the releases that others have waited for.
 */
#ifndef KMPROF_PROFILE_DELAYS_H
#define KMPROF_PROFILE_DELAYS_H

#include "image/image.h"

/**
 * struct kmprof_delay_amount - an estimate
 * @count: waits or releases, times 1 << KMPROF_WAIT_COUNT_SHIFT
 * @delay_ns: what was waited
 * @longest_ns: the most for one of those that were sampled
 *
 * Sums that do not fit are the largest number: files may claim anything.
 */
struct kmprof_delay_amount {
	__u64 count;
	__u64 delay_ns;
	__u64 longest_ns;
};

void kmprof_delays_add(struct kmprof_delay_amount *sum, const struct kmprof_delay_amount *more);

/* What one entry of the table estimates. */
struct kmprof_delay_amount kmprof_delay_amount(const struct kmprof_image_contention *contention);

/* A count without its fraction: the nearest integer, but 0 for nothing only. */
__u64 kmprof_delays_whole(__u64 count);

/* A count with its fraction. */
double kmprof_delays_real(__u64 count);

/* What was waited for one of them, in ns, on average. */
double kmprof_delays_mean(const struct kmprof_delay_amount *amount);

/**
 * struct kmprof_delays - the entries of a profile that count anything
 * @entry: array of them, in the image; largest delay first
 * @nr: how many
 */
struct kmprof_delays {
	const struct kmprof_image_contention **entry;
	size_t nr;
};

/**
 * kmprof_delays_build() - order the contention table
 * @delays: filled in; refers to the image
 * @image: a valid image
 * @profile: whose entries: KMPROF_PROFILE_BLOCK or KMPROF_PROFILE_MUTEX
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_delays_build(struct kmprof_delays *delays, const struct kmprof_image *image,
			__u32 profile, struct kmprof_error *err);
void kmprof_delays_release(struct kmprof_delays *delays);

#endif
