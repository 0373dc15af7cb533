/* SPDX-License-Identifier: GPL-2.0 */
/* The operations in which the texts of the profiles differ. */
#ifndef KMPROF_TEXT_FORM_H
#define KMPROF_TEXT_FORM_H

#include <linux/gfp.h>
#include <linux/types.h>

struct kmprof_snapshot_image;
struct kmprof_text;
struct seq_file;

/* Charged to the reader. The reader gets -ENOMEM, without a warning in the log. */
#define KMPROF_TEXT_GFP	(GFP_KERNEL_ACCOUNT | __GFP_NOWARN)

/**
 * struct kmprof_text_form - operations, with the text's lock held
 * @entries: number of entries in the image's table for the profile
 * @shows: true when the entry belongs to the profile
 * @rank: sort key of an entry; the largest comes first
 * @prepare: called when the order is known; 0 or -ENOMEM; may be NULL
 * @head: print the lines by which pprof recognises the profile
 * @entry: print an entry with its stack
 */
struct kmprof_text_form {
	u32 (*entries)(const struct kmprof_snapshot_image *image);
	bool (*shows)(const struct kmprof_text *t, u32 index);
	u64 (*rank)(const struct kmprof_text *t, u32 index);
	int (*prepare)(struct kmprof_text *t);
	void (*head)(struct seq_file *m, const struct kmprof_text *t);
	void (*entry)(struct seq_file *m, const struct kmprof_text *t, u32 index);
};

extern const struct kmprof_text_form kmprof_text_heap;
extern const struct kmprof_text_form kmprof_text_block;
extern const struct kmprof_text_form kmprof_text_mutex;

void kmprof_text_show_symbol(struct seq_file *m, const struct kmprof_text *t,
			     const char *symbol);
void kmprof_text_show_stack(struct seq_file *m, const struct kmprof_text *t, u64 first, u32 nr);

#endif
