// SPDX-License-Identifier: GPL-2.0
/* Tests of differences: their errors, and which rows come together. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "profile/diff.h"
#include "profile/scale.h"
#include "symbols/boot_id.h"
#include "tests/unit.h"

enum { CAME, INUSE, NR_VALUES };

static const struct kmprof_value_type types[] = {
	[CAME]	= { "came", "bytes" },
	[INUSE]	= { "inuse", "bytes" },
};

static const struct kmprof_value_course course[] = {
	[CAME]	= { .is_sum = true, .has_variance = true },
	[INUSE]	= { .came = 1 + CAME, .has_variance = true },
};

/* Rows of one stack of one frame each: sampled objects of a size. */
struct row {
	__u64 frame;
	__u64 size;
	__u64 came;
	__u64 went;
};

static const __u64 period = 1000;
static const double slack = 0.000000001;

static const __u64 *stack(const struct kmprof_series *series, size_t i, __u32 *nr)
{
	const struct row *rows = series->data;

	*nr = 1;
	return &rows[i].frame;
}

static void numbers(const struct kmprof_series *series, size_t i, struct kmprof_series_row *to)
{
	const struct row *row = (const struct row *)series->data + i;
	struct kmprof_amount came = { 0 }, inuse = { 0 };

	kmprof_amount_add(&came, row->came, row->size, period);
	kmprof_amount_add(&inuse, row->came - row->went, row->size, period);
	to->value[CAME] = came.whole_bytes;
	to->value[INUSE] = inuse.whole_bytes;
	to->variance[CAME] = came.variance;
	to->variance[INUSE] = inuse.variance;
	to->raw_size = row->size;
}

static const struct kmprof_series_ops ops = { .stack = stack, .numbers = numbers };

static struct kmprof_series series_of(struct row *rows, size_t nr)
{
	return (struct kmprof_series) {
		.name		= "test",
		.types		= types,
		.nr_types	= NR_VALUES,
		.course		= course,
		.shown		= INUSE,
		.nr_rows	= nr,
		.ops		= &ops,
		.data		= rows,
	};
}

static char kernel[] = KMPROF_KERNEL_MAPPING;
static struct kmprof_mapping mapping = { .name = kernel };
static const struct kmprof_resolver nameless = { .mappings = { .mapping = &mapping, .nr = 1 } };

/* @diff keeps nothing of @u but addresses. */
static int build(struct kmprof_diff *diff, const struct kmprof_series *a,
		 const struct kmprof_series *b, bool is_one_count, bool one_boot)
{
	struct kmprof_error err;
	struct kmprof_union u;
	int ret;

	ret = kmprof_union_init(&u, &nameless, &nameless, one_boot, false);
	if (!ret)
		ret = kmprof_diff_build(diff, a, b, &u, is_one_count, &err);
	kmprof_union_release(&u);
	return ret;
}

static double weight(__u64 size)
{
	double p = 1 / kmprof_scale(size, period), s = (double)size;

	return (1 - p) / (p * p) * s * s;
}

static bool close_to(double a, double b)
{
	return fabs(a - b) <= slack * (fabs(a) + fabs(b));
}

/*
 * All fates that samples can have: @stay are in use in A and in B, @go in A only, @come in B
 * only, and @pass between the two. The variance shown is at least the true one, never more
 * than that of two counts, and exact where there is nothing to guess.
 */
static void check_fates(__u64 stay, __u64 go, __u64 come, __u64 pass)
{
	struct row a = { 1, 100, 7 + stay + go, 7 };
	struct row b = { 1, 100, a.came + come + pass, a.went + go + pass };
	struct kmprof_series sa = series_of(&a, 1), sb = series_of(&b, 1);
	double w = weight(100), moved = (double)(go + come) * w;
	const struct kmprof_diff_value *value;
	struct kmprof_diff diff;

	EXPECT(!build(&diff, &sa, &sb, true, true));
	EXPECT(diff.nr == 1 && !diff.nr_shrunk);
	value = &diff.row[0].value[INUSE];
	EXPECT(value->variance >= moved * (1 - slack));
	EXPECT(value->variance <= (value->variance_a + value->variance_b) * (1 + slack));
	EXPECT(close_to(value->variance,
			fmin((double)(go + come + 2 * pass), (double)(2 * stay + go + come)) * w));
	EXPECT(close_to(diff.row[0].value[CAME].variance, (double)(come + pass) * w));
	kmprof_diff_release(&diff);
}

static void errors_of_one_count(void)
{
	__u64 i;

	for (i = 0; i < 256; i++)
		check_fates(i & 3, i >> 2 & 3, i >> 4 & 3, i >> 6);
}

static void errors_of_two_counts(void)
{
	struct row a = { 1, 100, 9, 4 }, b = { 1, 100, 20, 4 };
	struct kmprof_series sa = series_of(&a, 1), sb = series_of(&b, 1);
	struct kmprof_diff diff;

	EXPECT(!build(&diff, &sa, &sb, false, true));
	EXPECT(close_to(diff.row[0].value[INUSE].variance, (5 + 16) * weight(100)));
	EXPECT(close_to(diff.row[0].value[CAME].variance, (9 + 20) * weight(100)));
	EXPECT(close_to(diff.total.value[CAME].variance, (9 + 20) * weight(100)));
	kmprof_diff_release(&diff);
}

/* What is known of each size is used before sizes are added up: one churns, one does not. */
static void sizes_are_apart(void)
{
	struct row a[] = { { 1, 100, 50, 50 }, { 1, 200, 50, 0 } };
	struct row b[] = { { 1, 100, 90, 90 }, { 1, 200, 51, 0 } };
	struct kmprof_series sa = series_of(a, 2), sb = series_of(b, 2);
	struct kmprof_diff diff;

	EXPECT(!build(&diff, &sa, &sb, true, true));
	EXPECT(diff.nr == 1);
	EXPECT(close_to(diff.row[0].value[INUSE].variance, weight(200)));
	kmprof_diff_release(&diff);
}

/* What B should have and has not is compared as if it were another count. */
static void less_than_before(void)
{
	struct row a = { 1, 100, 9, 4 }, b = { 1, 100, 8, 4 };
	struct kmprof_series sa = series_of(&a, 1), sb = series_of(&b, 1);
	struct kmprof_diff diff;

	EXPECT(!build(&diff, &sa, &sb, true, true));
	EXPECT(diff.nr_shrunk == 1);
	EXPECT(close_to(diff.row[0].value[INUSE].variance, (5 + 4) * weight(100)));
	kmprof_diff_release(&diff);
}

static void largest_first_and_states(void)
{
	struct row a[] = { { 1, 100, 5, 0 }, { 2, 100, 9, 0 }, { 3, 100, 4, 0 }, { 5, 100, 2, 2 },
			   { 6, 100, 3, 0 } };
	struct row b[] = { { 1, 100, 7, 0 }, { 2, 100, 9, 9 }, { 3, 100, 4, 0 }, { 4, 100, 3, 0 },
			   { 5, 100, 3, 3 }, { 6, 100, 3, 1 } };
	struct kmprof_series sa = series_of(a, ARRAY_SIZE(a)), sb = series_of(b, ARRAY_SIZE(b));
	struct kmprof_diff diff;

	EXPECT(!build(&diff, &sa, &sb, true, true));
	EXPECT(diff.nr == 6 && diff.nr_changed == 5);
	EXPECT(diff.row[0].state == KMPROF_DIFF_GONE && diff.row[0].value[INUSE].change < 0 &&
	       diff.row[0].value[INUSE].b == 0);
	EXPECT(diff.row[1].state == KMPROF_DIFF_NEW && diff.row[1].value[INUSE].a == 0);
	EXPECT(diff.row[2].state == KMPROF_DIFF_BOTH && diff.row[2].value[INUSE].change > 0);
	EXPECT(diff.row[3].state == KMPROF_DIFF_BOTH && diff.row[3].value[INUSE].change < 0);
	EXPECT(diff.row[4].state == KMPROF_DIFF_BOTH && !diff.row[4].value[INUSE].change &&
	       diff.row[4].value[CAME].change > 0);
	EXPECT(!diff.row[5].value[CAME].change);
	EXPECT(diff.total.value[INUSE].change ==
	       diff.total.value[INUSE].b - diff.total.value[INUSE].a);
	kmprof_diff_release(&diff);
}

/* A bare address says nothing about another boot. */
static void bare_addresses(void)
{
	struct row a = { 0xffffffff81001000, 100, 9, 4 }, b = { 0xffffffff81001000, 100, 9, 4 };
	struct kmprof_series sa = series_of(&a, 1), sb = series_of(&b, 1);
	struct kmprof_diff diff;

	EXPECT(!build(&diff, &sa, &sb, false, true));
	EXPECT(diff.nr == 1);
	kmprof_diff_release(&diff);
	EXPECT(!build(&diff, &sa, &sb, false, false));
	EXPECT(diff.nr == 2);
	kmprof_diff_release(&diff);
}

static void other_values_are_refused(void)
{
	static const struct kmprof_value_type others[] = {
		{ "came", "bytes" },
		{ "inuse", "count" },
	};
	struct row a = { 1, 100, 1, 0 };
	struct kmprof_series sa = series_of(&a, 1), sb = sa;
	struct kmprof_diff diff;

	sb.types = others;
	EXPECT(build(&diff, &sa, &sb, true, true) == -EINVAL);
	kmprof_diff_release(&diff);
	sb = sa;
	sb.nr_types = 1;
	EXPECT(build(&diff, &sa, &sb, true, true) == -EINVAL);
	kmprof_diff_release(&diff);
}

static void boot_ids_are_read(void)
{
	static const char id[] = "01234567-89ab-cdef-0123-456789abcdef";
	char text[KMPROF_BOOT_ID_TEXT];
	char line[64];

	snprintf(line, sizeof(line), "%s\n", id);
	EXPECT(kmprof_boot_id_read(text, file_with("boot_id", line)) && !strcmp(text, id));
	line[35] = '\n';
	line[36] = '\0';
	EXPECT(!kmprof_boot_id_read(text, file_with("boot_id", line)));
	EXPECT(!kmprof_boot_id_read(text, file_with("boot_id", "")));
	EXPECT(!kmprof_boot_id_read(text, path_of("none")));
	EXPECT(kmprof_boot_id_read(text, KMPROF_BOOT_ID_FILE));
}

int main(int argc, char **argv)
{
	static const struct unit_test tests[] = {
		{ "diff: errors of one count", errors_of_one_count },
		{ "diff: errors of two counts add up", errors_of_two_counts },
		{ "diff: sizes of one stack have errors of their own", sizes_are_apart },
		{ "diff: what has shrunk in one count is of two", less_than_before },
		{ "diff: the largest is first, new and gone are known", largest_first_and_states },
		{ "diff: bare addresses are of one boot", bare_addresses },
		{ "diff: other values are refused", other_values_are_refused },
		{ "diff: a boot id is whole or not there", boot_ids_are_read },
	};

	return run_tests(tests, ARRAY_SIZE(tests), argc, argv);
}
