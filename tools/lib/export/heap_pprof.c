// SPDX-License-Identifier: GPL-2.0
/* The profiles of memory for pprof: estimates by stack and object size. */
#include "export/pprof.h"
#include "profile/heap.h"

/* In the order of Go's heap profile: allocations before memory in use. */
static const struct kmprof_pprof_type types[] = {
	{ "alloc_objects", "count" },
	{ "alloc_space", "bytes" },
	{ "inuse_objects", "count" },
	{ "inuse_space", "bytes" },
};

static const __u64 *heap_stack(const void *arg, size_t i, __u32 *nr)
{
	const struct kmprof_sites *sites = arg;

	*nr = sites->site[i].nr_frames;
	return sites->site[i].frames;
}

static void heap_sample(const void *arg, size_t i, struct kmprof_pprof_sample *sample)
{
	const struct kmprof_sites *sites = arg;
	const struct kmprof_site *site = &sites->site[i];

	sample->value[0] = site->alloc.whole_objects;
	sample->value[1] = site->alloc.whole_bytes;
	sample->value[2] = site->inuse.whole_objects;
	sample->value[3] = site->inuse.whole_bytes;
	sample->label[0].key = "bytes";
	sample->label[0].number = site->object_size;
	sample->label[0].unit = "bytes";
	sample->nr_labels = 1;
}

int kmprof_heap_write_pprof(FILE *file, const struct kmprof_image *image,
			    const struct kmprof_resolver *resolver,
			    const struct kmprof_profile_kind *kind, struct kmprof_error *err)
{
	struct kmprof_sites sites;
	struct kmprof_pprof_content content = {
		.kind		= kind,
		.types		= types,
		.nr_types	= ARRAY_SIZE(types),
		.period_type	= { "space", "bytes" },
		.period		= image->header.heap_rate,
		.arg		= &sites,
		.stack		= heap_stack,
		.sample		= heap_sample,
	};
	int ret;

	ret = kmprof_sites_build(&sites, image, KMPROF_BY_STACK_AND_SIZE, err);
	if (ret)
		return ret;
	content.nr_samples = sites.nr;
	ret = kmprof_pprof_write(file, image, resolver, &content, err);
	kmprof_sites_release(&sites);
	return ret;
}
