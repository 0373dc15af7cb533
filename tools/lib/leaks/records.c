// SPDX-License-Identifier: GPL-2.0
#include <string.h>

#include "leaks/records.h"
#include "util/util.h"

/* What a function of the kernel allocates, and all that it calls. */
static const struct {
	const char *function;
	const char *record;
} recorders[] = {
	{ "alloc_slab_obj_exts", "vectors of slabs" },		/* v6.10 */
	{ "memcg_alloc_slab_cgroups", "vectors of slabs" },
	{ "__create_object", "objects of kmemleak" },
	{ "create_object", "objects of kmemleak" },
	{ "__pte_alloc_kernel", "page tables of vmalloc" },
	/* Since v6.9 they go from one area to the next, whoever has allocated them. */
	{ "alloc_vmap_area", "descriptions of areas of vmalloc" },
};

static const char *record_of(const char *function)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(recorders); i++)
		if (!strcmp(function, recorders[i].function))
			return recorders[i].record;
	return NULL;
}

static const char *find_record(const struct kmprof_history_entry *entry,
			       const struct kmprof_resolver *resolver)
{
	struct kmprof_frame frame;
	const char *record = NULL;
	__u32 i;

	for (i = 0; entry->frames && !record && i < entry->nr_frames; i++) {
		kmprof_resolver_find(resolver, entry->frames[i], &frame);
		if (frame.named && !frame.symbol.module)
			record = record_of(frame.symbol.name);
	}
	return record;
}

void kmprof_records_set_aside(struct kmprof_findings *findings,
			      const struct kmprof_resolver *resolver)
{
	size_t i, nr = findings->leaks + findings->growing;
	struct kmprof_finding *finding;

	/* Those that leak or grow come first. */
	for (i = 0; i < nr; i++) {
		finding = &findings->finding[i];
		finding->record = find_record(finding->entry, resolver);
		if (!finding->record)
			continue;
		findings->leaks -= finding->judged.verdict == KMPROF_VERDICT_LEAK;
		findings->growing -= finding->judged.verdict == KMPROF_VERDICT_GROWING;
		findings->records++;
		finding->judged.verdict = KMPROF_VERDICT_RECORD;
	}
	kmprof_findings_sort(findings);
}
