// SPDX-License-Identifier: GPL-2.0
/* Finds a column by its name, and its numbers in the rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lib/objects.h"

/**
 * objects_row() - a row of a profile
 * @snapshot: the image
 * @profile: name of the profile
 * @i: number of the row
 */
const struct kmprof_image_row *objects_row(const struct snapshot *snapshot, const char *profile,
					   uint32_t i)
{
	return snapshot_entry(snapshot, &snapshot_profile(snapshot, profile)->rows, i);
}

/* A column that is not there is a fault of the module or of the test: no test goes on. */
static const struct kmprof_image_column *find_column(const struct snapshot *snapshot,
						     const char *profile, const char *name)
{
	const struct kmprof_table *columns = &snapshot_profile(snapshot, profile)->columns;
	uint32_t i;

	for (i = 0; i < columns->count; i++) {
		const struct kmprof_image_column *column = snapshot_entry(snapshot, columns, i);

		if (!strcmp(snapshot_string(snapshot, column->name), name))
			return column;
	}
	fprintf(stderr, "# snapshot: profile %s has no column %s\n", profile, name);
	abort();
}

/**
 * objects_value() - a number of a row
 * @snapshot: the image
 * @profile: name of the profile
 * @i: number of the row
 * @column: name of the column, whose shift has to be 0
 *
 * Return: the number; does not return when there is no such column.
 */
uint64_t objects_value(const struct snapshot *snapshot, const char *profile, uint32_t i,
		       const char *column)
{
	const struct kmprof_image_column *found = find_column(snapshot, profile, column);
	const char *row = (const char *)objects_row(snapshot, profile, i);
	uint64_t value;

	memcpy(&value, row + found->offset, sizeof(value));
	return value;
}

/**
 * objects_sum() - sum of a column
 * @snapshot: the image
 * @profile: name of the profile
 * @column: name of the column, whose shift has to be 0
 *
 * Return: the sum over all rows.
 */
uint64_t objects_sum(const struct snapshot *snapshot, const char *profile, const char *column)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < snapshot_rows(snapshot, profile); i++)
		sum += objects_value(snapshot, profile, i, column);
	return sum;
}
