/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile in the one form that every exporter takes: what its numbers are, a row for
 * each stack, and what has to be said about all of it. Profiles make a series, exporters
 * read it. Neither knows the others, so a new profile and a new exporter are one file each.
 *
 * A series can also be made from a profile that no code here knows by name (objects.c): an
 * exporter looks at nothing but this structure.
 */
#ifndef KMPROF_PROFILE_SERIES_H
#define KMPROF_PROFILE_SERIES_H

#include <stdbool.h>
#include <stdio.h>

#include <linux/types.h>

#include "profile/losses.h"
#include "util/error.h"
#include "util/lines.h"

enum {
	KMPROF_SERIES_VALUES	= 16,
	KMPROF_SERIES_LABELS	= 16,
	KMPROF_SERIES_ROOM	= 1024,
};

/**
 * struct kmprof_value_type - what a number means
 * @name: of what is counted, e.g. "inuse_space"
 * @unit: e.g. "bytes", "nanoseconds", "count"
 */
struct kmprof_value_type {
	const char *name;
	const char *unit;
};

/**
 * struct kmprof_value_course - how a number goes on from one snapshot to a later one
 * @is_sum: counted since the start, and never less than before; else it is how much there
 *	is when the snapshot is taken
 * @came: of what there is: 1 + the index of the value that counts all that ever came; 0: none
 * @has_variance: it is an estimate whose variance is known
 * @is_mark: how much there was at a moment that has passed, and that a later snapshot may not
 *	have; these come last
 */
struct kmprof_value_course {
	bool is_sum;
	unsigned int came;
	bool has_variance;
	bool is_mark;
};

/**
 * struct kmprof_usual_label - a label that rows leave out when it has its usual value
 * @key: its name
 * @value: the usual value
 */
struct kmprof_usual_label {
	const char *key;
	const char *value;
};

/**
 * struct kmprof_series_label - something about a row that is neither stack nor value
 * @key: its name
 * @text: its value, or NULL: it is a number
 * @number: the value
 * @unit: of @number
 */
struct kmprof_series_label {
	const char *key;
	const char *text;
	__u64 number;
	const char *unit;
};

/**
 * struct kmprof_series_row - a row, without its stack
 * @weight: the largest comes first where rows are listed; with its fraction
 * @value: estimates, one for each value type, in whole units
 * @variance: of those that have one
 * @order: among rows of the same weight, the least comes first
 * @nowhere: what is shown in the place of a stack without frames
 * @raw_kind: KMPROF_FORM_HEAP: kind of memory; NULL: slab
 * @raw_size: the same: bytes of each object
 * @raw_inuse: the same: sampled objects in use, as @raw_rate of the series has them
 * @raw_alloc: the same: sampled objects allocated
 * @nr_labels: how many labels; each row can have others
 * @used: bytes of @room
 * @label: the labels
 * @room: for texts of labels that have no other place
 */
struct kmprof_series_row {
	long double weight;
	__s64 value[KMPROF_SERIES_VALUES];
	double variance[KMPROF_SERIES_VALUES];
	__u64 order;
	const char *nowhere;
	const char *raw_kind;
	__u64 raw_size;
	__u64 raw_inuse;
	__u64 raw_alloc;
	unsigned int nr_labels;
	size_t used;
	struct kmprof_series_label label[KMPROF_SERIES_LABELS];
	char room[KMPROF_SERIES_ROOM];
};

struct kmprof_series;

/**
 * struct kmprof_series_ops - access to the rows
 * @stack: return addresses of a row, leaf first, and their number
 * @numbers: fills in the values, the weight and what else is a number of a row; all
 *	of these are 0 before
 * @labels: adds the labels; NULL: there are none
 * @note: writes all that is known of a row beside stack and values, in a line for
 *	people, without a newline; NULL: the labels say it, or nothing has to be said
 * @release: frees what the series refers to; NULL: nothing
 *
 * Rows that are alike in stack and labels, if there are any, follow one another.
 */
struct kmprof_series_ops {
	const __u64 *(*stack)(const struct kmprof_series *series, size_t i, __u32 *nr);
	void (*numbers)(const struct kmprof_series *series, size_t i,
			struct kmprof_series_row *row);
	void (*labels)(const struct kmprof_series *series, size_t i,
		       struct kmprof_series_row *row);
	void (*note)(const struct kmprof_series *series, size_t i, FILE *file);
	void (*release)(struct kmprof_series *series);
};

/**
 * enum kmprof_series_form - which of the texts of Go's runtime holds the rows
 * @KMPROF_FORM_COUNT: one number and a stack, as threadcreate and custom profiles have
 *	them. It fits any series. A row whose number is 0 is left out.
 * @KMPROF_FORM_DELAY: a delay and a count, as block and mutex: the values are a count
 *	and a delay in ns
 * @KMPROF_FORM_HEAP: sampled objects in use and allocated; the reader scales them
 */
enum kmprof_series_form {
	KMPROF_FORM_COUNT,
	KMPROF_FORM_DELAY,
	KMPROF_FORM_HEAP,
};

/**
 * struct kmprof_series - a profile
 * @name: as the user calls it
 * @types: what the values of each row are
 * @nr_types: how many, at most KMPROF_SERIES_VALUES
 * @course: of each of them; NULL: all are what there is when the snapshot is taken, exactly
 * @shown: which of them is shown first
 * @period_type: what is between two samples
 * @period: how much of that
 * @time_ns: when it was taken
 * @duration_ns: how long it has counted
 * @form: which text holds it
 * @head: KMPROF_FORM_DELAY: first lines of that text
 * @raw_rate: KMPROF_FORM_HEAP: rate by which the reader of that text has to scale
 * @facts: rates, totals, estimates and the whole ledger: "key value" each
 * @summary: at most KMPROF_SUMMARY_LINES lines that say what is not in it, and where
 *	the facts are, for formats that show each line to everybody
 * @losses: the whole ledger
 * @samples_lost: samples that were taken of this profile, and are not in it
 * @samples_filtered: the same of what a filter of the module has left out
 * @nr_rows: rows
 * @ops: access to them
 * @data: for @ops
 */
struct kmprof_series {
	const char *name;
	const struct kmprof_value_type *types;
	unsigned int nr_types;
	const struct kmprof_value_course *course;
	unsigned int shown;
	struct kmprof_value_type period_type;
	__u64 period;
	__u64 time_ns;
	__u64 duration_ns;
	enum kmprof_series_form form;
	const struct kmprof_usual_label *usual;
	size_t nr_usual;
	const char *head;
	__u64 raw_rate;
	struct kmprof_lines facts;
	struct kmprof_lines summary;
	struct kmprof_losses losses;
	__u64 samples_lost;
	__u64 samples_filtered;
	size_t nr_rows;
	const struct kmprof_series_ops *ops;
	void *data;
};

enum { KMPROF_SUMMARY_LINES = 5 };

static inline const __u64 *kmprof_series_stack(const struct kmprof_series *series, size_t i,
					       __u32 *nr)
{
	return series->ops->stack(series, i, nr);
}

/* The numbers of a row, without labels. */
void kmprof_series_numbers(const struct kmprof_series *series, size_t i,
			   struct kmprof_series_row *row);
/* All of a row. */
void kmprof_series_row(const struct kmprof_series *series, size_t i,
		       struct kmprof_series_row *row);
void kmprof_series_release(struct kmprof_series *series);
/* Leaves out what is of moments that have passed, for a comparison. */
void kmprof_series_drop_marks(struct kmprof_series *series);

/**
 * kmprof_series_show() - have another value shown first
 * @series: the profile
 * @name: of the value
 * @err: says that there is none of that name, and which there are
 *
 * Return: 0 or -ENOENT.
 */
int kmprof_series_show(struct kmprof_series *series, const char *name, struct kmprof_error *err);

/* Adds a label; @text has to stay. */
void kmprof_row_add_text(struct kmprof_series_row *row, const char *key, const char *text);
void kmprof_row_add_number(struct kmprof_series_row *row, const char *key, __u64 number,
			   const char *unit);

/* Return: the label of that name, or NULL. */
const struct kmprof_series_label *kmprof_row_find_label(const struct kmprof_series_row *row,
							const char *key);

/**
 * kmprof_row_room() - place for the text of a label
 * @row: whose
 * @size: bytes, with the NUL; all of a row's together are at most KMPROF_SERIES_ROOM
 */
char *kmprof_row_room(struct kmprof_series_row *row, size_t size);

#endif
