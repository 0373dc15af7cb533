/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a profile shows now, and by how much it has changed since the snapshot before, per second:
 * a table of stacks. It goes by what a series says of its values, so it takes any profile.
 */
#ifndef KMPROF_CMD_LIVE_TABLE_H
#define KMPROF_CMD_LIVE_TABLE_H

#include "cmd/cmd.h"
#include "profile/diff.h"
#include "profile/profile.h"

enum { LIVE_COLUMNS = 2 * KMPROF_SERIES_VALUES, LIVE_TITLE = 40 };

/**
 * struct live_column - a column of numbers
 * @value: number of the value
 * @is_rate: its change per second; else what it is now
 * @title: in capitals
 */
struct live_column {
	unsigned int value;
	bool is_rate;
	char title[LIVE_TITLE];
};

/**
 * struct live_row - a stack
 * @row: its numbers
 * @name: the leaf, then its callers
 */
struct live_row {
	const struct kmprof_diff_row *row;
	char *name;
};

/**
 * struct live_side - a snapshot, with what is made of it
 * @opened: the image
 * @names: its names
 * @series: the profile
 * @has_series: there is one
 */
struct live_side {
	struct opened_image opened;
	struct kmprof_resolver names;
	struct kmprof_series series;
	bool has_series;
};

/**
 * struct live_table - the table
 * @before: the snapshot before; the same as @now at first
 * @now: the last snapshot, or NULL
 * @u: names of both
 * @diff: what has changed
 * @has_diff: @u and @diff are there
 * @column: the columns, the most important one first
 * @nr_columns: how many
 * @row: the stacks that are chosen, in order
 * @nr_rows: how many
 * @seconds: between the two snapshots; 0: there is nothing to compare with: @before is @now, or it
 *	was before a reset, or the clock was set back in between
 */
struct live_table {
	struct live_side *before;
	struct live_side *now;
	struct kmprof_union u;
	struct kmprof_diff diff;
	bool has_diff;
	struct live_column column[LIVE_COLUMNS];
	unsigned int nr_columns;
	struct live_row *row;
	size_t nr_rows;
	double seconds;
};

/* All of a table that is zero, or was used; it is zero then. */
void live_table_release(struct live_table *table);

/* Takes a snapshot, which is the last one then. Return: EXIT_OK, or EXIT_FAILED after *@err. */
int live_table_take(struct live_table *table, struct kmprof_device *dev,
		    const struct kmprof_resolver_options *names, struct kmprof_error *err);

/**
 * live_table_make() - make the table of a profile
 * @table: with a snapshot
 * @profile: name of the profile
 * @text: only stacks with a name that has this; "": all
 * @sort: number of the column to sort by; the first one if there are not so many
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int live_table_make(struct live_table *table, const char *profile, const char *text,
		    unsigned int sort, struct kmprof_error *err);

/* The number of a row in a column. */
double live_table_number(const struct live_table *table, const struct live_column *column,
			 const struct kmprof_diff_row *row);

#endif
