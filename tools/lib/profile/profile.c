// SPDX-License-Identifier: GPL-2.0
/* What profiles there are. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "profile/contention.h"
#include "profile/facts.h"
#include "profile/heap.h"
#include "profile/profile.h"
#include "profile/summary.h"

static const struct kmprof_contention_kind waits = {
	.what		= "waits",
	.head		= "--- contention:\ncycles/second=1000000000\n",
	.setting	= "block_rate",
	.example	= "10us",
	.rate		= offsetof(struct kmprof_image_header, block_rate),
	.is_known	= kmprof_image_has_waits,
};

/* All numbers are scaled: the period is 1 for who would do so once more. */
static const struct kmprof_contention_kind releases = {
	.what		= "releases",
	.head		= "--- mutex:\ncycles/second=1000000000\nsampling period=1\n",
	.setting	= "mutex_fraction",
	.example	= "1",
	.rate		= offsetof(struct kmprof_image_header, mutex_fraction),
	.is_known	= kmprof_image_has_releases,
};

static const struct kmprof_profile_kind kinds[] = {
	{
		.name		= "heap",
		.id		= KMPROF_PROFILE_HEAP,
		.loss		= KMPROF_LOSS_SAMPLE,
		.sort		= KMPROF_SORT_INUSE,
		.series		= kmprof_heap_series,
		.summary	= kmprof_heap_summary,
	},
	{
		.name		= "allocs",
		.id		= KMPROF_PROFILE_ALLOCS,
		.loss		= KMPROF_LOSS_SAMPLE,
		.sort		= KMPROF_SORT_ALLOC,
		.series		= kmprof_heap_series,
		.summary	= kmprof_heap_summary,
	},
	{
		.name		= "block",
		.id		= KMPROF_PROFILE_BLOCK,
		.loss		= KMPROF_LOSS_WAIT,
		.contention	= &waits,
		.series		= kmprof_contention_series,
		.summary	= kmprof_waits_summary,
	},
	{
		.name		= "mutex",
		.id		= KMPROF_PROFILE_MUTEX,
		.loss		= KMPROF_LOSS_DELAY,
		.contention	= &releases,
		.series		= kmprof_contention_series,
		.summary	= kmprof_releases_summary,
	},
};

const struct kmprof_profile_kind *kmprof_profile_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

const char *kmprof_profile_names(char text[KMPROF_PROFILE_NAMES])
{
	size_t i, used = 0;
	const char *glue;

	for (i = 0; i < ARRAY_SIZE(kinds) && used < KMPROF_PROFILE_NAMES; i++) {
		glue = i + 1 < ARRAY_SIZE(kinds) ? ", " : " and ";
		used += (size_t)snprintf(text + used, KMPROF_PROFILE_NAMES - used, "%s%s",
					 i ? glue : "", kinds[i].name);
	}
	return text;
}

int kmprof_profile_series(struct kmprof_series *series, const struct kmprof_image *image,
			  const struct kmprof_resolver *resolver,
			  const struct kmprof_profile_kind *kind, struct kmprof_error *err)
{
	int ret;

	memset(series, 0, sizeof(*series));
	series->name = kind->name;
	series->time_ns = image->header.time_ns;
	series->duration_ns = kmprof_image_duration(image);
	ret = kmprof_facts(&series->facts, image, kind);
	if (!ret)
		ret = kmprof_summary(&series->summary, image, kind);
	if (ret)
		kmprof_error_set(err, ret, NULL, "adding up the samples: %s", strerror(-ret));
	else
		ret = kind->series(series, image, resolver, kind, err);
	if (ret)
		kmprof_series_release(series);
	return ret;
}

__u32 kmprof_profile_entries(const struct kmprof_profile_kind *kind,
			     const struct kmprof_image *image)
{
	__u32 i, n = 0;

	if (!kind->contention)
		return image->header.samples.count;
	for (i = 0; i < image->header.contentions.count; i++)
		if (kmprof_contention_is_of(kmprof_image_contention(image, i), kind->id))
			n++;
	return n;
}
