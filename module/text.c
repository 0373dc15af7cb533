// SPDX-License-Identifier: GPL-2.0
/*
 * Writing the text. Raw sampled counts, which pprof scales by the rate of the
 * first line; samples of another period are expressed in that one. What pprof
 * has no place for goes into comment lines behind the first.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "access.h"
#include "heap.h"
#include "profile.h"
#include "snapshot.h"
#include "text.h"

/* The reader is charged, and told when there is no memory; the log is not. */
#define TEXT_GFP	(GFP_KERNEL_ACCOUNT | __GFP_NOWARN)

/**
 * kmprof_text_init() - a reader opens a text
 * @t: zeroed memory
 * @profile: what it shows first
 * @file: whose reader may or may not see addresses
 *
 * Context: Process context.
 */
void kmprof_text_init(struct kmprof_text *t, const struct kmprof_profile *profile,
		      const struct file *file)
{
	mutex_init(&t->lock);
	t->profile = profile;
	t->addresses = kmprof_access_addresses(file);
}

/* A sample's counts, expressed in the period of the first line. */
struct kmprof_text_counts {
	u64 inuse;
	u64 allocs;
};

static void drop_image(struct kmprof_text *t)
{
	kvfree(t->counts);
	t->counts = NULL;
	kvfree(t->order);
	t->order = NULL;
	kmprof_snapshot_destroy(t->image);
	t->image = NULL;
}

/**
 * kmprof_text_restart() - the next read from the start shows a new snapshot
 * @t: text
 * @profile: show this one from then on; NULL: the same as before
 *
 * Context: Process context. Takes the text's lock.
 */
void kmprof_text_restart(struct kmprof_text *t, const struct kmprof_profile *profile)
{
	mutex_lock(&t->lock);
	drop_image(t);
	if (profile)
		t->profile = profile;
	mutex_unlock(&t->lock);
}

/**
 * kmprof_text_destroy() - the reader closes the text
 * @t: text
 */
void kmprof_text_destroy(struct kmprof_text *t)
{
	drop_image(t);
	mutex_destroy(&t->lock);
}

/**
 * kmprof_text_cycle() - the cycle that the reader saw last, 0 for none
 * @t: text
 *
 * Context: Any.
 */
u64 kmprof_text_cycle(struct kmprof_text *t)
{
	return READ_ONCE(t->cycle);
}

/* Offers the CPU, which sort_r() does not. */
static int by_rank(const void *a, const void *b, const void *priv)
{
	const u64 *ranks = priv;
	u32 i = *(const u32 *)a, j = *(const u32 *)b;

	cond_resched();
	if (ranks[i] != ranks[j])
		return ranks[i] < ranks[j] ? 1 : -1;
	return i < j ? -1 : i > j;
}

static int sort_samples(struct kmprof_text *t)
{
	const struct kmprof_snapshot_image *image = t->image;
	u32 n = image->header->samples.count;
	u64 *ranks;
	u32 i;

	ranks = kvmalloc_array(n, sizeof(*ranks), TEXT_GFP);
	t->order = kvmalloc_array(n, sizeof(*t->order), TEXT_GFP);
	if (!ranks || !t->order) {
		kvfree(ranks);
		return -ENOMEM;
	}
	for (i = 0; i < n; i++) {
		t->order[i] = i;
		ranks[i] = t->profile->rank(&image->samples[i]);
		cond_resched();
	}
	sort_r(t->order, n, sizeof(*t->order), by_rank, NULL, ranks);
	kvfree(ranks);
	return 0;
}

/* The rate in force; while off, the largest one that samples were taken with. */
static u64 shown_period(const struct kmprof_snapshot_image *image)
{
	u64 period = image->header->heap_rate;
	u32 i;

	if (period)
		return period;
	for (i = 0; i < image->header->samples.count; i++) {
		period = max_t(u64, period, image->samples[i].period);
		cond_resched();
	}
	return period ?: 1;
}

static int count_samples(struct kmprof_text *t)
{
	u64 inuse_carry = 0, frees_carry = 0;
	u32 i;

	t->counts = kvmalloc_array(t->image->header->samples.count, sizeof(*t->counts),
				   TEXT_GFP);
	if (!t->counts)
		return -ENOMEM;
	for (i = 0; i < t->image->header->samples.count; i++) {
		const struct kmprof_image_sample *s = &t->image->samples[t->order[i]];
		struct kmprof_text_counts *n = &t->counts[t->order[i]];

		n->inuse = kmprof_heap_rescale(s, s->allocs - s->frees, t->period,
					       &inuse_carry);
		n->allocs = n->inuse + kmprof_heap_rescale(s, s->frees, t->period,
							   &frees_carry);
		cond_resched();
	}
	return 0;
}

static int take_image(struct kmprof_text *t)
{
	struct kmprof_snapshot_image *image;
	int err;

	image = kmprof_snapshot_create(false, true);
	if (IS_ERR(image))
		return PTR_ERR(image);
	t->image = image;
	t->period = shown_period(image);
	err = sort_samples(t) ?: count_samples(t);
	if (err) {
		drop_image(t);
		return err;
	}
	WRITE_ONCE(t->cycle, image->header->cycle);
	return 0;
}

/* Position 0 is the head, the others are the samples. */
static void *text_start(struct seq_file *m, loff_t *pos)
{
	struct kmprof_text *t = m->private;
	int err;

	mutex_lock(&t->lock);
	if (!t->image) {
		err = take_image(t);
		if (err)
			return ERR_PTR(err);
	}
	return *pos <= t->image->header->samples.count ? pos : NULL;
}

static void *text_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct kmprof_text *t = m->private;

	++*pos;
	return *pos <= t->image->header->samples.count ? pos : NULL;
}

static void text_stop(struct seq_file *m, void *v)
{
	struct kmprof_text *t = m->private;

	mutex_unlock(&t->lock);
}

static void show_head(struct seq_file *m, const struct kmprof_text *t)
{
	u64 inuse = 0, inuse_bytes = 0, allocs = 0, alloc_bytes = 0;
	u32 i;

	for (i = 0; i < t->image->header->samples.count; i++) {
		const struct kmprof_image_sample *s = &t->image->samples[i];
		const struct kmprof_text_counts *n = &t->counts[i];

		inuse += n->inuse;
		inuse_bytes += n->inuse * s->object_size;
		allocs += n->allocs;
		alloc_bytes += n->allocs * s->object_size;
		cond_resched();
	}
	/* To pprof, equal sums mean that the columns in brackets are not there. */
	if (allocs && inuse == allocs)
		alloc_bytes++;
	/* pprof reads twice the period here, as in Go. */
	seq_printf(m, "heap profile: %llu: %llu [%llu: %llu] @ heap/%llu\n",
		   inuse, inuse_bytes, allocs, alloc_bytes, 2 * t->period);
	seq_printf(m, "# profile %s\n", t->profile->name);
	kmprof_text_show_stats(m, t->image);
	seq_putc(m, '\n');
}

/* A symbol tells nothing about where the kernel lies; a bare address does. */
static void show_frame(struct seq_file *m, const struct kmprof_text *t, unsigned long addr)
{
	char symbol[KSYM_SYMBOL_LEN];

	snprintf(symbol, sizeof(symbol), "%pB", (void *)addr);
	if (!t->addresses && !strncmp(symbol, "0x", 2))
		strscpy(symbol, "[unknown]", sizeof(symbol));
	seq_printf(m, "#\t0x%lx\t%s\n", t->addresses ? addr : 0, symbol);
}

static void show_sample(struct seq_file *m, const struct kmprof_text *t, u32 index)
{
	const struct kmprof_image_sample *s = &t->image->samples[index];
	const u64 *frames = &t->image->frames[s->first_frame];
	const struct kmprof_text_counts *n = &t->counts[index];
	u32 i;

	seq_printf(m, "%llu: %llu [%llu: %llu] @", n->inuse, n->inuse * s->object_size,
		   n->allocs, n->allocs * s->object_size);
	for (i = 0; i < s->nr_frames; i++)
		seq_printf(m, " 0x%llx", t->addresses ? frames[i] : 0);
	seq_putc(m, '\n');
	for (i = 0; i < s->nr_frames; i++) {
		show_frame(m, t, frames[i]);
		cond_resched();
	}
	seq_putc(m, '\n');
}

static int text_show(struct seq_file *m, void *v)
{
	const struct kmprof_text *t = m->private;
	loff_t pos = *(loff_t *)v;

	if (!pos)
		show_head(m, t);
	else
		show_sample(m, t, t->order[pos - 1]);
	return 0;
}

const struct seq_operations kmprof_text_ops = {
	.start	= text_start,
	.next	= text_next,
	.stop	= text_stop,
	.show	= text_show,
};

/**
 * kmprof_text_show_stats() - rate, totals, estimates and the loss ledger
 * @m: where to
 * @image: of which snapshot
 *
 * Context: Process context.
 */
void kmprof_text_show_stats(struct seq_file *m, const struct kmprof_snapshot_image *image)
{
	const struct kmprof_image_header *h = image->header;
	struct kmprof_heap_estimate e = {};
	u64 pending = 0;
	u32 i;

	for (i = 0; i < h->samples.count; i++) {
		kmprof_heap_estimate_add(&e, &image->samples[i]);
		pending += kmprof_heap_bytes(&image->samples[i], image->samples[i].rcu_pending);
		cond_resched();
	}
	seq_printf(m, "# source %s\n",
		   h->source == KMPROF_SOURCE_KPROBE ? "kprobe" : "tracepoint");
	seq_printf(m, "# cycle %llu\n", h->cycle);
	seq_printf(m, "# seconds %llu\n", (h->time_ns - h->start_ns) / NSEC_PER_SEC);
	seq_printf(m, "# rate %llu\n", h->heap_rate);
	seq_printf(m, "# buckets %u\n", h->samples.count);
	seq_printf(m, "# total.alloc_calls %llu\n", h->alloc_calls);
	seq_printf(m, "# total.alloc_bytes %llu\n", h->alloc_bytes);
	seq_printf(m, "# total.free_calls %llu\n", h->free_calls);
	seq_printf(m, "# estimate.alloc_bytes %llu\n", e.alloc_bytes);
	seq_printf(m, "# estimate.alloc_bytes.standard_error %llu\n",
		   kmprof_heap_error(e.alloc_variance));
	seq_printf(m, "# estimate.inuse_bytes %llu\n", e.inuse_bytes);
	seq_printf(m, "# estimate.inuse_bytes.standard_error %llu\n",
		   kmprof_heap_error(e.inuse_variance));
	seq_printf(m, "# estimate.rcu_pending_bytes %llu\n", pending);
	seq_printf(m, "# sampled %llu\n", h->sampled);
	seq_printf(m, "# counted %llu\n", h->counted);
	for (i = 0; i < h->losses.count; i++)
		seq_printf(m, "# ledger.%s %llu\n", image->strings + image->losses[i].name,
			   image->losses[i].count);
}
