// SPDX-License-Identifier: GPL-2.0
/*
 * The profiles of memory as a series: a row for each bucket.
 *
 * The values of a row are estimates. Go's text of a heap profile has raw counts instead,
 * which its reader scales by the one rate of the first line. A bucket that was sampled
 * with another period is therefore counted again as if it had been sampled with that
 * rate, and rounded to whole objects so that the sums are right; one stack may be off by
 * one sample.
 */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "image/marks.h"
#include "image/memory.h"
#include "profile/heap.h"
#include "profile/label.h"
#include "profile/limit.h"
#include "profile/nowhere.h"
#include "profile/summary.h"
#include "profile/sums.h"
#include "util/merge.h"

/* In the order of Go's heap profile: allocations before memory in use. */
enum {
	ALLOC_OBJECTS,
	ALLOC_SPACE,
	INUSE_OBJECTS,
	INUSE_SPACE,
	FIRST_OF_MARKS,	/* objects and space of each mark that the image has */
	MOST_VALUES = FIRST_OF_MARKS + 2 * KMPROF_MARKS,
};

/* The last one is not known of rows of an older module. */
static const struct kmprof_usual_label usual[] = {
	{ "kind", "slab" },
	{ "gfp", KMPROF_MEMORY_GFP_USUAL },
};

static const struct kmprof_value_type types[FIRST_OF_MARKS] = {
	[ALLOC_OBJECTS]	= { "alloc_objects", "count" },
	[ALLOC_SPACE]	= { "alloc_space", "bytes" },
	[INUSE_OBJECTS]	= { "inuse_objects", "count" },
	[INUSE_SPACE]	= { "inuse_space", "bytes" },
};

static const struct kmprof_value_course course[FIRST_OF_MARKS] = {
	[ALLOC_OBJECTS]	= { .is_sum = true },
	[ALLOC_SPACE]	= { .is_sum = true, .has_variance = true },
	[INUSE_OBJECTS]	= { .came = 1 + ALLOC_OBJECTS },
	[INUSE_SPACE]	= { .came = 1 + ALLOC_SPACE, .has_variance = true },
};

/**
 * struct bucket - a bucket of the image
 * @sample: the bucket
 * @frames: its stack
 * @kind: kind of memory
 * @cache: its slab cache, or ""
 * @gfp: the class of its GFP flags, or NULL
 * @label: whose it is, or NULL
 * @alloc: objects allocated, counted for the rate of the text
 * @inuse: of these, in use
 */
struct bucket {
	const struct kmprof_image_sample *sample;
	const __u64 *frames;
	__u32 kind;
	const char *cache;
	const char *gfp;
	const struct kmprof_image_label *label;
	__u64 alloc;
	__u64 inuse;
};

/**
 * struct heap - the buckets, in the order of stacks, sizes, labels and caches
 * @cgroups: for labels
 * @sort: what is shown first
 * @rows: their table
 * @mark: the marks that the image has
 * @nr_marks: number of @mark
 * @types: what the values are
 * @course: how they go on
 * @bucket: the buckets
 */
struct heap {
	struct kmprof_cgroups cgroups;
	enum kmprof_sort sort;
	struct kmprof_table rows;
	const struct kmprof_mark *mark[KMPROF_MARKS];
	unsigned int nr_marks;
	struct kmprof_value_type types[MOST_VALUES];
	struct kmprof_value_course course[MOST_VALUES];
	struct bucket bucket[];
};

/* pprof takes signed 64-bit numbers; only a made-up image has more. */
static __u64 limited(__u64 v)
{
	return v > LLONG_MAX ? LLONG_MAX : v;
}

/*
 * The rate that the reader of the text will scale by: the one in force. While off there
 * is none; then the largest that samples were taken with, as the module does.
 */
static __u64 shown_rate(const struct kmprof_image *image)
{
	__u64 rate = kmprof_image_value(image, "heap_rate");

	if (!rate)
		rate = kmprof_largest_period(image);
	return rate ? rate : 1;
}

static int by_stack_and_object(const void *a, const void *b)
{
	const struct bucket *x = a, *y = b;
	int ret;

	ret = kmprof_compare_stack(x->frames, x->sample->row.nr_frames, y->frames,
				   y->sample->row.nr_frames);
	if (!ret)
		ret = kmprof_compare_u64(x->kind, y->kind);
	if (!ret)
		ret = kmprof_compare_u64(x->sample->object_size, y->sample->object_size);
	if (!ret)
		ret = kmprof_label_compare(x->label, y->label);
	if (!ret)
		ret = strcmp(x->cache, y->cache);
	if (!ret && x->gfp && y->gfp)
		ret = strcmp(x->gfp, y->gfp);
	return ret ? ret : (x->sample > y->sample) - (x->sample < y->sample);
}

/* Counts the buckets for the rate of the text, in the order of the image. */
static int fill(struct kmprof_series *series, struct heap *heap, const struct kmprof_image *image,
		const struct kmprof_table *rows)
{
	const struct kmprof_image_sample *sample;
	double inuse_carry = 0, freed_carry = 0;
	const char *cache;
	size_t recounted = 0, vanished = 0;
	struct bucket *bucket;
	int ret = 0;
	__u32 i;

	for (i = 0; i < rows->count; i++) {
		sample = kmprof_image_entry(image, rows, i);
		bucket = &heap->bucket[series->nr_rows++];
		bucket->sample = sample;
		bucket->frames = kmprof_image_stack(image, &sample->row);
		bucket->kind = kmprof_memory_kind(rows, sample);
		cache = kmprof_sample_cache(rows, sample);
		bucket->cache = cache ? cache : "";
		bucket->gfp = kmprof_memory_gfp(rows, sample);
		bucket->label = kmprof_image_label(image, &sample->row);
		bucket->inuse = limited(kmprof_scale_recount(sample->allocs - sample->frees,
							     sample->object_size, sample->period,
							     series->raw_rate, &inuse_carry));
		/* What was freed apart, so that no more is in use than was allocated. */
		bucket->alloc = kmprof_scale_recount(sample->frees, sample->object_size,
						     sample->period, series->raw_rate,
						     &freed_carry);
		bucket->alloc = limited(bucket->inuse + limited(bucket->alloc));
		recounted += sample->period !=
			     kmprof_memory_period(series->raw_rate,
						  kmprof_memory_together(rows, sample));
		vanished += sample->allocs && !bucket->alloc;
	}
	if (recounted)
		ret = kmprof_lines_add(&series->facts, "recounted %zu", recounted);
	if (recounted && !ret)
		ret = kmprof_lines_add(&series->facts, "recounted_to_zero %zu", vanished);
	return ret;
}

static const __u64 *heap_stack(const struct kmprof_series *series, size_t i, __u32 *nr)
{
	const struct heap *heap = series->data;

	*nr = heap->bucket[i].sample->row.nr_frames;
	return heap->bucket[i].frames;
}

static void add_mark(struct heap *heap, const struct kmprof_mark *mark)
{
	unsigned int i = FIRST_OF_MARKS + 2 * heap->nr_marks;

	heap->mark[heap->nr_marks++] = mark;
	heap->types[i] = (struct kmprof_value_type){ mark->objects, "count" };
	heap->types[i + 1] = (struct kmprof_value_type){ mark->space, "bytes" };
	heap->course[i] = (struct kmprof_value_course){ .is_mark = true };
	heap->course[i + 1] = (struct kmprof_value_course){ .is_mark = true, .has_variance = true };
}

/* Returns how many values there are. */
static unsigned int set_types(struct heap *heap, const struct kmprof_image *image)
{
	unsigned int i;

	memcpy(heap->types, types, sizeof(types));
	memcpy(heap->course, course, sizeof(course));
	for (i = 0; i < KMPROF_MARKS; i++)
		if (kmprof_has_mark(image, &heap->rows, &kmprof_marks[i]))
			add_mark(heap, &kmprof_marks[i]);
	return FIRST_OF_MARKS + 2 * heap->nr_marks;
}

static void put_mark(const struct heap *heap, unsigned int i,
		     const struct kmprof_image_sample *sample, struct kmprof_series_row *row)
{
	unsigned int to = FIRST_OF_MARKS + 2 * i;
	struct kmprof_amount amount = { 0 };

	kmprof_amount_add_row(&amount, &heap->rows, sample,
			      kmprof_mark_objects(sample, heap->mark[i]));
	row->value[to] = amount.whole_objects;
	row->value[to + 1] = amount.whole_bytes;
	row->variance[to + 1] = amount.variance;
}

static void heap_numbers(const struct kmprof_series *series, size_t i,
			 struct kmprof_series_row *row)
{
	const struct heap *heap = series->data;
	const struct bucket *bucket = &heap->bucket[i];
	const struct kmprof_image_sample *sample = bucket->sample;
	struct kmprof_amount alloc = { 0 }, inuse = { 0 };
	unsigned int k;

	kmprof_amount_add_row(&alloc, &heap->rows, sample, sample->allocs);
	kmprof_amount_add_row(&inuse, &heap->rows, sample, sample->allocs - sample->frees);
	row->value[ALLOC_OBJECTS] = alloc.whole_objects;
	row->value[ALLOC_SPACE] = alloc.whole_bytes;
	row->value[INUSE_OBJECTS] = inuse.whole_objects;
	row->value[INUSE_SPACE] = inuse.whole_bytes;
	row->variance[ALLOC_SPACE] = alloc.variance;
	row->variance[INUSE_SPACE] = inuse.variance;
	for (k = 0; k < heap->nr_marks; k++)
		put_mark(heap, k, sample, row);
	row->weight = heap->sort == KMPROF_SORT_ALLOC ? alloc.bytes : inuse.bytes;
	row->order = (__u64)(uintptr_t)sample;
	row->nowhere = kmprof_nowhere_names[KMPROF_NO_STACK];
	if (bucket->kind != KMPROF_KIND_SLAB)
		row->raw_kind = kmprof_memory_name(bucket->kind,
						   kmprof_row_room(row, KMPROF_MEMORY_NAME));
	row->raw_size = sample->object_size;
	row->raw_inuse = bucket->inuse;
	row->raw_alloc = bucket->alloc;
}

static void heap_labels(const struct kmprof_series *series, size_t i,
			struct kmprof_series_row *row)
{
	const struct heap *heap = series->data;

	/* The size is first: a text knows it by that. */
	kmprof_row_add_number(row, "bytes", heap->bucket[i].sample->object_size, "bytes");
	/* A profile of slabs alone has no kinds. */
	if (row->raw_kind)
		kmprof_row_add_text(row, "kind", row->raw_kind);
	if (*heap->bucket[i].cache)
		kmprof_row_add_text(row, "cache", heap->bucket[i].cache);
	/* Nor has it this, of most rows. */
	if (heap->bucket[i].gfp && strcmp(heap->bucket[i].gfp, KMPROF_MEMORY_GFP_USUAL))
		kmprof_row_add_text(row, "gfp", heap->bucket[i].gfp);
	kmprof_label_add(row, heap->bucket[i].label, &heap->cgroups);
}

static void heap_release(struct kmprof_series *series)
{
	struct heap *heap = series->data;

	if (heap)
		kmprof_cgroups_release(&heap->cgroups);
	free(heap);
}

static const struct kmprof_series_ops heap_ops = {
	.stack		= heap_stack,
	.numbers	= heap_numbers,
	.labels		= heap_labels,
	.release	= heap_release,
};

int kmprof_heap_series(struct kmprof_series *series, const struct kmprof_image *image,
		       const struct kmprof_resolver *resolver,
		       const struct kmprof_profile *profile, struct kmprof_error *err)
{
	size_t nr = profile->rows.count;
	struct heap *heap;

	heap = calloc(1, sizeof(*heap) + nr * sizeof(heap->bucket[0]));
	if (!heap)
		return kmprof_error_set(err, -ENOMEM, NULL, "sorting the samples: out of memory");
	heap->sort = profile->kind->sort;
	heap->rows = profile->rows;
	series->nr_types = set_types(heap, image);
	series->types = heap->types;
	series->course = heap->course;
	series->shown = heap->sort == KMPROF_SORT_ALLOC ? ALLOC_SPACE : INUSE_SPACE;
	series->period_type = (struct kmprof_value_type){ "space", "bytes" };
	series->period = kmprof_image_value(image, "heap_rate");
	series->form = KMPROF_FORM_HEAP;
	series->usual = usual;
	series->nr_usual = ARRAY_SIZE(usual) - !kmprof_memory_has_gfp(&heap->rows);
	series->raw_rate = shown_rate(image);
	series->ops = &heap_ops;
	series->data = heap;
	if (fill(series, heap, image, &profile->rows))
		return kmprof_error_set(err, -ENOMEM, NULL, "sorting the samples: out of memory");
	qsort(heap->bucket, series->nr_rows, sizeof(heap->bucket[0]), by_stack_and_object);
	return kmprof_label_load_cgroups(&heap->cgroups, image, &profile->rows, resolver, err);
}

/* Those of slabs, and of the other kinds that have any. */
static void put_totals(FILE *file, const struct kmprof_image *image)
{
	const char *name;
	__u64 bytes;
	size_t i;

	for (i = 0; i < KMPROF_MEMORY_KINDS; i++) {
		if (kmprof_memory_kinds[i].is_more)
			continue;
		name = kmprof_memory_kinds[i].bytes;
		bytes = kmprof_image_value(image, name);
		if (bytes || i == KMPROF_KIND_SLAB)
			fprintf(file, "%s %llu, ", name, bytes);
	}
}

void kmprof_heap_summary(FILE *file, const struct kmprof_image *image,
			 const struct kmprof_profile *profile)
{
	struct kmprof_sums sums = kmprof_sums(image);
	const struct kmprof_amount *amount = &sums.inuse;
	struct kmprof_limit limit;
	const char *name = "inuse";

	if (profile->kind->sort == KMPROF_SORT_ALLOC) {
		amount = &sums.alloc;
		name = "alloc";
	}
	fprintf(file, "heap_rate %llu, ", kmprof_image_value(image, "heap_rate"));
	put_totals(file, image);
	if (amount == &sums.inuse && kmprof_limit_inuse(&limit, image, &sums)) {
		fprintf(file, "in use: %s%.0f bytes%s", limit.before, limit.bytes, limit.behind);
		return;
	}
	fprintf(file, "estimate.%s_bytes %.0f, estimate.%s_bytes.standard_error %.0f", name,
		amount->bytes, name, kmprof_amount_error(amount));
}

static int put_amount(struct kmprof_lines *lines, const char *name,
		      const struct kmprof_amount *amount)
{
	int ret = kmprof_lines_add(lines, "estimate.%s_bytes %.0f", name, amount->bytes);

	return ret ? ret : kmprof_lines_add(lines, "estimate.%s_bytes.standard_error %.0f", name,
					    kmprof_amount_error(amount));
}

int kmprof_heap_facts(struct kmprof_lines *lines, const struct kmprof_image *image)
{
	struct kmprof_sums sums = kmprof_sums(image);
	int ret;

	ret = put_amount(lines, "alloc", &sums.alloc);
	if (!ret)
		ret = put_amount(lines, "inuse", &sums.inuse);
	return ret ? ret : kmprof_lines_add(lines, "estimate.rcu_pending_bytes %.0f",
					    sums.rcu_pending.bytes);
}
