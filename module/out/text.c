// SPDX-License-Identifier: GPL-2.0
/*
 * Writes a view of a profile as text: a head, then the entries in the order of their rank.
 * Numbers for which pprof has no place go into comment lines behind the first line. What
 * differs between profiles is in their struct kmprof_text_form.
 */
#include <linux/err.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/time64.h>

#include "control/access.h"
#include "core/profile.h"
#include "out/snapshot.h"
#include "out/text.h"
#include "show/form.h"

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
	kvfree(t->table.prepared);
	kvfree(t->table.order);
	t->table = (struct kmprof_text_table) {};
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

static u64 rank(const struct kmprof_text *t, const void *row)
{
	return t->view->rank ? t->view->rank(row) : kmprof_text_number(&t->table, row, 0);
}

static int sort_entries(struct kmprof_text *t)
{
	const struct kmprof_text_form *form = t->view->form;
	struct kmprof_text_table *table = &t->table;
	const void *row;
	u64 *ranks;
	u32 i;

	ranks = kvmalloc_array(table->count, sizeof(*ranks), KMPROF_TEXT_GFP);
	table->order = kvmalloc_array(table->count, sizeof(*table->order), KMPROF_TEXT_GFP);
	if (!ranks || !table->order) {
		kvfree(ranks);
		return -ENOMEM;
	}
	for (i = 0; i < table->count; i++) {
		cond_resched();
		row = kmprof_text_row(table, i);
		if (form->shows && !form->shows(table, row))
			continue;
		table->order[table->entries++] = i;
		ranks[i] = rank(t, row);
	}
	sort_r(table->order, table->entries, sizeof(*table->order), by_rank, NULL, ranks);
	kvfree(ranks);
	return 0;
}

static int take_image(struct kmprof_text *t)
{
	const struct kmprof_text_form *form = t->view->form;
	struct kmprof_snapshot_image *image;
	int err;

	image = kmprof_snapshot_create(0, true);
	if (IS_ERR(image))
		return PTR_ERR(image);
	t->image = image;
	err = -ENOENT;
	if (WARN_ON_ONCE(!kmprof_text_table_find(&t->table, image->header,
						 t->view->profile->name)))
		goto undo_image;
	t->table.name = t->view->name;
	t->table.addresses = t->addresses;
	err = sort_entries(t);
	if (!err && form->prepare)
		err = form->prepare(&t->table);
	if (err)
		goto undo_image;
	WRITE_ONCE(t->cycle, image->header->cycle);
	return 0;

undo_image:
	drop_image(t);
	return err;
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
	return *pos <= t->table.entries ? pos : NULL;
}

static void *text_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct kmprof_text *t = m->private;

	++*pos;
	return *pos <= t->table.entries ? pos : NULL;
}

static void text_stop(struct seq_file *m, void *v)
{
	struct kmprof_text *t = m->private;

	mutex_unlock(&t->lock);
}

static void show_times(struct seq_file *m, const struct kmprof_image_header *h)
{
	seq_printf(m, "# cycle %llu\n", h->cycle);
	seq_printf(m, "# seconds %llu\n", (h->time_ns - h->start_ns) / NSEC_PER_SEC);
}

static void show_scalars(struct seq_file *m, const struct kmprof_image_header *h)
{
	const struct kmprof_image_scalar *s = kmprof_text_at(h, h->scalars.offset);
	u32 i;

	for (i = 0; i < h->scalars.count; i++, s++) {
		seq_printf(m, "# %s ", kmprof_text_string(h, s->name));
		if (s->text)
			seq_printf(m, "%s\n", kmprof_text_string(h, s->text));
		else
			seq_printf(m, "%llu\n", s->value);
	}
}

static void show_facts(struct seq_file *m, const struct kmprof_text_form *form,
		       const struct kmprof_text_table *table)
{
	if (form->facts)
		form->facts(m, table);
}

/**
 * kmprof_text_show_stats() - print everything but the rows, of all profiles
 * @m: where to print
 * @image: header of the image
 *
 * Context: Process context. May sleep.
 */
void kmprof_text_show_stats(struct seq_file *m, const struct kmprof_image_header *image)
{
	struct kmprof_text_table table;

	show_times(m, image);
	kmprof_for_each_profile(p)
		if (kmprof_text_table_find(&table, image, p->name))
			seq_printf(m, "# rows.%s %u\n", table.name, table.count);
	show_scalars(m, image);
	kmprof_for_each_profile(p)
		if (kmprof_text_table_find(&table, image, p->name))
			show_facts(m, p->views[0].form, &table);
}

static void text_show_head(struct seq_file *m, const struct kmprof_text *t)
{
	t->view->form->head(m, &t->table);
	seq_printf(m, "# profile %s\n", t->view->name);
	show_times(m, t->image->header);
	seq_printf(m, "# rows %u\n", t->table.count);
	show_scalars(m, t->image->header);
	show_facts(m, t->view->form, &t->table);
	seq_putc(m, '\n');
}

static int text_show(struct seq_file *m, void *v)
{
	const struct kmprof_text *t = m->private;
	loff_t pos = *(loff_t *)v;

	if (!pos)
		text_show_head(m, t);
	else
		t->view->form->entry(m, &t->table, t->table.order[pos - 1]);
	return 0;
}

const struct seq_operations kmprof_text_ops = {
	.start	= text_start,
	.next	= text_next,
	.stop	= text_stop,
	.show	= text_show,
};
