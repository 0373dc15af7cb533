// SPDX-License-Identifier: GPL-2.0
/* The facts, line by line. Names are the vocabulary of every output. */
#include <stdarg.h>

#include "image/ledger.h"
#include "image/source.h"
#include "profile/facts.h"
#include "profile/sums.h"

#define NSEC_PER_SEC	1000000000ULL

struct facts {
	struct kmprof_lines *lines;
	int ret;
};

__printf(2, 3)
static void put(struct facts *f, const char *fmt, ...)
{
	va_list ap;

	if (f->ret)
		return;
	va_start(ap, fmt);
	f->ret = kmprof_lines_vadd(f->lines, fmt, ap);
	va_end(ap);
}

static void put_amount(struct facts *f, const char *name, const struct kmprof_amount *amount)
{
	put(f, "estimate.%s_bytes %.0f", name, amount->bytes);
	put(f, "estimate.%s_bytes.standard_error %.0f", name, kmprof_amount_error(amount));
}

int kmprof_facts(struct kmprof_lines *lines, const struct kmprof_image *image,
		 const struct kmprof_profile_kind *kind)
{
	const struct kmprof_image_header *h = &image->header;
	struct kmprof_sums sums = kmprof_sums(image);
	struct facts f = { .lines = lines };
	const struct kmprof_image_loss *loss;
	__u32 i;

	put(&f, "profile %s", kind->name);
	put(&f, "source %s", kmprof_source_name(h->source));
	put(&f, "wait_source %s", kmprof_wait_source_name(h->wait_source));
	put(&f, "cycle %llu", h->cycle);
	put(&f, "seconds %llu", kmprof_image_duration(image) / NSEC_PER_SEC);
	put(&f, "rate %llu", h->heap_rate);
	put(&f, "buckets %u", h->samples.count);
	put(&f, "total.alloc_calls %llu", h->alloc_calls);
	put(&f, "total.alloc_bytes %llu", h->alloc_bytes);
	put(&f, "total.free_calls %llu", h->free_calls);
	put_amount(&f, "alloc", &sums.alloc);
	put_amount(&f, "inuse", &sums.inuse);
	put(&f, "estimate.rcu_pending_bytes %.0f", sums.rcu_pending.bytes);
	put(&f, "sampled %llu", h->sampled);
	put(&f, "counted %llu", h->counted);
	put(&f, "block_rate %llu", h->block_rate);
	put(&f, "total.waits %llu", h->waits);
	put(&f, "total.wait_ns %llu", h->wait_ns);
	put(&f, "waits_sampled %llu", h->waits_sampled);
	put(&f, "waits_counted %llu", h->waits_counted);
	put(&f, "mutex_fraction %llu", h->mutex_fraction);
	put(&f, "total.releases %llu", h->releases);
	put(&f, "total.blamed_ns %llu", h->blamed_ns);
	put(&f, "total.unblamed_ns %llu", h->unblamed_ns);
	put(&f, "delays_sampled %llu", h->delays_sampled);
	put(&f, "delays_counted %llu", h->delays_counted);
	for (i = 0; i < h->losses.count; i++) {
		loss = kmprof_image_loss(image, i);
		put(&f, "ledger.%s %llu", kmprof_ledger_name(image, loss), loss->count);
	}
	return f.ret;
}
