// SPDX-License-Identifier: GPL-2.0
/*
 * Takes snapshots: has images built under the cycle lock, and offers them as files.
 *
 * Memory is bounded: max_snapshots images, each as large as max_buckets and stack_depth
 * allow.
 */
#include <linux/anon_inodes.h>
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "compat/compat.h"
#include "control/control.h"
#include "core/cycle.h"
#include "core/limits.h"
#include "out/image.h"
#include "out/scalars.h"
#include "out/snapshot.h"

static atomic_t nr_images;

/* Add what closed cycles have counted to what the probes have missed. */
static void add_published(struct kmprof_stats *stats)
{
	const struct kmprof_stats *published = &kmprof_published.stats;
	unsigned int i;

	stats->totals = published->totals;
	for (i = 0; i < KMPROF_NR_COUNTERS; i++)
		stats->counter[i] += published->counter[i];
}

static int build(struct kmprof_snapshot_image *image, struct kmprof_numbers *numbers,
		 bool addresses)
{
	unsigned int i;
	int err;

	kmprof_control_missed(numbers->stats.counter);
	add_published(&numbers->stats);
	for (i = 0; i < kmprof_nr_settings(); i++)
		numbers->settings[i] = kmprof_control_value(i);
	err = kmprof_image_build(&image->pages, numbers, addresses);
	image->header = image->pages.memory;
	return err;
}

/**
 * kmprof_snapshot_create() - create an image of all profiles
 * @published: show the last published cycle; false: close the current cycle first
 * @addresses: include kernel addresses
 *
 * Source: MemProfile() of mprof.go.
 *
 * Context: Process context. Takes the cycle lock. May wait for a grace period.
 * Return: the image, for kmprof_snapshot_destroy(); or an error pointer: -ENOSPC when
 * max_snapshots images exist, -ENOMEM, -EINTR.
 */
struct kmprof_snapshot_image *kmprof_snapshot_create(bool published, bool addresses)
{
	struct kmprof_snapshot_image *image;
	struct kmprof_numbers numbers;
	int err;

	if (!atomic_add_unless(&nr_images, 1, kmprof_limits.max_snapshots))
		return ERR_PTR(-ENOSPC);
	image = kzalloc(sizeof(*image), GFP_KERNEL);
	if (!image) {
		err = -ENOMEM;
		goto undo_count;
	}
	err = mutex_lock_interruptible(&kmprof_cycle_lock);
	if (err)
		goto undo_image;
	if (!published)
		kmprof_cycle_advance();
	err = build(image, &numbers, addresses);
	mutex_unlock(&kmprof_cycle_lock);
	if (err)
		goto undo_image;
	return image;

undo_image:
	kfree(image);
undo_count:
	atomic_dec(&nr_images);
	return ERR_PTR(err);
}

/**
 * kmprof_snapshot_destroy() - free an image
 * @image: the image, from kmprof_snapshot_create(); or NULL
 *
 * Context: Process context. May sleep.
 */
void kmprof_snapshot_destroy(struct kmprof_snapshot_image *image)
{
	if (!image)
		return;
	kmprof_pages_free(&image->pages);
	kfree(image);
	atomic_dec(&nr_images);
}

/**
 * kmprof_snapshot_count() - count the images
 *
 * Context: Any.
 * Return: the number of images that exist now.
 */
unsigned int kmprof_snapshot_count(void)
{
	return atomic_read(&nr_images);
}

/* Copies in pieces, and offers the CPU in between: an image can be large. */
static ssize_t file_read(struct file *file, char __user *buf, size_t len, loff_t *pos)
{
	const struct kmprof_snapshot_image *image = file->private_data;
	size_t done = 0;
	ssize_t got;

	do {
		got = simple_read_from_buffer(buf + done, min_t(size_t, len - done, SZ_64K), pos,
					      image->header, image->header->image_size);
		if (got <= 0)
			break;
		done += got;
		cond_resched();
	} while (done < len);
	return done ?: got;
}

static loff_t file_llseek(struct file *file, loff_t offset, int whence)
{
	const struct kmprof_snapshot_image *image = file->private_data;

	return fixed_size_llseek(file, offset, whence, image->header->image_size);
}

static int file_mmap(struct file *file, struct vm_area_struct *vma)
{
	const struct kmprof_snapshot_image *image = file->private_data;

	if (vma->vm_flags & VM_WRITE)
		return -EACCES;
	kmprof_compat_vma_fixed(vma);
	return kmprof_pages_map(&image->pages, vma->vm_pgoff, vma);
}

static int file_release(struct inode *inode, struct file *file)
{
	kmprof_snapshot_destroy(file->private_data);
	return 0;
}

static const struct file_operations snapshot_fops = {
	.owner		= THIS_MODULE,
	.read		= file_read,
	.llseek		= file_llseek,
	.mmap		= file_mmap,
	.release	= file_release,
};

/**
 * kmprof_snapshot_file() - create a file for an image
 * @image: the image; on success it belongs to the file
 *
 * Context: Process context. May sleep.
 * Return: the file or an error pointer.
 */
struct file *kmprof_snapshot_file(struct kmprof_snapshot_image *image)
{
	struct file *file;

	file = anon_inode_getfile("[kmprof-snapshot]", &snapshot_fops, image, O_RDONLY);
	if (!IS_ERR(file))
		file->f_mode |= FMODE_LSEEK | FMODE_PREAD;
	return file;
}
