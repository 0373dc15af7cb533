// SPDX-License-Identifier: GPL-2.0
/* What profiles there are. */
#include <stdio.h>
#include <string.h>

#include "profile/contention.h"
#include "profile/heap.h"
#include "profile/profile.h"

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
		.name			= "heap",
		.id			= KMPROF_PROFILE_HEAP,
		.default_sample_type	= "inuse_space",
		.sort			= KMPROF_SORT_INUSE,
		.write_text		= kmprof_heap_write_text,
		.write_pprof		= kmprof_heap_write_pprof,
	},
	{
		.name			= "allocs",
		.id			= KMPROF_PROFILE_ALLOCS,
		.default_sample_type	= "alloc_space",
		.sort			= KMPROF_SORT_ALLOC,
		.write_text		= kmprof_heap_write_text,
		.write_pprof		= kmprof_heap_write_pprof,
	},
	{
		.name			= "block",
		.id			= KMPROF_PROFILE_BLOCK,
		.default_sample_type	= "delay",
		.contention		= &waits,
		.write_text		= kmprof_contention_write_text,
		.write_pprof		= kmprof_contention_write_pprof,
	},
	{
		.name			= "mutex",
		.id			= KMPROF_PROFILE_MUTEX,
		.default_sample_type	= "delay",
		.contention		= &releases,
		.write_text		= kmprof_contention_write_text,
		.write_pprof		= kmprof_contention_write_pprof,
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
