// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "profile/addresses.h"
#include "profile/filter.h"
#include "profile/nowhere.h"
#include "symbols/frame_name.h"
#include "util/printable.h"

static void release(struct kmprof_pattern *pattern)
{
	if (pattern->text)
		regfree(&pattern->regex);
	pattern->text = NULL;
}

int kmprof_pattern_compile(struct kmprof_pattern *pattern, const char *text,
			   struct kmprof_error *err)
{
	char why[128];
	int ret;

	release(pattern);
	if (!kmprof_is_printable(text))
		return kmprof_error_set(err, -EINVAL, NULL,
					"it has characters that no name of a function has");
	ret = regcomp(&pattern->regex, text, REG_EXTENDED | REG_NOSUB);
	if (!ret) {
		pattern->text = text;
		return 0;
	}
	regerror(ret, &pattern->regex, why, sizeof(why));
	return kmprof_error_set(err, ret == REG_ESPACE ? -ENOMEM : -EINVAL, NULL,
				"'%s' is not a regular expression: %s", text, why);
}

void kmprof_filter_release(struct kmprof_filter *filter)
{
	release(&filter->focus);
	release(&filter->ignore);
}

/* What a name does to a stack that it is in; or it is not known for lack of memory. */
enum { FOCUS = 1, IGNORE = 2, UNKNOWN = 4 };

static unsigned int match(const struct kmprof_pattern *pattern, const char *text,
			  unsigned int effect)
{
	int ret = pattern->text ? regexec(&pattern->regex, text, 0, NULL, 0) : REG_NOMATCH;

	return !ret ? effect : ret == REG_NOMATCH ? 0 : UNKNOWN;
}

static unsigned int verdict(const struct kmprof_filter *filter, const char *text)
{
	return match(&filter->focus, text, FOCUS) | match(&filter->ignore, text, IGNORE);
}

/* What all names of a stack do to it. */
static bool is_chosen(const struct kmprof_filter *filter, unsigned int found)
{
	return (found & FOCUS || !filter->focus.text) && !(found & IGNORE);
}

/* The verdict about the names of a frame, with those of what is inlined there. */
static unsigned int judge_frame(const struct kmprof_filter *filter,
				const struct kmprof_resolver *resolver, __u64 ret_addr)
{
	char text[KMPROF_FRAME_NAME];
	struct kmprof_frame frame;
	unsigned int found;
	size_t i;

	kmprof_frame_name(text, resolver, ret_addr);
	found = verdict(filter, text);
	kmprof_resolver_find(resolver, ret_addr, &frame);
	for (i = 0; i < kmprof_frame_inlined(&frame); i++) {
		kmprof_frame_inlined_name(text, &frame, i);
		found |= verdict(filter, text);
	}
	return found;
}

int kmprof_filter_stack(const struct kmprof_filter *filter,
			const struct kmprof_resolver *resolver, const __u64 *frames, __u32 nr)
{
	unsigned int found = 0;
	__u32 i;

	if (!filter->focus.text && !filter->ignore.text)
		return 1;
	for (i = 0; i < nr; i++)
		found |= judge_frame(filter, resolver, frames[i]);
	if (!nr)
		found = verdict(filter, kmprof_nowhere_names[KMPROF_NO_STACK]);
	return found & UNKNOWN ? -ENOMEM : is_chosen(filter, found);
}

/**
 * struct judge - what is needed until the rows are chosen
 * @filter: what is asked for
 * @addresses: of the series
 * @of_address: for each address, the verdict about its name
 */
struct judge {
	const struct kmprof_filter *filter;
	struct kmprof_addresses addresses;
	unsigned char *of_address;
};

/* Each name is matched once, in however many stacks it is. */
static int judge_addresses(struct judge *j, const struct kmprof_series *series,
			   const struct kmprof_resolver *resolver)
{
	size_t i;

	if (kmprof_addresses_collect(&j->addresses, series))
		return -ENOMEM;
	j->of_address = calloc(j->addresses.nr + 1, 1);
	if (!j->of_address)
		return -ENOMEM;
	for (i = 0; i < j->addresses.nr; i++) {
		j->of_address[i] = (unsigned char)judge_frame(j->filter, resolver,
							      j->addresses.address[i]);
		if (j->of_address[i] & UNKNOWN)
			return -ENOMEM;
	}
	return 0;
}

static bool is_wanted(const struct judge *j, const struct kmprof_series *series, size_t i)
{
	struct kmprof_series_row row;
	unsigned int found = 0;
	const __u64 *frames;
	__u32 n, nr;

	frames = kmprof_series_stack(series, i, &nr);
	for (n = 0; n < nr; n++)
		found |= j->of_address[kmprof_addresses_find(&j->addresses, frames[n])];
	if (!nr) {
		kmprof_series_numbers(series, i, &row);
		found = verdict(j->filter, row.nowhere);
	}
	return is_chosen(j->filter, found);
}

/**
 * struct part - the rows that are left
 * @whole: the series that they are of, without the lines and losses, which are the part's
 * @row: their numbers there
 */
struct part {
	struct kmprof_series whole;
	size_t row[];
};

static const __u64 *part_stack(const struct kmprof_series *series, size_t i, __u32 *nr)
{
	const struct part *part = series->data;

	return kmprof_series_stack(&part->whole, part->row[i], nr);
}

static void part_numbers(const struct kmprof_series *series, size_t i,
			 struct kmprof_series_row *row)
{
	const struct part *part = series->data;

	part->whole.ops->numbers(&part->whole, part->row[i], row);
}

static void part_labels(const struct kmprof_series *series, size_t i,
			struct kmprof_series_row *row)
{
	const struct part *part = series->data;

	if (part->whole.ops->labels)
		part->whole.ops->labels(&part->whole, part->row[i], row);
}

static void part_note(const struct kmprof_series *series, size_t i, FILE *file)
{
	const struct part *part = series->data;

	part->whole.ops->note(&part->whole, part->row[i], file);
}

static void part_release(struct kmprof_series *series)
{
	struct part *part = series->data;

	if (part->whole.ops->release)
		part->whole.ops->release(&part->whole);
	free(part);
}

static const struct kmprof_series_ops part_ops = {
	.stack		= part_stack,
	.numbers	= part_numbers,
	.labels		= part_labels,
	.release	= part_release,
};

/* Of a series whose rows have a note. */
static const struct kmprof_series_ops noted_part_ops = {
	.stack		= part_stack,
	.numbers	= part_numbers,
	.labels		= part_labels,
	.note		= part_note,
	.release	= part_release,
};

static int choose(struct kmprof_series *series, const struct judge *j)
{
	struct part *part = malloc(sizeof(*part) + series->nr_rows * sizeof(part->row[0]));
	size_t i, nr = 0;

	if (!part)
		return -ENOMEM;
	for (i = 0; i < series->nr_rows; i++)
		if (is_wanted(j, series, i))
			part->row[nr++] = i;
	part->whole = *series;
	series->nr_rows = nr;
	series->ops = part->whole.ops->note ? &noted_part_ops : &part_ops;
	series->data = part;
	return 0;
}

/* Readers of the output are told what is not in it. */
static int note(struct kmprof_series *series, const char *what, const char *text)
{
	struct kmprof_lines *summary = &series->summary;
	char *longer;

	if (!text)
		return 0;
	if (kmprof_lines_add(&series->facts, "%s %s", what, text))
		return -ENOMEM;
	if (!summary->nr)
		return 0;
	if (asprintf(&longer, "%s, %s %s", summary->line[0], what, text) < 0)
		return -ENOMEM;
	free(summary->line[0]);
	summary->line[0] = longer;
	return 0;
}

int kmprof_filter_series(struct kmprof_series *series, const struct kmprof_filter *filter,
			 const struct kmprof_resolver *resolver, struct kmprof_error *err)
{
	struct judge j = { .filter = filter };
	int ret;

	if (!filter->focus.text && !filter->ignore.text)
		return 0;
	ret = judge_addresses(&j, series, resolver);
	if (!ret)
		ret = note(series, "focus", filter->focus.text);
	if (!ret)
		ret = note(series, "ignore", filter->ignore.text);
	if (!ret)
		ret = choose(series, &j);
	kmprof_addresses_release(&j.addresses);
	free(j.of_address);
	if (ret)
		kmprof_error_set(err, ret, NULL, "choosing the stacks: out of memory");
	return ret;
}
