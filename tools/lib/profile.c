// SPDX-License-Identifier: GPL-2.0
/* What profiles there are, and the facts that accompany each of them. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "device.h"
#include "ledger.h"
#include "profile.h"

#define NSEC_PER_SEC	1000000000ULL

static const struct kmprof_profile_kind kinds[] = {
	{ "heap", KMPROF_PROFILE_HEAP, "inuse_space", KMPROF_SORT_INUSE },
	{ "allocs", KMPROF_PROFILE_ALLOCS, "alloc_space", KMPROF_SORT_ALLOC },
};

const struct kmprof_profile_kind *kmprof_profile_find(const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		if (!strcmp(kinds[i].name, name))
			return &kinds[i];
	return NULL;
}

struct header {
	int (*line)(const char *text, void *arg);
	void *arg;
	int ret;
};

__printf(2, 3)
static void put(struct header *h, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	if (h->ret)
		return;
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	h->ret = h->line(text, h->arg);
}

static void put_amount(struct header *h, const char *name, const struct kmprof_amount *amount)
{
	put(h, "estimate.%s_bytes %.0f", name, amount->bytes);
	put(h, "estimate.%s_bytes.standard_error %.0f", name, kmprof_amount_error(amount));
}

/* Freed already, but the memory waits for a grace period. */
static double rcu_pending_bytes(const struct kmprof_image *image)
{
	const struct kmprof_image_sample *sample;
	struct kmprof_amount pending = { 0 };
	__u32 i;

	for (i = 0; i < image->header->samples.count; i++) {
		sample = kmprof_image_sample(image, i);
		if (sample->profile == KMPROF_PROFILE_HEAP)
			kmprof_amount_add(&pending, sample->rcu_pending, sample->object_size,
					  sample->period);
	}
	return pending.bytes;
}

int kmprof_profile_header(const struct kmprof_image *image,
			  const struct kmprof_profile_kind *kind, const struct kmprof_amount *alloc,
			  const struct kmprof_amount *inuse,
			  int (*line)(const char *text, void *arg), void *arg)
{
	const struct kmprof_image_header *i = image->header;
	struct header h = { .line = line, .arg = arg };
	const struct kmprof_image_loss *loss;
	__u32 n;

	put(&h, "profile %s", kind->name);
	put(&h, "source %s", kmprof_source_name(i->source));
	put(&h, "cycle %llu", i->cycle);
	put(&h, "seconds %llu",
	    i->time_ns > i->start_ns ? (i->time_ns - i->start_ns) / NSEC_PER_SEC : 0);
	put(&h, "rate %llu", i->heap_rate);
	put(&h, "buckets %u", i->samples.count);
	put(&h, "total.alloc_calls %llu", i->alloc_calls);
	put(&h, "total.alloc_bytes %llu", i->alloc_bytes);
	put(&h, "total.free_calls %llu", i->free_calls);
	put_amount(&h, "alloc", alloc);
	put_amount(&h, "inuse", inuse);
	put(&h, "estimate.rcu_pending_bytes %.0f", rcu_pending_bytes(image));
	put(&h, "sampled %llu", i->sampled);
	put(&h, "counted %llu", i->counted);
	for (n = 0; n < i->losses.count; n++) {
		loss = kmprof_image_loss(image, n);
		put(&h, "ledger.%.100s %llu", kmprof_ledger_name(image, loss), loss->count);
	}
	return h.ret;
}
