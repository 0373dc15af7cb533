// SPDX-License-Identifier: GPL-2.0
/*
 * Files in debugfs, kmprof_bench/:
 *
 *	OPERATION	read: nanoseconds of one, "median mean", see below
 *	floor		write: see floor.h
 *	objects		write: how many live ones
 *	stacks		write: "FIRST COUNT", see stacks.h
 *	copy		write: how many bytes, see copy.h
 *	calls		read and write: calls of an operation that a read makes
 *
 * Under -icount shift=0 a nanosecond of the guest is an instruction. Operations
 * are timed in batches with interrupts off, so that nothing else is, unless they sleep.
 */
#include <linux/debugfs.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/uaccess.h>

#include "copy.h"
#include "floor.h"
#include "objects.h"
#include "ops.h"
#include "stacks.h"

enum {
	BATCH = 64,
	WARM_UP = 16,
	WORD_MAX = 64,
};

static u32 calls = 64 * BATCH;

/* Operations run at once on several CPUs, nothing else does. */
static DECLARE_RWSEM(bench_lock);

static u64 batch_ns(const struct bench_op *op, unsigned int batch)
{
	unsigned int i, first = batch * BATCH;
	unsigned long flags = 0;
	u64 ns;

	if (!op->sleeps)
		local_irq_save(flags);
	ns = ktime_get_ns();
	for (i = first; i < first + BATCH; i++)
		op->run(i);
	ns = ktime_get_ns() - ns;
	if (!op->sleeps)
		local_irq_restore(flags);
	return ns;
}

static int compare(const void *a, const void *b)
{
	u64 x = *(const u64 *)a, y = *(const u64 *)b;

	return x < y ? -1 : x > y;
}

/* In hundredths of a nanosecond for one call. */
static int measure(const struct bench_op *op, u64 *median, u64 *mean)
{
	unsigned int i, batches = max(calls / BATCH, 1U);
	u64 *ns = kvmalloc_array(batches, sizeof(*ns), GFP_KERNEL);

	if (!ns)
		return -ENOMEM;
	for (i = 0; i < WARM_UP; i++)
		batch_ns(op, i);
	*mean = 0;
	for (i = 0; i < batches; i++) {
		ns[i] = batch_ns(op, WARM_UP + i);
		*mean += ns[i];
		cond_resched();
	}
	sort(ns, batches, sizeof(*ns), compare, NULL);
	*median = ns[batches / 2] * 100 / BATCH;
	*mean = *mean * 100 / BATCH / batches;
	kvfree(ns);
	return 0;
}

static int op_show(struct seq_file *m, void *unused)
{
	u64 median, mean;
	int err;

	down_read(&bench_lock);
	err = measure(m->private, &median, &mean);
	up_read(&bench_lock);
	if (err)
		return err;
	seq_printf(m, "%llu.%02llu %llu.%02llu\n", median / 100, median % 100,
		   mean / 100, mean % 100);
	return 0;
}

DEFINE_SHOW_ATTRIBUTE(op);

static int read_words(char *words, const char __user *buf, size_t len)
{
	if (len >= WORD_MAX)
		return -EINVAL;
	if (copy_from_user(words, buf, len))
		return -EFAULT;
	words[len] = '\0';
	strim(words);
	return 0;
}

static ssize_t floor_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	char words[WORD_MAX];
	int err = read_words(words, buf, len);

	down_write(&bench_lock);
	if (!err)
		err = bench_floor_set(words);
	up_write(&bench_lock);
	return err ?: len;
}

static const struct file_operations floor_fops = {
	.owner	= THIS_MODULE,
	.write	= floor_write,
};

/* Files to which a number is written. */
static const struct setting {
	const char *name;
	int (*set)(unsigned long number);
} settings[] = {
	{ "objects", bench_objects_set },
	{ "copy", bench_copy_run },
};

static ssize_t setting_write(struct file *file, const char __user *buf, size_t len,
			     loff_t *pos)
{
	const struct setting *setting = file_inode(file)->i_private;
	unsigned long number;
	int err = kstrtoul_from_user(buf, len, 0, &number);

	down_write(&bench_lock);
	if (!err)
		err = setting->set(number);
	up_write(&bench_lock);
	return err ?: len;
}

static const struct file_operations setting_fops = {
	.owner	= THIS_MODULE,
	.write	= setting_write,
};

static ssize_t stacks_write(struct file *file, const char __user *buf, size_t len,
			    loff_t *pos)
{
	unsigned long first, count;
	char words[WORD_MAX];
	int err = read_words(words, buf, len);

	if (!err && sscanf(words, "%lu %lu", &first, &count) != 2)
		err = -EINVAL;
	down_write(&bench_lock);
	if (!err)
		err = bench_stacks_run(first, count);
	up_write(&bench_lock);
	return err ?: len;
}

static const struct file_operations stacks_fops = {
	.owner	= THIS_MODULE,
	.write	= stacks_write,
};

static struct dentry *dir;

static int __init bench_init(void)
{
	const struct bench_op *op;
	unsigned int i;
	int err = bench_ops_init();

	if (err)
		return err;
	dir = debugfs_create_dir("kmprof_bench", NULL);
	for (op = bench_ops; op->name; op++)
		debugfs_create_file(op->name, 0400, dir, (void *)op, &op_fops);
	debugfs_create_file("floor", 0200, dir, NULL, &floor_fops);
	debugfs_create_file("stacks", 0200, dir, NULL, &stacks_fops);
	for (i = 0; i < ARRAY_SIZE(settings); i++)
		debugfs_create_file(settings[i].name, 0200, dir, (void *)&settings[i],
				    &setting_fops);
	debugfs_create_u32("calls", 0600, dir, &calls);
	return 0;
}

static void __exit bench_exit(void)
{
	debugfs_remove(dir);
	bench_floor_exit();
	bench_objects_set(0);
	bench_ops_exit();
}

module_init(bench_init);
module_exit(bench_exit);

MODULE_DESCRIPTION("Measures what probes cost");
MODULE_AUTHOR("The kmprof developers");
MODULE_LICENSE("GPL");
