// SPDX-License-Identifier: GPL-2.0
/*
 * The heap and allocs profiles as text. The counts are raw: pprof scales them by the period
 * in the first line. Samples of other periods are converted to that period.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/sched.h>

#include "mem/estimate.h"
#include "out/view.h"
#include "out/snapshot.h"
#include "out/text.h"
#include "out/text_form.h"

/* The counts of a sample, converted to the period of the first line. */
struct kmprof_text_counts {
	u64 inuse;
	u64 allocs;
};

static u32 entries(const struct kmprof_snapshot_image *image)
{
	return image->header->samples.count;
}

static bool shows(const struct kmprof_text *t, u32 index)
{
	return true;
}

static u64 rank(const struct kmprof_text *t, u32 index)
{
	return t->view->rank(&t->image->samples[index]);
}

/* The rate in force; while it is 0, the largest period of a sample. */
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

static int prepare(struct kmprof_text *t)
{
	u64 inuse_carry = 0, frees_carry = 0;
	u32 i;

	t->period = shown_period(t->image);
	t->counts = kvmalloc_array(t->image->header->samples.count, sizeof(*t->counts),
				   KMPROF_TEXT_GFP);
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
	/* Equal sums mean to pprof that there are no columns in brackets. */
	if (allocs && inuse == allocs)
		alloc_bytes++;
	/* As in Go, the number is twice the period: pprof halves it. */
	seq_printf(m, "heap profile: %llu: %llu [%llu: %llu] @ heap/%llu\n",
		   inuse, inuse_bytes, allocs, alloc_bytes, 2 * t->period);
}

static void show_sample(struct seq_file *m, const struct kmprof_text *t, u32 index)
{
	const struct kmprof_image_sample *s = &t->image->samples[index];
	const struct kmprof_text_counts *n = &t->counts[index];

	seq_printf(m, "%llu: %llu [%llu: %llu]", n->inuse, n->inuse * s->object_size,
		   n->allocs, n->allocs * s->object_size);
	kmprof_text_show_stack(m, t, s->first_frame, s->nr_frames);
}

const struct kmprof_text_form kmprof_text_heap = {
	.entries	= entries,
	.shows		= shows,
	.rank		= rank,
	.prepare	= prepare,
	.head		= show_head,
	.entry		= show_sample,
};
