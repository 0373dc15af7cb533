// SPDX-License-Identifier: GPL-2.0
#include "profile/sums.h"

/* What an entry of the contention table is a part of; NULL: nothing known. */
static struct kmprof_delay_amount *sum_of(struct kmprof_sums *sums,
					  const struct kmprof_image_contention *contention)
{
	switch (contention->profile) {
	case KMPROF_PROFILE_BLOCK:
		return &sums->waits;
	case KMPROF_PROFILE_MUTEX:
		return kmprof_contention_is_unblamed(contention) ? &sums->unblamed :
								   &sums->releases;
	default:
		return NULL;
	}
}

__u64 kmprof_largest_period(const struct kmprof_image *image)
{
	const struct kmprof_image_sample *sample;
	__u64 period = 0;
	__u32 i;

	for (i = 0; i < image->header.samples.count; i++) {
		sample = kmprof_image_sample(image, i);
		if (sample->profile == KMPROF_PROFILE_HEAP && period < sample->period)
			period = sample->period;
	}
	return period;
}

struct kmprof_sums kmprof_sums(const struct kmprof_image *image)
{
	const struct kmprof_image_contention *contention;
	const struct kmprof_image_sample *sample;
	struct kmprof_delay_amount amount, *sum;
	struct kmprof_sums sums = { 0 };
	__u32 i;

	for (i = 0; i < image->header.samples.count; i++) {
		sample = kmprof_image_sample(image, i);
		if (sample->profile != KMPROF_PROFILE_HEAP)
			continue;
		kmprof_amount_add(&sums.alloc, sample->allocs, sample->object_size,
				  sample->period);
		kmprof_amount_add(&sums.inuse, sample->allocs - sample->frees,
				  sample->object_size, sample->period);
		kmprof_amount_add(&sums.rcu_pending, sample->rcu_pending, sample->object_size,
				  sample->period);
	}
	for (i = 0; i < image->header.contentions.count; i++) {
		contention = kmprof_image_contention(image, i);
		sum = sum_of(&sums, contention);
		if (!sum)
			continue;
		amount = kmprof_delay_amount(contention);
		kmprof_delays_add(sum, &amount);
	}
	return sums;
}
