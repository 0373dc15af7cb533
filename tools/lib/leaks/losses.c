// SPDX-License-Identifier: GPL-2.0
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "image/ledger.h"
#include "leaks/losses.h"
#include "profile/tables.h"

static const struct {
	const char *name;
	unsigned int effect;
} effects[] = {
	/* Nobody leaks these. */
	{ "own",		0 },
	{ "alloc_failed",	0 },
	/* They are counted all the same. */
	{ "owner_full",		0 },
	{ "untracked",		KMPROF_LOSS_HIDES },
	{ "missed_probe",	KMPROF_LOSS_HIDES },
	{ "probes_off",		KMPROF_LOSS_HIDES | KMPROF_LOSS_ACCUSES },
	{ "missed_free",	KMPROF_LOSS_ACCUSES },
	{ "stack_truncated",	KMPROF_LOSS_MERGES },
};

/* Of the profile of memory, and of no profile in particular. */
static bool concerns_memory(const struct kmprof_image *image,
			    const struct kmprof_image_scalar *scalar)
{
	__u32 heap = kmprof_image_find(image, KMPROF_HEAP_TABLE);

	return scalar->flags & KMPROF_SCALAR_LEDGER &&
	       (!scalar->profile || scalar->profile == heap);
}

/* A sample that is in no stack may be of a leaked object. */
static unsigned int effect_of(const char *name, const struct kmprof_image_scalar *scalar)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(effects); i++)
		if (!strcmp(effects[i].name, name))
			return effects[i].effect;
	return scalar->flags & KMPROF_SCALAR_LOST ? KMPROF_LOSS_HIDES : 0;
}

static struct kmprof_ledger_account account_of(const struct kmprof_image *image)
{
	return kmprof_ledger_account(image, kmprof_image_find(image, KMPROF_HEAP_TABLE));
}

int kmprof_leak_losses_begin(struct kmprof_leak_losses *losses, const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar;
	struct kmprof_leak_loss *loss;
	__u32 i;

	*losses = (struct kmprof_leak_losses){ .sampled_before = account_of(image).sampled };
	losses->loss = calloc((size_t)image->header.scalars.count + 1, sizeof(*losses->loss));
	if (!losses->loss)
		return -ENOMEM;
	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (!concerns_memory(image, scalar))
			continue;
		loss = &losses->loss[losses->nr];
		loss->name = strdup(kmprof_ledger_name(image, scalar));
		if (!loss->name) {
			kmprof_leak_losses_release(losses);
			return -ENOMEM;
		}
		loss->before = scalar->value;
		loss->effect = effect_of(loss->name, scalar);
		losses->nr++;
	}
	return 0;
}

static struct kmprof_leak_loss *find(const struct kmprof_leak_losses *losses, const char *name)
{
	size_t i;

	for (i = 0; i < losses->nr; i++)
		if (!strcmp(losses->loss[i].name, name))
			return &losses->loss[i];
	return NULL;
}

static __u64 since(__u64 now, __u64 before)
{
	return now > before ? now - before : 0;
}

void kmprof_leak_losses_end(struct kmprof_leak_losses *losses, const struct kmprof_image *image)
{
	const struct kmprof_image_scalar *scalar;
	struct kmprof_leak_loss *loss;
	__u32 i;

	losses->sampled = since(account_of(image).sampled, losses->sampled_before);
	losses->lost = 0;
	for (i = 0; i < image->header.scalars.count; i++) {
		scalar = kmprof_image_scalar(image, i);
		if (!concerns_memory(image, scalar))
			continue;
		loss = find(losses, kmprof_ledger_name(image, scalar));
		if (!loss)
			continue;
		loss->count = since(scalar->value, loss->before);
		if (loss->effect && scalar->flags & KMPROF_SCALAR_LOST)
			losses->lost += loss->count;
	}
}

void kmprof_leak_losses_release(struct kmprof_leak_losses *losses)
{
	size_t i;

	for (i = 0; i < losses->nr; i++)
		free(losses->loss[i].name);
	free(losses->loss);
	memset(losses, 0, sizeof(*losses));
}

unsigned int kmprof_leak_losses_effect(const struct kmprof_leak_losses *losses)
{
	unsigned int effect = 0;
	size_t i;

	for (i = 0; i < losses->nr; i++)
		if (losses->loss[i].count)
			effect |= losses->loss[i].effect;
	return effect;
}
