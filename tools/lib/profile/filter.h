/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A part of a series: the rows whose stacks have a function, or do not have one. It is a series
 * again, so whoever reads one need not know that it is filtered.
 */
#ifndef KMPROF_PROFILE_FILTER_H
#define KMPROF_PROFILE_FILTER_H

#include <regex.h>

#include "profile/series.h"
#include "symbols/resolver.h"

/**
 * struct kmprof_pattern - an extended regular expression, for names of functions
 * @regex: compiled
 * @text: as it was given; NULL: there is none
 */
struct kmprof_pattern {
	regex_t regex;
	const char *text;
};

/**
 * kmprof_pattern_compile() - read a regular expression
 * @pattern: all zero, or one that is no longer wanted; filled in
 * @text: the expression; it stays
 * @err: explanation
 *
 * Return: 0, -EINVAL or -ENOMEM.
 */
int kmprof_pattern_compile(struct kmprof_pattern *pattern, const char *text,
			   struct kmprof_error *err);
/**
 * struct kmprof_filter - what is asked for
 * @focus: keep stacks of which a frame matches
 * @ignore: then leave out stacks of which a frame matches
 *
 * A frame is "function" or "function [module]"; an address, if it has no name. What stands in
 * the place of a stack without frames is matched, too.
 */
struct kmprof_filter {
	struct kmprof_pattern focus;
	struct kmprof_pattern ignore;
};

/* Of one whose patterns have been compiled, or are all zero. */
void kmprof_filter_release(struct kmprof_filter *filter);

/**
 * kmprof_filter_stack() - is a stack wanted?
 * @filter: what is asked for
 * @resolver: names for the addresses
 * @frames: return addresses
 * @nr: how many
 *
 * Return: 1 if it is, else 0; or -ENOMEM.
 */
int kmprof_filter_stack(const struct kmprof_filter *filter,
			const struct kmprof_resolver *resolver, const __u64 *frames, __u32 nr);

/**
 * kmprof_filter_series() - leave rows out of a series
 * @series: the profile, before and after; released by kmprof_series_release() as before.
 *	Facts and losses are still those of the whole profile; "focus" and "ignore" are added to
 *	the facts, and to the first line of the summary.
 * @filter: what is asked for; without any pattern, nothing is done
 * @resolver: names for the addresses
 * @err: explanation
 *
 * Return: 0 or -ENOMEM; the series can then be released only.
 */
int kmprof_filter_series(struct kmprof_series *series, const struct kmprof_filter *filter,
			 const struct kmprof_resolver *resolver, struct kmprof_error *err);

#endif
