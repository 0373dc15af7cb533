/* SPDX-License-Identifier: GPL-2.0 */
/* What the forms of all profiles print alike: symbols, stacks, labels. */
#ifndef KMPROF_SHOW_H
#define KMPROF_SHOW_H

#include "show/table.h"

struct seq_file;

void kmprof_show_variable(struct seq_file *m, const struct kmprof_text_table *t, u64 addr);
void kmprof_show_stack(struct seq_file *m, const struct kmprof_text_table *t,
		       const struct kmprof_image_row *row, const char *nobody);
bool kmprof_show_labels(struct seq_file *m, const struct kmprof_text_table *t,
			const struct kmprof_image_row *row, const char *before);

#endif
