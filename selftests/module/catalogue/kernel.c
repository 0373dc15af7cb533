// SPDX-License-Identifier: GPL-2.0
/*
 * Things of the kernel that come and go with many objects: files, sockets, kobjects. They cost
 * much more than an object, so most calls do nothing.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/in.h>
#include <linux/kobject.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/net.h>
#include <linux/shmem_fs.h>
#include <linux/slab.h>
#include <net/net_namespace.h>

#include "catalogue.h"

/* One of so many calls does something. */
enum { SELDOM = 10 };

static struct dentry *directory;
static const struct file_operations nothing = { .owner = THIS_MODULE };

CATALOGUE_CALL(dentries)
{
	if (n % SELDOM)
		return;
	debugfs_remove(debugfs_create_file("nothing", 0400, directory, NULL, &nothing));
}

/* The page cache of a file, and the nodes of its tree, go with the file. */
CATALOGUE_CALL(page_cache)
{
	static const char text[3 * PAGE_SIZE];
	struct file *file;
	loff_t at = 0;

	if (n % SELDOM)
		return;
	file = shmem_file_setup("kmprof_catalogue", sizeof(text), VM_NORESERVE);
	if (IS_ERR(file))
		return;
	kernel_write(file, text, sizeof(text), &at);
	fput(file);
}

CATALOGUE_CALL(sockets)
{
	struct socket *socket;

	if (n % SELDOM)
		return;
	if (!sock_create_kern(&init_net, PF_INET, SOCK_DGRAM, IPPROTO_UDP, &socket))
		sock_release(socket);
}

CATALOGUE_CALL(kobjects)
{
	struct kobject *kobject;

	if (n % SELDOM)
		return;
	kobject = kobject_create_and_add("kmprof_catalogue", kernel_kobj);
	if (kobject)
		kobject_put(kobject);
}

static void release_kobject(void *object)
{
	kobject_put(object);
}

#define NAME_PART "a_kobject_that_is_not_put_is_never_freed_"

/* It is taken out of sysfs, but the last put is missing: it stays, with its long name. */
CATALOGUE_CALL(kobject_not_put)
{
	struct kobject *kobject;

	if (n % SELDOM)
		return;
	kobject = kobject_create_and_add(NAME_PART NAME_PART NAME_PART NAME_PART, kernel_kobj);
	if (!kobject)
		return;
	kobject_del(kobject);
	/* The name is copied: this is module memory. */
	catalogue_count(c, 2);
	catalogue_lose(c, kobject, 2, release_kobject);
}

CATALOGUE_CALL(workqueues)
{
	struct workqueue_struct *works;

	if (n % (2 * SELDOM))
		return;
	works = alloc_workqueue("kmprof_short_lived", 0, 0);
	if (works)
		destroy_workqueue(works);
}

static int thread(void *unused)
{
	set_current_state(TASK_IDLE);
	while (!kthread_should_stop()) {
		schedule();
		set_current_state(TASK_IDLE);
	}
	__set_current_state(TASK_RUNNING);
	return 0;
}

CATALOGUE_CALL(threads)
{
	struct task_struct *task;

	if (n % SELDOM)
		return;
	task = kthread_run(thread, NULL, "kmprof_short_lived");
	if (!IS_ERR(task))
		kthread_stop(task);
}

static int things_init(void)
{
	directory = debugfs_create_dir("kmprof_catalogue", NULL);
	return 0;
}

static void things_exit(void)
{
	debugfs_remove(directory);
}

static struct catalogue_case cases[] = {
	CATALOGUE_LEAK(kobject_not_put, 20, "a kobject leaves sysfs, and its last put is missing"),
	CATALOGUE_LOOKALIKE(dentries, 0, "files are made and removed"),
	CATALOGUE_LOOKALIKE(page_cache, 0, "a file is written, and goes with its page cache"),
	CATALOGUE_LOOKALIKE(sockets, 0, "sockets are opened and closed"),
	CATALOGUE_LOOKALIKE(kobjects, 0, "kobjects come into sysfs and go"),
	CATALOGUE_LOOKALIKE(workqueues, 0, "workqueues are made and destroyed"),
	CATALOGUE_LOOKALIKE(threads, 0, "kernel threads come and go"),
};

const struct catalogue_family catalogue_kernel = {
	.init	= things_init,
	.exit	= things_exit,
	.cases	= cases,
	.count	= ARRAY_SIZE(cases),
};
