/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A profile as text, in the form of Go's debug=1: one for each open file of the
 * device and of debugfs.
 */
#ifndef KMPROF_TEXT_H
#define KMPROF_TEXT_H

#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/types.h>

struct file;
struct kmprof_view;
struct kmprof_snapshot_image;
struct kmprof_text_counts;

/**
 * struct kmprof_text - what one reader reads
 * @lock: taken while the reader reads
 * @view: what is shown
 * @image: the snapshot that is being read, NULL before the first read
 * @entries: what there is to show of it
 * @order: indexes of these, by rank
 * @counts: heap: what is shown of each sample, by index
 * @period: heap: period in bytes for which all counts are shown
 * @addresses: the reader may see addresses
 * @cycle: cycle of the snapshot shown last
 */
struct kmprof_text {
	/* protects the rest */
	struct mutex lock;
	const struct kmprof_view *view;
	struct kmprof_snapshot_image *image;
	u32 entries;
	u32 *order;
	struct kmprof_text_counts *counts;
	u64 period;
	bool addresses;
	u64 cycle;
};

extern const struct seq_operations kmprof_text_ops;

void kmprof_text_init(struct kmprof_text *t, const struct kmprof_view *view,
		      const struct file *file);
void kmprof_text_restart(struct kmprof_text *t, const struct kmprof_view *view);
void kmprof_text_destroy(struct kmprof_text *t);
u64 kmprof_text_cycle(struct kmprof_text *t);
void kmprof_text_show_stats(struct seq_file *m, const struct kmprof_snapshot_image *image);

#endif
