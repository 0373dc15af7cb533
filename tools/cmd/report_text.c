// SPDX-License-Identifier: GPL-2.0
#include <ctype.h>
#include <errno.h>
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
};

/* A value of the column, in a few characters. */
static const char *human(char text[HUMAN_TEXT], const struct report *r, double value)
{
	const char *unit = report_column(r)->unit;

	if (!strcmp(unit, "bytes"))
		return human_bytes(text, value, false);
	if (!strcmp(unit, "nanoseconds"))
		return human_ns(text, value);
	/* What has no room in a column. */
	snprintf(text, HUMAN_TEXT, value < 1e9 ? "%.0f" : "%.3e", value);
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

/* What is shown, how much of it there is, and what is not in it. */
static void put_head(const struct report *r, const struct kmprof_sum *shown)
{
	const struct kmprof_filter *filter = &r->request->filter;
	char text[HUMAN_TEXT];

	printf("%s: %s, ", r->series->name, report_column(r)->name);
	if (r->limit.before)
		printf("%s%s%s", r->limit.before, human(text, r, r->limit.bytes), r->limit.behind);
	else
		fputs(human(text, r, (double)r->all.value), stdout);
	if (!r->limit.before && report_has_error(r))
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
	if (r->series->samples_filtered)
		printf("Left out by heap_filter: %llu sample%s\n", r->series->samples_filtered,
		       r->series->samples_filtered == 1 ? "" : "s");
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
	if (report_has_error(r))
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
	int both = VALUE_COLUMN + 1 + SHARE_COLUMN + 1;

	return both + (report_has_error(r) ? VALUE_COLUMN + 1 : 0) +
	       (groups->has_total ? both : 0) + 1;
}

/* As many frames as there is room for, the last one cut. */
static void put_stack(const struct kmprof_stacks *stacks, const struct kmprof_stack *stack,
		      int room)
{
	__u32 i;
	int put;

	for (i = stack->nr; i-- > 0 && room > 0; room -= put) {
		put = printf("%.*s", room, stacks->name[stack->frame[i]].text);
		if (i && room > put)
			put += printf("%.*s", room - put, " < ");
	}
	putchar('\n');
}

static void put_group(const struct report *r, const struct kmprof_groups *groups,
		      const struct kmprof_group *group, int room)
{
	const struct kmprof_sum *first = report_sum(r, group);

	put_value(r, first);
	if (report_has_error(r))
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

int report_table(const struct report *r, const struct kmprof_groups *groups)
{
	size_t i, nr = report_shown(r, groups), others = report_all(groups) - nr;
	int room = term_room(columns(r, groups));

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
	int room = t->room - (int)(strlen(t->prefix) + strlen(connector));

	/* What is too deep for the terminal has no name there. */
	printf(" %.*s%.*s%.*s\n", t->room, t->prefix, t->room, connector, room > 0 ? room : 0,
	       name);
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
	size_t length = strlen(t->prefix);
	struct kmprof_branch branch = *first;
	__u32 depth = first->depth;
	int ret;

	kmprof_tree_follow(&branch, t->stacks);
	put_numbers(t, &branch.total);
	put_line(t, connector, kmprof_branch_name(&branch, t->stacks, depth));
	strcpy(t->prefix + length, below);
	while (depth++ < branch.depth) {
		put_blanks();
		put_line(t, "", kmprof_branch_name(&branch, t->stacks, depth));
	}
	ret = put_branches(t, &branch, level + 1);
	t->prefix[length] = '\0';
	return ret;
}

/* What is not shown by itself, in one line. */
static void put_others(struct tree *t, const struct kmprof_sum *sum, size_t nr,
		       const char *connector)
{
	char text[64];

	put_numbers(t, sum);
	snprintf(text, sizeof(text), "%zu more", nr);
	put_line(t, connector, text);
}

static int put_branches(struct tree *t, const struct kmprof_branch *of, unsigned int level)
{
	struct kmprof_branch *branch;
	struct kmprof_sum others;
	size_t i, nr, shown;
	bool is_last;
	int ret = 0;

	if (kmprof_tree_branches(&branch, &nr, of, t->stacks))
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
	if (!ret && shown < nr) {
		others = report_others(branch, shown, nr);
		put_others(t, &others, nr - shown, level ? "`- " : "");
	}
	free(branch);
	return ret;
}

int report_tree(const struct report *r, const struct kmprof_stacks *stacks,
		struct kmprof_error *err)
{
	struct tree t = {
		.r = r,
		.stacks = stacks,
		.room = term_room(VALUE_COLUMN + 1 + SHARE_COLUMN + 2),
		.err = err,
	};
	struct kmprof_branch root;

	kmprof_tree_root(&root, stacks);
	put_head(r, &root.total);
	printf("%s%*s %*s  %s%s\n", term_bold(), VALUE_COLUMN, "TOTAL", SHARE_COLUMN, "SHARE",
	       "FUNCTION", term_plain());
	return put_branches(&t, &root, 0);
}
