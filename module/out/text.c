// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a profile as text: a head, then the entries in the order of their rank. Numbers for
 * which pprof has no place go into comment lines behind the first line.
 */
#include <linux/err.h>
#include <linux/kallsyms.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>

#include "control/access.h"
#include "mem/estimate.h"
#include "out/view.h"
#include "out/snapshot.h"
#include "out/text.h"
#include "out/text_form.h"

/**
 * kmprof_text_init() - initialise the text of an open file
 * @t: the text, zeroed
 * @view: the view to show
 * @file: the open file; decides whether addresses are shown
 *
 * Context: Process context.
 */
void kmprof_text_init(struct kmprof_text *t, const struct kmprof_view *view,
		      const struct file *file)
{
	mutex_init(&t->lock);
	t->view = view;
	t->addresses = kmprof_access_addresses(file);
}

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
 * kmprof_text_restart() - take a new snapshot at the next read from the start
 * @t: the text
 * @view: the view to show from then on; NULL: the same as before
 *
 * Context: Process context. Takes the text's lock.
 */
void kmprof_text_restart(struct kmprof_text *t, const struct kmprof_view *view)
{
	mutex_lock(&t->lock);
	drop_image(t);
	if (view)
		t->view = view;
	mutex_unlock(&t->lock);
}

/**
 * kmprof_text_destroy() - free what the text of an open file holds
 * @t: the text
 *
 * Context: Process context. The file is being released.
 */
void kmprof_text_destroy(struct kmprof_text *t)
{
	drop_image(t);
	mutex_destroy(&t->lock);
}

/**
 * kmprof_text_cycle() - get the cycle that the text showed last
 * @t: the text
 *
 * Context: Any.
 * Return: the cycle; 0 before the first read.
 */
u64 kmprof_text_cycle(struct kmprof_text *t)
{
	return READ_ONCE(t->cycle);
}

/* sort_r() does not reschedule, so its callback does. */
static int by_rank(const void *a, const void *b, const void *priv)
{
	const u64 *ranks = priv;
	u32 i = *(const u32 *)a, j = *(const u32 *)b;

	cond_resched();
	if (ranks[i] != ranks[j])
		return ranks[i] < ranks[j] ? 1 : -1;
	return i < j ? -1 : i > j;
}

static int sort_entries(struct kmprof_text *t)
{
	const struct kmprof_text_form *form = t->view->form;
	u32 i, n = form->entries(t->image);
	u64 *ranks;

	ranks = kvmalloc_array(n, sizeof(*ranks), KMPROF_TEXT_GFP);
	t->order = kvmalloc_array(n, sizeof(*t->order), KMPROF_TEXT_GFP);
	if (!ranks || !t->order) {
		kvfree(ranks);
		return -ENOMEM;
	}
	t->entries = 0;
	for (i = 0; i < n; i++) {
		cond_resched();
		if (!form->shows(t, i))
			continue;
		t->order[t->entries++] = i;
		ranks[i] = form->rank(t, i);
	}
	sort_r(t->order, t->entries, sizeof(*t->order), by_rank, NULL, ranks);
	kvfree(ranks);
	return 0;
}

static int take_image(struct kmprof_text *t)
{
	const struct kmprof_text_form *form = t->view->form;
	struct kmprof_snapshot_image *image;
	int err;

	image = kmprof_snapshot_create(false, true);
	if (IS_ERR(image))
		return PTR_ERR(image);
	t->image = image;
	err = sort_entries(t);
	if (!err && form->prepare)
		err = form->prepare(t);
	if (err) {
		drop_image(t);
		return err;
	}
	WRITE_ONCE(t->cycle, image->header->cycle);
	return 0;
}

/* Position 0 is the head, the entries follow. */
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
	return *pos <= t->entries ? pos : NULL;
}

static void *text_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct kmprof_text *t = m->private;

	++*pos;
	return *pos <= t->entries ? pos : NULL;
}

static void text_stop(struct seq_file *m, void *v)
{
	struct kmprof_text *t = m->private;

	mutex_unlock(&t->lock);
}

/**
 * kmprof_text_show_symbol() - print a symbol
 * @m: where to print
 * @t: the text
 * @symbol: name of an address, as printed by %pS or %pB
 *
 * If the address has no symbol, @symbol is the bare address, which the reader may not be
 * allowed to see.
 *
 * Context: Process context.
 */
void kmprof_text_show_symbol(struct seq_file *m, const struct kmprof_text *t,
			     const char *symbol)
{
	seq_puts(m, !t->addresses && !strncmp(symbol, "0x", 2) ? "[unknown]" : symbol);
}

static void show_frame(struct seq_file *m, const struct kmprof_text *t, unsigned long addr)
{
	char symbol[KSYM_SYMBOL_LEN];

	snprintf(symbol, sizeof(symbol), "%pB", (void *)addr);
	seq_printf(m, "#\t0x%lx\t", t->addresses ? addr : 0);
	kmprof_text_show_symbol(m, t, symbol);
	seq_putc(m, '\n');
}

/**
 * kmprof_text_show_stack() - print a stack: a line of addresses, then its symbols
 * @m: where to print, in the middle of a line
 * @t: the text
 * @first: index of the leaf in the frame table
 * @nr: number of frames; 0: the entry is wait time blamed on no release
 *
 * Context: Process context.
 */
void kmprof_text_show_stack(struct seq_file *m, const struct kmprof_text *t, u64 first, u32 nr)
{
	const u64 *frames = &t->image->frames[first];
	u32 i;

	/* pprof attributes an entry without addresses to no function. */
	if (!nr) {
		seq_puts(m, " @ 0x0\n#\t0x0\t[not attributable]\n\n");
		return;
	}
	seq_puts(m, " @");
	for (i = 0; i < nr; i++)
		seq_printf(m, " 0x%llx", t->addresses ? frames[i] : 0);
	seq_putc(m, '\n');
	for (i = 0; i < nr; i++) {
		show_frame(m, t, frames[i]);
		cond_resched();
	}
	seq_putc(m, '\n');
}

static const char *source_name(u32 source)
{
	return source == KMPROF_SOURCE_KPROBE ? "kprobe" : "tracepoint";
}

/**
 * kmprof_text_show_stats() - print rates, totals, estimates and the loss ledger
 * @m: where to print
 * @image: the snapshot
 *
 * Context: Process context. May sleep.
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
	seq_printf(m, "# source %s\n", source_name(h->source));
	seq_printf(m, "# wait_source %s\n", source_name(h->wait_source));
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
	seq_printf(m, "# block_rate %llu\n", h->block_rate);
	seq_printf(m, "# total.waits %llu\n", h->waits);
	seq_printf(m, "# total.wait_ns %llu\n", h->wait_ns);
	seq_printf(m, "# waits_sampled %llu\n", h->waits_sampled);
	seq_printf(m, "# waits_counted %llu\n", h->waits_counted);
	seq_printf(m, "# mutex_fraction %llu\n", h->mutex_fraction);
	seq_printf(m, "# total.releases %llu\n", h->releases);
	seq_printf(m, "# total.blamed_ns %llu\n", h->blamed_ns);
	seq_printf(m, "# total.unblamed_ns %llu\n", h->unblamed_ns);
	seq_printf(m, "# delays_sampled %llu\n", h->delays_sampled);
	seq_printf(m, "# delays_counted %llu\n", h->delays_counted);
	for (i = 0; i < h->losses.count; i++)
		seq_printf(m, "# ledger.%s %llu\n", image->strings + image->losses[i].name,
			   image->losses[i].count);
}

static int text_show(struct seq_file *m, void *v)
{
	const struct kmprof_text *t = m->private;
	loff_t pos = *(loff_t *)v;

	if (!pos) {
		t->view->form->head(m, t);
		seq_printf(m, "# profile %s\n", t->view->name);
		kmprof_text_show_stats(m, t->image);
		seq_putc(m, '\n');
	} else {
		t->view->form->entry(m, t, t->order[pos - 1]);
	}
	return 0;
}

const struct seq_operations kmprof_text_ops = {
	.start	= text_start,
	.next	= text_next,
	.stop	= text_stop,
	.show	= text_show,
};
