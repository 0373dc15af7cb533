/* SPDX-License-Identifier: GPL-2.0 */
/* What is known about a profile, and how its series is made: kinds[] of profile.c has them. */
#ifndef KMPROF_PROFILE_KIND_H
#define KMPROF_PROFILE_KIND_H

#include <stdio.h>

#include "profile/aggregate.h"
#include "profile/series.h"
#include "symbols/resolver.h"

struct kmprof_profile_kind;

/**
 * struct kmprof_profile - a profile of an image, as the user asks for it
 * @name: as the user calls it
 * @number: of the profile in the directory whose rows it shows
 * @rows: these rows
 * @kind: what is known about it
 */
struct kmprof_profile {
	const char *name;
	__u32 number;
	struct kmprof_table rows;
	const struct kmprof_profile_kind *kind;
};

/**
 * struct kmprof_delay_names - what programs call the numbers of a sum of delays
 * @count: how many
 * @sum: their delays, in ns
 * @mean: the mean delay
 * @longest: the longest one
 */
struct kmprof_delay_names {
	const char *count;
	const char *sum;
	const char *mean;
	const char *longest;
};

/**
 * struct kmprof_contention_kind - what the profiles of contentions differ in
 * @what: what it counts, in a word
 * @verb: what has been done to the sum of the delays, for people
 * @in: the word between the sum of the delays and what is counted
 * @head: first lines of its text
 * @example: a value of its setting that switches it on
 * @total_count: scalar: exact number of what is counted
 * @total_ns: scalar: exact sum of its delays
 * @total_unblamed: scalar: exact sum of the delays that are not attributable to what is
 *	counted; NULL: there are none
 * @amount: names of the numbers of what is counted
 * @unblamed: names of the numbers of what is not attributable
 */
struct kmprof_contention_kind {
	const char *what;
	const char *verb;
	const char *in;
	const char *head;
	const char *example;
	const char *total_count;
	const char *total_ns;
	const char *total_unblamed;
	struct kmprof_delay_names amount;
	struct kmprof_delay_names unblamed;
};

/**
 * struct kmprof_profile_kind - what is known about a profile
 * @name: as the user calls it; NULL: any name
 * @table: name of the profile in the directory of an image whose rows it shows
 * @format: enum kmprof_row_format of these rows
 * @source: scalar: how its events are seen; NULL: not known
 * @setting: scalar: its rate; NULL: not known
 * @sort: what is largest first in a list of the heap
 * @contention: of a profile that has locks; else NULL
 * @series: makes its series, of which all is 0 before; what it has made until it fails
 *	is released by the caller
 * @summary: writes its own rate, totals and estimates in one line, without a newline: the
 *	second line of its summary
 * @facts: adds what it knows beside the scalars, "key value" each; NULL: nothing
 */
struct kmprof_profile_kind {
	const char *name;
	const char *table;
	__u32 format;
	const char *source;
	const char *setting;
	enum kmprof_sort sort;
	const struct kmprof_contention_kind *contention;
	int (*series)(struct kmprof_series *series, const struct kmprof_image *image,
		      const struct kmprof_resolver *resolver,
		      const struct kmprof_profile *profile, struct kmprof_error *err);
	void (*summary)(FILE *file, const struct kmprof_image *image,
			const struct kmprof_profile *profile);
	int (*facts)(struct kmprof_lines *lines, const struct kmprof_image *image);
};

#endif
