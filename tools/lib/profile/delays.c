// SPDX-License-Identifier: GPL-2.0
/*
 * The module has scaled each delay when it was sampled, so that entries of any
 * period, stack and lock can simply be added up.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "profile/delays.h"
#include "util/merge.h"
#include "util/saturate.h"

void kmprof_delays_add(struct kmprof_delay_amount *sum, const struct kmprof_delay_amount *more)
{
	sum->count = kmprof_saturated_count(sum->count, more->count);
	sum->delay_ns = kmprof_saturated_count(sum->delay_ns, more->delay_ns);
	if (sum->longest_ns < more->longest_ns)
		sum->longest_ns = more->longest_ns;
}

struct kmprof_delay_amount kmprof_delay_amount(const struct kmprof_image_contention *contention)
{
	return (struct kmprof_delay_amount) {
		.count		= contention->count,
		.delay_ns	= contention->delay_ns,
		.longest_ns	= contention->longest_ns,
	};
}

__u64 kmprof_delays_whole(__u64 count)
{
	const __u64 one = 1ULL << KMPROF_WAIT_COUNT_SHIFT;
	__u64 whole = count / one;

	if (count % one >= one / 2)
		whole++;
	return !whole && count ? 1 : whole;
}

double kmprof_delays_real(__u64 count)
{
	return (double)count / (1 << KMPROF_WAIT_COUNT_SHIFT);
}

double kmprof_delays_mean(const struct kmprof_delay_amount *amount)
{
	if (!amount->count)
		return 0;
	return (double)amount->delay_ns / kmprof_delays_real(amount->count);
}

static int largest_first(const void *a, const void *b)
{
	const struct kmprof_image_contention *x = *(const struct kmprof_image_contention *const *)a;
	const struct kmprof_image_contention *y = *(const struct kmprof_image_contention *const *)b;
	int ret = kmprof_compare_u64(y->delay_ns, x->delay_ns);

	/* Ties keep the order of the table, so output repeats. */
	return ret ? ret : (x > y) - (x < y);
}

int kmprof_delays_build(struct kmprof_delays *delays, const struct kmprof_image *image,
			const struct kmprof_table *rows, struct kmprof_error *err)
{
	const struct kmprof_image_contention *contention;
	__u32 i;

	memset(delays, 0, sizeof(*delays));
	delays->entry = calloc((size_t)rows->count + 1, sizeof(*delays->entry));
	if (!delays->entry)
		return kmprof_error_set(err, -ENOMEM, NULL, "sorting the delays: out of memory");
	for (i = 0; i < rows->count; i++) {
		contention = kmprof_image_entry(image, rows, i);
		if (contention->count)
			delays->entry[delays->nr++] = contention;
	}
	qsort(delays->entry, delays->nr, sizeof(*delays->entry), largest_first);
	return 0;
}

void kmprof_delays_release(struct kmprof_delays *delays)
{
	free(delays->entry);
	memset(delays, 0, sizeof(*delays));
}
