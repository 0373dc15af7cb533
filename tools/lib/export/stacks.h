/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The stacks of a series as flame graphs have them: names instead of addresses, the
 * outermost frame first, in the order of the names, and each stack once. What two stacks
 * have in common is at the start of both, and stacks that have it follow one another. Functions
 * that are known to be inlined are frames of their own.
 */
#ifndef KMPROF_EXPORT_STACKS_H
#define KMPROF_EXPORT_STACKS_H

#include "profile/series.h"
#include "symbols/resolver.h"
#include "util/intern.h"

/**
 * struct kmprof_stack_name - a name of a frame
 * @text: printable ASCII: "function" or "function [module]"; an address, if it has no name;
 *	or what stands in the place of a stack
 * @length: of @text without the module
 * @is_inlined: KMPROF_INLINED is before the module
 */
struct kmprof_stack_name {
	const char *text;
	size_t length;
	bool is_inlined;
};

/**
 * struct kmprof_stack - a stack
 * @frame: indices of the names of its frames, outermost first
 * @value: the value that the series shows
 * @variance: of @value; 0: it is exact, or not known
 * @nr: frames, at least one
 * @row: the first row of the series that has it
 */
struct kmprof_stack {
	__u32 *frame;
	__s64 value;
	double variance;
	__u32 nr;
	__u32 row;
};

/**
 * struct kmprof_stacks - the stacks
 * @name: all different names, sorted
 * @nr_names: how many
 * @stack: the stacks, by the order of the names of their frames
 * @nr: how many
 * @total: the sum of the values, at most LLONG_MAX
 * @total_variance: of @total
 * @strings: the texts of the names
 * @frames: room for the frames of all
 * @next_row: for each row, 1 + the next one that has the same stack; 0: there is no more
 */
struct kmprof_stacks {
	struct kmprof_stack_name *name;
	size_t nr_names;
	struct kmprof_stack *stack;
	size_t nr;
	__s64 total;
	double total_variance;
	struct kmprof_intern strings;
	__u32 *frames;
	__u32 *next_row;
};

/**
 * kmprof_stacks_build() - put names to the rows of a series, and add up those of the same
 * @stacks: filled in; released by kmprof_stacks_release()
 * @series: the profile. Its labels are left out.
 * @resolver: names for the addresses
 * @err: explanation
 *
 * Return: 0 or -ENOMEM.
 */
int kmprof_stacks_build(struct kmprof_stacks *stacks, const struct kmprof_series *series,
			const struct kmprof_resolver *resolver, struct kmprof_error *err);
void kmprof_stacks_release(struct kmprof_stacks *stacks);

/* All values of a stack, of the series that the stacks were built of. */
void kmprof_stacks_values(const struct kmprof_stacks *stacks, size_t i,
			  const struct kmprof_series *series, __s64 value[KMPROF_SERIES_VALUES]);

/* Frames at the start of a stack that the one before it has as well; 0 for the first. */
__u32 kmprof_stacks_common(const struct kmprof_stacks *stacks, size_t i);

#endif
