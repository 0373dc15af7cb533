// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <string.h>

#include "profile/series.h"

void kmprof_series_numbers(const struct kmprof_series *series, size_t i,
			   struct kmprof_series_row *row)
{
	/* What is behind is large, and counted by what is before. */
	memset(row, 0, offsetof(struct kmprof_series_row, label));
	row->nowhere = "";
	series->ops->numbers(series, i, row);
}

void kmprof_series_row(const struct kmprof_series *series, size_t i,
		       struct kmprof_series_row *row)
{
	kmprof_series_numbers(series, i, row);
	if (series->ops->labels)
		series->ops->labels(series, i, row);
}

void kmprof_series_release(struct kmprof_series *series)
{
	if (series->ops && series->ops->release)
		series->ops->release(series);
	kmprof_lines_release(&series->facts);
	kmprof_lines_release(&series->summary);
	kmprof_losses_release(&series->losses);
	memset(series, 0, sizeof(*series));
}

static struct kmprof_series_label *add_label(struct kmprof_series_row *row, const char *key)
{
	struct kmprof_series_label *label;

	assert(row->nr_labels < KMPROF_SERIES_LABELS);
	label = &row->label[row->nr_labels++];
	memset(label, 0, sizeof(*label));
	label->key = key;
	return label;
}

void kmprof_row_add_text(struct kmprof_series_row *row, const char *key, const char *text)
{
	add_label(row, key)->text = text;
}

void kmprof_row_add_number(struct kmprof_series_row *row, const char *key, __u64 number,
			   const char *unit)
{
	struct kmprof_series_label *label = add_label(row, key);

	label->number = number;
	label->unit = unit;
}

char *kmprof_row_room(struct kmprof_series_row *row, size_t size)
{
	char *text = row->room + row->used;

	assert(size <= KMPROF_SERIES_ROOM - row->used);
	row->used += size;
	return text;
}
