/* SPDX-License-Identifier: GPL-2.0 */
/* A gzipped profile.proto, what "go tool pprof" and its kin read. */
#ifndef KMPROF_EXPORT_PPROF_H
#define KMPROF_EXPORT_PPROF_H

#include <stdio.h>

#include "profile/lock.h"
#include "profile/nowhere.h"
#include "profile/profile.h"

enum {
	KMPROF_PPROF_VALUES	= 4,
	KMPROF_PPROF_LABELS	= 9,	/* see contention_pprof.c */
	KMPROF_PPROF_NUMBER	= 24,
};

/* What a number means, as pprof names it. */
struct kmprof_pprof_type {
	const char *type;
	const char *unit;
};

/**
 * struct kmprof_pprof_label - something about a sample that is no place
 * @key: its name
 * @text: its value, or NULL: it is a number
 * @number: the value
 * @unit: of @number
 */
struct kmprof_pprof_label {
	const char *key;
	const char *text;
	__u64 number;
	const char *unit;
};

/**
 * struct kmprof_pprof_sample - a sample, without its stack
 * @value: one for each type
 * @nowhere: what it has in the place of its stack, if that is empty
 * @label: labels
 * @nr_labels: how many
 * @lock: room for the text of one of them
 * @comm: the same of another
 * @cgroup: and of a third
 */
struct kmprof_pprof_sample {
	__s64 value[KMPROF_PPROF_VALUES];
	enum kmprof_nowhere nowhere;
	struct kmprof_pprof_label label[KMPROF_PPROF_LABELS];
	unsigned int nr_labels;
	char lock[KMPROF_LOCK_TEXT];
	char comm[KMPROF_COMM_LEN];
	char cgroup[KMPROF_PPROF_NUMBER];
};

/**
 * struct kmprof_pprof_content - what a profile consists of
 * @kind: its name, and what is shown first
 * @types: of the values of each sample
 * @nr_types: how many, at most KMPROF_PPROF_VALUES
 * @period_type: what is between two samples
 * @period: how much of that
 * @nr_samples: samples
 * @arg: for the functions
 * @stack: return addresses of a sample, leaf first, and their number
 * @sample: fills in the rest of it; it is zero before
 */
struct kmprof_pprof_content {
	const struct kmprof_profile_kind *kind;
	const struct kmprof_pprof_type *types;
	unsigned int nr_types;
	struct kmprof_pprof_type period_type;
	__u64 period;
	size_t nr_samples;
	const void *arg;
	const __u64 *(*stack)(const void *arg, size_t i, __u32 *nr);
	void (*sample)(const void *arg, size_t i, struct kmprof_pprof_sample *sample);
};

/**
 * kmprof_pprof_write() - write a profile
 * @file: open for writing; flushed by the caller
 * @image: the image
 * @resolver: names for it
 * @content: the profile
 * @err: explanation
 *
 * Return: 0 or a negative errno.
 */
int kmprof_pprof_write(FILE *file, const struct kmprof_image *image,
		       const struct kmprof_resolver *resolver,
		       const struct kmprof_pprof_content *content, struct kmprof_error *err);

#endif
