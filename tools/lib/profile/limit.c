// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "image/ledger.h"
#include "profile/limit.h"

double kmprof_limit_of_period(__u64 period)
{
	return period > 1 ? -log(0.05) * (double)period : 0;
}

bool kmprof_limit_inuse(struct kmprof_limit *limit, const struct kmprof_image *image,
			const struct kmprof_sums *sums)
{
	const struct kmprof_image_header *h = &image->header;
	__u64 period = kmprof_largest_period(image);

	if (sums->inuse.objects > 0)
		return false;
	if (period < h->heap_rate)
		period = h->heap_rate;

	*limit = (struct kmprof_limit){ 0, "", ", as nothing was allocated" };
	if (!h->alloc_calls)
		return true;
	limit->bytes = (double)h->alloc_bytes;
	limit->before = "no sample, at most ";
	limit->behind = ", all allocated";
	if (kmprof_ledger_account(image, KMPROF_LOSS_SAMPLE).lost) {
		limit->before = "only lost samples, at most ";
	} else if (h->sampled == h->alloc_calls) {
		*limit = (struct kmprof_limit){ 0, "", ", as every allocation was sampled" };
	} else if (period > 1 && kmprof_limit_of_period(period) < limit->bytes) {
		limit->bytes = kmprof_limit_of_period(period);
		limit->before = "no sample, less than ";
		limit->behind = " (95 % confidence)";
	}
	return true;
}
