// SPDX-License-Identifier: GPL-2.0
/*
 * Builds images. It knows no profile: what differs between profiles is in struct
 * kmprof_profile.
 *
 * First everything is counted and placed, then it is filled. The caller holds the cycle lock
 * from the one to the other, so that nothing changes in between. If there is no memory of that
 * size, the caller releases the lock, allocates, and has everything counted and placed anew.
 */
#include <linux/align.h>
#include <linux/limits.h>
#include <linux/lockdep.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <uapi/linux/kmprof.h>

#include "core/bucket.h"
#include "core/cycle.h"
#include "core/profile.h"
#include "out/image.h"
#include "out/scalars.h"
#include "out/strings.h"
#include "stack/gone.h"
#include "stack/labels.h"

/* False for a bucket that has counted nothing in a closed cycle yet. */
static bool is_shown(const struct kmprof_bucket *bucket)
{
	return bucket->key.profile->ops->is_shown(bucket);
}

/* All buckets, also those that have counted in the open cycle only. */
static void count_all(struct kmprof_image_build *b)
{
	kmprof_for_each_profile(p) {
		b->rows[p->index] = READ_ONCE(p->nr_buckets);
		b->nr_frames += READ_ONCE(p->nr_frames);
		b->nr_labels += READ_ONCE(p->nr_labels);
	}
}

static void count_shown(struct kmprof_image_build *b)
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

/* At least as many as there will be to fill in. */
static u64 count_objects(bool open_cycle)
{
	struct kmprof_bucket *bucket;
	u64 nr = 0;

	kmprof_cycle_for_each_bucket(bucket) {
		const struct kmprof_profile_ops *ops = bucket->key.profile->ops;

		if (ops->inuse)
			nr += ops->inuse(bucket, open_cycle);
		cond_resched();
	}
	return nr;
}

/* Write the names of the directory, and the columns. Without @memory only count strings. */
static void write_directory(struct kmprof_image_build *b, struct kmprof_strings *strings)
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

static void add_module(struct kmprof_image_build *b, struct kmprof_strings *strings,
		       const struct kmprof_gone *gone, unsigned int piece)
{
	struct kmprof_image_module *to = b->memory + b->header.modules.offset;
	u32 name = kmprof_strings_add(strings, gone->name);

	if (b->memory) {
		to += b->nr_modules;
		to->name = name;
		to->flags = KMPROF_MODULE_GONE;
		to->build_id_size = gone->build_id_size;
		memcpy(to->build_id, gone->build_id, gone->build_id_size);
		to->start = gone->at[piece];
		to->size = kmprof_gone_size(gone, piece);
		to->loaded_at = gone->pieces[piece].begin;
	}
	b->nr_modules++;
}

static void add_symbol(struct kmprof_image_build *b, struct kmprof_strings *strings,
		       const struct kmprof_symbol *symbol, u32 module)
{
	struct kmprof_image_symbol *to = b->memory + b->header.symbols.offset;
	u32 name = kmprof_strings_add(strings, symbol->name);

	if (b->memory)
		to[b->nr_symbols] = (struct kmprof_image_symbol) {
			.start	= symbol->start,
			.size	= symbol->size,
			.name	= name,
			.module	= module,
		};
	b->nr_symbols++;
}

/* Write the modules that are gone. Without @memory only count. */
static void write_gone(struct kmprof_image_build *b, struct kmprof_strings *strings)
{
	const struct kmprof_gone *gone;
	unsigned int piece, i;

	b->nr_modules = 0;
	b->nr_symbols = 0;
	if (!b->addresses)
		return;
	kmprof_for_each_gone(gone) {
		/* Pieces and symbols both have ascending addresses. */
		for (piece = 0, i = 0; piece < gone->nr_pieces; piece++) {
			while (i < gone->nr_symbols &&
			       kmprof_gone_has(gone, piece, gone->symbols[i].start))
				add_symbol(b, strings, &gone->symbols[i++], b->nr_modules);
			add_module(b, strings, gone, piece);
		}
		cond_resched();
	}
}

/* Place a table at the end of the image. */
static void place(struct kmprof_image_build *b, struct kmprof_table *table, u32 count,
		  size_t entry_size)
{
	*table = (struct kmprof_table) {
		.offset		= b->header.image_size,
		.count		= count,
		.entry_size	= entry_size,
	};
	b->header.image_size += ALIGN((u64)count * entry_size, sizeof(u64));
}

/* Returns -ENOMEM if there are more frames than a table can have. */
static int lay_out(struct kmprof_image_build *b, bool open_cycle)
{
	struct kmprof_strings strings = { .bytes = 1 };
	struct kmprof_image_header *h = &b->header;
	u32 nr_profiles = 0, nr_scalars;

	kmprof_for_each_profile(p)
		nr_profiles++;
	if (open_cycle)
		count_all(b);
	else
		count_shown(b);
	if (b->nr_frames > U32_MAX)
		return -ENOMEM;
	write_directory(b, &strings);
	nr_scalars = kmprof_scalars_write(b->numbers, NULL, &strings);
	write_gone(b, &strings);
	if (b->flags & KMPROF_SNAPSHOT_OBJECTS)
		b->nr_objects = count_objects(open_cycle);
	if (b->nr_objects > U32_MAX)
		return -ENOMEM;

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
	place(b, &h->modules, b->nr_modules, sizeof(struct kmprof_image_module));
	place(b, &h->symbols, b->nr_symbols, sizeof(struct kmprof_image_symbol));
	place(b, &h->strings, strings.bytes, 1);
	/* The last one: fill_objects() leaves the rest of it out. */
	place(b, &h->objects, b->nr_objects, b->flags & KMPROF_SNAPSHOT_BYTES ?
	      sizeof(struct kmprof_image_object) :
	      offsetof(struct kmprof_image_object, nr_bytes));
	return 0;
}

/* Add the labels of a bucket, if any. Returns the value for @label of its row. */
static u32 fill_label(struct kmprof_image_build *b, const struct kmprof_bucket *bucket)
{
	struct kmprof_image_label *labels = b->memory + b->header.labels.offset;
	u32 mask = kmprof_bucket_labels(&bucket->key);

	if (!mask)
		return 0;
	kmprof_labels_read(&labels[b->nr_labels], mask,
			   bucket->frames + kmprof_bucket_nr_frames(&bucket->key));
	return ++b->nr_labels;
}

static void *row_of(const struct kmprof_image_build *b, const struct kmprof_bucket *bucket)
{
	const struct kmprof_table *rows = &b->directory[bucket->key.profile->index].rows;

	return b->memory + rows->offset + (u64)bucket->row * rows->entry_size;
}

static void fill_bucket(struct kmprof_image_build *b, struct kmprof_bucket *bucket)
{
	const struct kmprof_profile *p = bucket->key.profile;
	u64 *frames = b->memory + b->header.frames.offset;
	struct kmprof_image_row *row;
	u32 i;

	bucket->row = b->rows[p->index]++;
	row = row_of(b, bucket);
	p->ops->fill_row(row, bucket, b->addresses);
	row->nr_frames = kmprof_bucket_nr_frames(&bucket->key);
	row->label = fill_label(b, bucket);
	row->first_frame = b->nr_frames;
	for (i = 0; i < row->nr_frames; i++)
		frames[b->nr_frames++] = b->addresses ? bucket->frames[i] : 0;
}

/* Add an object to its row, and to the table if there is one. */
static void fill_object(void *data, const struct kmprof_bucket *bucket,
			struct kmprof_image_object *object)
{
	const struct kmprof_profile *p = bucket->key.profile;
	struct kmprof_image_build *b = data;
	const struct kmprof_table *table = &b->header.objects;

	p->ops->add_object(row_of(b, bucket), object);
	if (!(b->flags & KMPROF_SNAPSHOT_OBJECTS) || WARN_ON_ONCE(b->nr_objects == table->count))
		return;
	object->profile = p->index;
	object->row = bucket->row;
	if (!b->addresses)
		object->address = 0;
	memcpy(b->memory + table->offset + (u64)b->nr_objects++ * table->entry_size, object,
	       table->entry_size);
}

static void fill_objects(struct kmprof_image_build *b)
{
	struct kmprof_table *table = &b->header.objects;

	b->nr_objects = 0;
	kmprof_for_each_profile(p)
		if (p->ops->walk)
			p->ops->walk(fill_object, b, b->flags & KMPROF_SNAPSHOT_BYTES);
	b->header.image_size -= (u64)(table->count - b->nr_objects) * table->entry_size;
	table->count = b->nr_objects;
}

static void fill(struct kmprof_image_build *b)
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
	fill_objects(b);
	write_directory(b, &strings);
	kmprof_scalars_write(b->numbers, b->memory + h->scalars.offset, &strings);
	write_gone(b, &strings);
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
 * kmprof_image_measure() - count and place everything that an image has
 * @b: returns the image, without memory; @b->header.image_size is the size that it needs
 * @numbers: what the image has besides the rows; used by kmprof_image_fill(), too
 * @addresses: the image may contain kernel addresses
 * @flags: KMPROF_SNAPSHOT_*
 * @open_cycle: count the buckets of the open cycle, too: the size that the image will have when
 *	the cycle is closed, unless stacks come that are new. Such an image cannot be filled
 *
 * Context: Process context, cycle lock held. May sleep, but not for memory.
 * Return: 0; -ENOMEM when there are more frames than an image can have.
 */
int kmprof_image_measure(struct kmprof_image_build *b, const struct kmprof_numbers *numbers,
			 bool addresses, u32 flags, bool open_cycle)
{
	lockdep_assert_held(&kmprof_cycle_lock);

	kmprof_gone_forget_reset();
	memset(b, 0, sizeof(*b));
	b->numbers = numbers;
	b->addresses = addresses;
	b->flags = flags;
	return lay_out(b, open_cycle);
}

/**
 * kmprof_image_fill() - fill an image that was measured
 * @b: the image, from kmprof_image_measure()
 * @memory: zeroed memory for it
 *
 * Context: Process context, cycle lock held since kmprof_image_measure(). May sleep, but not
 * for memory.
 */
void kmprof_image_fill(struct kmprof_image_build *b, void *memory)
{
	lockdep_assert_held(&kmprof_cycle_lock);

	b->memory = memory;
	fill(b);
}
