// SPDX-License-Identifier: GPL-2.0
/* Explains the ledger. The module owns the names; words for people live here. */
#include <stdlib.h>
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
	{ "probes_off",		"snapshots that found all kprobes switched off" },
	{ "missed_free",	"frees not seen, mended when memory was reused" },
	{ "stack_truncated",	"stacks cut at the outer end (stack_depth)" },
	{ "untracked",		"objects forgotten while off, counted as freed" },
	{ "owner_full",		"objects without their task: too many tasks" },
	{ "wait_nested",	"dropped: wait ended inside own sampling" },
	{ "wait_ring_full",	"dropped: wait, the ring was full (ring_bytes)" },
	{ "wait_bucket_full",	"dropped: wait, no bucket for it (max_buckets)" },
	{ "wait_own",		"not counted: kmprof itself waited" },
	{ "wait_table_full",	"dropped: wait, no room in time (max_waits)" },
	{ "wait_unpaired",	"waits not seen: their begin was missed" },
	{ "delay_nested",	"dropped: release inside kmprof's own sampling" },
	{ "delay_ring_full",	"dropped: delay, the ring was full (ring_bytes)" },
	{ "delay_bucket_full",	"dropped: delay, no bucket for it (max_buckets)" },
	{ "delay_own",		"not counted: kmprof itself released the lock" },
	{ "delay_table_full",	"no blame: the table grew too late (max_waits)" },
	{ "missed_release",	"releases not seen: kernel skipped the probe" },
	{ "missed_wait",	"waits not seen: probe skipped, or too many" },
	{ "wait_died",		"dropped: the task exited while it waited" },
	{ "wait_saturated",	"additions cut: a row's delay is at 2^63 - 1 ns" },
	{ "delay_saturated",	"additions cut: a row's delay is at 2^63 - 1 ns" },
};

/* Of the profiles of objects: PROFILE.lost. */
static const struct {
	const char *name;
	const char *meaning;
} ends[] = {
	{ ".lost",		"not added: max_objects, max_buckets, or no memory" },
	{ ".missed",		"not added: the kernel skipped the probe" },
};

static bool ends_with(const char *name, const char *end)
{
	size_t length = strlen(name), end_length = strlen(end);

	return length > end_length && !strcmp(name + length - end_length, end);
}

const char *kmprof_ledger_meaning(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(meanings); i++)
		if (!strcmp(meanings[i].name, name))
			return meanings[i].meaning;
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		if (ends_with(name, ends[i].name))
			return ends[i].meaning;
	return "not known to this version of kmprof";
}

#define ACCOUNT_FLAGS \
	(KMPROF_SCALAR_SAMPLED | KMPROF_SCALAR_COUNTED | KMPROF_SCALAR_LOST)

const char *kmprof_ledger_name(const struct kmprof_image *image,
			       const struct kmprof_image_scalar *scalar)
{
	/* Each name of the ledger begins with this: see check_scalar() of image.c. */
	return kmprof_scalar_name(image, scalar) + strlen("ledger.");
}

static void add_scalar(struct kmprof_ledger_account *account,
		       const struct kmprof_image_scalar *scalar)
{
	if (scalar->flags & KMPROF_SCALAR_SAMPLED)
		account->sampled += scalar->value;
	if (scalar->flags & KMPROF_SCALAR_COUNTED)
		account->counted += scalar->value;
	if (scalar->flags & KMPROF_SCALAR_LOST)
		account->lost += scalar->value;
	if (scalar->flags & KMPROF_SCALAR_FILTERED)
		account->filtered += scalar->value;
	if (scalar->flags & ACCOUNT_FLAGS)
		account->is_kept = true;
}

struct kmprof_ledger_account kmprof_ledger_account(const struct kmprof_image *image,
						   __u32 profile)
{
	struct kmprof_ledger_account account = { 0 };
	const struct kmprof_image_scalar *scalar;
	__u32 i;

	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (profile && scalar->profile == profile)
			add_scalar(&account, scalar);
	}
	return account;
}

struct kmprof_ledger_account *kmprof_ledger_accounts(const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar;
	struct kmprof_ledger_account *accounts;
	__u32 i;

	accounts = calloc((size_t)image->header.profiles.count + 1, sizeof(*accounts));
	if (!accounts)
		return NULL;
	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (scalar->profile)
			add_scalar(&accounts[scalar->profile], scalar);
	}
	return accounts;
}

bool kmprof_ledger_consistent(const struct kmprof_image *image,
			      const struct kmprof_ledger_account *accounts)
{
	__u32 i;

	for (i = 1; i <= image->header.profiles.count; i++)
		if (accounts[i].sampled != accounts[i].counted + accounts[i].lost)
			return false;
	return true;
}
