// SPDX-License-Identifier: GPL-2.0
/*
 * Estimates and their errors. The plain 1 - exp(-x) rather than expm1(): pprof
 * computes it so when it scales the text format itself, and both ways of
 * reading one snapshot must give the same number. The digits lost (relative
 * 1e-11 at worst) are far below the sampling error.
 */
#include <limits.h>
#include <math.h>

#include "image/memory.h"
#include "profile/scale.h"
#include "util/saturate.h"

double kmprof_scale(__u64 size, __u64 period)
{
	double p;

	if (period <= 1)
		return 1;
	p = 1 - exp(-((double)size / (double)period));
	/* Unreachable for images that passed their check, but never infinite. */
	return p > 0 ? 1 / p : 1;
}

/* Files may claim any count: what does not fit is the largest number. */
static __s64 whole(double v)
{
	return v < 9223372036854775808.0 ? (__s64)v : LLONG_MAX;
}

void kmprof_amount_add(struct kmprof_amount *amount, __u64 count, __u64 size, __u64 period)
{
	double scale = kmprof_scale(size, period);
	double n = (double)count, s = (double)size;

	amount->objects += n * scale;
	amount->bytes += n * s * scale;
	amount->variance += n * s * s * scale * (scale - 1);
	amount->whole_objects = kmprof_saturated_sum(amount->whole_objects, whole(n * scale));
	amount->whole_bytes = kmprof_saturated_sum(amount->whole_bytes, whole(n * s * scale));
}

void kmprof_amount_add_row(struct kmprof_amount *amount, const struct kmprof_table *rows,
			   const struct kmprof_image_sample *sample, __u64 count)
{
	struct kmprof_amount row = { 0 };

	kmprof_amount_add(&row, count, sample->object_size, sample->period);
	row.variance *= kmprof_memory_together(rows, sample);
	kmprof_amount_merge(amount, &row);
}

void kmprof_amount_merge(struct kmprof_amount *sum, const struct kmprof_amount *more)
{
	sum->objects += more->objects;
	sum->bytes += more->bytes;
	sum->variance += more->variance;
	sum->whole_objects = kmprof_saturated_sum(sum->whole_objects, more->whole_objects);
	sum->whole_bytes = kmprof_saturated_sum(sum->whole_bytes, more->whole_bytes);
}

double kmprof_amount_error(const struct kmprof_amount *amount)
{
	return sqrt(amount->variance);
}

__u64 kmprof_scale_recount(__u64 count, __u64 size, __u64 period, __u64 to, double *carry)
{
	double exact, rounded;

	if (period == to || !count)
		return count;
	exact = (double)count * kmprof_scale(size, period) / kmprof_scale(size, to) + *carry;
	/* The carry is never below -0.5, so neither is this below 0. */
	rounded = floor(exact + 0.5);
	*carry = exact - rounded;
	return (__u64)whole(rounded);
}
