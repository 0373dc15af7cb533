// SPDX-License-Identifier: GPL-2.0
/* Explains the ledger. The module owns the names; words for people live here. */
#include <string.h>

#include "ledger.h"

static const struct {
	const char *name;
	const char *meaning;
} meanings[] = {
	{ "nested",		"dropped: sampled inside kmprof's own sampling" },
	{ "ring_full",		"dropped: the CPU's ring was full (ring_bytes)" },
	{ "live_full",		"dropped: no slot for a live object (max_live)" },
	{ "bucket_full",	"dropped: no bucket for the stack (max_buckets)" },
	{ "alloc_failed",	"not counted: the allocation itself failed" },
	{ "own",		"not counted: allocated by kmprof itself" },
	{ "missed_probe",	"calls not seen: the kernel skipped a nested probe" },
	{ "missed_free",	"frees not seen, repaired when memory was reused" },
	{ "stack_truncated",	"stacks cut at the outer end (stack_depth)" },
	{ "untracked",		"objects forgotten while off, counted as freed" },
	{ "wait_nested",	"dropped: wait ended inside kmprof's own sampling" },
	{ "wait_ring_full",	"dropped: wait, the ring was full (ring_bytes)" },
	{ "wait_bucket_full",	"dropped: wait, no bucket for it (max_buckets)" },
	{ "wait_own",		"not counted: kmprof itself waited" },
	{ "wait_table_full",	"waits not followed: the table is full (max_waits)" },
	{ "wait_unpaired",	"waits not seen: their begin was missed" },
};

const char *kmprof_ledger_meaning(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(meanings); i++)
		if (!strcmp(meanings[i].name, name))
			return meanings[i].meaning;
	return "not known to this version of kmprof";
}

__u64 kmprof_ledger_lost(const struct kmprof_image *image, __u32 of)
{
	const struct kmprof_image_loss *loss;
	__u64 sum = 0;
	__u32 i;

	for (i = 0; i < image->header.losses.count; i++) {
		loss = kmprof_image_loss(image, i);
		if (loss->flags & of)
			sum += loss->count;
	}
	return sum;
}

bool kmprof_ledger_consistent(const struct kmprof_image *image)
{
	const struct kmprof_image_header *h = &image->header;

	return h->sampled == h->counted + kmprof_ledger_lost(image, KMPROF_LOSS_SAMPLE) &&
	       h->waits_sampled == h->waits_counted + kmprof_ledger_lost(image, KMPROF_LOSS_WAIT);
}
