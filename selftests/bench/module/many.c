// SPDX-License-Identifier: GPL-2.0
/*
 * A module of 25000 symbols, and the longest time that an event of the profiler takes when
 * the stack is new: with interrupts off, nothing else is in it. debugfs kmprof_bench_many:
 *
 *	new		read: ns of the longest allocation by stacks that were not used before
 *	again		read: the same by the stacks of the last read of "new"
 *
 * This file is compiled without tail calls.
 */
#include <linux/debugfs.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

enum {
	STACKS	= 64,	/* each of them new once, as long as the module is loaded */
	PART	= 16,	/* of them, for one read */
};

/* Of each stack eight functions, neither inlined, cloned, nor made into something else. */
#define CALLER(n, callee, caller)					\
static __attribute__((noipa)) void *caller##n(void)			\
{									\
	return callee##n();						\
}

#define STACK(n)							\
static __attribute__((noipa)) void *leaf##n(void)			\
{									\
	return kmalloc(200, GFP_ATOMIC);				\
}									\
CALLER(n, leaf, a)							\
CALLER(n, a, b)								\
CALLER(n, b, c)								\
CALLER(n, c, d)								\
CALLER(n, d, e)								\
CALLER(n, e, f)								\
CALLER(n, f, g)

#define EIGHT(X, n)	X(n##0) X(n##1) X(n##2) X(n##3) X(n##4) X(n##5) X(n##6) X(n##7)
#define EACH(X)								\
	EIGHT(X, 0) EIGHT(X, 1) EIGHT(X, 2) EIGHT(X, 3)			\
	EIGHT(X, 4) EIGHT(X, 5) EIGHT(X, 6) EIGHT(X, 7)

EACH(STACK)

#define ENTRY(n)	g##n,
static void *(*const stacks[])(void) = { EACH(ENTRY) };

static_assert(ARRAY_SIZE(stacks) == STACKS);

static DEFINE_MUTEX(lock);
static unsigned int used;

static int longest(unsigned int first, u64 *ns)
{
	unsigned long flags;
	unsigned int i;
	void *object;
	u64 spent;

	*ns = 0;
	for (i = first; i < first + PART; i++) {
		local_irq_save(flags);
		spent = ktime_get_ns();
		object = stacks[i]();
		spent = ktime_get_ns() - spent;
		local_irq_restore(flags);
		if (!object)
			return -ENOMEM;
		kfree(object);
		*ns = max(*ns, spent);
		cond_resched();
	}
	return 0;
}

static int new_show(struct seq_file *m, void *unused)
{
	int err = -ENOSPC;
	u64 ns;

	mutex_lock(&lock);
	if (used < STACKS) {
		err = longest(used, &ns);
		used += PART;
	}
	mutex_unlock(&lock);
	if (!err)
		seq_printf(m, "%llu\n", ns);
	return err;
}

DEFINE_SHOW_ATTRIBUTE(new);

static int again_show(struct seq_file *m, void *unused)
{
	int err = -EINVAL;
	u64 ns;

	mutex_lock(&lock);
	if (used)
		err = longest(used - PART, &ns);
	mutex_unlock(&lock);
	if (!err)
		seq_printf(m, "%llu\n", ns);
	return err;
}

DEFINE_SHOW_ATTRIBUTE(again);

static struct dentry *dir;

static int __init many_init(void)
{
	dir = debugfs_create_dir("kmprof_bench_many", NULL);
	debugfs_create_file("new", 0400, dir, NULL, &new_fops);
	debugfs_create_file("again", 0400, dir, NULL, &again_fops);
	return 0;
}

static void __exit many_exit(void)
{
	debugfs_remove(dir);
}

module_init(many_init);
module_exit(many_exit);

MODULE_DESCRIPTION("A module of many symbols, whose allocations have new stacks");
MODULE_AUTHOR("The kmprof developers");
MODULE_LICENSE("GPL");
