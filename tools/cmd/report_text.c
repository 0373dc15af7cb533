// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/report.h"
#include "cmd/term.h"

enum {
	VALUE_COLUMN	= 9,
	SHARE_COLUMN	= 6,
	PREFIX		= 3,	/* columns of a level of a tree */
	LINE_TEXT	= 4096,
};

/* A value of the column, in a few characters. */
static const char *human(char text[HUMAN_TEXT], const struct report *r, double value)
{
	const char *unit = report_column(r)->unit;

	if (!strcmp(unit, "bytes"))
		return human_bytes(text, value, false);
	if (!strcmp(unit, "nanoseconds"))
		return human_ns(text, value);
	snprintf(text, HUMAN_TEXT, "%.0f", value);
	return text;
}

static void put_value(const struct report *r, const struct kmprof_sum *sum)
{
	char text[HUMAN_TEXT];

	printf("%*s ", VALUE_COLUMN, human(text, r, (double)sum->value));
}

static void put_error(const struct report *r, const struct kmprof_sum *sum)
{
	char text[HUMAN_TEXT];

	printf("%*s ", VALUE_COLUMN, human(text, r, sqrt(sum->variance)));
}

static void put_share(const struct report *r, const struct kmprof_sum *sum)
{
	printf("%*.1f%% ", SHARE_COLUMN - 1, 100 * report_share(r, sum));
}

/* What remains of a line behind the columns; without a terminal there is no end. */
static int room_behind(int columns)
{
	int width = term_width();

	if (!width)
		return INT_MAX;
	return width > columns ? width - columns : 1;
}

static bool has_error(const struct report *r)
{
	const struct kmprof_value_course *course = r->series->course;

	return course && course[r->series->shown].has_variance;
}

/* What is shown, how much of it there is, and what is not in it. */
static void put_head(const struct report *r, const struct kmprof_sum *shown)
{
	const struct kmprof_filter *filter = &r->request->filter;
	char text[HUMAN_TEXT];

	printf("%s: %s, %s", r->series->name, report_column(r)->name,
	       human(text, r, (double)r->all.value));
	if (has_error(r))
		printf(" %s %s (one standard error)", term_plus_minus(),
		       human(text, r, sqrt(r->all.variance)));
	putchar('\n');
	if (filter->focus.text || filter->ignore.text)
		printf("Chosen: %s, %.1f%% of it\n", human(text, r, (double)shown->value),
		       100 * report_share(r, shown));
	if (r->series->samples_lost)
		printf("%sNot in it: %llu sample%s; 'kmprof status' tells why%s\n", term_alert(),
		       r->series->samples_lost, r->series->samples_lost == 1 ? "" : "s",
		       term_plain());
	putchar('\n');
}

static void put_capitals(const char *text)
{
	for (; *text; text++)
		putchar(toupper((unsigned char)*text));
}

/* --- tables --------------------------------------------------------------------------- */

/* Self first, or total, by which of them the rows are sorted. */
static void put_titles(const struct report *r, const struct kmprof_groups *groups)
{
	const char *first = "VALUE", *second = NULL;

	if (groups->has_total) {
		first = r->request->children ? "TOTAL" : "SELF";
		second = r->request->children ? "SELF" : "TOTAL";
	}
	printf("%s%*s ", term_bold(), VALUE_COLUMN, first);
	if (has_error(r))
		printf("%*s ", VALUE_COLUMN, "STD.ERROR");
	printf("%*s ", SHARE_COLUMN, "SHARE");
	if (second)
		printf("%*s %*s ", VALUE_COLUMN, second, SHARE_COLUMN, "SHARE");
	putchar(' ');
	put_capitals(r->request->by);
	if (!strcmp(r->request->by, "stack"))
		fputs(", LEAF < CALLERS", stdout);
	printf("%s\n", term_plain());
}

static int columns(const struct report *r, const struct kmprof_groups *groups)
{
	return VALUE_COLUMN + 1 + SHARE_COLUMN + 1 + 1 + (has_error(r) ? VALUE_COLUMN + 1 : 0) +
	       (groups->has_total ? VALUE_COLUMN + 1 + SHARE_COLUMN + 1 : 0);
}

/* Appends as much as there is room for. */
static void append(char line[LINE_TEXT], size_t *used, const char *text)
{
	if (*used < LINE_TEXT)
		*used += (size_t)snprintf(line + *used, LINE_TEXT - *used, "%s", text);
}

static void put_stack(const struct kmprof_stacks *stacks, const struct kmprof_stack *stack,
		      int room)
{
	char line[LINE_TEXT] = "";
	size_t used = 0;
	__u32 i;

	for (i = stack->nr; i-- > 0;) {
		append(line, &used, stacks->name[stack->frame[i]].text);
		append(line, &used, i ? " < " : "");
	}
	printf("%.*s\n", room, line);
}

static void put_group(const struct report *r, const struct kmprof_groups *groups,
		      const struct kmprof_group *group, int room)
{
	const struct kmprof_sum *first = report_sum(r, group);

	put_value(r, first);
	if (has_error(r))
		put_error(r, first);
	put_share(r, first);
	if (groups->has_total) {
		const struct kmprof_sum *second = r->request->children ? &group->self :
									 &group->total;

		put_value(r, second);
		put_share(r, second);
	}
	putchar(' ');
	if (group->stack)
		put_stack(&groups->stacks, group->stack, room);
	else
		printf("%.*s\n", room, group->name);
}

/* Those of which there is something, and which are above the limit. */
static size_t count_others(const struct report *r, const struct kmprof_groups *groups,
			   size_t shown)
{
	size_t i = shown;

	while (i < groups->nr && report_sum(r, &groups->group[i])->value > 0)
		i++;
	return i - shown;
}

int report_table(const struct report *r, const struct kmprof_groups *groups)
{
	size_t i, nr = report_shown(r, groups), others = count_others(r, groups, nr);
	int room = room_behind(columns(r, groups));

	put_head(r, &groups->all);
	put_titles(r, groups);
	for (i = 0; i < nr; i++)
		put_group(r, groups, &groups->group[i], room);
	if (others)
		printf("... and %zu more; -n 0 shows all\n", others);
	return finish_stdout();
}

/* --- trees ---------------------------------------------------------------------------- */

/**
 * struct tree - a tree on its way to standard output
 * @r: how it is shown
 * @stacks: of which
 * @room: columns behind the numbers
 * @prefix: what connects the branches, up to the level that is shown
 * @err: what went wrong
 */
struct tree {
	const struct report *r;
	const struct kmprof_stacks *stacks;
	int room;
	char prefix[PREFIX * (REPORT_LEVELS + 1) + 1];
	struct kmprof_error *err;
};

static void put_line(const struct tree *t, const char *connector, const char *name)
{
	char line[LINE_TEXT] = "";
	size_t used = 0;

	append(line, &used, t->prefix);
	append(line, &used, connector);
	append(line, &used, name);
	printf(" %.*s\n", t->room, line);
}

static void put_numbers(const struct tree *t, const struct kmprof_sum *sum)
{
	put_value(t->r, sum);
	put_share(t->r, sum);
}

/* A function that has the numbers of the one above. */
static void put_blanks(void)
{
	printf("%*s", VALUE_COLUMN + 1 + SHARE_COLUMN + 1, "");
}

static int put_branches(struct tree *t, const struct kmprof_branch *of, unsigned int level);

/* A function, those that it alone calls, and then where they part. */
static int put_branch(struct tree *t, const struct kmprof_branch *first, const char *connector,
		      const char *below, unsigned int level)
{
	size_t length = strlen(t->prefix), nr;
	struct kmprof_branch branch = *first, *next;
	bool is_chain = true;
	int ret;

	put_numbers(t, &branch.total);
	put_line(t, connector, kmprof_branch_name(&branch, t->stacks));
	strcpy(t->prefix + length, below);
	while (is_chain) {
		if (kmprof_tree_branches(&next, &nr, &branch, t->stacks, t->r->series->shown))
			return kmprof_error_set(t->err, -ENOMEM, NULL,
						"making the tree: out of memory");
		is_chain = kmprof_branch_is_chain(&branch, next, nr);
		if (is_chain) {
			branch = *next;
			put_blanks();
			put_line(t, "", kmprof_branch_name(&branch, t->stacks));
		}
		free(next);
	}
	ret = put_branches(t, &branch, level + 1);
	t->prefix[length] = '\0';
	return ret;
}

/* What is not shown by itself, in one line. */
static void put_others(struct tree *t, const struct kmprof_branch *branch, size_t nr,
		       unsigned int level)
{
	struct kmprof_sum sum = { 0 };
	char text[64];
	size_t i;

	for (i = 0; i < nr; i++)
		kmprof_sum_add(&sum, branch[i].total.value, branch[i].total.variance);
	if (!sum.value)
		return;
	put_numbers(t, &sum);
	snprintf(text, sizeof(text), "%zu more", nr);
	put_line(t, level ? "`- " : "", text);
}

static int put_branches(struct tree *t, const struct kmprof_branch *of, unsigned int level)
{
	struct kmprof_branch *branch;
	size_t i, nr, shown;
	bool is_last;
	int ret = 0;

	if (kmprof_tree_branches(&branch, &nr, of, t->stacks, t->r->series->shown))
		return kmprof_error_set(t->err, -ENOMEM, NULL, "making the tree: out of memory");
	shown = level < REPORT_LEVELS ? report_branches_shown(t->r, branch, nr) : 0;
	if (level && nr && of->self.value > 0) {
		put_numbers(t, &of->self);
		put_line(t, "|- ", "(itself)");
	}
	for (i = 0; i < shown && !ret; i++) {
		is_last = i + 1 == nr;
		ret = put_branch(t, &branch[i], !level ? "" : is_last ? "`- " : "|- ",
				 !level ? "" : is_last ? "   " : "|  ", level);
	}
	if (!ret && shown < nr)
		put_others(t, branch + shown, nr - shown, level);
	free(branch);
	return ret;
}

int report_tree(const struct report *r, const struct kmprof_stacks *stacks,
		struct kmprof_error *err)
{
	struct tree t = {
		.r = r,
		.stacks = stacks,
		.room = room_behind(VALUE_COLUMN + 1 + SHARE_COLUMN + 2),
		.err = err,
	};
	struct kmprof_branch root;

	kmprof_tree_root(&root, stacks, r->series->shown);
	put_head(r, &root.total);
	printf("%s%*s %*s  %s%s\n", term_bold(), VALUE_COLUMN, "TOTAL", SHARE_COLUMN, "SHARE",
	       "FUNCTION", term_plain());
	return put_branches(&t, &root, 0);
}
