// SPDX-License-Identifier: GPL-2.0
/* Names what is in the rows of the heap profile. The module owns the names. */
#include <stdio.h>

#include "image/memory.h"
#include "util/saturate.h"

const struct kmprof_memory_kind kmprof_memory_kinds[KMPROF_MEMORY_KINDS] = {
	[KMPROF_KIND_SLAB] = {
		.name	= "slab",
		.calls	= "total.alloc_calls",
		.bytes	= "total.alloc_bytes",
		.frees	= "total.free_calls",
	},
	[KMPROF_KIND_PERCPU] = {
		.name	= "percpu",
		.calls	= "total.percpu_calls",
		.bytes	= "total.percpu_bytes",
		.frees	= "total.percpu_frees",
	},
	[KMPROF_KIND_VMALLOC] = {
		.name	= "vmalloc",
		.calls	= "total.vmalloc_calls",
		.bytes	= "total.vmalloc_bytes",
		.frees	= "total.vmalloc_frees",
	},
	[KMPROF_KIND_PAGE] = {
		.name		= "page",
		.calls		= "total.pages_allocated",
		.frees		= "total.pages_freed",
		.is_more	= true,
	},
};

const char *kmprof_memory_name(__u32 kind, char text[KMPROF_MEMORY_NAME])
{
	if (kind < KMPROF_MEMORY_KINDS)
		return kmprof_memory_kinds[kind].name;
	snprintf(text, KMPROF_MEMORY_NAME, "kind%u", kind);
	return text;
}

const char *kmprof_memory_gfp(const struct kmprof_table *rows,
			      const struct kmprof_image_sample *sample)
{
	static const char *const names[] = {
		[KMPROF_GFP_UNMOVABLE]		= KMPROF_MEMORY_GFP_USUAL,
		[KMPROF_GFP_MOVABLE]		= "movable",
		[KMPROF_GFP_RECLAIMABLE]	= "reclaimable",
	};

	if (!kmprof_memory_has_gfp(rows))
		return NULL;
	return sample->gfp_class < ARRAY_SIZE(names) ? names[sample->gfp_class] : NULL;
}

__u64 kmprof_memory_calls(const struct kmprof_image *image)
{
	const char *name;
	__u64 sum = 0;
	size_t i;

	for (i = 0; i < KMPROF_MEMORY_KINDS; i++) {
		if (kmprof_memory_kinds[i].is_more)
			continue;
		name = kmprof_memory_kinds[i].calls;
		sum = kmprof_saturated_count(sum, kmprof_image_value(image, name));
	}
	return sum;
}

__u64 kmprof_memory_bytes(const struct kmprof_image *image)
{
	const char *name;
	__u64 sum = 0;
	size_t i;

	for (i = 0; i < KMPROF_MEMORY_KINDS; i++) {
		if (kmprof_memory_kinds[i].is_more)
			continue;
		name = kmprof_memory_kinds[i].bytes;
		sum = kmprof_saturated_count(sum, kmprof_image_value(image, name));
	}
	return sum;
}
