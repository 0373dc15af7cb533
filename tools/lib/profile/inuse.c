// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/ages.h"
#include "image/memory.h"
#include "profile/inuse.h"

/* Does the filter want the stack of each row? A row can have many objects. */
static int choose_rows(bool *wanted, const struct kmprof_image *image,
		       const struct kmprof_table *rows, const struct kmprof_filter *filter,
		       const struct kmprof_resolver *resolver)
{
	const struct kmprof_image_row *row;
	int ret = 0;
	__u32 i;

	for (i = 0; i < rows->count && ret >= 0; i++) {
		row = kmprof_image_entry(image, rows, i);
		ret = kmprof_filter_stack(filter, resolver, kmprof_image_stack(image, row),
					  row->nr_frames);
		wanted[i] = ret > 0;
	}
	return ret < 0 ? ret : 0;
}

static void add(struct kmprof_inuse *inuse, const struct kmprof_image *image,
		const struct kmprof_table *rows, const struct kmprof_image_object *object)
{
	const struct kmprof_image_sample *sample = kmprof_image_entry(image, rows, object->row);

	inuse->object[inuse->nr++] = (struct kmprof_inuse_object) {
		.object	= object,
		.sample	= sample,
		.kind	= kmprof_memory_kind(rows, sample),
		.nr	= (unsigned int)__builtin_popcount(object->parts),
	};
}

static void gather(struct kmprof_inuse *inuse, const struct kmprof_image *image,
		   const struct kmprof_table *rows, const bool *wanted, __u64 older_ns)
{
	__u32 heap = kmprof_image_find(image, "heap");
	const struct kmprof_image_object *object;
	__u32 i;

	for (i = 0; i < image->header.objects.count; i++) {
		object = kmprof_image_object(image, i);
		/* Those of profiles that this program does not know are left out. */
		if (object->profile + 1 != heap || object->row >= rows->count)
			continue;
		inuse->all++;
		if (wanted[object->row] && object->age_ns >= older_ns)
			add(inuse, image, rows, object);
	}
}

/* Those of one age in the order of the addresses, and then of the image. */
static int by_age(const void *a, const void *b)
{
	const struct kmprof_inuse_object *x = a, *y = b;

	if (x->object->age_ns != y->object->age_ns)
		return x->object->age_ns > y->object->age_ns ? -1 : 1;
	if (x->object->address != y->object->address)
		return x->object->address < y->object->address ? -1 : 1;
	return (x->object > y->object) - (x->object < y->object);
}

/* The rows know ages of objects in use, and the image does not list one. */
static bool lists_none(const struct kmprof_image *image, const struct kmprof_table *rows)
{
	const struct kmprof_image_sample *sample;
	__u32 i;

	if (image->header.objects.count)
		return false;
	for (i = 0; i < rows->count; i++) {
		sample = kmprof_image_entry(image, rows, i);
		if (kmprof_has_ages(rows) ? kmprof_ages_sum(sample) :
					    sample->allocs > sample->frees)
			return true;
	}
	return false;
}

int kmprof_inuse_list(struct kmprof_inuse *inuse, const struct kmprof_image *image,
		      const struct kmprof_filter *filter, __u64 older_ns,
		      const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct kmprof_table rows = kmprof_image_rows(image, "heap", KMPROF_ROWS_HEAP);
	int ret = -ENOMEM;
	bool *wanted;

	memset(inuse, 0, sizeof(*inuse));
	if (lists_none(image, &rows))
		return kmprof_error_set(err, -ENOENT,
			"'kmprof record --objects' saves an image that lists them",
			"the image does not list the objects in use");
	wanted = calloc((size_t)rows.count + 1, sizeof(*wanted));
	inuse->object = calloc((size_t)image->header.objects.count + 1, sizeof(*inuse->object));
	if (wanted && inuse->object)
		ret = choose_rows(wanted, image, &rows, filter, resolver);
	if (!ret) {
		gather(inuse, image, &rows, wanted, older_ns);
		qsort(inuse->object, inuse->nr, sizeof(*inuse->object), by_age);
	}
	free(wanted);
	if (!ret)
		return 0;
	kmprof_inuse_release(inuse);
	return kmprof_error_set(err, ret, NULL, "listing the objects: out of memory");
}

void kmprof_inuse_release(struct kmprof_inuse *inuse)
{
	free(inuse->object);
	memset(inuse, 0, sizeof(*inuse));
}
