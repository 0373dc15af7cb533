// SPDX-License-Identifier: GPL-2.0
#include <assert.h>
#include <errno.h>
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

void kmprof_series_drop_marks(struct kmprof_series *series)
{
	while (series->course && series->nr_types && series->course[series->nr_types - 1].is_mark)
		series->nr_types--;
}

int kmprof_series_show(struct kmprof_series *series, const char *name, struct kmprof_error *err)
{
	char text[sizeof(err->text)];
	size_t used = 0;
	unsigned int i;

	for (i = 0; i < series->nr_types; i++) {
		if (strcmp(series->types[i].name, name))
			continue;
		series->shown = i;
		return 0;
	}
	for (i = 0; i < series->nr_types && used < sizeof(text); i++)
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s",
					 i ? ", " : "", series->types[i].name);
	return kmprof_error_set(err, -ENOENT, NULL, "%s: no such column; there are: %s", name,
				text);
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

const struct kmprof_series_label *kmprof_row_find_label(const struct kmprof_series_row *row,
							const char *key)
{
	unsigned int i;

	for (i = 0; i < row->nr_labels; i++)
		if (!strcmp(row->label[i].key, key))
			return &row->label[i];
	return NULL;
}

char *kmprof_row_room(struct kmprof_series_row *row, size_t size)
{
	char *text = row->room + row->used;

	assert(size <= KMPROF_SERIES_ROOM - row->used);
	row->used += size;
	return text;
}
