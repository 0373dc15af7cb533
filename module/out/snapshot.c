// SPDX-License-Identifier: GPL-2.0
/*
 * Takes snapshots: has images built under the cycle lock, and offers them as files.
 *
 * Memory is allocated without that lock. It is charged to the reader, whose memory cgroup may
 * put the reader to sleep for seconds, and others wait for the lock. So an image is measured
 * until there is memory for what was measured: see make_room().
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
#include <linux/mutex.h>
#include <linux/pfn.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat/compat.h"
#include "control/control.h"
#include "core/cycle.h"
#include "core/drain.h"
#include "core/limits.h"
#include "out/image.h"
#include "out/scalars.h"
#include "out/snapshot.h"

static atomic_t nr_images;

/**
 * struct build - a snapshot in the making
 * @image: the image
 * @numbers: its numbers
 * @addresses: include kernel addresses
 * @flags: KMPROF_SNAPSHOT_*
 */
struct build {
	struct kmprof_image_build image;
	struct kmprof_numbers numbers;
	bool addresses;
	u32 flags;
};

/* The numbers as they are now: what the probes have missed, and what closed cycles have counted. */
static void read_numbers(struct kmprof_numbers *numbers)
{
	const struct kmprof_stats *published = &kmprof_published.stats;
	struct kmprof_stats *stats = &numbers->stats;
	unsigned int i, texts = 0;

	kmprof_control_missed(stats->counter);
	stats->totals = published->totals;
	memcpy(stats->marks, published->marks, sizeof(stats->marks));
	for (i = 0; i < KMPROF_NR_COUNTERS; i++)
		stats->counter[i] += published->counter[i];
	for (i = 0; i < kmprof_nr_settings(); i++)
		numbers->settings[i] = kmprof_setting_find(i)->ops->get_text ?
				       kmprof_control_get(i, numbers->texts[texts++]) :
				       kmprof_control_get(i, NULL);
}

/*
 * Measure the image, and get memory for it. The cycle lock is held on entry, and on return
 * unless it fails. It is released while memory is allocated; then the image has to be measured
 * again, because buckets and objects may have come.
 *
 * Each try has four times as much memory to spare as the one before. So it ends, at the latest
 * when the spare memory would hold all buckets that max_buckets allows, or with -ENOMEM.
 */
static int make_room(struct kmprof_pages *pages, struct build *b, bool open_cycle)
{
	size_t bytes, spare;
	int err;

	for (spare = SZ_64K; ; spare *= 4) {
		read_numbers(&b->numbers);
		err = kmprof_image_measure(&b->image, &b->numbers, b->addresses, b->flags,
					   open_cycle);
		if (err)
			break;
		bytes = b->image.header.image_size;
		if (PFN_UP(bytes) <= pages->count)
			return 0;
		mutex_unlock(&kmprof_cycle_lock);
		kmprof_pages_free(pages);
		err = kmprof_pages_alloc(pages, bytes + spare) ?:
		      mutex_lock_interruptible(&kmprof_cycle_lock);
		if (err)
			return err;
	}
	mutex_unlock(&kmprof_cycle_lock);
	return err;
}

/* Fill an empty image. If it fails, what it has got is freed by kmprof_snapshot_destroy(). */
static int take(struct kmprof_snapshot_image *image, u32 flags, bool addresses)
{
	struct kmprof_pages *pages = &image->pages;
	struct build *b;
	int err;

	b = kzalloc(sizeof(*b), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!b)
		return -ENOMEM;
	b->addresses = addresses;
	b->flags = flags;
	kmprof_control_check();
	/* Records of new stacks become buckets, which can be counted. */
	if (!(flags & KMPROF_SNAPSHOT_PUBLISHED))
		kmprof_drain();
	err = mutex_lock_interruptible(&kmprof_cycle_lock);
	if (err)
		goto out;
	if (!(flags & KMPROF_SNAPSHOT_PUBLISHED)) {
		/* Before the cycle is closed, so that a failure has changed nothing. */
		err = make_room(pages, b, true);
		if (err)
			goto out;
		kmprof_cycle_advance();
	}
	err = make_room(pages, b, false);
	if (err)
		goto out;
	kmprof_image_fill(&b->image, pages->memory);
	mutex_unlock(&kmprof_cycle_lock);
	image->header = pages->memory;
	pages->used = PFN_UP(image->header->image_size);
out:
	kfree(b);
	return err;
}

static struct kmprof_snapshot_image *create_empty(void)
{
	struct kmprof_snapshot_image *image;

	if (!atomic_add_unless(&nr_images, 1, kmprof_limits.max_snapshots))
		return ERR_PTR(-ENOSPC);
	image = kzalloc(sizeof(*image), GFP_KERNEL);
	if (image)
		return image;
	atomic_dec(&nr_images);
	return ERR_PTR(-ENOMEM);
}

/**
 * kmprof_snapshot_create() - create an image of all profiles
 * @flags: KMPROF_SNAPSHOT_*
 * @addresses: include kernel addresses
 *
 * Source: MemProfile() of mprof.go.
 *
 * Context: Process context. Takes the cycle lock. May wait for a grace period.
 * Return: the image, for kmprof_snapshot_destroy(); or an error pointer: -ENOSPC when
 * max_snapshots images exist, -ENOMEM, -EINTR. An error leaves the cycle open, except when new
 * stacks or objects have come while it was being closed, and there is no memory for these.
 */
struct kmprof_snapshot_image *kmprof_snapshot_create(u32 flags, bool addresses)
{
	struct kmprof_snapshot_image *image = create_empty();
	int err;

	if (IS_ERR(image))
		return image;
	err = take(image, flags, addresses);
	if (!err)
		return image;
	kmprof_snapshot_destroy(image);
	return ERR_PTR(err);
}

/**
 * kmprof_snapshot_destroy() - free an image
 * @image: the image, complete or not; or NULL
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
 * kmprof_snapshot_open() - create an image of all profiles, and a file for it
 * @flags: as for kmprof_snapshot_create()
 * @addresses: as for kmprof_snapshot_create()
 *
 * Context: Process context. Takes the cycle lock. May wait for a grace period.
 * Return: the file, to which the image belongs; or an error pointer: as from
 * kmprof_snapshot_create(), or -ENFILE.
 */
struct file *kmprof_snapshot_open(u32 flags, bool addresses)
{
	struct kmprof_snapshot_image *image = create_empty();
	struct file *file;
	int err;

	if (IS_ERR(image))
		return ERR_CAST(image);
	file = anon_inode_getfile("[kmprof-snapshot]", &snapshot_fops, image, O_RDONLY);
	if (IS_ERR(file)) {
		kmprof_snapshot_destroy(image);
		return file;
	}
	file->f_mode |= FMODE_LSEEK | FMODE_PREAD;
	err = take(image, flags, addresses);
	if (!err)
		return file;
	fput(file);
	return ERR_PTR(err);
}

/**
 * kmprof_snapshot_header() - get the header of a file's image
 * @file: file from kmprof_snapshot_open()
 *
 * Context: Any.
 * Return: the header.
 */
const struct kmprof_image_header *kmprof_snapshot_header(const struct file *file)
{
	const struct kmprof_snapshot_image *image = file->private_data;

	return image->header;
}
