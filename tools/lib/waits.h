/* SPDX-License-Identifier: GPL-2.0 */
/* What the contention table of an image estimates, and its entries in order. */
#ifndef KMPROF_LIB_WAITS_H
#define KMPROF_LIB_WAITS_H

#include "image.h"

/**
 * struct kmprof_waits_amount - an estimate
 * @count: waits, times 1 << KMPROF_WAIT_COUNT_SHIFT
 * @delay_ns: what they took
 * @longest_ns: the longest of those that were sampled
 *
 * Sums that do not fit are the largest number: files may claim anything.
 */
struct kmprof_waits_amount {
	__u64 count;
	__u64 delay_ns;
	__u64 longest_ns;
};

void kmprof_waits_add(struct kmprof_waits_amount *sum, const struct kmprof_waits_amount *more);

/* What one entry of the table estimates. */
struct kmprof_waits_amount kmprof_waits_amount(const struct kmprof_image_contention *contention);

/* A count without its fraction: the nearest integer, but 0 for nothing only. */
__u64 kmprof_waits_whole(__u64 count);

/* A count with its fraction. */
double kmprof_waits_real(__u64 count);

/* What one wait took, in ns, on average. */
double kmprof_waits_mean(const struct kmprof_waits_amount *amount);

/**
 * struct kmprof_waits - the entries that count anything
 * @entry: array of them, in the image; largest delay first
 * @nr: how many
 */
struct kmprof_waits {
	const struct kmprof_image_contention **entry;
	size_t nr;
};

/**
 * kmprof_waits_build() - order the contention table
 * @waits: filled in; refers to the image
 * @image: a valid image
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_waits_build(struct kmprof_waits *waits, const struct kmprof_image *image,
		       struct kmprof_error *err);
void kmprof_waits_release(struct kmprof_waits *waits);

#endif
