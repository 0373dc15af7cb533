// SPDX-License-Identifier: GPL-2.0
/*
 * The profile of waits for pprof: what Go's block profile has, with a label for
 * everything else that is known about a wait. The values are estimates already, so
 * the period is 1, as in Go; the rate is among the facts.
 */
#include <assert.h>

#include "block.h"
#include "pprof.h"
#include "waits.h"

static const struct kmprof_pprof_type types[] = {
	{ "contentions", "count" },
	{ "delay", "nanoseconds" },
};

struct block {
	const struct kmprof_image *image;
	const struct kmprof_resolver *resolver;
	struct kmprof_waits waits;
};

static const __u64 *block_stack(const void *arg, size_t i, __u32 *nr)
{
	const struct block *block = arg;
	const struct kmprof_image_contention *contention = block->waits.entry[i];

	*nr = contention->nr_frames;
	return kmprof_image_stack(block->image, contention->first_frame);
}

static_assert(KMPROF_PPROF_LABELS >= 4 + KMPROF_NR_LOCK_OUTCOMES,
	      "there is room for kind, lock, cache, access and each outcome");

static void add_label(struct kmprof_pprof_sample *sample, const char *key, const char *text)
{
	sample->label[sample->nr_labels].key = key;
	sample->label[sample->nr_labels].text = text;
	sample->nr_labels++;
}

static void block_sample(const void *arg, size_t i, struct kmprof_pprof_sample *sample)
{
	const struct block *block = arg;
	const struct kmprof_image_contention *contention = block->waits.entry[i];
	const char *access = kmprof_lock_access(contention->flags);
	const char *cache = kmprof_image_cache(block->image, contention);
	unsigned int n;

	sample->value[0] = kmprof_signed(kmprof_waits_whole(contention->count));
	sample->value[1] = kmprof_signed(contention->delay_ns);
	add_label(sample, "kind", kmprof_lock_kind(contention->kind));
	if (contention->lock)
		add_label(sample, "lock", kmprof_lock_name(block->resolver, contention->lock,
							   sample->lock));
	if (cache)
		add_label(sample, "cache", cache);
	if (access)
		add_label(sample, "access", access);
	for (n = 0; n < KMPROF_NR_LOCK_OUTCOMES; n++)
		if (contention->flags & kmprof_lock_outcomes[n].flag)
			add_label(sample, "outcome", kmprof_lock_outcomes[n].name);
}

int kmprof_block_write_pprof(FILE *file, const struct kmprof_image *image,
			     const struct kmprof_resolver *resolver,
			     const struct kmprof_profile_kind *kind, struct kmprof_error *err)
{
	struct block block = { .image = image, .resolver = resolver };
	struct kmprof_pprof_content content = {
		.kind		= kind,
		.types		= types,
		.nr_types	= ARRAY_SIZE(types),
		.period_type	= types[0],
		.period		= 1,
		.arg		= &block,
		.stack		= block_stack,
		.sample		= block_sample,
	};
	int ret;

	ret = kmprof_waits_build(&block.waits, image, err);
	if (ret)
		return ret;
	content.nr_samples = block.waits.nr;
	ret = kmprof_pprof_write(file, image, resolver, &content, err);
	kmprof_waits_release(&block.waits);
	return ret;
}
