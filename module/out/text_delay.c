// SPDX-License-Identifier: GPL-2.0
/*
 * The block and mutex profiles as text: delay in ns and number of waits or releases, largest
 * delay first. The unit that pprof calls a cycle is a ns here. Source: the debug=1 form of
 * printCountCycleProfile() of Go's runtime/pprof.
 */
#include <linux/ctype.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>

#include "out/view.h"
#include "out/snapshot.h"
#include "out/text.h"
#include "out/text_form.h"

static u32 entries(const struct kmprof_snapshot_image *image)
{
	return image->header->contentions.count;
}

static bool shows(const struct kmprof_text *t, u32 index)
{
	return t->image->contentions[index].profile == t->view->id;
}

static u64 rank(const struct kmprof_text *t, u32 index)
{
	return t->image->contentions[index].delay_ns;
}

static void show_block_head(struct seq_file *m, const struct kmprof_text *t)
{
	seq_printf(m, "--- contention:\ncycles/second=%lu\n", NSEC_PER_SEC);
}

/* Sampling period 1: the counts and delays are scaled already. */
static void show_mutex_head(struct seq_file *m, const struct kmprof_text *t)
{
	seq_printf(m, "--- mutex:\ncycles/second=%lu\nsampling period=1\n", NSEC_PER_SEC);
}

static const char *kind_name(u32 kind)
{
	static const char * const names[] = {
		[KMPROF_LOCK_MUTEX]		= "mutex",
		[KMPROF_LOCK_RWSEM]		= "rwsem",
		[KMPROF_LOCK_SEMAPHORE]		= "semaphore",
		[KMPROF_LOCK_RTMUTEX]		= "rtmutex",
		[KMPROF_LOCK_PERCPU_RWSEM]	= "percpu_rwsem",
		[KMPROF_LOCK_SPINLOCK]		= "spinlock",
		[KMPROF_LOCK_RWLOCK]		= "rwlock",
	};

	return names[kind];
}

/* A task can choose any bytes as its name. */
static void show_comm(struct seq_file *m, const char comm[KMPROF_COMM_LEN])
{
	unsigned int i;

	seq_puts(m, ", comm ");
	for (i = 0; i < KMPROF_COMM_LEN && comm[i]; i++)
		seq_putc(m, isascii(comm[i]) && isprint(comm[i]) ? comm[i] : '?');
}

static void show_label(struct seq_file *m, const struct kmprof_image_label *label)
{
	if (label->labels & KMPROF_LABEL_COMM)
		show_comm(m, label->comm);
	if (label->labels & KMPROF_LABEL_PID)
		seq_printf(m, ", pid %u", label->pid);
	if (label->labels & KMPROF_LABEL_CGROUP)
		seq_printf(m, ", cgroup %llu", label->cgroup);
}

static void show_lock(struct seq_file *m, const struct kmprof_text *t,
		      const struct kmprof_image_contention *c)
{
	char symbol[KSYM_SYMBOL_LEN];

	seq_printf(m, "# %s", kind_name(c->kind));
	if (c->flags & KMPROF_WAIT_READ)
		seq_puts(m, " read");
	if (c->flags & KMPROF_WAIT_WRITE)
		seq_puts(m, " write");
	if (c->lock) {
		snprintf(symbol, sizeof(symbol), "%pS", (void *)(unsigned long)c->lock);
		seq_putc(m, ' ');
		kmprof_text_show_symbol(m, t, symbol);
	}
	if (c->cache)
		seq_printf(m, " in %s", t->image->strings + c->cache);
	if (c->flags & KMPROF_WAIT_SPUN)
		seq_puts(m, ", spun");
	if (c->flags & KMPROF_WAIT_FAILED)
		seq_puts(m, ", failed");
	if (c->flags & KMPROF_WAIT_UNBLAMED)
		seq_puts(m, ", not attributable");
	if (c->label)
		show_label(m, &t->image->labels[c->label - 1]);
	seq_printf(m, ", longest %llu ns\n", c->longest_ns);
}

static void show_contention(struct seq_file *m, const struct kmprof_text *t, u32 index)
{
	const struct kmprof_image_contention *c = &t->image->contentions[index];
	u64 half = 1ULL << (KMPROF_WAIT_COUNT_SHIFT - 1);

	show_lock(m, t, c);
	seq_printf(m, "%llu %llu", c->delay_ns, (c->count + half) >> KMPROF_WAIT_COUNT_SHIFT);
	kmprof_text_show_stack(m, t, c->first_frame, c->nr_frames);
}

const struct kmprof_text_form kmprof_text_block = {
	.entries	= entries,
	.shows		= shows,
	.rank		= rank,
	.head		= show_block_head,
	.entry		= show_contention,
};

const struct kmprof_text_form kmprof_text_mutex = {
	.entries	= entries,
	.shows		= shows,
	.rank		= rank,
	.head		= show_mutex_head,
	.entry		= show_contention,
};
