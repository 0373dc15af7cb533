// SPDX-License-Identifier: GPL-2.0
/* Prints symbols, stacks and labels. */
#include <linux/ctype.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "show/show.h"

/**
 * kmprof_show_symbol() - print a symbol
 * @m: where to print
 * @t: the table
 * @symbol: name of an address, as printed by %pS or %pB
 *
 * If the address has no symbol, @symbol is the bare address, which the reader may not be
 * allowed to see.
 *
 * Context: Process context.
 */
void kmprof_show_symbol(struct seq_file *m, const struct kmprof_text_table *t,
			const char *symbol)
{
	seq_puts(m, !t->addresses && !strncmp(symbol, "0x", 2) ? "[unknown]" : symbol);
}

static void show_frame(struct seq_file *m, const struct kmprof_text_table *t, unsigned long addr)
{
	char symbol[KSYM_SYMBOL_LEN];

	snprintf(symbol, sizeof(symbol), "%pB", (void *)addr);
	seq_printf(m, "#\t0x%lx\t", t->addresses ? addr : 0);
	kmprof_show_symbol(m, t, symbol);
	seq_putc(m, '\n');
}

/**
 * kmprof_show_stack() - print a stack: a line of addresses, then its symbols
 * @m: where to print, in the middle of a line
 * @t: the table
 * @row: the row with the stack
 * @nobody: what to show in the place of a stack without frames, a word or two
 *
 * Context: Process context.
 */
void kmprof_show_stack(struct seq_file *m, const struct kmprof_text_table *t,
		       const struct kmprof_image_row *row, const char *nobody)
{
	const u64 *frames = &t->frames[row->first_frame];
	u32 i;

	/* pprof attributes an entry without addresses to no function. */
	if (!row->nr_frames) {
		seq_printf(m, " @ 0x0\n#\t0x0\t[%s]\n\n", nobody);
		return;
	}
	seq_puts(m, " @");
	for (i = 0; i < row->nr_frames; i++)
		seq_printf(m, " 0x%llx", t->addresses ? frames[i] : 0);
	seq_putc(m, '\n');
	for (i = 0; i < row->nr_frames; i++) {
		show_frame(m, t, frames[i]);
		cond_resched();
	}
	seq_putc(m, '\n');
}

/* A task can choose any bytes as its name. */
static void show_comm(struct seq_file *m, const char comm[KMPROF_COMM_LEN])
{
	unsigned int i;

	seq_puts(m, ", comm ");
	for (i = 0; i < KMPROF_COMM_LEN && comm[i]; i++)
		seq_putc(m, isascii(comm[i]) && isprint(comm[i]) ? comm[i] : '?');
}

/**
 * kmprof_show_labels() - print the labels of a row, each behind a comma
 * @m: where to print
 * @t: the table
 * @row: the row; nothing is printed if it has no labels
 *
 * Context: Process context.
 */
void kmprof_show_labels(struct seq_file *m, const struct kmprof_text_table *t,
			const struct kmprof_image_row *row)
{
	const struct kmprof_image_label *label;

	if (!row->label)
		return;
	label = &t->labels[row->label - 1];
	if (label->labels & KMPROF_LABEL_COMM)
		show_comm(m, label->comm);
	if (label->labels & KMPROF_LABEL_PID)
		seq_printf(m, ", pid %u", label->pid);
	if (label->labels & KMPROF_LABEL_CGROUP)
		seq_printf(m, ", cgroup %llu", label->cgroup);
}
