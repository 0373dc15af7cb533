// SPDX-License-Identifier: GPL-2.0
/*
 * Any profile as text, by its columns, whether it counts objects or not: the first column is
 * the count of an entry, the others are in a comment before it. Source: the debug=1 form of
 * printCountProfile() of Go's runtime/pprof.
 */
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "show/objects.h"
#include "show/show.h"

static bool shows(const struct kmprof_text_table *t, const void *row)
{
	return kmprof_text_number(t, row, 0);
}

/* The number of a row in whole units, rounded to the nearest. */
static u64 rounded(const struct kmprof_text_table *t, const void *row, u32 column)
{
	u64 number = kmprof_text_number(t, row, column);
	u32 shift = t->columns[column].shift;

	return shift ? (number >> shift) + (number >> (shift - 1) & 1) : number;
}

static void show_head(struct seq_file *m, const struct kmprof_text_table *t)
{
	u64 total = 0;
	u32 i;

	for (i = 0; i < t->count; i++) {
		total += rounded(t, kmprof_text_row(t, i), 0);
		cond_resched();
	}
	seq_printf(m, "%s profile: total %llu\n", t->name, total);
}

static void show_columns(struct seq_file *m, const struct kmprof_text_table *t, const void *row)
{
	const char *unit;
	u32 i;

	for (i = 1; i < t->nr_columns; i++) {
		unit = kmprof_text_string(t->image, t->columns[i].unit);
		seq_printf(m, "%s%s %llu", i == 1 ? "# " : ", ",
			   kmprof_text_string(t->image, t->columns[i].name), rounded(t, row, i));
		if (*unit && strcmp(unit, "count"))
			seq_printf(m, " %s", unit);
	}
	if (t->nr_columns > 1)
		seq_putc(m, '\n');
}

static void show_entry(struct seq_file *m, const struct kmprof_text_table *t, u32 index)
{
	const void *row = kmprof_text_row(t, index);

	show_columns(m, t, row);
	seq_printf(m, "%llu", rounded(t, row, 0));
	kmprof_show_stack(m, t, row, "no stack");
}

const struct kmprof_text_form kmprof_objects_form = {
	.shows	= shows,
	.head	= show_head,
	.entry	= show_entry,
};
