/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A view of a profile as text, in the format of Go's debug=1. Each open file of the device
 * and of debugfs has a text of its own.
 */
#ifndef KMPROF_TEXT_H
#define KMPROF_TEXT_H

#include <linux/mutex.h>
#include <linux/seq_file.h>
#include <linux/types.h>

#include "show/table.h"

struct file;
struct kmprof_image_header;
struct kmprof_snapshot_image;
struct kmprof_view;

/**
 * struct kmprof_text - the text of an open file
 * @lock: held during a read; protects all other members
 * @view: the view that is shown
 * @image: the snapshot that is shown; NULL: the next read takes a new one
 * @table: the rows of @image that the view shows
 * @addresses: the reader may see addresses; constant
 * @cycle: cycle of the snapshot shown last; read without the lock
 */
struct kmprof_text {
	/* protects the rest */
	struct mutex lock;
	const struct kmprof_view *view;
	struct kmprof_snapshot_image *image;
	struct kmprof_text_table table;
	bool addresses;
	u64 cycle;
};

extern const struct seq_operations kmprof_text_ops;

void kmprof_text_init(struct kmprof_text *t, const struct kmprof_view *view,
		      const struct file *file);
void kmprof_text_restart(struct kmprof_text *t, const struct kmprof_view *view);
void kmprof_text_destroy(struct kmprof_text *t);
u64 kmprof_text_cycle(struct kmprof_text *t);
void kmprof_text_show_stats(struct seq_file *m, const struct kmprof_image_header *image);

#endif
