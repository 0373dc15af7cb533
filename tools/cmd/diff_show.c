// SPDX-License-Identifier: GPL-2.0
/* Columns go by what the series says of its values, so any profile has a table. */
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/diff_show.h"
#include "cmd/site_names.h"
#include "cmd/term.h"
#include "export/text.h"

enum {
	LEAST_WIDTH	= 9,	/* of a column of numbers */
	STATE_WIDTH	= 4,
	NAME_COLUMNS	= 24,	/* that are worth more than a column of details */
	/* A change, its error and the value of B. */
	MAX_COLUMNS	= 3 * KMPROF_SERIES_VALUES,
};

enum what { CHANGE, STD_ERROR, IN_B };

/**
 * struct column - a column of numbers
 * @value: the number of the value
 * @what: of it
 * @title: in capitals
 * @width: characters
 */
struct column {
	unsigned int value;
	enum what what;
	char title[64];
	int width;
};

/**
 * struct layout - a table as it fits
 * @column: from the left on
 * @nr: columns that are shown
 * @room: characters that names can have; 0: any number
 */
struct layout {
	struct column column[MAX_COLUMNS];
	unsigned int nr;
	int room;
};

static void add_column(struct layout *l, unsigned int value, enum what what, const char *title)
{
	struct column *column = &l->column[l->nr++];
	char *c;

	column->value = value;
	column->what = what;
	snprintf(column->title, sizeof(column->title), "%s", title);
	for (c = column->title; *c; c++)
		*c = (char)toupper((unsigned char)*c);
	column->width = (int)strlen(column->title);
	if (column->width < LEAST_WIDTH)
		column->width = LEAST_WIDTH;
}

static void add_columns(struct layout *l, const struct kmprof_diff *diff, unsigned int value)
{
	struct kmprof_value_course course = kmprof_diff_course(diff, value);

	add_column(l, value, CHANGE, diff->b->types[value].name);
	if (course.has_variance)
		add_column(l, value, STD_ERROR, "std.error");
	if (!course.is_sum)
		add_column(l, value, IN_B, "in b");
}

/* What is shown first, what can be compared with it, and the rest. */
static void lay_out(struct layout *l, const struct kmprof_diff *diff, int width)
{
	const struct kmprof_value_type *types = diff->b->types;
	unsigned int shown = diff->b->shown, i;
	int used = STATE_WIDTH + 2;

	l->nr = 0;
	add_columns(l, diff, shown);
	for (i = 0; i < diff->b->nr_types; i++)
		if (i != shown && !strcmp(types[i].unit, types[shown].unit))
			add_columns(l, diff, i);
	for (i = 0; i < diff->b->nr_types; i++)
		if (strcmp(types[i].unit, types[shown].unit))
			add_columns(l, diff, i);
	l->room = 0;
	if (!width)
		return;
	for (i = 0; i < l->nr; i++)
		used += l->column[i].width + 1;
	while (l->nr > 1 && width - used < NAME_COLUMNS)
		used -= l->column[--l->nr].width + 1;
	l->room = width - used < 1 ? 1 : width - used;
}

static const char *human(char text[HUMAN_TEXT], double number, const char *unit)
{
	if (!strcmp(unit, "bytes"))
		return human_bytes(text, number, false);
	if (!strcmp(unit, "nanoseconds"))
		return human_ns(text, number);
	snprintf(text, HUMAN_TEXT, "%.0f", number);
	return text;
}

static const char *human_change(char text[HUMAN_TEXT + 1], __s64 change, const char *unit)
{
	text[0] = change < 0 ? '-' : '+';
	if (!change)
		return strcpy(text, "0");
	human(text + 1, fabs((double)change), unit);
	return text;
}

static const char *show(char text[HUMAN_TEXT + 1], const struct column *column,
			const struct kmprof_diff *diff, const struct kmprof_diff_row *row)
{
	const struct kmprof_diff_value *value = &row->value[column->value];
	const char *unit = diff->b->types[column->value].unit;

	if (column->what == CHANGE)
		return human_change(text, value->change, unit);
	return human(text, column->what == STD_ERROR ? sqrt(value->variance) : (double)value->b,
		     unit);
}

static void put_total(FILE *file, const struct kmprof_diff *diff, unsigned int i)
{
	const struct kmprof_diff_value *value = &diff->total.value[i];
	struct kmprof_value_course course = kmprof_diff_course(diff, i);
	const struct kmprof_value_type *type = &diff->b->types[i];
	char text[HUMAN_TEXT + 1];

	fprintf(file, "%-15s %s", type->name, human_change(text, value->change, type->unit));
	if (course.has_variance)
		fprintf(file, " %s %s (one standard error%s)", term_plus_minus(),
			human(text, sqrt(value->variance), type->unit),
			diff->is_one_count && !course.is_sum ? " at most" : "");
	fprintf(file, ", A: %s", human(text, (double)value->a, type->unit));
	fprintf(file, ", B: %s\n", human(text, (double)value->b, type->unit));
}

static void put_head(FILE *file, const struct diff_shown *s)
{
	const struct kmprof_diff *diff = s->diff;
	size_t nr[KMPROF_NR_DIFF_STATES] = { 0 }, k;
	char text[HUMAN_TEXT];
	unsigned int i;

	for (i = 0; i < KMPROF_UNION_SIDES; i++)
		fprintf(file, "%c: %s, %s\n", 'A' + (int)i,
			human_time(text, s->image[i]->header.time_ns), s->file[i]);
	for (k = 0; k < s->notes.nr; k++)
		fprintf(file, "Note: %s\n", s->notes.line[k]);
	for (k = 0; k < diff->nr; k++)
		nr[diff->row[k].state]++;
	fprintf(file, "\n%s: %zu of %zu stacks differ; new: %zu, gone: %zu\n",
		diff->b->name, diff->nr_changed, diff->nr, nr[KMPROF_DIFF_NEW],
		nr[KMPROF_DIFF_GONE]);
	for (i = 0; i < diff->b->nr_types; i++)
		put_total(file, diff, i);
}

/*
 * Names of the stacks that have @state: only those are not to look the same. One that is new can
 * look like one that is gone, as if its module has been built anew.
 */
static int name_rows(const struct diff_shown *s, size_t nr, enum kmprof_diff_state state, int room,
		     char **name)
{
	struct kmprof_site *site = calloc(nr + 1, sizeof(*site));
	size_t i, n = 0;
	char **names;

	if (!site)
		return -ENOMEM;
	for (i = 0; i < nr; i++) {
		if (s->diff->row[i].state != state)
			continue;
		site[n].frames = s->diff->row[i].frames;
		site[n++].nr_frames = s->diff->row[i].nr;
	}
	names = site_names(site, n, s->names, room);
	free(site);
	if (!names)
		return -ENOMEM;
	for (i = 0, n = 0; i < nr; i++)
		if (s->diff->row[i].state == state)
			name[i] = names[n++];
	free(names);
	return 0;
}

static size_t nr_shown(const struct diff_shown *s)
{
	size_t nr = s->diff->nr_changed;

	return s->most && s->most < nr ? s->most : nr;
}

static void put_rows(FILE *file, const struct diff_shown *s, const struct layout *l, char **name)
{
	const struct kmprof_diff_row *row;
	char text[HUMAN_TEXT + 1];
	size_t i, nr = nr_shown(s);
	unsigned int k;

	for (i = 0; i < nr; i++) {
		row = &s->diff->row[i];
		for (k = 0; k < l->nr; k++)
			fprintf(file, "%*s ", l->column[k].width,
				show(text, &l->column[k], s->diff, row));
		fprintf(file, "%-*s  %s\n", STATE_WIDTH, kmprof_diff_states[row->state],
			row->nr ? name[i] : row->nowhere);
	}
}

static void put_table(FILE *file, const struct diff_shown *s, const struct layout *l,
		      char **name)
{
	unsigned int k;

	fprintf(file, "\n%s", l->room ? term_bold() : "");
	for (k = 0; k < l->nr; k++)
		fprintf(file, "%*s ", l->column[k].width, l->column[k].title);
	fprintf(file, "%-*s  %.*s%s\n", STATE_WIDTH, "", l->room ?: INT_MAX, "SITE < CALLERS",
		l->room ? term_plain() : "");
	put_rows(file, s, l, name);
	if (nr_shown(s) < s->diff->nr_changed)
		fprintf(file, "%zu more differ; -n 0 shows all\n",
			s->diff->nr_changed - nr_shown(s));
}

int diff_show_table(FILE *file, const struct diff_shown *shown, int width,
		    struct kmprof_error *err)
{
	size_t i, nr = nr_shown(shown);
	struct layout l;
	int state, ret = 0;
	char **name;

	errno = 0;
	put_head(file, shown);
	if (!nr)
		return kmprof_text_finish(file, err);
	lay_out(&l, shown->diff, width);
	name = calloc(nr + 1, sizeof(*name));
	if (!name)
		ret = -ENOMEM;
	for (state = 0; state < KMPROF_NR_DIFF_STATES && !ret; state++)
		ret = name_rows(shown, nr, (enum kmprof_diff_state)state, l.room, name);
	if (ret)
		kmprof_error_set(err, ret, NULL, "naming the stacks: out of memory");
	else
		put_table(file, shown, &l, name);
	for (i = 0; name && i < nr; i++)
		free(name[i]);
	free(name);
	return ret ? ret : kmprof_text_finish(file, err);
}
