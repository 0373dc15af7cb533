// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report/groups.h"
#include "symbols/frame_name.h"
#include "util/printable.h"

/* The module of what is not in one. */
#define KERNEL_NAME	"[kernel]"

static int allocate(struct kmprof_groups *groups, size_t nr)
{
	groups->group = calloc(nr + 1, sizeof(*groups->group));
	groups->nr = nr;
	return groups->group ? 0 : -ENOMEM;
}

/* --- by stack ------------------------------------------------------------------------- */

static int by_stack(struct kmprof_groups *groups)
{
	struct kmprof_group *group;
	size_t i;

	if (allocate(groups, groups->stacks.nr))
		return -ENOMEM;
	for (i = 0; i < groups->nr; i++) {
		group = &groups->group[i];
		group->stack = &groups->stacks.stack[i];
		kmprof_sum_add_stack(&group->self, group->stack);
		group->total = group->self;
	}
	return 0;
}

/* --- by what frames have in common ---------------------------------------------------- */

/*
 * Adds up by a property of names: @of_name has a group for each of them. A stack that passes
 * through a group more than once counts in its total once.
 */
static int by_frames(struct kmprof_groups *groups, const __u32 *of_name)
{
	size_t *last = calloc(groups->nr + 1, sizeof(*last));
	const struct kmprof_stack *stack;
	size_t i, group;
	__u32 n;

	if (!last)
		return -ENOMEM;
	for (i = 0; i < groups->stacks.nr; i++) {
		stack = &groups->stacks.stack[i];
		group = of_name[stack->frame[stack->nr - 1]];
		kmprof_sum_add_stack(&groups->group[group].self, stack);
		for (n = 0; n < stack->nr; n++) {
			group = of_name[stack->frame[n]];
			if (last[group] == i + 1)
				continue;
			last[group] = i + 1;
			kmprof_sum_add_stack(&groups->group[group].total, stack);
		}
	}
	free(last);
	groups->has_total = true;
	return 0;
}

static int by_function(struct kmprof_groups *groups, __u32 *of_name)
{
	size_t i;

	if (allocate(groups, groups->stacks.nr_names))
		return -ENOMEM;
	for (i = 0; i < groups->nr; i++) {
		groups->group[i].name = groups->stacks.name[i].text;
		of_name[i] = (__u32)i;
	}
	return 0;
}

/* "function [module]" is in its module; what has no name, or is no function, in no known one. */
static const char *module_of(const struct kmprof_stack_name *name)
{
	if (name->text[name->length])
		return name->text + name->length + 1;
	if (!strncmp(name->text, "0x", 2))
		return KMPROF_NO_NAME;
	return name->text[0] == '[' ? name->text : KERNEL_NAME;
}

static int by_module(struct kmprof_groups *groups, __u32 *of_name)
{
	__s64 number;
	size_t i;

	for (i = 0; i < groups->stacks.nr_names; i++) {
		number = kmprof_intern_add(&groups->names, module_of(&groups->stacks.name[i]));
		if (number < 0)
			return -ENOMEM;
		of_name[i] = (__u32)number;
	}
	if (allocate(groups, groups->names.nr))
		return -ENOMEM;
	for (i = 0; i < groups->nr; i++)
		groups->group[i].name = groups->names.string[i];
	return 0;
}

static int by_names(struct kmprof_groups *groups,
		    int (*group_names)(struct kmprof_groups *groups, __u32 *of_name))
{
	__u32 *of_name = calloc(groups->stacks.nr_names + 1, sizeof(*of_name));
	int ret = -ENOMEM;

	if (of_name)
		ret = group_names(groups, of_name);
	if (!ret)
		ret = by_frames(groups, of_name);
	free(of_name);
	return ret;
}

/* --- by label ------------------------------------------------------------------------- */

/* What else can be asked for is about frames. */
static bool is_label(const char *by)
{
	return strcmp(by, "stack") && strcmp(by, "function") && strcmp(by, "module");
}

/* The value of a label that a row does not have. */
static const char *missing(const struct kmprof_series *series, const char *key)
{
	size_t i;

	for (i = 0; i < series->nr_usual; i++)
		if (!strcmp(key, series->usual[i].key))
			return series->usual[i].value;
	return KMPROF_NO_LABEL;
}

/* Return: the number of the row's group, or -ENOMEM. */
static __s64 group_of_row(struct kmprof_groups *groups, const struct kmprof_series *series,
			  const struct kmprof_series_row *row, const char *key)
{
	const struct kmprof_series_label *label = kmprof_row_find_label(row, key);
	char room[KMPROF_SERIES_ROOM];

	if (!label)
		return kmprof_intern_add(&groups->names, missing(series, key));
	if (label->text)
		snprintf(room, sizeof(room), "%s", label->text);
	else
		snprintf(room, sizeof(room), "%llu", label->number);
	kmprof_make_printable(room);
	return kmprof_intern_add(&groups->names, room);
}

static int by_label(struct kmprof_groups *groups, const struct kmprof_series *series,
		    const char *key)
{
	__u32 *of_row = calloc(series->nr_rows + 1, sizeof(*of_row));
	struct kmprof_series_row row;
	struct kmprof_group *group;
	__s64 number = 0;
	size_t i;
	int ret;

	for (i = 0; of_row && i < series->nr_rows && number >= 0; i++) {
		kmprof_series_row(series, i, &row);
		number = group_of_row(groups, series, &row, key);
		of_row[i] = (__u32)number;
	}
	ret = !of_row || number < 0 ? -ENOMEM : allocate(groups, groups->names.nr);
	for (i = 0; !ret && i < series->nr_rows; i++) {
		kmprof_series_numbers(series, i, &row);
		group = &groups->group[of_row[i]];
		group->name = groups->names.string[of_row[i]];
		kmprof_sum_add(&group->self, row.value[series->shown],
			       row.variance[series->shown]);
		kmprof_sum_add(&groups->all, row.value[series->shown],
			       row.variance[series->shown]);
		group->total = group->self;
	}
	free(of_row);
	return ret;
}

/* All labels that rows have. */
static int collect_labels(struct kmprof_intern *keys, const struct kmprof_series *series)
{
	struct kmprof_series_row row;
	unsigned int n;
	size_t i;

	for (i = 0; i < series->nr_usual; i++)
		if (kmprof_intern_add(keys, series->usual[i].key) < 0)
			return -ENOMEM;
	for (i = 0; i < series->nr_rows; i++) {
		kmprof_series_row(series, i, &row);
		for (n = 0; n < row.nr_labels; n++)
			if (kmprof_intern_add(keys, row.label[n].key) < 0)
				return -ENOMEM;
	}
	return 0;
}

static int check_label(const struct kmprof_intern *keys, const char *key,
		       struct kmprof_error *err)
{
	char text[sizeof(err->text)];
	size_t i, used;

	used = (size_t)snprintf(text, sizeof(text), "stack, function, module");
	for (i = 0; i < keys->nr; i++) {
		if (!strcmp(keys->string[i], key))
			return 0;
		if (used < sizeof(text))
			used += (size_t)snprintf(text + used, sizeof(text) - used, ", %s",
						 keys->string[i]);
	}
	return kmprof_error_set(err, -ENOENT, NULL, "'%s': no stack has that; there are: %s", key,
				text);
}

int kmprof_groups_check(const struct kmprof_series *series, const char *by,
			struct kmprof_error *err)
{
	struct kmprof_intern keys = { 0 };
	int ret;

	if (!series->nr_rows || !is_label(by))
		return 0;
	ret = collect_labels(&keys, series);
	if (ret)
		kmprof_error_set(err, ret, NULL, "adding up the stacks: out of memory");
	else
		ret = check_label(&keys, by, err);
	kmprof_intern_release(&keys);
	return ret;
}

/* -------------------------------------------------------------------------------------- */

static int build(struct kmprof_groups *groups, const struct kmprof_series *series,
		 const struct kmprof_resolver *resolver, const char *by, struct kmprof_error *err)
{
	int ret;

	if (is_label(by))
		return by_label(groups, series, by);
	ret = kmprof_stacks_build(&groups->stacks, series, resolver, err);
	if (ret)
		return ret;
	groups->all.value = groups->stacks.total;
	groups->all.variance = groups->stacks.total_variance;
	if (!strcmp(by, "stack"))
		return by_stack(groups);
	return by_names(groups, !strcmp(by, "module") ? by_module : by_function);
}

int kmprof_groups_build(struct kmprof_groups *groups, const struct kmprof_series *series,
			const struct kmprof_resolver *resolver, const char *by,
			struct kmprof_error *err)
{
	int ret;

	memset(groups, 0, sizeof(*groups));
	ret = build(groups, series, resolver, by, err);
	if (!ret)
		return 0;
	kmprof_groups_release(groups);
	return kmprof_error_set(err, ret, NULL, "adding up the stacks: out of memory");
}

void kmprof_groups_release(struct kmprof_groups *groups)
{
	kmprof_stacks_release(&groups->stacks);
	kmprof_intern_release(&groups->names);
	free(groups->group);
	memset(groups, 0, sizeof(*groups));
}

/* Stacks have the order of the names of their frames already. */
static int in_order(const struct kmprof_group *a, const struct kmprof_group *b)
{
	return a->name ? strcmp(a->name, b->name) : (a->stack > b->stack) - (a->stack < b->stack);
}

static int largest_first(const struct kmprof_sum *a, const struct kmprof_sum *b)
{
	return (a->value < b->value) - (a->value > b->value);
}

static int largest_self_first(const void *a, const void *b)
{
	const struct kmprof_group *x = a, *y = b;

	return largest_first(&x->self, &y->self) ?: largest_first(&x->total, &y->total) ?:
	       in_order(x, y);
}

static int largest_total_first(const void *a, const void *b)
{
	const struct kmprof_group *x = a, *y = b;

	return largest_first(&x->total, &y->total) ?: largest_first(&x->self, &y->self) ?:
	       in_order(x, y);
}

void kmprof_groups_sort(struct kmprof_groups *groups, bool by_total)
{
	qsort(groups->group, groups->nr, sizeof(*groups->group),
	      by_total ? largest_total_first : largest_self_first);
}
