// SPDX-License-Identifier: GPL-2.0
#include <math.h>

#include "image/ledger.h"
#include "image/memory.h"
#include "profile/limit.h"
#include "profile/tables.h"
#include "util/saturate.h"

double kmprof_limit_of_period(__u64 period)
{
	return period > 1 ? -log(0.05) * (double)period : 0;
}

bool kmprof_limit_inuse(struct kmprof_limit *limit, const struct kmprof_image *image,
			const struct kmprof_sums *sums)
{
	/* There are no more than these, as some are objects of other kinds. */
	__u64 pages = kmprof_image_value(image, "total.pages_allocated");
	__u64 alloc_calls = kmprof_saturated_count(kmprof_memory_calls(image), pages);
	__u64 heap_rate = kmprof_image_value(image, "heap_rate");
	__u64 period = kmprof_largest_period(image);
	struct kmprof_ledger_account account;

	if (sums->inuse.objects > 0)
		return false;
	if (period < heap_rate)
		period = heap_rate;

	*limit = (struct kmprof_limit){ 0, "", ", as nothing was allocated" };
	if (!alloc_calls)
		return true;
	limit->bytes = (double)kmprof_memory_bytes(image) + (double)pages * 4096;
	limit->before = "no sample, at most ";
	limit->behind = ", all allocated";
	account = kmprof_ledger_account(image, kmprof_image_find(image, KMPROF_HEAP_TABLE));
	if (account.filtered) {
		limit->before = "heap_filter has left out samples, at most ";
	} else if (account.lost) {
		limit->before = "only lost samples, at most ";
	} else if (account.sampled == alloc_calls) {
		*limit = (struct kmprof_limit){ 0, "", ", as every allocation was sampled" };
	} else if (period > 1 && kmprof_limit_of_period(period) < limit->bytes) {
		limit->bytes = kmprof_limit_of_period(period);
		limit->before = "no sample, less than ";
		limit->behind = " (95 % confidence)";
	}
	return true;
}
