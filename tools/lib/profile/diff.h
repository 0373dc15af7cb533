/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The difference of two series: by stack, with names in the place of addresses. It goes by
 * nothing but what a series says of itself, so it takes any profile.
 */
#ifndef KMPROF_PROFILE_DIFF_H
#define KMPROF_PROFILE_DIFF_H

#include "profile/series.h"
#include "symbols/union.h"

/**
 * struct kmprof_diff_value - a number in both images
 * @a: in A
 * @b: in B
 * @change: @b - @a
 * @variance: of @change; its standard error is at most the square root. 0 of what has none
 * @variance_a: of @a
 * @variance_b: of @b
 */
struct kmprof_diff_value {
	__s64 a;
	__s64 b;
	__s64 change;
	double variance;
	double variance_a;
	double variance_b;
};

/**
 * enum kmprof_diff_state - where the value that is shown first is more than 0
 * @KMPROF_DIFF_BOTH: in both, or in none
 * @KMPROF_DIFF_NEW: in B
 * @KMPROF_DIFF_GONE: in A
 */
enum kmprof_diff_state {
	KMPROF_DIFF_BOTH,
	KMPROF_DIFF_NEW,
	KMPROF_DIFF_GONE,
	KMPROF_NR_DIFF_STATES,
};

/* How they are shown; "" for KMPROF_DIFF_BOTH. */
extern const char *const kmprof_diff_states[KMPROF_NR_DIFF_STATES];

/**
 * struct kmprof_diff_row - a stack, or a part of one while the difference is being made
 * @frames: united addresses, leaf first
 * @nr: how many
 * @nowhere: what is shown if there are none
 * @part: rows of one stack that have the same can be compared
 * @state: see there
 * @value: one for each type
 */
struct kmprof_diff_row {
	const __u64 *frames;
	__u32 nr;
	const char *nowhere;
	__u64 part;
	enum kmprof_diff_state state;
	struct kmprof_diff_value value[KMPROF_SERIES_VALUES];
};

/**
 * struct kmprof_diff - the difference
 * @a: series of A
 * @b: series of B
 * @row: the stacks; the largest change of what is shown first is first
 * @nr: how many
 * @nr_changed: of these, those that have a change; they come first
 * @total: the sum of all
 * @frames: all frames
 * @is_one_count: B goes on from A
 * @nr_shrunk: parts of stacks that have counted less in B nevertheless. They are taken for
 *	independent
 */
struct kmprof_diff {
	const struct kmprof_series *a;
	const struct kmprof_series *b;
	struct kmprof_diff_row *row;
	size_t nr;
	size_t nr_changed;
	struct kmprof_diff_row total;
	__u64 *frames;
	bool is_one_count;
	size_t nr_shrunk;
};

/**
 * kmprof_diff_build() - make a difference
 * @diff: filled in; refers to both series; released by kmprof_diff_release() in any case
 * @a: series of A
 * @b: the same of B
 * @u: the union of their names; the addresses of both are added
 * @is_one_count: B goes on from A
 * @err: explanation
 *
 * Return: 0, a negative errno, or -EINVAL if the series have different values.
 */
int kmprof_diff_build(struct kmprof_diff *diff, const struct kmprof_series *a,
		      const struct kmprof_series *b, struct kmprof_union *u, bool is_one_count,
		      struct kmprof_error *err);
void kmprof_diff_release(struct kmprof_diff *diff);

/* What is known of value @i beside its type. */
struct kmprof_value_course kmprof_diff_course(const struct kmprof_diff *diff, unsigned int i);

/**
 * kmprof_diff_series() - a difference in the form that exporters take
 * @series: filled in; refers to @diff; released by kmprof_series_release()
 * @diff: the difference
 * @head: what it is, in a line
 * @notes: what is to be known about it
 * @err: explanation
 *
 * The values are the changes; then come, as far as there is room, the values of B of which
 * there is only so much at a time, called NAME_in_b.
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_diff_series(struct kmprof_series *series, const struct kmprof_diff *diff,
		       const char *head, const struct kmprof_lines *notes,
		       struct kmprof_error *err);

#endif
