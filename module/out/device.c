// SPDX-License-Identifier: GPL-2.0
/* The character device: open, read, write, poll. Its ioctls are in ioctl.c. */
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "control/access.h"
#include "core/cycle.h"
#include "out/device.h"
#include "out/ioctl.h"
#include "out/open_file.h"
#include "out/view.h"
#include "trace/session.h"

static int device_open(struct inode *inode, struct file *file)
{
	struct kmprof_file *f;
	int err;

	if (!kmprof_access_read())
		return -EPERM;
	f = kzalloc(sizeof(*f), GFP_KERNEL);
	if (!f)
		return -ENOMEM;
	/* misc_open() stores the device there, and seq_open() warns if it is not NULL. */
	file->private_data = NULL;
	err = seq_open(file, &kmprof_text_ops);
	if (err) {
		kfree(f);
		return err;
	}
	kmprof_text_init(&f->text, kmprof_view_get(0), file);
	f->seen_cycle = kmprof_cycle_number();
	((struct seq_file *)file->private_data)->private = &f->text;
	return 0;
}

static int device_release(struct inode *inode, struct file *file)
{
	struct kmprof_file *f = kmprof_file_of(file);

	kmprof_text_destroy(&f->text);
	kfree(f);
	return seq_release(inode, file);
}

/* Seeking to the start takes a new snapshot at the next read. */
static loff_t device_llseek(struct file *file, loff_t offset, int whence)
{
	if (whence == SEEK_SET && !offset)
		kmprof_text_restart(&kmprof_file_of(file)->text, NULL);
	return seq_lseek(file, offset, whence);
}

/* Records a mark in the trace. */
static ssize_t device_write(struct file *file, const char __user *buf, size_t len, loff_t *pos)
{
	return kmprof_trace_mark(buf, len);
}

static __poll_t device_poll(struct file *file, struct poll_table_struct *wait)
{
	struct kmprof_file *f = kmprof_file_of(file);
	u64 seen;

	poll_wait(file, &kmprof_cycle_wait, wait);
	seen = max(READ_ONCE(f->seen_cycle), kmprof_text_cycle(&f->text));
	return EPOLLOUT | EPOLLWRNORM |
	       (kmprof_cycle_number() > seen ? EPOLLIN | EPOLLRDNORM : 0);
}

static const struct file_operations device_fops = {
	.owner		= THIS_MODULE,
	.open		= device_open,
	.release	= device_release,
	.read		= seq_read,
	.write		= device_write,
	.llseek		= device_llseek,
	.poll		= device_poll,
	.unlocked_ioctl	= kmprof_ioctl,
	.compat_ioctl	= compat_ptr_ioctl,
};

static struct miscdevice device = {
	.minor	= MISC_DYNAMIC_MINOR,
	.name	= "kmprof",
	.mode	= 0600,
	.fops	= &device_fops,
};

/**
 * kmprof_device_init() - create /dev/kmprof
 *
 * Context: Process context, after everything that a reader needs.
 * Return: 0 or a negative errno.
 */
int kmprof_device_init(void)
{
	return misc_register(&device);
}

/**
 * kmprof_device_exit() - remove /dev/kmprof
 *
 * Context: Process context. The device is not open.
 */
void kmprof_device_exit(void)
{
	misc_deregister(&device);
}
