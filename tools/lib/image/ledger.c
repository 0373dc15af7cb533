// SPDX-License-Identifier: GPL-2.0
/* Explains the ledger. The module owns the names; words for people live here. */
#include <string.h>

#include "image/ledger.h"

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
	{ "missed_probe",	"calls not seen: the kernel skipped the probe" },
	{ "missed_free",	"frees not seen, repaired when memory was reused" },
	{ "stack_truncated",	"stacks cut at the outer end (stack_depth)" },
	{ "untracked",		"objects forgotten while off, counted as freed" },
	{ "wait_nested",	"dropped: wait ended inside kmprof's own sampling" },
	{ "wait_ring_full",	"dropped: wait, the ring was full (ring_bytes)" },
	{ "wait_bucket_full",	"dropped: wait, no bucket for it (max_buckets)" },
	{ "wait_own",		"not counted: kmprof itself waited" },
	{ "wait_table_full",	"waits not followed: table is full (max_waits)" },
	{ "wait_unpaired",	"waits not seen: their begin was missed" },
	{ "delay_nested",	"dropped: release inside kmprof's own sampling" },
	{ "delay_ring_full",	"dropped: delay, the ring was full (ring_bytes)" },
	{ "delay_bucket_full",	"dropped: delay, no bucket for it (max_buckets)" },
	{ "delay_own",		"not counted: kmprof itself released the lock" },
	{ "delay_table_full",	"no blame for waits: table is full (max_waits)" },
	{ "missed_release",	"releases not seen: the kernel skipped the probe" },
	{ "missed_wait",	"waits not seen: probe skipped, or too many" },
};

const char *kmprof_ledger_meaning(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(meanings); i++)
		if (!strcmp(meanings[i].name, name))
			return meanings[i].meaning;
	return "not known to this version of kmprof";
}

/* Each kind of losses, and what they are losses of. */
static const struct {
	__u32 of;
	size_t sampled;
	size_t counted;
} accounts[] = {
	{
		.of		= KMPROF_LOSS_SAMPLE,
		.sampled	= offsetof(struct kmprof_image_header, sampled),
		.counted	= offsetof(struct kmprof_image_header, counted),
	},
	{
		.of		= KMPROF_LOSS_WAIT,
		.sampled	= offsetof(struct kmprof_image_header, waits_sampled),
		.counted	= offsetof(struct kmprof_image_header, waits_counted),
	},
	{
		.of		= KMPROF_LOSS_DELAY,
		.sampled	= offsetof(struct kmprof_image_header, delays_sampled),
		.counted	= offsetof(struct kmprof_image_header, delays_counted),
	},
};

struct kmprof_ledger_account kmprof_ledger_account(const struct kmprof_image *image, __u32 of)
{
	struct kmprof_ledger_account account = { 0 };
	const struct kmprof_image_loss *loss;
	size_t n;
	__u32 i;

	for (n = 0; n < ARRAY_SIZE(accounts); n++) {
		if (accounts[n].of != of)
			continue;
		account.sampled = kmprof_image_number(image, accounts[n].sampled);
		account.counted = kmprof_image_number(image, accounts[n].counted);
	}
	for (i = 0; i < image->header.losses.count; i++) {
		loss = kmprof_image_loss(image, i);
		if (loss->flags & of)
			account.lost += loss->count;
	}
	return account;
}

bool kmprof_ledger_consistent(const struct kmprof_image *image)
{
	struct kmprof_ledger_account account;
	size_t n;

	for (n = 0; n < ARRAY_SIZE(accounts); n++) {
		account = kmprof_ledger_account(image, accounts[n].of);
		if (account.sampled != account.counted + account.lost)
			return false;
	}
	return true;
}
