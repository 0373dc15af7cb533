// SPDX-License-Identifier: GPL-2.0
/*
 * Errors. Two counts that began apart are independent: variances add up. In one count, samples
 * are in both images, and what both have cancels out. With n sampled objects of size s and the
 * weight w = (1 - p) / p^2 * s^2 of each (Documentation/abi.rst):
 *
 *	a, f		sampled allocations and frees between A and B
 *	i_A, i_B	sampled objects in use in A and in B
 *	x		those that were allocated and freed in between
 *
 *	variance of what was allocated		a w
 *	variance of the change in use		(a + f - 2 x) w
 *
 * a - x objects came and f - x went. x is not known, but it is neither less than 0 nor less than
 * f - i_A, as what went was in use in A or came in between. So the variance is at most
 *
 *	min(a + f, i_A + i_B) w
 *
 * and at least |a - f| w. All of these are differences and sums of variances of A and B: a w is
 * that of what was allocated in B less that in A, (i_A) w is that of what is in use in A.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "profile/diff.h"
#include "util/merge.h"

const char *const kmprof_diff_states[KMPROF_NR_DIFF_STATES] = {
	[KMPROF_DIFF_BOTH]	= "",
	[KMPROF_DIFF_NEW]	= "new",
	[KMPROF_DIFF_GONE]	= "gone",
};

struct kmprof_value_course kmprof_diff_course(const struct kmprof_diff *diff, unsigned int i)
{
	const struct kmprof_value_course exact = { 0 };

	return diff->b->course ? diff->b->course[i] : exact;
}

/* --- addresses --------------------------------------------------------------------- */

/**
 * struct address - an address of an image
 * @from: as it stands there
 * @to: the united one
 */
struct address {
	__u64 from;
	__u64 to;
};

static int by_from(const void *a, const void *b)
{
	const struct address *x = a, *y = b;

	return kmprof_compare_u64(x->from, y->from);
}

/* Frames of all rows; -1: more than there can be. */
static ssize_t count_frames(const struct kmprof_series *series)
{
	size_t i, sum = 0;
	__u32 nr;

	for (i = 0; i < series->nr_rows; i++) {
		kmprof_series_stack(series, i, &nr);
		sum += nr;
	}
	return sum > SSIZE_MAX / sizeof(struct address) ? -1 : (ssize_t)sum;
}

/* Each address of a series once, with what it is in the union. */
static int unite_addresses(struct kmprof_union *u, unsigned int side,
			   const struct kmprof_series *series, struct address *address, size_t *nr)
{
	const __u64 *frames;
	__u32 nr_frames, k;
	size_t i;
	int ret = 0;

	for (i = 0, *nr = 0; i < series->nr_rows; i++) {
		frames = kmprof_series_stack(series, i, &nr_frames);
		for (k = 0; k < nr_frames; k++)
			address[(*nr)++].from = frames[k];
	}
	*nr = kmprof_merge(address, *nr, sizeof(*address), by_from, kmprof_merge_keep);
	for (i = 0; i < *nr && !ret; i++)
		ret = kmprof_union_address(u, side, address[i].from, &address[i].to);
	return ret;
}

/* --- rows ------------------------------------------------------------------------ */

static int by_stack(const void *a, const void *b)
{
	const struct kmprof_diff_row *x = a, *y = b;
	int ret = kmprof_compare_stack(x->frames, x->nr, y->frames, y->nr);

	return ret ? ret : strcmp(x->nowhere, y->nowhere);
}

static int by_stack_and_part(const void *a, const void *b)
{
	const struct kmprof_diff_row *x = a, *y = b;
	int ret = by_stack(a, b);

	return ret ? ret : kmprof_compare_u64(x->part, y->part);
}

static __s64 plus(__s64 a, __s64 b)
{
	__s64 sum;

	if (__builtin_add_overflow(a, b, &sum))
		return a < 0 ? LLONG_MIN : LLONG_MAX;
	return sum;
}

static void add_row(void *sum, const void *more)
{
	const struct kmprof_diff_row *from = more;
	struct kmprof_diff_row *to = sum;
	unsigned int i;

	for (i = 0; i < KMPROF_SERIES_VALUES; i++) {
		to->value[i].a = plus(to->value[i].a, from->value[i].a);
		to->value[i].b = plus(to->value[i].b, from->value[i].b);
		to->value[i].change = plus(to->value[i].change, from->value[i].change);
		to->value[i].variance += from->value[i].variance;
		to->value[i].variance_a += from->value[i].variance_a;
		to->value[i].variance_b += from->value[i].variance_b;
	}
}

static void fill_row(struct kmprof_diff_row *to, const struct kmprof_series *series,
		     const struct kmprof_series_row *from, unsigned int side)
{
	struct kmprof_diff_value *value;
	unsigned int i;

	to->nowhere = from->nowhere;
	to->part = from->raw_size;
	for (i = 0; i < series->nr_types; i++) {
		value = &to->value[i];
		if (side == KMPROF_UNION_A) {
			value->a = from->value[i];
			value->variance_a = from->variance[i];
		} else {
			value->b = from->value[i];
			value->variance_b = from->variance[i];
		}
	}
}

/* Adds the rows of one image, with frames at @frames; returns where the next ones are. */
static __u64 *add_rows(struct kmprof_diff *diff, const struct kmprof_series *series,
		       unsigned int side, const struct address *address, size_t nr, __u64 *frames)
{
	const struct address *found;
	struct kmprof_series_row from;
	struct kmprof_diff_row *to;
	struct address key;
	const __u64 *stack;
	size_t i;
	__u32 k;

	for (i = 0; i < series->nr_rows; i++) {
		to = &diff->row[diff->nr++];
		kmprof_series_numbers(series, i, &from);
		fill_row(to, series, &from, side);
		stack = kmprof_series_stack(series, i, &to->nr);
		to->frames = frames;
		for (k = 0; k < to->nr; k++) {
			key.from = stack[k];
			found = bsearch(&key, address, nr, sizeof(key), by_from);
			*frames++ = found->to;
		}
	}
	return frames;
}

static int collect(struct kmprof_diff *diff, struct kmprof_union *u)
{
	const struct kmprof_series *series[] = { diff->a, diff->b };
	ssize_t nr_a = count_frames(diff->a), nr_b = count_frames(diff->b);
	struct address *address;
	unsigned int side;
	__u64 *frames;
	size_t nr;
	int ret = 0;

	if (nr_a < 0 || nr_b < 0)
		return -ENOMEM;
	address = calloc((size_t)(nr_a > nr_b ? nr_a : nr_b) + 1, sizeof(*address));
	diff->frames = calloc((size_t)nr_a + (size_t)nr_b + 1, sizeof(*diff->frames));
	diff->row = calloc(diff->a->nr_rows + diff->b->nr_rows + 1, sizeof(*diff->row));
	frames = diff->frames;
	if (!address || !frames || !diff->row)
		ret = -ENOMEM;
	for (side = 0; side < KMPROF_UNION_SIDES && !ret; side++) {
		ret = unite_addresses(u, side, series[side], address, &nr);
		if (!ret)
			frames = add_rows(diff, series[side], side, address, nr, frames);
	}
	free(address);
	return ret;
}

/* --- changes ----------------------------------------------------------------------- */

/* In one count: see above. */
static double shared_variance(const struct kmprof_diff *diff, const struct kmprof_diff_row *row,
			      unsigned int i)
{
	struct kmprof_value_course course = kmprof_diff_course(diff, i);
	const struct kmprof_diff_value *value = &row->value[i], *came;
	double change = value->variance_b - value->variance_a;
	double both = value->variance_a + value->variance_b, moved;

	if (course.is_sum)
		return fmax(change, 0);
	if (!course.came)
		return both;
	came = &row->value[course.came - 1];
	/* What came, and what went: what came less what is more in use. */
	moved = 2 * (came->variance_b - came->variance_a) - change;
	return fmin(fmax(moved, fabs(change)), both);
}

/* Has A counted what B has not? Then B does not go on from A here, whatever the images say. */
static bool has_shrunk(const struct kmprof_diff *diff, const struct kmprof_diff_row *row)
{
	unsigned int i;

	for (i = 0; i < diff->b->nr_types; i++)
		if (kmprof_diff_course(diff, i).is_sum && row->value[i].b < row->value[i].a)
			return true;
	return false;
}

static void set_changes(struct kmprof_diff *diff, struct kmprof_diff_row *row)
{
	bool is_shared = diff->is_one_count && !has_shrunk(diff, row);
	struct kmprof_diff_value *value;
	unsigned int i;

	diff->nr_shrunk += diff->is_one_count && !is_shared;
	for (i = 0; i < diff->b->nr_types; i++) {
		value = &row->value[i];
		value->change = value->b - value->a;
		value->variance = is_shared ? shared_variance(diff, row, i) :
			value->variance_a + value->variance_b;
	}
}

static bool has_changed(const struct kmprof_diff *diff, const struct kmprof_diff_row *row)
{
	unsigned int i;

	for (i = 0; i < diff->b->nr_types; i++)
		if (row->value[i].change)
			return true;
	return false;
}

static void set_state(const struct kmprof_diff *diff, struct kmprof_diff_row *row)
{
	const struct kmprof_diff_value *shown = &row->value[diff->b->shown];

	row->state = !shown->a && shown->b ? KMPROF_DIFF_NEW :
		     shown->a && !shown->b ? KMPROF_DIFF_GONE : KMPROF_DIFF_BOTH;
}

static __u64 magnitude(__s64 change)
{
	return change < 0 ? -(__u64)change : (__u64)change;
}

static int largest_first(const void *a, const void *b, void *arg)
{
	const struct kmprof_diff_row *x = a, *y = b;
	const struct kmprof_series *series = arg;
	unsigned int shown = series->shown, i;
	int ret;

	ret = kmprof_compare_u64(magnitude(y->value[shown].change),
				 magnitude(x->value[shown].change));
	for (i = 0; i < series->nr_types && !ret; i++)
		ret = kmprof_compare_u64(magnitude(y->value[i].change),
					 magnitude(x->value[i].change));
	return ret ? ret : by_stack(a, b);
}

static void finish(struct kmprof_diff *diff)
{
	size_t i;

	diff->nr = kmprof_merge(diff->row, diff->nr, sizeof(*diff->row), by_stack_and_part,
				add_row);
	for (i = 0; i < diff->nr; i++)
		set_changes(diff, &diff->row[i]);
	diff->nr = kmprof_merge(diff->row, diff->nr, sizeof(*diff->row), by_stack, add_row);
	for (i = 0; i < diff->nr; i++) {
		set_state(diff, &diff->row[i]);
		add_row(&diff->total, &diff->row[i]);
		diff->nr_changed += has_changed(diff, &diff->row[i]);
	}
	if (diff->nr)
		qsort_r(diff->row, diff->nr, sizeof(*diff->row), largest_first,
			(void *)diff->b);
}

static int check_values(const struct kmprof_diff *diff, struct kmprof_error *err)
{
	const struct kmprof_series *a = diff->a, *b = diff->b;
	unsigned int i;

	for (i = 0; i < a->nr_types && i < b->nr_types; i++)
		if (strcmp(a->types[i].name, b->types[i].name) ||
		    strcmp(a->types[i].unit, b->types[i].unit))
			break;
	if (i == a->nr_types && i == b->nr_types)
		return 0;
	return kmprof_error_set(err, -EINVAL,
		"they are of different modules; 'kmprof dump --input' shows each of them",
		"%s: A and B do not count the same in it", b->name);
}

int kmprof_diff_build(struct kmprof_diff *diff, const struct kmprof_series *a,
		      const struct kmprof_series *b, struct kmprof_union *u, bool is_one_count,
		      struct kmprof_error *err)
{
	int ret;

	memset(diff, 0, sizeof(*diff));
	diff->a = a;
	diff->b = b;
	diff->is_one_count = is_one_count;
	ret = check_values(diff, err);
	if (ret)
		return ret;
	ret = collect(diff, u);
	if (ret)
		return kmprof_error_set(err, ret, NULL, "comparing the stacks: %s", strerror(-ret));
	finish(diff);
	return 0;
}

void kmprof_diff_release(struct kmprof_diff *diff)
{
	free(diff->row);
	free(diff->frames);
	memset(diff, 0, sizeof(*diff));
}
