/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the rows of a profile of contentions estimate, and the rows in order. A row counts
 * waits, or the releases that others have waited for.
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

/* What one row estimates. */
struct kmprof_delay_amount kmprof_delay_amount(const struct kmprof_image_contention *contention);

/* A count without its fraction: the nearest integer, but 0 for nothing only. */
__u64 kmprof_delays_whole(__u64 count);

/* A count with its fraction. */
double kmprof_delays_real(__u64 count);

/* What was waited for one of them, in ns, on average. */
double kmprof_delays_mean(const struct kmprof_delay_amount *amount);

/**
 * struct kmprof_delays - the rows of a profile that count anything
 * @entry: array of them, in the image; largest delay first
 * @nr: how many
 */
struct kmprof_delays {
	const struct kmprof_image_contention **entry;
	size_t nr;
};

/**
 * kmprof_delays_build() - order the rows of a profile of contentions
 * @delays: filled in; refers to the image
 * @image: a valid image
 * @rows: of struct kmprof_image_contention
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_delays_build(struct kmprof_delays *delays, const struct kmprof_image *image,
			const struct kmprof_table *rows, struct kmprof_error *err);
void kmprof_delays_release(struct kmprof_delays *delays);

#endif
