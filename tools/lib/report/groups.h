/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A column of a series, added up by what its stacks have in common: function, module, a label; or
 * by stack. Of functions and modules there are two sums: of the stacks that end there, which add
 * up to the whole, and of all stacks that pass through.
 */
#ifndef KMPROF_REPORT_GROUPS_H
#define KMPROF_REPORT_GROUPS_H

#include "export/stacks.h"
#include "report/sum.h"

/* What is said of a row without the label. */
#define KMPROF_NO_LABEL	"[none]"

/**
 * struct kmprof_group - what has a name in common
 * @name: the name; NULL: it is a stack
 * @stack: the stack, or NULL
 * @self: sum over the stacks whose leaf has the name, or over the rows with the label
 * @total: sum over the stacks that have a frame with the name; the same as @self, if there are
 *	no frames to speak of
 */
struct kmprof_group {
	const char *name;
	const struct kmprof_stack *stack;
	struct kmprof_sum self;
	struct kmprof_sum total;
};

/**
 * struct kmprof_groups - all of them
 * @group: the groups
 * @nr: how many
 * @has_total: @total says more than @self
 * @all: sum over all stacks
 * @stacks: what groups and their names are of; of labels, there are none
 * @names: of modules and labels
 */
struct kmprof_groups {
	struct kmprof_group *group;
	size_t nr;
	bool has_total;
	struct kmprof_sum all;
	struct kmprof_stacks stacks;
	struct kmprof_intern names;
};

/**
 * kmprof_groups_build() - add up the column that a series shows
 * @groups: filled in; released by kmprof_groups_release()
 * @series: the profile
 * @resolver: names for the addresses
 * @by: "stack", "function", "module" or the name of a label
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_groups_build(struct kmprof_groups *groups, const struct kmprof_series *series,
			const struct kmprof_resolver *resolver, const char *by,
			struct kmprof_error *err);
/**
 * kmprof_groups_check() - can a series be grouped like that?
 * @series: the profile
 * @by: as of kmprof_groups_build()
 * @err: says what it can be grouped by
 *
 * Return: 0, -ENOENT if no row has such a label, or -ENOMEM. Without rows, any label will do.
 */
int kmprof_groups_check(const struct kmprof_series *series, const char *by,
			struct kmprof_error *err);
void kmprof_groups_release(struct kmprof_groups *groups);

/* The largest first: by @total or by @self; then by the other one, and by their names. */
void kmprof_groups_sort(struct kmprof_groups *groups, bool by_total);

#endif
