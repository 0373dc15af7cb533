/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From what was sampled to what was there: each sampled object of s bytes, at
 * period R, stands for 1 / (1 - exp(-s / R)) objects.
 */
#ifndef KMPROF_PROFILE_SCALE_H
#define KMPROF_PROFILE_SCALE_H

#include <linux/types.h>

/**
 * kmprof_scale() - objects that one sampled object stands for
 * @size: of the object, in bytes
 * @period: sampling period, in bytes; 1 or less: everything was sampled
 *
 * Return: at least 1.
 */
double kmprof_scale(__u64 size, __u64 period);

/**
 * struct kmprof_amount - an estimate
 * @objects: objects
 * @bytes: bytes
 * @variance: of @bytes; the standard error is its square root
 * @whole_objects: objects as pprof has them: each bucket's count is cut to an
 *	integer before summing
 * @whole_bytes: the same for bytes
 */
struct kmprof_amount {
	double objects;
	double bytes;
	double variance;
	__s64 whole_objects;
	__s64 whole_bytes;
};

/**
 * kmprof_amount_add() - add the estimate that a bucket's count gives
 * @amount: sum
 * @count: sampled objects, raw
 * @size: of each, in bytes
 * @period: that they were sampled with
 *
 * Of N objects, each sampled with probability p, n are: N is estimated by n/p,
 * whose variance N (1-p) / p is in turn estimated by n (1-p) / p^2; bytes have
 * that times size^2.
 */
void kmprof_amount_add(struct kmprof_amount *amount, __u64 count, __u64 size, __u64 period);

/**
 * kmprof_amount_add_row() - add the estimate that a count of a row gives
 * @amount: sum
 * @rows: the table of the row
 * @sample: the row
 * @count: sampled objects of it, raw
 *
 * Of k objects that were sampled together, each adds at most k times the variance.
 */
void kmprof_amount_add_row(struct kmprof_amount *amount, const struct kmprof_table *rows,
			   const struct kmprof_image_sample *sample, __u64 count);

/* Adds @more to @sum; both were sampled independently. */
void kmprof_amount_merge(struct kmprof_amount *sum, const struct kmprof_amount *more);

/* Standard error of the bytes. */
double kmprof_amount_error(const struct kmprof_amount *amount);

/**
 * kmprof_scale_recount() - a bucket's count as if another period had been used
 * @count: sampled objects, raw
 * @size: of each, in bytes
 * @period: that they were sampled with
 * @to: period that the reader will scale with
 * @carry: what rounding left over from the buckets before, 0 at first; most
 *	buckets have one or two samples, so rounding each by itself would bias
 *	the sum by much
 *
 * Return: the integer that comes closest to the same estimate.
 */
__u64 kmprof_scale_recount(__u64 count, __u64 size, __u64 period, __u64 to, double *carry);

#endif
