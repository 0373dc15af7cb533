// SPDX-License-Identifier: GPL-2.0
/*
 * The profiles of contentions for pprof: what Go's block and mutex profiles have, with
 * a label for everything else that is known. The values are estimates already, so the
 * period is 1, as in Go; the rate is among the facts.
 */
#include <assert.h>

#include "contention.h"
#include "delays.h"
#include "pprof.h"

static const struct kmprof_pprof_type types[] = {
	{ "contentions", "count" },
	{ "delay", "nanoseconds" },
};

struct content {
	const struct kmprof_image *image;
	const struct kmprof_resolver *resolver;
	struct kmprof_delays delays;
};

static const __u64 *contention_stack(const void *arg, size_t i, __u32 *nr)
{
	const struct content *content = arg;
	const struct kmprof_image_contention *contention = content->delays.entry[i];

	*nr = contention->nr_frames;
	return kmprof_image_stack(content->image, contention->first_frame);
}

static_assert(KMPROF_PPROF_LABELS >= 4 + KMPROF_NR_LOCK_OUTCOMES,
	      "there is room for kind, lock, cache, access and each outcome");

static void add_label(struct kmprof_pprof_sample *sample, const char *key, const char *text)
{
	sample->label[sample->nr_labels].key = key;
	sample->label[sample->nr_labels].text = text;
	sample->nr_labels++;
}

static void contention_sample(const void *arg, size_t i, struct kmprof_pprof_sample *sample)
{
	const struct content *content = arg;
	const struct kmprof_image_contention *contention = content->delays.entry[i];
	const char *access = kmprof_lock_access(contention->flags);
	const char *cache = kmprof_image_cache(content->image, contention);
	unsigned int n;

	sample->value[0] = kmprof_signed(kmprof_delays_whole(contention->count));
	sample->value[1] = kmprof_signed(contention->delay_ns);
	sample->nowhere = kmprof_lock_nowhere(contention->flags);
	add_label(sample, "kind", kmprof_lock_kind(contention->kind));
	if (contention->lock)
		add_label(sample, "lock", kmprof_lock_name(content->resolver, contention->lock,
							   sample->lock));
	if (cache)
		add_label(sample, "cache", cache);
	if (access)
		add_label(sample, "access", access);
	for (n = 0; n < KMPROF_NR_LOCK_OUTCOMES; n++)
		if (contention->flags & kmprof_lock_outcomes[n].flag)
			add_label(sample, "outcome", kmprof_lock_outcomes[n].name);
}

int kmprof_contention_write_pprof(FILE *file, const struct kmprof_image *image,
				  const struct kmprof_resolver *resolver,
				  const struct kmprof_profile_kind *kind, struct kmprof_error *err)
{
	struct content content = { .image = image, .resolver = resolver };
	struct kmprof_pprof_content pprof = {
		.kind		= kind,
		.types		= types,
		.nr_types	= ARRAY_SIZE(types),
		.period_type	= types[0],
		.period		= 1,
		.arg		= &content,
		.stack		= contention_stack,
		.sample		= contention_sample,
	};
	int ret;

	ret = kmprof_delays_build(&content.delays, image, kind->id, err);
	if (ret)
		return ret;
	pprof.nr_samples = content.delays.nr;
	ret = kmprof_pprof_write(file, image, resolver, &pprof, err);
	kmprof_delays_release(&content.delays);
	return ret;
}
