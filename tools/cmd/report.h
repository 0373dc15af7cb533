/* SPDX-License-Identifier: GPL-2.0 */
/* kmprof report: what is asked for, and the forms in which it is shown. */
#ifndef KMPROF_CMD_REPORT_H
#define KMPROF_CMD_REPORT_H

#include "cmd/cmd.h"
#include "profile/filter.h"
#include "profile/limit.h"
#include "profile/series.h"
#include "report/groups.h"
#include "report/tree.h"

/**
 * struct report_request - what is asked for
 * @profile: its name
 * @by: --by
 * @tree: --tree
 * @children: --children
 * @most: -n; 0: all
 * @filter: --focus and --ignore
 * @column: --column, or NULL
 * @json: --json
 * @input: --input, or NULL
 * @names: where names of addresses come from
 * @lines: --lines and --debuginfo
 */
struct report_request {
	const char *profile;
	const char *by;
	bool tree;
	bool children;
	unsigned long most;
	struct kmprof_filter filter;
	const char *column;
	bool json;
	const char *input;
	struct kmprof_resolver_options names;
	struct kmprof_debuginfo_options lines;
};

/* Return: EXIT_OK, another exit status, or -1 when --help has been shown. */
int report_parse(struct report_request *r, int argc, char **argv);

/**
 * struct report - what is shown
 * @request: how
 * @series: the profile, filtered
 * @all: sum of the column over the whole profile
 * @limit: of memory in use, if no sample of it is there; else its @before is NULL
 */
struct report {
	const struct report_request *request;
	const struct kmprof_series *series;
	struct kmprof_sum all;
	struct kmprof_limit limit;
};

static inline const struct kmprof_value_type *report_column(const struct report *r)
{
	return &r->series->types[r->series->shown];
}

/* Is the error of the column known? */
bool report_has_error(const struct report *r);
/* Share of a sum in all, from 0 to 1. */
double report_share(const struct report *r, const struct kmprof_sum *sum);
/* How many groups are shown: those that have anything, up to the limit. */
size_t report_shown(const struct report *r, const struct kmprof_groups *groups);
/* How many have anything at all. */
size_t report_all(const struct kmprof_groups *groups);
/* The one by which groups are sorted. */
const struct kmprof_sum *report_sum(const struct report *r, const struct kmprof_group *group);

/*
 * Of a node, how many branches are shown by themselves. The others are added up: those above
 * the limit, and those with less than REPORT_LEAST_SHARE.
 */
size_t report_branches_shown(const struct report *r, const struct kmprof_branch *branches,
			     size_t nr);
#define REPORT_LEAST_SHARE	0.005

/*
 * How often a tree may branch: a stack of the module has 128 frames at most. Inlined functions add
 * to them, but stacks hardly part at each of those; deeper branches are added up.
 */
enum { REPORT_LEVELS = 128 };

/* The branches of a node that are not shown by themselves, added up. */
struct kmprof_sum report_others(const struct kmprof_branch *branches, size_t shown, size_t nr);

/* A table, as text. */
int report_table(const struct report *r, const struct kmprof_groups *groups);
/* A tree, as text; *@err says what went wrong. */
int report_tree(const struct report *r, const struct kmprof_stacks *stacks,
		struct kmprof_error *err);
/* The same as JSON; NULL: out of memory. */
json_t *report_table_json(const struct report *r, const struct kmprof_groups *groups);
json_t *report_tree_json(const struct report *r, const struct kmprof_stacks *stacks);

#endif
