/* SPDX-License-Identifier: GPL-2.0 */
/* What differs between the texts of profiles. */
#ifndef KMPROF_TEXT_FORM_H
#define KMPROF_TEXT_FORM_H

#include <linux/gfp.h>
#include <linux/types.h>

struct kmprof_snapshot_image;
struct kmprof_text;
struct seq_file;

/* The reader is charged, and told when there is no memory; the log is not. */
#define KMPROF_TEXT_GFP	(GFP_KERNEL_ACCOUNT | __GFP_NOWARN)

/**
 * struct kmprof_text_form - operations, under the text's lock
 * @entries: how many an image has in the profile's table
 * @shows: is one of these the profile's?
 * @rank: what puts an entry before others: larger is first
 * @prepare: once the order is known; 0 or -ENOMEM; may be NULL
 * @head: the lines by which pprof knows the profile
 * @entry: one of them, with its stack
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
