// SPDX-License-Identifier: GPL-2.0
/*
 * Merges buckets. Each bucket is scaled by itself, with its own size and
 * period, before it is added: only so are sums over different sizes and over
 * changes of the rate unbiased.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/memory.h"
#include "profile/aggregate.h"
#include "profile/tables.h"
#include "util/merge.h"

static int by_stack_and_object(const void *a, const void *b)
{
	const struct kmprof_site *x = a, *y = b;
	int ret;

	ret = kmprof_compare_stack(x->frames, x->nr_frames, y->frames, y->nr_frames);
	if (!ret)
		ret = kmprof_compare_u64(x->kind, y->kind);
	return ret ? ret : kmprof_compare_u64(x->object_size, y->object_size);
}

static void add_site(void *sum, const void *more)
{
	struct kmprof_site *to = sum;
	const struct kmprof_site *from = more;

	kmprof_amount_merge(&to->alloc, &from->alloc);
	kmprof_amount_merge(&to->inuse, &from->inuse);
}

int kmprof_sites_build(struct kmprof_sites *sites, const struct kmprof_image *image,
		       enum kmprof_aggregate_by by, struct kmprof_error *err)
{
	struct kmprof_table rows = kmprof_heap_rows(image);
	const struct kmprof_image_sample *sample;
	struct kmprof_site *site;
	__u32 i;

	memset(sites, 0, sizeof(*sites));
	sites->site = calloc((size_t)rows.count + 1, sizeof(*sites->site));
	if (!sites->site)
		return kmprof_error_set(err, -ENOMEM, NULL, "adding up the samples: out of memory");

	for (i = 0; i < rows.count; i++) {
		sample = kmprof_image_entry(image, &rows, i);
		site = &sites->site[sites->nr++];
		site->frames = kmprof_image_stack(image, &sample->row);
		site->nr_frames = sample->row.nr_frames;
		site->kind = kmprof_memory_kind(&rows, sample);
		if (by == KMPROF_BY_STACK_AND_SIZE)
			site->object_size = sample->object_size;
		kmprof_amount_add_row(&site->alloc, &rows, sample, sample->allocs);
		kmprof_amount_add_row(&site->inuse, &rows, sample,
				      sample->allocs - sample->frees);
	}

	sites->nr = kmprof_merge(sites->site, sites->nr, sizeof(*sites->site), by_stack_and_object,
				 add_site);
	return 0;
}

void kmprof_sites_release(struct kmprof_sites *sites)
{
	free(sites->site);
	memset(sites, 0, sizeof(*sites));
}

static int larger_first(double a, double b)
{
	return (a < b) - (a > b);
}

static int by_inuse(const void *a, const void *b)
{
	const struct kmprof_site *x = a, *y = b;
	int ret = larger_first(x->inuse.bytes, y->inuse.bytes);

	return ret ? ret : by_stack_and_object(a, b);
}

static int by_alloc(const void *a, const void *b)
{
	const struct kmprof_site *x = a, *y = b;
	int ret = larger_first(x->alloc.bytes, y->alloc.bytes);

	return ret ? ret : by_stack_and_object(a, b);
}

void kmprof_sites_sort(struct kmprof_sites *sites, enum kmprof_sort by)
{
	qsort(sites->site, sites->nr, sizeof(*sites->site),
	      by == KMPROF_SORT_ALLOC ? by_alloc : by_inuse);
}
