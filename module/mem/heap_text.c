// SPDX-License-Identifier: GPL-2.0
/*
 * The heap and allocs profiles as text. The counts are raw: pprof scales them by the period
 * in the first line. Samples of other periods are converted to that period.
 */
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "core/setting.h"
#include "mem/estimate.h"
#include "mem/gfp_class.h"
#include "mem/heap_text.h"
#include "mem/kind.h"
#include "show/show.h"

/**
 * struct converted - the counts of all samples, converted to one period
 * @period: sampling period in bytes that the counts refer to
 * @counts: the counts to show for each sample, by index of its row
 * @counts.inuse: objects in use
 * @counts.allocs: objects allocated
 */
struct converted {
	u64 period;
	struct {
		u64 inuse;
		u64 allocs;
	} counts[];
};

static const struct kmprof_image_sample *sample(const struct kmprof_text_table *t, u32 index)
{
	return kmprof_text_row(t, index);
}

/* The rate in force; while it is 0, the largest period of a sample. */
static u64 shown_period(const struct kmprof_text_table *t)
{
	const struct kmprof_setting *rate = kmprof_setting_find(KMPROF_SETTING_HEAP_RATE);
	u64 period = kmprof_text_scalar(t->image, rate->name);
	u32 i;

	if (period)
		return period;
	for (i = 0; i < t->count; i++) {
		period = max_t(u64, period, sample(t, i)->period);
		cond_resched();
	}
	return period ?: 1;
}

static int prepare(struct kmprof_text_table *t)
{
	u64 inuse_carry = 0, frees_carry = 0;
	struct converted *c;
	u32 i, index;

	c = kvmalloc(struct_size(c, counts, t->count), KMPROF_TEXT_GFP);
	if (!c)
		return -ENOMEM;
	t->prepared = c;
	c->period = shown_period(t);
	for (i = 0; i < t->entries; i++) {
		const struct kmprof_image_sample *s = sample(t, t->order[i]);

		index = t->order[i];
		c->counts[index].inuse = kmprof_heap_rescale(s, s->allocs - s->frees, c->period,
							     &inuse_carry);
		c->counts[index].allocs = c->counts[index].inuse +
					  kmprof_heap_rescale(s, s->frees, c->period,
							      &frees_carry);
		cond_resched();
	}
	return 0;
}

static void show_head(struct seq_file *m, const struct kmprof_text_table *t)
{
	u64 inuse = 0, inuse_bytes = 0, allocs = 0, alloc_bytes = 0;
	const struct converted *c = t->prepared;
	u32 i;

	for (i = 0; i < t->count; i++) {
		inuse += c->counts[i].inuse;
		inuse_bytes += c->counts[i].inuse * sample(t, i)->object_size;
		allocs += c->counts[i].allocs;
		alloc_bytes += c->counts[i].allocs * sample(t, i)->object_size;
		cond_resched();
	}
	/* Equal sums mean to pprof that there are no columns in brackets. */
	if (allocs && inuse == allocs)
		alloc_bytes++;
	/* As in Go, the number is twice the period: pprof halves it. */
	seq_printf(m, "heap profile: %llu: %llu [%llu: %llu] @ heap/%llu\n",
		   inuse, inuse_bytes, allocs, alloc_bytes, 2 * c->period);
}

static void show_facts(struct seq_file *m, const struct kmprof_text_table *t)
{
	struct kmprof_heap_estimate e = {};
	u64 pending = 0;
	u32 i;

	for (i = 0; i < t->count; i++) {
		kmprof_heap_estimate_add(&e, sample(t, i));
		pending += kmprof_heap_bytes(sample(t, i), sample(t, i)->rcu_pending);
		cond_resched();
	}
	seq_printf(m, "# estimate.alloc_bytes %llu\n", e.alloc_bytes);
	seq_printf(m, "# estimate.alloc_bytes.standard_error %llu\n",
		   kmprof_heap_error(e.alloc_variance));
	seq_printf(m, "# estimate.inuse_bytes %llu\n", e.inuse_bytes);
	seq_printf(m, "# estimate.inuse_bytes.standard_error %llu\n",
		   kmprof_heap_error(e.inuse_variance));
	seq_printf(m, "# estimate.rcu_pending_bytes %llu\n", pending);
}

/*
 * In a comment, because the line of numbers has no place for it. Slabs, and what is unmovable, are
 * not named.
 */
static void show_rest(struct seq_file *m, const struct kmprof_text_table *t,
		      const struct kmprof_image_sample *s)
{
	const char *before = "# ";

	if (s->kind != KMPROF_KIND_SLAB) {
		seq_printf(m, "# kind %s", kmprof_kind_names[s->kind]);
		before = ", ";
	}
	if (*s->cache) {
		seq_printf(m, "%scache ", before);
		seq_escape(m, s->cache, " \t\n,");
		before = ", ";
	}
	if (s->gfp_class != KMPROF_GFP_UNMOVABLE) {
		seq_printf(m, "%sgfp %s", before, kmprof_gfp_class_names[s->gfp_class]);
		before = ", ";
	}
	if (kmprof_show_labels(m, t, &s->row, before) || *before == ',')
		seq_putc(m, '\n');
}

static void show_sample(struct seq_file *m, const struct kmprof_text_table *t, u32 index)
{
	const struct kmprof_image_sample *s = sample(t, index);
	const struct converted *c = t->prepared;
	u64 inuse = c->counts[index].inuse, allocs = c->counts[index].allocs;

	show_rest(m, t, s);
	seq_printf(m, "%llu: %llu [%llu: %llu]", inuse, inuse * s->object_size,
		   allocs, allocs * s->object_size);
	kmprof_show_stack(m, t, &s->row, "no stack");
}

const struct kmprof_text_form kmprof_heap_form = {
	.prepare	= prepare,
	.head		= show_head,
	.facts		= show_facts,
	.entry		= show_sample,
};
