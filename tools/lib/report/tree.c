// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "report/tree.h"

/* Adds a stack to a node that it passes through. */
static void pass(struct kmprof_branch *branch, const struct kmprof_stack *stack)
{
	kmprof_sum_add_stack(&branch->total, stack);
	if (stack->nr == branch->depth)
		kmprof_sum_add_stack(&branch->self, stack);
	branch->to++;
}

void kmprof_tree_prune(struct kmprof_stacks *stacks)
{
	size_t i, to = 0;

	for (i = 0; i < stacks->nr; i++)
		if (stacks->stack[i].value)
			stacks->stack[to++] = stacks->stack[i];
	stacks->nr = to;
}

void kmprof_tree_root(struct kmprof_branch *root, const struct kmprof_stacks *stacks)
{
	memset(root, 0, sizeof(*root));
	while (root->to < stacks->nr)
		pass(root, &stacks->stack[root->to]);
}

static int largest_first(const void *a, const void *b)
{
	const struct kmprof_branch *x = a, *y = b;

	if (x->total.value != y->total.value)
		return x->total.value < y->total.value ? 1 : -1;
	return (x->from > y->from) - (x->from < y->from);
}

/* The node that has the first stack at @from or behind it, below a node of that depth. */
static struct kmprof_branch next_branch(const struct kmprof_branch *of, size_t from,
					const struct kmprof_stacks *stacks)
{
	struct kmprof_branch branch = { .depth = of->depth + 1 };
	const struct kmprof_stack *stack = stacks->stack;

	/* Those that end in the node itself come first. */
	while (from < of->to && stack[from].nr <= of->depth)
		from++;
	branch.from = from;
	branch.to = from;
	while (branch.to < of->to &&
	       stack[branch.to].frame[of->depth] == stack[from].frame[of->depth])
		pass(&branch, &stack[branch.to]);
	return branch;
}

int kmprof_tree_branches(struct kmprof_branch **branches, size_t *nr,
			 const struct kmprof_branch *of, const struct kmprof_stacks *stacks)
{
	struct kmprof_branch *found = NULL, *more, next;
	size_t from = of->from, n = 0, room = 0;

	for (;;) {
		next = next_branch(of, from, stacks);
		if (next.from == next.to)
			break;
		if (n == room) {
			room = room ? room * 2 : 4;
			more = reallocarray(found, room, sizeof(*found));
			if (!more) {
				free(found);
				return -ENOMEM;
			}
			found = more;
		}
		found[n++] = next;
		from = next.to;
	}
	if (n)
		qsort(found, n, sizeof(*found), largest_first);
	*branches = found;
	*nr = n;
	return 0;
}

void kmprof_tree_follow(struct kmprof_branch *branch, const struct kmprof_stacks *stacks)
{
	/* They are sorted: what these two have in common, all have. */
	const struct kmprof_stack *first = &stacks->stack[branch->from];
	const struct kmprof_stack *last = &stacks->stack[branch->to - 1];
	__u32 n = branch->depth;

	while (n < first->nr && n < last->nr && first->frame[n] == last->frame[n])
		n++;
	branch->depth = n;
	/* Each stack is there once, and the shortest is the first. */
	branch->self = (struct kmprof_sum){ 0 };
	if (first->nr == n)
		kmprof_sum_add_stack(&branch->self, first);
}

const char *kmprof_branch_name(const struct kmprof_branch *branch,
			       const struct kmprof_stacks *stacks, __u32 depth)
{
	return stacks->name[stacks->stack[branch->from].frame[depth - 1]].text;
}
