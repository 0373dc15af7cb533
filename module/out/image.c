// SPDX-License-Identifier: GPL-2.0
/*
 * Builds images. It knows no profile: what differs between profiles is in struct
 * kmprof_profile.
 *
 * First everything is counted and placed, then the memory is allocated and filled. The
 * caller holds the cycle lock, so that nothing changes in between.
 */
#include <linux/align.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <uapi/linux/kmprof.h>

#include "core/bucket.h"
#include "core/cycle.h"
#include "core/profile.h"
#include "out/image.h"
#include "out/pages.h"
#include "out/scalars.h"
#include "out/strings.h"
#include "stack/labels.h"

/**
 * struct build - an image in the making
 * @header: the header; its tables are placed before there is memory for them
 * @directory: the directory of profiles, by index
 * @rows: number of rows of each profile, by index: those counted, then those filled
 * @nr_frames: number of frames: those counted, then those filled
 * @nr_labels: number of labels: those counted, then those filled
 * @numbers: the numbers besides the rows
 * @addresses: the image may contain kernel addresses
 * @memory: start of the image, zeroed
 */
struct build {
	struct kmprof_image_header header;
	struct kmprof_image_profile directory[KMPROF_PROFILES_MAX];
	u32 rows[KMPROF_PROFILES_MAX];
	u64 nr_frames;
	u32 nr_labels;
	const struct kmprof_numbers *numbers;
	bool addresses;
	void *memory;
};

/* False for a bucket that has counted nothing in a closed cycle yet. */
static bool is_shown(const struct kmprof_bucket *bucket)
{
	return bucket->key.profile->ops->is_shown(bucket);
}

static void count_buckets(struct build *b)
{
	struct kmprof_bucket *bucket;

	kmprof_cycle_for_each_bucket(bucket) {
		if (!is_shown(bucket))
			continue;
		b->rows[bucket->key.profile->index]++;
		b->nr_frames += kmprof_bucket_nr_frames(&bucket->key);
		b->nr_labels += !!kmprof_bucket_labels(&bucket->key);
		cond_resched();
	}
}

/* Write the names of the directory, and the columns. Without @memory only count strings. */
static void write_directory(struct build *b, struct kmprof_strings *strings)
{
	struct kmprof_image_column *to = NULL, column;
	unsigned int i;

	kmprof_for_each_profile(p) {
		struct kmprof_image_profile *entry = &b->directory[p->index];

		entry->name = kmprof_strings_add(strings, p->name);
		entry->format = p->format;
		if (b->memory)
			to = b->memory + entry->columns.offset;
		for (i = 0; i < p->nr_columns; i++) {
			column = (struct kmprof_image_column) {
				.name	= kmprof_strings_add(strings, p->columns[i].name),
				.unit	= kmprof_strings_add(strings, p->columns[i].unit),
				.offset	= p->columns[i].offset,
				.shift	= p->columns[i].shift,
			};
			if (to)
				to[i] = column;
		}
	}
}

/* Place a table at the end of the image. */
static void place(struct build *b, struct kmprof_table *table, u32 count, size_t entry_size)
{
	*table = (struct kmprof_table) {
		.offset		= b->header.image_size,
		.count		= count,
		.entry_size	= entry_size,
	};
	b->header.image_size += ALIGN((u64)count * entry_size, sizeof(u64));
}

/* Returns -ENOMEM if there are more frames than a table can have. */
static int lay_out(struct build *b)
{
	struct kmprof_strings strings = { .bytes = 1 };
	struct kmprof_image_header *h = &b->header;
	u32 nr_profiles = 0, nr_scalars;

	kmprof_for_each_profile(p)
		nr_profiles++;
	count_buckets(b);
	if (b->nr_frames > U32_MAX)
		return -ENOMEM;
	write_directory(b, &strings);
	nr_scalars = kmprof_scalars_write(b->numbers, NULL, &strings);

	h->image_size = sizeof(*h);
	place(b, &h->profiles, nr_profiles, sizeof(struct kmprof_image_profile));
	kmprof_for_each_profile(p) {
		struct kmprof_image_profile *entry = &b->directory[p->index];

		place(b, &entry->columns, p->nr_columns, sizeof(struct kmprof_image_column));
		place(b, &entry->rows, b->rows[p->index], p->row_size);
	}
	place(b, &h->scalars, nr_scalars, sizeof(struct kmprof_image_scalar));
	place(b, &h->labels, b->nr_labels, sizeof(struct kmprof_image_label));
	place(b, &h->frames, b->nr_frames, sizeof(u64));
	place(b, &h->strings, strings.bytes, 1);
	return 0;
}

/* Add the labels of a bucket, if any. Returns the value for @label of its row. */
static u32 fill_label(struct build *b, const struct kmprof_bucket *bucket)
{
	struct kmprof_image_label *labels = b->memory + b->header.labels.offset;
	u32 mask = kmprof_bucket_labels(&bucket->key);

	if (!mask)
		return 0;
	kmprof_labels_read(&labels[b->nr_labels], mask,
			   bucket->frames + kmprof_bucket_nr_frames(&bucket->key));
	return ++b->nr_labels;
}

static void fill_bucket(struct build *b, const struct kmprof_bucket *bucket)
{
	const struct kmprof_profile *p = bucket->key.profile;
	const struct kmprof_table *rows = &b->directory[p->index].rows;
	u64 *frames = b->memory + b->header.frames.offset;
	struct kmprof_image_row *row;
	u32 i;

	row = b->memory + rows->offset + (u64)b->rows[p->index]++ * rows->entry_size;
	p->ops->fill_row(row, bucket, b->addresses);
	row->nr_frames = kmprof_bucket_nr_frames(&bucket->key);
	row->label = fill_label(b, bucket);
	row->first_frame = b->nr_frames;
	for (i = 0; i < row->nr_frames; i++)
		frames[b->nr_frames++] = b->addresses ? bucket->frames[i] : 0;
}

static void fill(struct build *b)
{
	struct kmprof_image_header *h = &b->header;
	struct kmprof_strings strings = { b->memory + h->strings.offset, 1 };
	struct kmprof_bucket *bucket;

	memset(b->rows, 0, sizeof(b->rows));
	b->nr_frames = 0;
	b->nr_labels = 0;
	kmprof_cycle_for_each_bucket(bucket) {
		if (is_shown(bucket))
			fill_bucket(b, bucket);
		cond_resched();
	}
	write_directory(b, &strings);
	kmprof_scalars_write(b->numbers, b->memory + h->scalars.offset, &strings);
	memcpy(b->memory + h->profiles.offset, b->directory,
	       h->profiles.count * sizeof(b->directory[0]));

	h->magic = KMPROF_IMAGE_MAGIC;
	h->abi_version = KMPROF_ABI_VERSION;
	h->header_size = sizeof(*h);
	h->flags = b->addresses ? KMPROF_IMAGE_ADDRESSES : 0;
	h->cycle = kmprof_published.cycle;
	h->start_ns = kmprof_published.start_ns;
	h->time_ns = kmprof_published.time_ns;
	memcpy(b->memory, h, sizeof(*h));
}

/**
 * kmprof_image_build() - build the image of the closed cycles
 * @pages: returns the pages of the image, which starts with struct kmprof_image_header and is
 *	zero from its end to the end of the last page
 * @numbers: what the image has besides the rows
 * @addresses: the image may contain kernel addresses
 *
 * Context: Process context, cycle lock held. May sleep.
 * Return: 0; -ENOMEM; -EINTR when the task is being killed.
 */
int kmprof_image_build(struct kmprof_pages *pages, const struct kmprof_numbers *numbers,
		       bool addresses)
{
	struct build *b;
	int err;

	lockdep_assert_held(&kmprof_cycle_lock);

	b = kzalloc(sizeof(*b), GFP_KERNEL_ACCOUNT | __GFP_NOWARN);
	if (!b)
		return -ENOMEM;
	b->numbers = numbers;
	b->addresses = addresses;
	err = lay_out(b);
	if (err)
		goto out;
	/* Whole pages: all of them can be mapped, and they hold nothing but the image. */
	err = kmprof_pages_alloc(pages, b->header.image_size);
	if (err)
		goto out;
	b->memory = pages->memory;
	fill(b);
out:
	kfree(b);
	return err;
}
