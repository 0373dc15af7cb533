// SPDX-License-Identifier: GPL-2.0
/* kmprof report: a profile added up, as a table or a tree. */
#include <errno.h>
#include <string.h>

#include "cmd/report.h"
#include "profile/profile.h"
#include "profile/sums.h"

double report_share(const struct report *r, const struct kmprof_sum *sum)
{
	return r->all.value > 0 ? (double)sum->value / (double)r->all.value : 0;
}

const struct kmprof_sum *report_sum(const struct report *r, const struct kmprof_group *group)
{
	return r->request->children ? &group->total : &group->self;
}

bool report_has_error(const struct report *r)
{
	const struct kmprof_value_course *course = r->series->course;

	return course && course[r->series->shown].has_variance;
}

/* Those with nothing are the last. */
size_t report_all(const struct kmprof_groups *groups)
{
	size_t n = groups->nr;

	while (n && groups->group[n - 1].total.value <= 0)
		n--;
	return n;
}

size_t report_shown(const struct report *r, const struct kmprof_groups *groups)
{
	size_t all = report_all(groups);

	return r->request->most && r->request->most < all ? r->request->most : all;
}

struct kmprof_sum report_others(const struct kmprof_branch *branches, size_t shown, size_t nr)
{
	struct kmprof_sum sum = { 0 };

	for (; shown < nr; shown++)
		kmprof_sum_add(&sum, branches[shown].total.value, branches[shown].total.variance);
	return sum;
}

size_t report_branches_shown(const struct report *r, const struct kmprof_branch *branches,
			     size_t nr)
{
	unsigned long most = r->request->most;
	size_t n = 0;

	while (n < nr &&
	       (!most || (n < most &&
			  report_share(r, &branches[n].total) >= REPORT_LEAST_SHARE)))
		n++;
	return n;
}

static int show_tree(const struct report *r, const struct kmprof_resolver *resolver)
{
	struct kmprof_stacks stacks;
	struct kmprof_error err;
	int ret;

	if (kmprof_stacks_build(&stacks, r->series, resolver, &err))
		return fail(&err);
	kmprof_tree_prune(&stacks);
	if (r->request->json)
		ret = print_json(report_tree_json(r, &stacks));
	else
		ret = report_tree(r, &stacks, &err) ? fail(&err) : finish_stdout();
	kmprof_stacks_release(&stacks);
	return ret;
}

static int show_table(const struct report *r, const struct kmprof_resolver *resolver)
{
	struct kmprof_groups groups;
	struct kmprof_error err;
	int ret;

	if (kmprof_groups_build(&groups, r->series, resolver, r->request->by, &err))
		return fail(&err);
	kmprof_groups_sort(&groups, r->request->children);
	if (r->request->json)
		ret = print_json(report_table_json(r, &groups));
	else
		ret = report_table(r, &groups);
	kmprof_groups_release(&groups);
	return ret;
}

static void add_up(struct kmprof_sum *sum, const struct kmprof_series *series)
{
	struct kmprof_series_row row;
	size_t i;

	for (i = 0; i < series->nr_rows; i++) {
		kmprof_series_numbers(series, i, &row);
		kmprof_sum_add(sum, row.value[series->shown], row.variance[series->shown]);
	}
}

/* Without a sample in use, an estimate of 0 would claim too much. */
static void find_limit(struct report *r, const struct kmprof_image *image)
{
	struct kmprof_sums sums;

	if (strcmp(report_column(r)->name, "inuse_space"))
		return;
	sums = kmprof_sums(image);
	if (!kmprof_limit_inuse(&r->limit, image, &sums))
		r->limit.before = NULL;
}

static int show_series(const struct report_request *request, struct kmprof_series *series,
		       const struct kmprof_resolver *resolver)
{
	struct report r = { .request = request, .series = series };
	struct kmprof_error err;
	int ret;

	if (request->column && kmprof_series_show(series, request->column, &err))
		return usage_error(&cmd_report, "--column: %s", err.text);
	ret = kmprof_groups_check(series, request->by, &err);
	if (ret)
		return ret == -ENOENT ? usage_error(&cmd_report, "--by: %s", err.text) : fail(&err);
	add_up(&r.all, series);
	find_limit(&r, resolver->image);
	if (kmprof_filter_series(series, &request->filter, resolver, &err))
		return fail(&err);
	return request->tree ? show_tree(&r, resolver) : show_table(&r, resolver);
}

static int show(const struct report_request *request, const struct kmprof_image *image)
{
	struct kmprof_resolver resolver;
	struct kmprof_profile profile;
	struct kmprof_series series;
	struct kmprof_error err;
	int ret;

	if (kmprof_profile_find(&profile, image, request->profile)) {
		kmprof_profile_lacking(image, request->profile, &err);
		return usage_error(&cmd_report, "%s", err.text);
	}
	ret = open_names(&resolver, image, &request->names);
	if (ret)
		return ret;
	ret = open_lines(&resolver, &request->lines);
	if (ret) {
		kmprof_resolver_close(&resolver);
		return ret;
	}
	if (kmprof_profile_series(&series, image, &resolver, &profile, &err)) {
		ret = fail(&err);
	} else {
		explain_empty(&profile, image);
		ret = show_series(request, &series, &resolver);
		kmprof_series_release(&series);
	}
	kmprof_resolver_close(&resolver);
	return ret;
}

static int run(int argc, char **argv)
{
	struct report_request request;
	struct opened_image opened;
	int ret;

	ret = report_parse(&request, argc, argv);
	if (!ret)
		ret = open_image(&opened, request.input, 0);
	if (!ret) {
		ret = show(&request, &opened.image);
		close_image(&opened);
	}
	kmprof_filter_release(&request.filter);
	kmprof_lines_release(&request.lines.paths);
	return ret < 0 ? EXIT_OK : ret;
}

const struct command cmd_report = {
	.name		= "report",
	.summary	= "add a profile up, by function, module, label or as a tree",
	.usage		=
	"Usage: kmprof report [IMAGE] [-p PROFILE] [--by KEY | --tree] [OPTIONS]\n"
	"\n"
	"Adds up a saved image, or a snapshot of the device if none is given. SELF is of the\n"
	"stacks that end in a function, TOTAL of all that pass through it.\n"
	"\n"
	"Options:\n"
	"  -p, --profile PROFILE\n"
	"                   heap (default), allocs, block, mutex, or any other one\n"
	"  --by KEY         function (default), module, stack, or a label of the stacks: bytes,\n"
	"                   kind, cache, gfp, lock, comm, cgroup and so on\n"
	"  --tree           who calls whom, from the outermost function on\n"
	"  --children       sort by TOTAL\n"
	"  -n, --limit NUMBER\n"
	"                   rows to show, or branches of a function in the tree, 10 if not\n"
	"                   given; 0 for all, in the tree even for those below 0.5%\n"
	USAGE_FILTER
	"  --column NAME    what to add up: inuse_space, inuse_objects, alloc_space,\n"
	"                   alloc_objects; of marks peak_space, peak_objects, at_space,\n"
	"                   at_objects, oom_space, oom_objects; of block and mutex, delay\n"
	"                   and contentions\n"
	USAGE_JSON
	USAGE_INPUT
	USAGE_LINES
	USAGE_SYMBOLS
	USAGE_HELP,
	.run		= run,
};
