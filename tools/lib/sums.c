// SPDX-License-Identifier: GPL-2.0
#include "sums.h"

struct kmprof_sums kmprof_sums(const struct kmprof_image *image)
{
	const struct kmprof_image_contention *contention;
	const struct kmprof_image_sample *sample;
	struct kmprof_waits_amount waits;
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
		if (!kmprof_contention_has_waits(contention))
			continue;
		waits = kmprof_waits_amount(contention);
		kmprof_waits_add(&sums.waits, &waits);
	}
	return sums;
}
