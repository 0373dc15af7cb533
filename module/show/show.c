// SPDX-License-Identifier: GPL-2.0
/* Prints symbols, stacks and labels. */
#include <linux/ctype.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/string.h>

#include "show/show.h"

/* The symbol of the image that an address lies in, or NULL. */
static const struct kmprof_image_symbol *find_symbol(const struct kmprof_image_header *image,
						     u64 addr)
{
	const struct kmprof_image_symbol *symbols = kmprof_text_at(image, image->symbols.offset);
	u32 low = 0, high = image->symbols.count, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (addr - symbols[mid].start < symbols[mid].size)
			return &symbols[mid];
		if (addr < symbols[mid].start)
			high = mid;
		else
			low = mid + 1;
	}
	return NULL;
}

/*
 * Print the symbol that lies @back bytes before @addr. Symbols of modules that are gone are in
 * the image. Without a symbol the bare address is printed, if the reader is allowed to see it.
 */
static void show_symbol(struct seq_file *m, const struct kmprof_text_table *t, u64 addr,
			unsigned int back)
{
	const struct kmprof_image_symbol *symbol = find_symbol(t->image, addr - back);
	const struct kmprof_image_module *module;
	char text[KSYM_SYMBOL_LEN];

	if (symbol) {
		module = kmprof_text_at(t->image, t->image->modules.offset);
		seq_printf(m, "%s+0x%llx/0x%llx [%s]", kmprof_text_string(t->image, symbol->name),
			   addr - symbol->start, symbol->size,
			   kmprof_text_string(t->image, module[symbol->module].name));
		return;
	}
	snprintf(text, sizeof(text), back ? "%pB" : "%pS", (void *)(unsigned long)addr);
	seq_puts(m, !t->addresses && !strncmp(text, "0x", 2) ? "[unknown]" : text);
}

/**
 * kmprof_show_variable() - print the variable that an address lies in
 * @m: where to print
 * @t: the table
 * @addr: the address
 *
 * Context: Process context.
 */
void kmprof_show_variable(struct seq_file *m, const struct kmprof_text_table *t, u64 addr)
{
	show_symbol(m, t, addr, 0);
}

/* The call before a return address may be the last instruction of its function. */
static void show_frame(struct seq_file *m, const struct kmprof_text_table *t, u64 addr)
{
	seq_printf(m, "#\t0x%llx\t", t->addresses ? addr : 0);
	show_symbol(m, t, addr, 1);
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

	for (i = 0; i < KMPROF_COMM_LEN && comm[i]; i++)
		seq_putc(m, isascii(comm[i]) && isprint(comm[i]) ? comm[i] : '?');
}

/**
 * kmprof_show_labels() - print the labels of a row, with commas between them
 * @m: where to print
 * @t: the table
 * @row: the row; nothing is printed if it has no labels
 * @before: what to print before the first label
 *
 * Context: Process context.
 * Return: true when there are labels.
 */
bool kmprof_show_labels(struct seq_file *m, const struct kmprof_text_table *t,
			const struct kmprof_image_row *row, const char *before)
{
	const struct kmprof_image_label *label;

	if (!row->label)
		return false;
	label = &t->labels[row->label - 1];
	if (label->labels & KMPROF_LABEL_COMM) {
		seq_printf(m, "%scomm ", before);
		show_comm(m, label->comm);
		before = ", ";
	}
	if (label->labels & KMPROF_LABEL_PID) {
		seq_printf(m, "%spid %u", before, label->pid);
		before = ", ";
	}
	if (label->labels & KMPROF_LABEL_CGROUP) {
		seq_printf(m, "%scgroup %llu", before, label->cgroup);
		before = ", ";
	}
	if (label->labels & KMPROF_LABEL_NODE && label->node != KMPROF_NO_NODE)
		seq_printf(m, "%snode %u", before, label->node);
	return true;
}
