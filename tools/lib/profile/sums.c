// SPDX-License-Identifier: GPL-2.0
#include "profile/sums.h"
#include "profile/tables.h"

__u64 kmprof_largest_period(const struct kmprof_image *image)
{
	struct kmprof_table rows = kmprof_heap_rows(image);
	const struct kmprof_image_sample *sample;
	__u64 period = 0;
	__u32 i;

	for (i = 0; i < rows.count; i++) {
		sample = kmprof_image_entry(image, &rows, i);
		if (period < sample->period)
			period = sample->period;
	}
	return period;
}

static void add_memory(struct kmprof_amount *alloc, struct kmprof_amount *inuse,
		       const struct kmprof_table *rows, const struct kmprof_image_sample *sample)
{
	kmprof_amount_add_row(alloc, rows, sample, sample->allocs);
	kmprof_amount_add_row(inuse, rows, sample, sample->allocs - sample->frees);
}

static void add_samples(struct kmprof_sums *sums, const struct kmprof_image *image)
{
	struct kmprof_table rows = kmprof_heap_rows(image);
	const struct kmprof_image_sample *sample;
	__u32 i, kind;

	for (i = 0; i < rows.count; i++) {
		sample = kmprof_image_entry(image, &rows, i);
		add_memory(&sums->alloc, &sums->inuse, &rows, sample);
		kind = kmprof_memory_kind(&rows, sample);
		if (kind < KMPROF_MEMORY_KINDS)
			add_memory(&sums->kind[kind].alloc, &sums->kind[kind].inuse, &rows, sample);
		kmprof_amount_add_row(&sums->rcu_pending, &rows, sample, sample->rcu_pending);
	}
}

/* What no release is blamed for goes to @unblamed. */
static void add_delays(struct kmprof_delay_amount *sum, struct kmprof_delay_amount *unblamed,
		       const struct kmprof_image *image, const struct kmprof_table *rows)
{
	const struct kmprof_image_contention *contention;
	struct kmprof_delay_amount amount;
	__u32 i;

	for (i = 0; i < rows->count; i++) {
		contention = kmprof_image_entry(image, rows, i);
		amount = kmprof_delay_amount(contention);
		kmprof_delays_add(kmprof_contention_is_unblamed(contention) ? unblamed : sum,
				  &amount);
	}
}

struct kmprof_sums kmprof_sums(const struct kmprof_image *image)
{
	struct kmprof_table block = kmprof_block_rows(image), mutex = kmprof_mutex_rows(image);
	struct kmprof_sums sums = { 0 };

	add_samples(&sums, image);
	add_delays(&sums.waits, &sums.unblamed, image, &block);
	add_delays(&sums.releases, &sums.unblamed, image, &mutex);
	return sums;
}
