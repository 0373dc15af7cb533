// SPDX-License-Identifier: GPL-2.0
/*
 * debugfs kmprof/: a file for each view, and stats. A profile may come later. As usual for
 * debugfs, creating a file may fail without an error: the device offers the same.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/module.h>
#include <linux/seq_file.h>

#include "control/access.h"
#include "core/profile.h"
#include "out/debugfs.h"
#include "out/view.h"
#include "out/snapshot.h"
#include "out/text.h"

static struct dentry *dir;

static int view_open(struct inode *inode, struct file *file)
{
	struct kmprof_text *t;

	if (!kmprof_access_read())
		return -EPERM;
	t = __seq_open_private(file, &kmprof_text_ops, sizeof(*t));
	if (!t)
		return -ENOMEM;
	kmprof_text_init(t, inode->i_private, file);
	return 0;
}

static int view_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	kmprof_text_destroy(m->private);
	return seq_release_private(inode, file);
}

static const struct file_operations view_fops = {
	.owner		= THIS_MODULE,
	.open		= view_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= view_release,
};

static int stats_show(struct seq_file *m, void *v)
{
	struct kmprof_snapshot_image *image = kmprof_snapshot_create(0, false);

	if (IS_ERR(image))
		return PTR_ERR(image);
	kmprof_text_show_stats(m, image->header);
	kmprof_snapshot_destroy(image);
	return 0;
}

static int stats_open(struct inode *inode, struct file *file)
{
	if (!kmprof_access_read())
		return -EPERM;
	return single_open(file, stats_show, NULL);
}

static const struct file_operations stats_fops = {
	.owner		= THIS_MODULE,
	.open		= stats_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static void create_files(const struct kmprof_profile *p)
{
	unsigned int i;

	for (i = 0; i < p->nr_views; i++)
		debugfs_create_file(p->views[i].name, 0400, dir, (void *)&p->views[i],
				    &view_fops);
}

/**
 * kmprof_debugfs_init() - create the files
 *
 * Context: Process context, after everything that a reader needs.
 */
void kmprof_debugfs_init(void)
{
	dir = debugfs_create_dir("kmprof", NULL);
	kmprof_for_each_profile(p)
		create_files(p);
	debugfs_create_file("stats", 0400, dir, NULL, &stats_fops);
	kmprof_profile_registered = create_files;
}

/**
 * kmprof_debugfs_exit() - remove the files
 *
 * Context: Process context. No file is open.
 */
void kmprof_debugfs_exit(void)
{
	kmprof_profile_registered = NULL;
	debugfs_remove(dir);
}
