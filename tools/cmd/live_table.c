// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/live_table.h"
#include "symbols/frame_name.h"
#include "util/memory_file.h"

#define NSEC_PER_SEC	1e9

static void release_side(struct live_side *side)
{
	if (!side)
		return;
	if (side->has_series)
		kmprof_series_release(&side->series);
	kmprof_resolver_close(&side->names);
	close_image(&side->opened);
	free(side);
}

static void release_rows(struct live_table *table)
{
	size_t i;

	for (i = 0; i < table->nr_rows; i++)
		free(table->row[i].name);
	free(table->row);
	table->row = NULL;
	table->nr_rows = 0;
}

/* What is made of the snapshots. */
static void release_made(struct live_table *table)
{
	release_rows(table);
	if (table->has_diff) {
		kmprof_diff_release(&table->diff);
		kmprof_union_release(&table->u);
	}
	table->has_diff = false;
}

void live_table_release(struct live_table *table)
{
	release_made(table);
	if (table->before != table->now)
		release_side(table->before);
	release_side(table->now);
	memset(table, 0, sizeof(*table));
}

int live_table_take(struct live_table *table, struct kmprof_device *dev,
		    const struct kmprof_resolver_options *names, struct kmprof_error *err)
{
	struct live_side *side = calloc(1, sizeof(*side));
	struct kmprof_error warning;
	int ret;

	if (!side)
		return kmprof_error_set(err, -ENOMEM, NULL, "taking a snapshot: out of memory");
	ret = take_image(&side->opened, dev, 0, err);
	if (ret) {
		free(side);
		return ret;
	}
	/* Frames without names are shown as addresses: there is no room for warnings. */
	ret = kmprof_resolver_open(&side->names, &side->opened.image, names, &warning, err);
	if (ret < 0) {
		close_image(&side->opened);
		free(side);
		return ret;
	}
	release_made(table);
	if (table->before != table->now)
		release_side(table->before);
	table->before = table->now ? table->now : side;
	table->now = side;
	return 0;
}

static void add_column(struct live_table *table, unsigned int value, bool is_rate)
{
	const char *name = table->diff.b->types[value].name;
	struct live_column *column = &table->column[table->nr_columns++];
	char *c;

	column->value = value;
	column->is_rate = is_rate;
	snprintf(column->title, sizeof(column->title), "%.30s%s", name, is_rate ? "/s" : "");
	for (c = column->title; *c; c++)
		*c = (char)toupper((unsigned char)*c);
}

/* Of what there is, how much and its growth; of what is counted, how much comes first. */
static void add_columns(struct live_table *table, unsigned int value)
{
	bool is_sum = kmprof_diff_course(&table->diff, value).is_sum;

	add_column(table, value, is_sum);
	add_column(table, value, !is_sum);
}

/* Those that can be compared with what is shown first come before the others. */
static void make_columns(struct live_table *table)
{
	const struct kmprof_series *series = table->diff.b;
	const char *unit = series->types[series->shown].unit;
	unsigned int i;

	table->nr_columns = 0;
	add_columns(table, series->shown);
	for (i = 0; i < series->nr_types; i++)
		if (i != series->shown && !strcmp(series->types[i].unit, unit))
			add_columns(table, i);
	for (i = 0; i < series->nr_types; i++)
		if (strcmp(series->types[i].unit, unit))
			add_columns(table, i);
}

double live_table_number(const struct live_table *table, const struct live_column *column,
			 const struct kmprof_diff_row *row)
{
	const struct kmprof_diff_value *value = &row->value[column->value];

	if (!column->is_rate)
		return (double)value->b;
	return table->seconds > 0 ? (double)value->change / table->seconds : 0;
}

static char *name_of(const struct live_table *table, const struct kmprof_diff_row *row)
{
	char text[KMPROF_FRAME_NAME], *name = NULL;
	size_t size;
	FILE *file;
	__u32 i;

	if (!row->nr)
		return strdup(row->nowhere);
	file = open_memstream(&name, &size);
	if (!file)
		return NULL;
	for (i = 0; i < row->nr; i++) {
		kmprof_frame_name(text, &table->u.resolver, row->frames[i]);
		fprintf(file, "%s%s", i ? " < " : "", text);
	}
	kmprof_memory_file_close(file, &name);
	return name;
}

/* Rows that have nothing in any column are not worth a line. */
static bool is_empty(const struct live_table *table, const struct kmprof_diff_row *row)
{
	unsigned int i;

	for (i = 0; i < table->diff.b->nr_types; i++)
		if (row->value[i].b || row->value[i].change)
			return false;
	return true;
}

static int choose_rows(struct live_table *table, const char *text)
{
	size_t i;

	table->row = calloc(table->diff.nr + 1, sizeof(*table->row));
	if (!table->row)
		return -ENOMEM;
	for (i = 0; i < table->diff.nr; i++) {
		struct live_row *row = &table->row[table->nr_rows];

		row->row = &table->diff.row[i];
		if (is_empty(table, row->row))
			continue;
		row->name = name_of(table, row->row);
		if (!row->name)
			return -ENOMEM;
		if (strstr(row->name, text))
			table->nr_rows++;
		else
			free(row->name);
	}
	return 0;
}

/**
 * struct order - what rows are sorted by
 * @table: of the rows
 * @column: the column
 */
struct order {
	const struct live_table *table;
	const struct live_column *column;
};

static int by_column(const void *a, const void *b, void *data)
{
	const struct live_row *x = a, *y = b;
	const struct order *order = data;
	double n = live_table_number(order->table, order->column, x->row);
	double m = live_table_number(order->table, order->column, y->row);

	return n != m ? (n > m ? -1 : 1) : strcmp(x->name, y->name);
}

static int make_series(struct live_side *side, const char *name, struct kmprof_error *err)
{
	const struct kmprof_image *image = &side->opened.image;
	struct kmprof_profile profile;
	int ret;

	if (side->has_series)
		kmprof_series_release(&side->series);
	side->has_series = false;
	if (kmprof_profile_find(&profile, image, name))
		return kmprof_profile_lacking(image, name, err);
	ret = kmprof_profile_series(&side->series, image, &side->names, &profile, err);
	side->has_series = !ret;
	if (!ret)
		kmprof_series_drop_marks(&side->series);
	return ret;
}

/* Offsets do not tell frames apart, since names do not show them: no two rows look the same. */
static int make_diff(struct live_table *table, const struct live_side *before,
		     struct kmprof_error *err)
{
	int ret;

	table->has_diff = true;
	memset(&table->diff, 0, sizeof(table->diff));
	ret = kmprof_union_init(&table->u, &before->names, &table->now->names, true, true);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "comparing snapshots: %s", strerror(-ret));
	ret = kmprof_diff_build(&table->diff, &before->series, &table->now->series, &table->u,
				true, err);
	return ret ? ret : kmprof_union_finish(&table->u, err);
}

/* What to compare the last snapshot with: itself, if there is nothing else. */
static struct live_side *find_before(struct live_table *table)
{
	const struct kmprof_image_header *before = &table->before->opened.image.header;
	const struct kmprof_image_header *now = &table->now->opened.image.header;

	table->seconds = 0;
	if (before->start_ns != now->start_ns || before->time_ns >= now->time_ns)
		return table->now;
	table->seconds = (double)(now->time_ns - before->time_ns) / NSEC_PER_SEC;
	return table->before;
}

int live_table_make(struct live_table *table, const char *profile, const char *text,
		    unsigned int sort, struct kmprof_error *err)
{
	struct order order = { .table = table };
	struct live_side *before;
	int ret;

	release_made(table);
	before = find_before(table);
	ret = make_series(table->now, profile, err);
	if (!ret && before != table->now)
		ret = make_series(before, profile, err);
	if (!ret)
		ret = make_diff(table, before, err);
	if (ret)
		return ret;
	make_columns(table);
	if (choose_rows(table, text))
		return kmprof_error_set(err, -ENOMEM, NULL, "naming the stacks: out of memory");
	order.column = &table->column[sort < table->nr_columns ? sort : 0];
	qsort_r(table->row, table->nr_rows, sizeof(*table->row), by_column, &order);
	return 0;
}
