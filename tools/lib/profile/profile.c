// SPDX-License-Identifier: GPL-2.0
/* The profiles that this program knows more of than their columns, and finding one. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "image/ledger.h"
#include "profile/contention.h"
#include "profile/facts.h"
#include "profile/heap.h"
#include "profile/objects.h"
#include "profile/profile.h"
#include "profile/summary.h"
#include "profile/tables.h"

static const struct kmprof_contention_kind waits = {
	.what		= "waits",
	.verb		= "Waited",
	.in		= "in",
	.head		= "--- contention:\ncycles/second=1000000000\n",
	.example	= "10us",
	.total_count	= "total.waits",
	.total_ns	= "total.wait_ns",
	.amount		= { "waits", "wait_ns", "mean_ns", "longest_ns" },
};

/* All numbers are scaled: the period is 1 so that no reader scales them again. */
static const struct kmprof_contention_kind releases = {
	.what		= "releases",
	.verb		= "Blamed",
	.in		= "on",
	.head		= "--- mutex:\ncycles/second=1000000000\nsampling period=1\n",
	.example	= "1",
	.total_count	= "total.releases",
	.total_ns	= "total.blamed_ns",
	.total_unblamed	= "total.unblamed_ns",
	.amount		= { "releases", "blamed_ns", "mean_ns", "longest_ns" },
	.unblamed	= {
		"unblamed_waits", "unblamed_ns", "unblamed_mean_ns", "unblamed_longest_ns",
	},
};

static const struct kmprof_profile_kind kinds[] = {
	{
		.name		= KMPROF_HEAP_TABLE,
		.table		= KMPROF_HEAP_TABLE,
		.format		= KMPROF_ROWS_HEAP,
		.source		= "source",
		.setting	= "heap_rate",
		.sort		= KMPROF_SORT_INUSE,
		.series		= kmprof_heap_series,
		.summary	= kmprof_heap_summary,
		.facts		= kmprof_heap_facts,
	},
	{
		.name		= "allocs",
		.table		= KMPROF_HEAP_TABLE,
		.format		= KMPROF_ROWS_HEAP,
		.source		= "source",
		.setting	= "heap_rate",
		.sort		= KMPROF_SORT_ALLOC,
		.series		= kmprof_heap_series,
		.summary	= kmprof_heap_summary,
		.facts		= kmprof_heap_facts,
	},
	{
		.name		= KMPROF_BLOCK_TABLE,
		.table		= KMPROF_BLOCK_TABLE,
		.format		= KMPROF_ROWS_BLOCK,
		.source		= "wait_source",
		.setting	= "block_rate",
		.contention	= &waits,
		.series		= kmprof_contention_series,
		.summary	= kmprof_summary_totals,
	},
	{
		.name		= KMPROF_MUTEX_TABLE,
		.table		= KMPROF_MUTEX_TABLE,
		.format		= KMPROF_ROWS_MUTEX,
		.source		= "wait_source",
		.setting	= "mutex_fraction",
		.contention	= &releases,
		.series		= kmprof_contention_series,
		.summary	= kmprof_summary_totals,
	},
};

/* Any other profile. */
static const struct kmprof_profile_kind objects = {
	.series		= kmprof_objects_series,
	.summary	= kmprof_summary_totals,
};

static bool fits(const struct kmprof_profile_kind *kind, const struct kmprof_image *image,
		 __u32 number)
{
	return kmprof_image_profile(image, number)->format == kind->format &&
	       !strcmp(kmprof_image_profile_name(image, number), kind->table);
}

/* A name of the directory is that profile, whatever else is called so. */
static const struct kmprof_profile_kind *kind_of(const struct kmprof_image *image,
						 const char *name, __u32 *number)
{
	size_t i;

	*number = kmprof_image_find(image, name);
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		if (strcmp(kinds[i].name, name))
			continue;
		if (!*number)
			*number = kmprof_image_find(image, kinds[i].table);
		if (*number && fits(&kinds[i], image, *number))
			return &kinds[i];
	}
	return &objects;
}

int kmprof_profile_find(struct kmprof_profile *profile, const struct kmprof_image *image,
			const char *name)
{
	profile->kind = kind_of(image, name, &profile->number);
	if (!profile->number)
		return -ENOENT;
	/* No order of rows of another format is known. */
	if (!profile->kind->name && !kmprof_image_find(image, name))
		return -ENOENT;
	profile->name = name;
	profile->rows = kmprof_image_profile(image, profile->number)->rows;
	return 0;
}

/* Is it another order of a profile of the directory, and nothing else is called so? */
static bool is_order(const struct kmprof_profile_kind *kind, const struct kmprof_image *image)
{
	return strcmp(kind->name, kind->table) && !kmprof_image_find(image, kind->name);
}

int kmprof_profile_list(struct kmprof_lines *lines, const struct kmprof_image *image)
{
	bool order[ARRAY_SIZE(kinds)];
	int ret = 0;
	__u32 i;
	size_t n;

	for (n = 0; n < ARRAY_SIZE(kinds); n++)
		order[n] = is_order(&kinds[n], image);
	for (i = 1; i <= image->header.profiles.count && !ret; i++) {
		ret = kmprof_lines_add(lines, "%s", kmprof_image_profile_name(image, i));
		for (n = 0; n < ARRAY_SIZE(kinds) && !ret; n++)
			if (order[n] && fits(&kinds[n], image, i))
				ret = kmprof_lines_add(lines, "%s", kinds[n].name);
	}
	return ret;
}

int kmprof_profile_lacking(const struct kmprof_image *image, const char *name,
			   struct kmprof_error *err)
{
	struct kmprof_lines lines = { 0 };
	char text[sizeof(err->text)] = "none";
	size_t i, used = 0;
	const char *glue;

	if (kmprof_profile_list(&lines, image))
		return kmprof_error_set(err, -ENOENT, NULL, "%s: no such profile", name);
	for (i = 0; i < lines.nr && used < sizeof(text); i++) {
		glue = i + 1 < lines.nr ? ", " : " and ";
		used += (size_t)snprintf(text + used, sizeof(text) - used, "%s%s", i ? glue : "",
					 lines.line[i]);
	}
	kmprof_lines_release(&lines);
	return kmprof_error_set(err, -ENOENT, NULL, "%s: no such profile; there are %s", name,
				text);
}

int kmprof_profile_series(struct kmprof_series *series, const struct kmprof_image *image,
			  const struct kmprof_resolver *resolver,
			  const struct kmprof_profile *profile, struct kmprof_error *err)
{
	struct kmprof_ledger_account account = kmprof_ledger_account(image, profile->number);
	int ret;

	memset(series, 0, sizeof(*series));
	series->name = profile->name;
	series->time_ns = image->header.time_ns;
	series->duration_ns = kmprof_image_duration(image);
	series->samples_lost = account.lost;
	series->samples_filtered = account.filtered;
	ret = kmprof_facts(&series->facts, image, profile);
	if (!ret)
		ret = kmprof_summary(&series->summary, image, profile);
	if (!ret)
		ret = kmprof_losses_list(&series->losses, image);
	if (ret)
		kmprof_error_set(err, ret, NULL, "adding up the samples: %s", strerror(-ret));
	else
		ret = profile->kind->series(series, image, resolver, profile, err);
	if (ret)
		kmprof_series_release(series);
	return ret;
}

__u32 kmprof_profile_entries(const struct kmprof_profile *profile,
			     const struct kmprof_image *image)
{
	const struct kmprof_image_contention *contention;
	__u32 i, n = 0;

	if (!profile->kind->contention)
		return profile->rows.count;
	for (i = 0; i < profile->rows.count; i++) {
		contention = kmprof_image_entry(image, &profile->rows, i);
		n += contention->count != 0;
	}
	return n;
}
