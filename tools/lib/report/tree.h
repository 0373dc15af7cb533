/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Stacks as a tree: who is called by whom, from the outermost function on. It is never built:
 * stacks are sorted, so those with a common beginning are a range, and a node is a range and a
 * depth.
 */
#ifndef KMPROF_REPORT_TREE_H
#define KMPROF_REPORT_TREE_H

#include "export/stacks.h"
#include "report/sum.h"

/**
 * struct kmprof_branch - a node of the tree
 * @from: first of the stacks that pass through it
 * @to: behind the last one
 * @depth: frames from the outermost one to this one, with it; 0: the root, before all of them
 * @total: sum over these stacks
 * @self: sum over those that end here
 */
struct kmprof_branch {
	size_t from;
	size_t to;
	__u32 depth;
	struct kmprof_sum total;
	struct kmprof_sum self;
};

/* Takes stacks out of which the value is 0: they are nowhere in the tree. */
void kmprof_tree_prune(struct kmprof_stacks *stacks);

/* The root: all stacks. */
void kmprof_tree_root(struct kmprof_branch *root, const struct kmprof_stacks *stacks);

/**
 * kmprof_tree_branches() - what a node calls
 * @branches: its nodes, the largest first; to be freed
 * @nr: how many
 * @of: the node
 * @stacks: of the tree
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_tree_branches(struct kmprof_branch **branches, size_t *nr,
			 const struct kmprof_branch *of, const struct kmprof_stacks *stacks);

/**
 * kmprof_tree_follow() - go on to where the stacks of a node part, or one of them ends
 * @branch: a node that is not the root; it becomes the last one of those that have the same stacks
 * @stacks: of the tree
 */
void kmprof_tree_follow(struct kmprof_branch *branch, const struct kmprof_stacks *stacks);

/* The function of a node, or of one above it, of that depth, which is not 0. */
const char *kmprof_branch_name(const struct kmprof_branch *branch,
			       const struct kmprof_stacks *stacks, __u32 depth);

#endif
