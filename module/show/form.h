/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The form of a profile as text: the operations in which the texts of the profiles differ,
 * and the table that they see. out/text.c does the rest.
 */
#ifndef KMPROF_FORM_H
#define KMPROF_FORM_H

#include <linux/gfp.h>
#include <linux/types.h>

#include "show/table.h"

struct seq_file;

/* Charged to the reader. The reader gets -ENOMEM, without a warning in the log. */
#define KMPROF_TEXT_GFP	(GFP_KERNEL_ACCOUNT | __GFP_NOWARN)

/**
 * struct kmprof_text_form - operations, in process context
 * @shows: true when a row is an entry of the text; NULL: all rows are
 * @prepare: called when the order of the entries is known; 0 or -ENOMEM; may be NULL. What
 *	it stores in @prepared of the table is freed with kvfree()
 * @head: print the lines by which pprof recognises the profile
 * @facts: print comment lines about the profile as a whole; NULL: there are none. The table
 *	has no order and is not prepared
 * @entry: print a row with its stack
 */
struct kmprof_text_form {
	bool (*shows)(const struct kmprof_text_table *t, const void *row);
	int (*prepare)(struct kmprof_text_table *t);
	void (*head)(struct seq_file *m, const struct kmprof_text_table *t);
	void (*facts)(struct seq_file *m, const struct kmprof_text_table *t);
	void (*entry)(struct seq_file *m, const struct kmprof_text_table *t, u32 index);
};

#endif
