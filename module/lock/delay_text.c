// SPDX-License-Identifier: GPL-2.0
/*
 * The block and mutex profiles as text: delay in ns and number of waits or releases, largest
 * delay first. The unit that pprof calls a cycle is a ns here. Source: the debug=1 form of
 * printCountCycleProfile() of Go's runtime/pprof.
 */
#include <linux/kernel.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "lock/delay_text.h"
#include "show/show.h"

static void show_block_head(struct seq_file *m, const struct kmprof_text_table *t)
{
	seq_printf(m, "--- contention:\ncycles/second=%lu\n", NSEC_PER_SEC);
}

/* Sampling period 1: the counts and delays are scaled already. */
static void show_mutex_head(struct seq_file *m, const struct kmprof_text_table *t)
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

static void show_lock(struct seq_file *m, const struct kmprof_text_table *t,
		      const struct kmprof_image_contention *c)
{
	seq_printf(m, "# %s", kind_name(c->kind));
	if (c->flags & KMPROF_WAIT_READ)
		seq_puts(m, " read");
	if (c->flags & KMPROF_WAIT_WRITE)
		seq_puts(m, " write");
	if (c->lock) {
		seq_putc(m, ' ');
		kmprof_show_variable(m, t, c->lock);
	}
	if (c->cache[0])
		seq_printf(m, " in %s", c->cache);
	if (c->flags & KMPROF_WAIT_SPUN)
		seq_puts(m, ", spun");
	if (c->flags & KMPROF_WAIT_FAILED)
		seq_puts(m, ", failed");
	if (c->flags & KMPROF_WAIT_UNBLAMED)
		seq_puts(m, ", not attributable");
	kmprof_show_labels(m, t, &c->row, ", ");
	seq_printf(m, ", longest %llu ns\n", c->longest_ns);
}

static void show_contention(struct seq_file *m, const struct kmprof_text_table *t, u32 index)
{
	const struct kmprof_image_contention *c = kmprof_text_row(t, index);
	u64 half = 1ULL << (KMPROF_WAIT_COUNT_SHIFT - 1);

	show_lock(m, t, c);
	seq_printf(m, "%llu %llu", c->delay_ns, (c->count + half) >> KMPROF_WAIT_COUNT_SHIFT);
	kmprof_show_stack(m, t, &c->row, "not attributable");
}

const struct kmprof_text_form kmprof_block_form = {
	.head	= show_block_head,
	.entry	= show_contention,
};

const struct kmprof_text_form kmprof_mutex_form = {
	.head	= show_mutex_head,
	.entry	= show_contention,
};
