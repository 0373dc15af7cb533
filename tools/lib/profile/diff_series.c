// SPDX-License-Identifier: GPL-2.0
/* A difference as a series, for formats that have no more than one number for each value. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/diff.h"
#include "util/memory_file.h"

enum { NAME_TEXT = 96 };

/**
 * struct content - what the series refers to
 * @diff: the difference
 * @type: the changes, then values of B
 * @of: for each of these, the number of the value
 * @name: of the values of B
 */
struct content {
	const struct kmprof_diff *diff;
	struct kmprof_value_type type[KMPROF_SERIES_VALUES];
	unsigned int of[KMPROF_SERIES_VALUES];
	char name[KMPROF_SERIES_VALUES][NAME_TEXT];
};

static const __u64 *diff_stack(const struct kmprof_series *series, size_t i, __u32 *nr)
{
	const struct content *content = series->data;
	const struct kmprof_diff_row *from = &content->diff->row[i];

	*nr = from->nr;
	return from->frames;
}

static void diff_numbers(const struct kmprof_series *series, size_t i,
			 struct kmprof_series_row *row)
{
	const struct content *content = series->data;
	const struct kmprof_diff *diff = content->diff;
	const struct kmprof_diff_row *from = &diff->row[i];
	unsigned int n;

	for (n = 0; n < series->nr_types; n++)
		row->value[n] = n < diff->b->nr_types ? from->value[n].change :
							from->value[content->of[n]].b;
	row->order = i;
	row->nowhere = from->nowhere;
}

static void diff_labels(const struct kmprof_series *series, size_t i,
			struct kmprof_series_row *row)
{
	const struct content *content = series->data;
	enum kmprof_diff_state state = content->diff->row[i].state;

	if (state != KMPROF_DIFF_BOTH)
		kmprof_row_add_text(row, "diff", kmprof_diff_states[state]);
}

static void diff_release(struct kmprof_series *series)
{
	free(series->data);
}

static const struct kmprof_series_ops diff_ops = {
	.stack		= diff_stack,
	.numbers	= diff_numbers,
	.labels		= diff_labels,
	.release	= diff_release,
};

static void add_types(struct kmprof_series *series, struct content *content)
{
	const struct kmprof_diff *diff = content->diff;
	unsigned int i, n = diff->b->nr_types;

	memcpy(content->type, diff->b->types, n * sizeof(content->type[0]));
	for (i = 0; i < diff->b->nr_types && n < KMPROF_SERIES_VALUES; i++) {
		if (kmprof_diff_course(diff, i).is_sum)
			continue;
		snprintf(content->name[n], NAME_TEXT, "%s_in_b", diff->b->types[i].name);
		content->type[n].name = content->name[n];
		content->type[n].unit = diff->b->types[i].unit;
		content->of[n++] = i;
	}
	series->types = content->type;
	series->nr_types = n;
}

/* All notes in one line: there are KMPROF_SUMMARY_LINES at most. */
static int add_notes(struct kmprof_lines *summary, const struct kmprof_lines *notes)
{
	size_t i, size;
	char *text;
	FILE *file;
	int ret;

	file = open_memstream(&text, &size);
	if (!file)
		return -ENOMEM;
	for (i = 0; i < notes->nr; i++)
		fprintf(file, "%s%s", i ? "; " : "", notes->line[i]);
	ret = kmprof_memory_file_close(file, &text);
	if (!ret)
		ret = kmprof_lines_add(summary, "%s", text);
	free(text);
	return ret;
}

int kmprof_diff_series(struct kmprof_series *series, const struct kmprof_diff *diff,
		       const char *head, const struct kmprof_lines *notes,
		       struct kmprof_error *err)
{
	const struct kmprof_series *b = diff->b;
	struct content *content;
	int ret = -ENOMEM;

	memset(series, 0, sizeof(*series));
	content = calloc(1, sizeof(*content));
	if (content) {
		content->diff = diff;
		series->data = content;
		series->ops = &diff_ops;
		add_types(series, content);
		ret = kmprof_lines_add(&series->summary, "%s", head);
	}
	if (!ret)
		ret = add_notes(&series->summary, notes);
	if (ret) {
		kmprof_series_release(series);
		return kmprof_error_set(err, ret, NULL, "making the profile: %s", strerror(-ret));
	}
	series->name = b->name;
	series->shown = b->shown;
	series->period_type = b->period_type;
	series->period = b->period;
	series->time_ns = b->time_ns;
	if (diff->is_one_count && b->time_ns > diff->a->time_ns)
		series->duration_ns = b->time_ns - diff->a->time_ns;
	series->nr_rows = diff->nr;
	return 0;
}
