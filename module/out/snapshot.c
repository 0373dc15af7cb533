// SPDX-License-Identifier: GPL-2.0
/*
 * Builds images under the cycle lock, and offers them as files.
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
#include <linux/overflow.h>
#include <linux/sched.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/uaccess.h>

#include "compat/compat.h"
#include "control/control.h"
#include "core/bucket.h"
#include "core/cycle.h"
#include "core/limits.h"
#include "lock/lock_class.h"
#include "lock/source.h"
#include "mem/heap.h"
#include "mem/heap_rate.h"
#include "out/snapshot.h"
#include "stack/labels.h"

static atomic_t nr_images;

/* The number of entries of each table of an image, and the image's size. */
struct layout {
	u32 samples;
	u32 contentions;
	u32 labels;
	u32 frames;
	u32 names;
	u32 strings;
	size_t bytes;
};

/* The string table: an empty string, the names of the losses from here on, names of caches. */
#define STRINGS_LOSSES	1

/* Rows of the heap profile go into the sample table, all others into the contention table. */
static bool is_sample(const struct kmprof_bucket *b)
{
	return b->key.profile == &kmprof_heap_profile;
}

/* False for a bucket that has counted nothing in a closed cycle yet. */
static bool is_shown(const struct kmprof_bucket *b)
{
	return b->key.profile->ops->is_shown(b);
}

static void measure(struct layout *l)
{
	struct kmprof_bucket *b;
	unsigned int i;

	memset(l, 0, sizeof(*l));
	kmprof_cycle_for_each_bucket(b) {
		if (!is_shown(b))
			continue;
		if (is_sample(b))
			l->samples++;
		else
			l->contentions++;
		l->frames += kmprof_bucket_nr_frames(&b->key);
		l->labels += !!kmprof_bucket_labels(&b->key);
		cond_resched();
	}
	l->strings = STRINGS_LOSSES;
	for (i = 0; i < KMPROF_NR_LOSSES; i++)
		l->strings += strlen(kmprof_loss_names[i]) + 1;
	l->names = l->strings;
	if (l->contentions)
		l->strings += KMPROF_NR_CACHE_NAMES * KMPROF_CACHE_NAME_LEN;
	l->strings = ALIGN(l->strings, 8);
	l->bytes = sizeof(struct kmprof_image_header) +
		   l->samples * sizeof(struct kmprof_image_sample) +
		   l->contentions * sizeof(struct kmprof_image_contention) +
		   l->labels * sizeof(struct kmprof_image_label) +
		   l->frames * sizeof(u64) +
		   KMPROF_NR_LOSSES * sizeof(struct kmprof_image_loss) +
		   l->strings;
}

static u64 table_end(const struct kmprof_table *table)
{
	return table->offset + (u64)table->count * table->entry_size;
}

static void fill_header(struct kmprof_image_header *h, const struct layout *l,
			bool addresses)
{
	const struct kmprof_stats *s = &kmprof_published.stats;

	*h = (struct kmprof_image_header) {
		.magic		= KMPROF_IMAGE_MAGIC,
		.abi_version	= KMPROF_ABI_VERSION,
		.header_size	= sizeof(*h),
		.flags		= addresses ? KMPROF_IMAGE_ADDRESSES : 0,
		.image_size	= l->bytes,
		.cycle		= kmprof_published.cycle,
		.start_ns	= kmprof_published.start_ns,
		.time_ns	= kmprof_published.time_ns,
		.heap_rate	= kmprof_control_value(KMPROF_SETTING_HEAP_RATE),
		.source		= kmprof_heap_source()->id,
		.wait_source	= kmprof_wait_source()->id,
		.alloc_calls	= s->totals.alloc_calls,
		.alloc_bytes	= s->totals.alloc_bytes,
		.free_calls	= s->totals.free_calls,
		.sampled	= s->counter[KMPROF_SAMPLED],
		.counted	= s->counter[KMPROF_COUNTED],
		.samples	= {
			.offset		= sizeof(*h),
			.count		= l->samples,
			.entry_size	= sizeof(struct kmprof_image_sample),
		},
		.frames		= {
			.count		= l->frames,
			.entry_size	= sizeof(u64),
		},
		.losses		= {
			.count		= KMPROF_NR_LOSSES,
			.entry_size	= sizeof(struct kmprof_image_loss),
		},
		.strings	= {
			.count		= l->strings,
			.entry_size	= 1,
		},
		.block_rate	= kmprof_control_value(KMPROF_SETTING_BLOCK_RATE),
		.waits		= s->counter[KMPROF_WAITS],
		.wait_ns	= s->counter[KMPROF_WAIT_NS],
		.waits_sampled	= s->counter[KMPROF_WAITS_SAMPLED],
		.waits_counted	= s->counter[KMPROF_WAITS_COUNTED],
		.contentions	= {
			.count		= l->contentions,
			.entry_size	= sizeof(struct kmprof_image_contention),
		},
		.mutex_fraction	= kmprof_control_value(KMPROF_SETTING_MUTEX_FRACTION),
		.releases	= s->counter[KMPROF_RELEASES],
		.blamed_ns	= s->counter[KMPROF_BLAMED_NS],
		.unblamed_ns	= s->counter[KMPROF_UNBLAMED_NS],
		.delays_sampled	= s->counter[KMPROF_DELAYS_SAMPLED],
		.delays_counted	= s->counter[KMPROF_DELAYS_COUNTED],
		.labels		= {
			.count		= l->labels,
			.entry_size	= sizeof(struct kmprof_image_label),
		},
	};
	h->contentions.offset = table_end(&h->samples);
	h->labels.offset = table_end(&h->contentions);
	h->frames.offset = table_end(&h->labels);
	h->losses.offset = table_end(&h->frames);
	h->strings.offset = table_end(&h->losses);
}

static void fill_sample(struct kmprof_image_sample *sample, const struct kmprof_bucket *b,
			u64 first_frame)
{
	*sample = (struct kmprof_image_sample) {
		.profile	= b->key.profile->id,
		.nr_frames	= kmprof_bucket_nr_frames(&b->key),
		.first_frame	= first_frame,
		.period		= b->key.period,
		.object_size	= b->key.size,
		.allocs		= b->active.allocs,
		.frees		= b->active.frees,
		.rcu_pending	= b->active.pending,
	};
}

/* Names of caches have the order of their table, and all the same size. */
static u32 cache_string(const struct layout *l, u64 class)
{
	int index = kmprof_lock_class_index(class);

	return index < 0 ? 0 : l->names + index * KMPROF_CACHE_NAME_LEN;
}

/**
 * struct cursor - where the next entry of each table goes
 * @sample: next entry of the sample table
 * @contention: next entry of the contention table
 * @labels: the table of labels
 * @nr_labels: entries of @labels that are filled
 * @frames: the frame table
 * @nr_frames: entries of @frames that are filled
 * @addresses: the image may contain kernel addresses
 */
struct cursor {
	struct kmprof_image_sample *sample;
	struct kmprof_image_contention *contention;
	struct kmprof_image_label *labels;
	u32 nr_labels;
	u64 *frames;
	u64 nr_frames;
	bool addresses;
};

/* Add the labels of a bucket, if any. Returns the value for @label of its entry. */
static u32 fill_label(struct cursor *c, const struct kmprof_bucket *b)
{
	u32 labels = kmprof_bucket_labels(&b->key);

	if (!labels)
		return 0;
	kmprof_labels_read(&c->labels[c->nr_labels], labels,
			   b->frames + kmprof_bucket_nr_frames(&b->key));
	return ++c->nr_labels;
}

static void fill_contention(struct cursor *c, const struct layout *l,
			    const struct kmprof_bucket *b)
{
	bool is_address = kmprof_lock_class_is_address(b->key.lock);

	*c->contention++ = (struct kmprof_image_contention) {
		.profile	= b->key.profile->id,
		.nr_frames	= kmprof_bucket_nr_frames(&b->key),
		.first_frame	= c->nr_frames,
		.period		= b->key.period,
		.kind		= kmprof_bucket_kind(&b->key),
		.flags		= kmprof_bucket_flags(&b->key),
		.lock		= c->addresses && is_address ? b->key.lock : 0,
		.count		= b->active.waits,
		.delay_ns	= b->active.delay,
		.longest_ns	= b->active.longest,
		.cache		= cache_string(l, b->key.lock),
		.label		= fill_label(c, b),
	};
}

static void fill_buckets(const struct layout *l, struct cursor *c)
{
	struct kmprof_bucket *b;
	u32 i;

	kmprof_cycle_for_each_bucket(b) {
		if (!is_shown(b))
			continue;
		if (is_sample(b))
			fill_sample(c->sample++, b, c->nr_frames);
		else
			fill_contention(c, l, b);
		for (i = 0; i < kmprof_bucket_nr_frames(&b->key); i++)
			c->frames[c->nr_frames++] = c->addresses ? b->frames[i] : 0;
		cond_resched();
	}
}

static u32 loss_flags(enum kmprof_counter c)
{
	if (c <= KMPROF_LOSS_LAST_SAMPLE)
		return KMPROF_LOSS_SAMPLE;
	if (c >= KMPROF_LOSS_FIRST_WAIT && c <= KMPROF_LOSS_LAST_WAIT)
		return KMPROF_LOSS_WAIT;
	if (c >= KMPROF_LOSS_FIRST_DELAY && c <= KMPROF_LOSS_LAST_DELAY)
		return KMPROF_LOSS_DELAY;
	return 0;
}

static void fill_losses(struct kmprof_image_loss *losses, char *strings,
			const u64 missed[KMPROF_NR_COUNTERS])
{
	u32 name = STRINGS_LOSSES;
	unsigned int i;

	for (i = 0; i < KMPROF_NR_LOSSES; i++) {
		enum kmprof_counter c = KMPROF_LOSS_FIRST + i;

		losses[i].name = name;
		losses[i].flags = loss_flags(c);
		losses[i].count = kmprof_published.stats.counter[c] + missed[c];
		strcpy(strings + name, kmprof_loss_names[i]);
		name += strlen(kmprof_loss_names[i]) + 1;
	}
}

/* measure() has reserved room for every name: one may have been added since. */
static void fill_names(char *strings)
{
	const struct kmprof_cache_name *names = kmprof_lock_class_names();
	unsigned int i;

	for (i = 0; i < KMPROF_NR_CACHE_NAMES; i++, strings += KMPROF_CACHE_NAME_LEN)
		if (smp_load_acquire(&names[i].id))	/* pairs with remember() of lock_class.c */
			strscpy(strings, names[i].name, KMPROF_CACHE_NAME_LEN);
}

static int build(struct kmprof_snapshot_image *image, bool addresses,
		 const u64 missed[KMPROF_NR_COUNTERS])
{
	struct kmprof_image_header *h;
	struct cursor cursor;
	struct layout l;
	void *start;
	int err;

	measure(&l);
	/* Whole pages: all of them can be mapped, and they hold nothing but the image. */
	err = kmprof_pages_alloc(&image->pages, l.bytes);
	if (err)
		return err;
	start = image->pages.memory;
	h = start;
	fill_header(h, &l, addresses);
	image->header = h;
	image->samples = start + h->samples.offset;
	image->contentions = start + h->contentions.offset;
	image->labels = start + h->labels.offset;
	image->frames = start + h->frames.offset;
	image->losses = start + h->losses.offset;
	image->strings = start + h->strings.offset;
	cursor = (struct cursor) {
		.sample		= start + h->samples.offset,
		.contention	= start + h->contentions.offset,
		.labels		= start + h->labels.offset,
		.frames		= start + h->frames.offset,
		.addresses	= addresses,
	};
	fill_buckets(&l, &cursor);
	fill_losses(start + h->losses.offset, start + h->strings.offset, missed);
	if (l.contentions)
		fill_names(start + h->strings.offset + l.names);
	return 0;
}

/**
 * kmprof_snapshot_create() - create an image of all profiles
 * @published: show the last published cycle; false: close the current cycle first
 * @addresses: include kernel addresses
 *
 * Source: MemProfile() of mprof.go.
 *
 * Context: Process context. Takes the control and cycle locks. May wait for a grace period.
 * Return: the image, for kmprof_snapshot_destroy(); or an error pointer: -ENOSPC when
 * max_snapshots images exist, -ENOMEM, -EINTR.
 */
struct kmprof_snapshot_image *kmprof_snapshot_create(bool published, bool addresses)
{
	struct kmprof_snapshot_image *image;
	u64 missed[KMPROF_NR_COUNTERS];
	int err;

	if (!atomic_add_unless(&nr_images, 1, kmprof_limits.max_snapshots))
		return ERR_PTR(-ENOSPC);
	image = kzalloc(sizeof(*image), GFP_KERNEL);
	if (!image) {
		err = -ENOMEM;
		goto undo_count;
	}
	err = kmprof_control_missed(missed);
	if (err)
		goto undo_image;
	err = mutex_lock_interruptible(&kmprof_cycle_lock);
	if (err)
		goto undo_image;
	if (!published)
		kmprof_cycle_advance();
	err = build(image, addresses, missed);
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
