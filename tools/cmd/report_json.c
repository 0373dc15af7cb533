// SPDX-License-Identifier: GPL-2.0
#include <math.h>
#include <stdlib.h>

#include "cmd/report.h"
#include "export/json.h"

static json_t *json_patterns(const struct report *r, json_t *head)
{
	const struct kmprof_filter *filter = &r->request->filter;

	if (filter->focus.text &&
	    json_object_set_new(head, "focus", json_string(filter->focus.text)))
		goto fail;
	if (filter->ignore.text &&
	    json_object_set_new(head, "ignore", json_string(filter->ignore.text)))
		goto fail;
	return head;
fail:
	json_decref(head);
	return NULL;
}

/* Takes the value. */
static json_t *with(json_t *object, const char *key, json_t *value)
{
	if (!json_object_set_new(object, key, value))
		return object;
	json_decref(object);
	return NULL;
}

/* Where no error is known there is no member. */
static json_t *with_error(json_t *object, const char *key, const struct report *r,
			  const struct kmprof_sum *sum)
{
	return report_has_error(r) ? with(object, key, json_real(sqrt(sum->variance))) : object;
}

/* What a table and a tree have in common. @shown: the sum over what they are of. */
static json_t *json_head(const struct report *r, const struct kmprof_sum *shown)
{
	const struct kmprof_series *series = r->series;
	const struct kmprof_value_type *type = report_column(r);
	json_t *head;

	head = json_pack("{s:s, s:o, s:o, s:{s:s, s:s}, s:I, s:I, s:o, s:o}",
			 "profile", series->name,
			 "time_ns", kmprof_json_u64(series->time_ns),
			 "duration_ns", kmprof_json_u64(series->duration_ns),
			 "column", "name", type->name, "unit", type->unit,
			 "total", (json_int_t)r->all.value,
			 "matched", (json_int_t)shown->value,
			 "samples_lost", kmprof_json_u64(series->samples_lost),
			 "samples_filtered", kmprof_json_u64(series->samples_filtered));
	head = with_error(head, "standard_error", r, &r->all);
	return head ? json_patterns(r, head) : NULL;
}

/* Leaf first. */
static json_t *json_stack(const struct kmprof_stacks *stacks, const struct kmprof_stack *stack)
{
	json_t *array = json_array();
	__u32 i;

	for (i = stack->nr; i-- > 0;)
		array = kmprof_json_append(array, json_string(stacks->name[stack->frame[i]].text));
	return array;
}

static json_t *json_group(const struct report *r, const struct kmprof_groups *groups,
			  const struct kmprof_group *group)
{
	json_t *value = json_pack("{s:I}", "self", (json_int_t)group->self.value);

	value = with_error(value, "self_standard_error", r, &group->self);
	if (groups->has_total) {
		value = with(value, "total", json_integer((json_int_t)group->total.value));
		value = with_error(value, "total_standard_error", r, &group->total);
	}
	if (group->stack)
		return with(value, "stack", json_stack(&groups->stacks, group->stack));
	return with(value, "name", json_string(group->name));
}

json_t *report_table_json(const struct report *r, const struct kmprof_groups *groups)
{
	size_t i, nr = report_shown(r, groups);
	json_t *rows = json_array();

	for (i = 0; i < nr; i++)
		rows = kmprof_json_append(rows, json_group(r, groups, &groups->group[i]));
	return with(with(with(json_head(r, &groups->all), "by", json_string(r->request->by)),
			 "nr_rows", kmprof_json_u64(report_all(groups))), "rows", rows);
}

static json_t *with_branches(json_t *object, const struct report *r,
			     const struct kmprof_stacks *stacks, const struct kmprof_branch *of,
			     unsigned int level);

/*
 * A function, and those that it calls. Where all go the same way, the functions are in one array:
 * a reader need not descend once for each.
 */
static json_t *json_branch(const struct report *r, const struct kmprof_stacks *stacks,
			   const struct kmprof_branch *first, unsigned int level)
{
	struct kmprof_branch branch = *first;
	json_t *functions = json_array(), *value;
	__u32 depth;

	kmprof_tree_follow(&branch, stacks);
	for (depth = first->depth; depth <= branch.depth; depth++)
		functions = kmprof_json_append(functions,
					       json_string(kmprof_branch_name(&branch, stacks,
									      depth)));
	value = json_pack("{s:o, s:I, s:I}", "functions", functions,
			  "total", (json_int_t)branch.total.value,
			  "self", (json_int_t)branch.self.value);
	value = with_error(value, "total_standard_error", r, &branch.total);
	return with_branches(value, r, stacks, &branch, level + 1);
}

static json_t *json_others(const struct kmprof_branch *branches, size_t shown, size_t nr)
{
	struct kmprof_sum sum = report_others(branches, shown, nr);

	return json_pack("{s:o, s:I}", "nr", kmprof_json_u64(nr - shown),
			 "total", (json_int_t)sum.value);
}

/* Takes the object. Those that are not shown by themselves are "others". */
static json_t *with_branches(json_t *object, const struct report *r,
			     const struct kmprof_stacks *stacks, const struct kmprof_branch *of,
			     unsigned int level)
{
	struct kmprof_branch *branches;
	json_t *array = json_array();
	size_t i, nr, shown;

	if (kmprof_tree_branches(&branches, &nr, of, stacks)) {
		json_decref(array);
		json_decref(object);
		return NULL;
	}
	shown = level < REPORT_LEVELS ? report_branches_shown(r, branches, nr) : 0;
	for (i = 0; i < shown; i++)
		array = kmprof_json_append(array, json_branch(r, stacks, &branches[i], level));
	object = with(object, "branches", array);
	if (shown < nr)
		object = with(object, "others", json_others(branches, shown, nr));
	free(branches);
	return object;
}

json_t *report_tree_json(const struct report *r, const struct kmprof_stacks *stacks)
{
	struct kmprof_branch root;

	kmprof_tree_root(&root, stacks);
	return with(json_head(r, &root.total), "tree",
		    with_branches(json_object(), r, stacks, &root, 0));
}
