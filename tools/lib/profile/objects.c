// SPDX-License-Identifier: GPL-2.0
/*
 * A profile that this program knows nothing about but what the directory of the image
 * says: a value for each column. The first column is what is shown, and what rows are
 * sorted by. The values are what they say, so the period is 1.
 */
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

#include "profile/label.h"
#include "profile/nowhere.h"
#include "profile/objects.h"
#include "util/merge.h"

/**
 * struct object - a row that counts anything
 * @row: the row
 * @frames: its stack
 */
struct object {
	const struct kmprof_image_row *row;
	const __u64 *frames;
};

/**
 * struct objects - the rows, in the order of stacks and labels
 * @image: where they are
 * @columns: where their numbers are
 * @type: what these mean
 * @cgroups: for labels
 * @object: the rows
 */
struct objects {
	const struct kmprof_image *image;
	const struct kmprof_image_column *columns[KMPROF_SERIES_VALUES];
	struct kmprof_value_type type[KMPROF_SERIES_VALUES];
	struct kmprof_cgroups cgroups;
	struct object object[];
};

static_assert(KMPROF_LABEL_MOST <= KMPROF_SERIES_LABELS && KMPROF_LABEL_ROOM <= KMPROF_SERIES_ROOM,
	      "there is room for the labels of a task");

static const __u64 *objects_stack(const struct kmprof_series *series, size_t i, __u32 *nr)
{
	const struct objects *objects = series->data;

	*nr = objects->object[i].row->nr_frames;
	return objects->object[i].frames;
}

static void objects_numbers(const struct kmprof_series *series, size_t i,
			    struct kmprof_series_row *row)
{
	const struct objects *objects = series->data;
	const struct kmprof_image_row *from = objects->object[i].row;
	unsigned int n;

	for (n = 0; n < series->nr_types; n++)
		row->value[n] = kmprof_signed(kmprof_column_value(objects->columns[n], from));
	row->weight = kmprof_column_raw(objects->columns[0], from);
	/* Ties keep the order of the table, so output repeats. */
	row->order = (__u64)((const char *)from - objects->image->base);
	row->nowhere = kmprof_nowhere_names[KMPROF_NO_STACK];
}

static void objects_labels(const struct kmprof_series *series, size_t i,
			   struct kmprof_series_row *row)
{
	const struct objects *objects = series->data;

	kmprof_label_add(row, kmprof_image_label(objects->image, objects->object[i].row),
			 &objects->cgroups);
}

static void objects_release(struct kmprof_series *series)
{
	struct objects *objects = series->data;

	if (objects)
		kmprof_cgroups_release(&objects->cgroups);
	free(objects);
}

static const struct kmprof_series_ops objects_ops = {
	.stack		= objects_stack,
	.numbers	= objects_numbers,
	.labels		= objects_labels,
	.release	= objects_release,
};

static int by_stack_and_label(const void *a, const void *b)
{
	const struct object *x = a, *y = b;
	int ret;

	ret = kmprof_compare_stack(x->frames, x->row->nr_frames, y->frames, y->row->nr_frames);
	if (!ret)
		ret = kmprof_compare_u64(x->row->label, y->row->label);
	return ret ? ret : (x->row > y->row) - (x->row < y->row);
}

/* Columns that there is no room for are named among the facts. */
static int fill_columns(struct kmprof_series *series, struct objects *objects,
			const struct kmprof_image *image,
			const struct kmprof_image_profile *profile)
{
	const struct kmprof_image_column *column;
	int ret = 0;
	__u32 i;

	for (i = 0; i < profile->columns.count && !ret; i++) {
		column = kmprof_image_column(image, profile, i);
		if (i >= KMPROF_SERIES_VALUES) {
			ret = kmprof_lines_add(&series->facts, "column_not_shown %s",
					       kmprof_image_string(image, column->name));
			continue;
		}
		objects->columns[i] = column;
		objects->type[i].name = kmprof_image_string(image, column->name);
		objects->type[i].unit = kmprof_image_string(image, column->unit);
		series->nr_types++;
	}
	return ret;
}

static bool counts(const struct kmprof_series *series, const struct objects *objects,
		   const struct kmprof_image_row *row)
{
	unsigned int n;

	for (n = 0; n < series->nr_types; n++)
		if (kmprof_column_raw(objects->columns[n], row))
			return true;
	return false;
}

static void fill_rows(struct kmprof_series *series, struct objects *objects,
		      const struct kmprof_image *image, const struct kmprof_table *rows)
{
	const struct kmprof_image_row *row;
	struct object *object;
	__u32 i;

	for (i = 0; i < rows->count; i++) {
		row = kmprof_image_entry(image, rows, i);
		if (!counts(series, objects, row))
			continue;
		object = &objects->object[series->nr_rows++];
		object->row = row;
		object->frames = kmprof_image_stack(image, row);
	}
	qsort(objects->object, series->nr_rows, sizeof(objects->object[0]), by_stack_and_label);
}

int kmprof_objects_series(struct kmprof_series *series, const struct kmprof_image *image,
			  const struct kmprof_resolver *resolver,
			  const struct kmprof_profile *profile, struct kmprof_error *err)
{
	const struct kmprof_image_profile *from = kmprof_image_profile(image, profile->number);
	size_t nr = profile->rows.count;
	struct objects *objects;

	if (!from->columns.count)
		return kmprof_error_set(err, -EINVAL,
			"'kmprof dump --format image' saves it for a program that knows it",
			"%s: nothing to show: it has no columns", profile->name);
	objects = calloc(1, sizeof(*objects) + nr * sizeof(objects->object[0]));
	if (!objects)
		return kmprof_error_set(err, -ENOMEM, NULL, "sorting the rows: out of memory");
	objects->image = image;
	series->types = objects->type;
	series->period = 1;
	series->form = KMPROF_FORM_COUNT;
	series->ops = &objects_ops;
	series->data = objects;
	if (fill_columns(series, objects, image, from))
		return kmprof_error_set(err, -ENOMEM, NULL, "sorting the rows: out of memory");
	series->period_type = objects->type[0];
	fill_rows(series, objects, image, &profile->rows);
	return kmprof_label_load_cgroups(&objects->cgroups, image, &profile->rows, resolver, err);
}
