// SPDX-License-Identifier: GPL-2.0
/*
 * The text holds raw counts; pprof scales them by the one rate of the first
 * line. A bucket that was sampled with another period is therefore counted
 * again as if it had been sampled with that rate, and rounded to whole objects
 * so that the sums are right; one stack may be off by one sample.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "export/text.h"
#include "profile/facts.h"
#include "profile/heap.h"

/**
 * struct row - a bucket as it is printed
 * @sample: the bucket
 * @alloc: objects allocated, counted for the rate of the first line
 * @inuse: of these, in use
 * @key: estimated bytes, to sort by
 */
struct row {
	const struct kmprof_image_sample *sample;
	__u64 alloc;
	__u64 inuse;
	double key;
};

struct rows {
	struct row *row;
	size_t nr;
	size_t recounted;
	size_t vanished;
	__u64 alloc, alloc_bytes;
	__u64 inuse, inuse_bytes;
	__u64 rate;
	double inuse_carry, freed_carry;
};

/* pprof takes signed 64-bit numbers; only a made-up image has more. */
static __u64 times(__u64 a, __u64 b)
{
	__u64 product;

	if (__builtin_mul_overflow(a, b, &product) || product > LLONG_MAX)
		return LLONG_MAX;
	return product;
}

static __u64 plus(__u64 a, __u64 b)
{
	__u64 sum;

	if (__builtin_add_overflow(a, b, &sum) || sum > LLONG_MAX)
		return LLONG_MAX;
	return sum;
}

static int largest_first(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->key != y->key)
		return x->key < y->key ? 1 : -1;
	return (x->sample > y->sample) - (x->sample < y->sample);
}

static void add_row(struct rows *rows, const struct kmprof_image_sample *sample,
		    enum kmprof_sort sort)
{
	struct kmprof_amount alloc = { 0 }, inuse = { 0 };
	struct row *row = &rows->row[rows->nr++];
	__u64 live = sample->allocs - sample->frees;

	kmprof_amount_add(&alloc, sample->allocs, sample->object_size, sample->period);
	kmprof_amount_add(&inuse, live, sample->object_size, sample->period);

	row->sample = sample;
	row->key = sort == KMPROF_SORT_ALLOC ? alloc.bytes : inuse.bytes;
	row->inuse = plus(0, kmprof_scale_recount(live, sample->object_size, sample->period,
						  rows->rate, &rows->inuse_carry));
	/* What was freed apart, so that no more is in use than was allocated. */
	row->alloc = plus(row->inuse, kmprof_scale_recount(sample->frees, sample->object_size,
							   sample->period, rows->rate,
							   &rows->freed_carry));
	if (sample->period != rows->rate)
		rows->recounted++;
	if (sample->allocs && !row->alloc)
		rows->vanished++;

	rows->alloc = plus(rows->alloc, row->alloc);
	rows->inuse = plus(rows->inuse, row->inuse);
	rows->alloc_bytes = plus(rows->alloc_bytes, times(row->alloc, sample->object_size));
	rows->inuse_bytes = plus(rows->inuse_bytes, times(row->inuse, sample->object_size));
}

/*
 * The rate that the reader will scale by: the one in force. While off there is
 * none; then the largest that samples were taken with, as the module does.
 */
static __u64 shown_rate(const struct kmprof_image *image)
{
	const struct kmprof_image_sample *sample;
	__u64 rate = image->header.heap_rate;
	__u32 i;

	for (i = 0; !image->header.heap_rate && i < image->header.samples.count; i++) {
		sample = kmprof_image_sample(image, i);
		if (sample->profile == KMPROF_PROFILE_HEAP && rate < sample->period)
			rate = sample->period;
	}
	return rate ? rate : 1;
}

static int build_rows(struct rows *rows, const struct kmprof_image *image, enum kmprof_sort sort)
{
	const struct kmprof_image_sample *sample;
	__u32 i;

	memset(rows, 0, sizeof(*rows));
	rows->rate = shown_rate(image);
	rows->row = calloc((size_t)image->header.samples.count + 1, sizeof(*rows->row));
	if (!rows->row)
		return -ENOMEM;
	for (i = 0; i < image->header.samples.count; i++) {
		sample = kmprof_image_sample(image, i);
		if (sample->profile == KMPROF_PROFILE_HEAP)
			add_row(rows, sample, sort);
	}
	qsort(rows->row, rows->nr, sizeof(*rows->row), largest_first);
	return 0;
}

static void put_row(FILE *file, const struct kmprof_image *image,
		    const struct kmprof_resolver *resolver, const struct row *row)
{
	const __u64 *stack = kmprof_image_stack(image, row->sample->first_frame);
	__u64 size = row->sample->object_size;

	fprintf(file, "%llu: %llu [%llu: %llu]", row->inuse, times(row->inuse, size),
		row->alloc, times(row->alloc, size));
	kmprof_text_addresses(file, stack, row->sample->nr_frames);
	kmprof_text_names(file, resolver, stack, row->sample->nr_frames, KMPROF_NO_STACK);
}

int kmprof_heap_write_text(FILE *file, const struct kmprof_image *image,
			   const struct kmprof_resolver *resolver,
			   const struct kmprof_profile_kind *kind, struct kmprof_error *err)
{
	struct rows rows;
	__u64 alloc_bytes;
	size_t i;
	int ret;

	ret = build_rows(&rows, image, kind->sort);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "sorting the samples: %s", strerror(-ret));

	/*
	 * pprof takes a profile whose sums are the same allocated and in use for
	 * one that does not tell the two apart, and looks at no column but one.
	 * It uses these sums for nothing else, so one byte more does no harm.
	 */
	alloc_bytes = rows.alloc_bytes;
	if (alloc_bytes == rows.inuse_bytes)
		alloc_bytes++;
	errno = 0;
	fprintf(file, "heap profile: %llu: %llu [%llu: %llu] @ heap/%llu\n", rows.inuse,
		rows.inuse_bytes, rows.alloc, alloc_bytes, times(2, rows.rate));
	kmprof_facts(image, kind, kmprof_text_fact, file);
	if (rows.recounted)
		fprintf(file, "# recounted %zu\n# recounted_to_zero %zu\n", rows.recounted,
			rows.vanished);
	fputc('\n', file);
	for (i = 0; i < rows.nr && !ferror(file); i++)
		put_row(file, image, resolver, &rows.row[i]);
	free(rows.row);
	return kmprof_text_finish(file, err);
}
