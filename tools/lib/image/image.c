// SPDX-License-Identifier: GPL-2.0
/*
 * The only place that distrusts an image. A file can be cut short, altered or
 * something else altogether; what passes here can be followed blindly.
 */
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "image/image.h"
#include "util/printable.h"

/* The header as it was when the version was made: what is behind may be missing. */
#define FIRST_HEADER_SIZE	offsetof(struct kmprof_image_header, block_rate)

#define DAMAGED_HINT	"the file is damaged or was cut short: take the snapshot again"

static int damaged(struct kmprof_error *err, const char *name, const char *what)
{
	return kmprof_error_set(err, -EINVAL, DAMAGED_HINT, "%s: not a sound kmprof image: %s",
				name, what);
}

/* Entries may grow from one version to the next, but never lose a field. */
static int check_table(const struct kmprof_image_header *header, const struct kmprof_table *table,
		       size_t min_entry, bool may_grow)
{
	__u64 bytes;

	if (table->entry_size < min_entry || (!may_grow && table->entry_size != min_entry))
		return -EINVAL;
	if (may_grow && table->entry_size % 8)
		return -EINVAL;
	/* Both factors have 32 bits. */
	bytes = (__u64)table->count * table->entry_size;
	if (table->offset % 8 || table->offset < header->header_size ||
	    table->offset > header->image_size)
		return -EINVAL;
	return bytes > header->image_size - table->offset ? -EINVAL : 0;
}

static int check_header(const struct kmprof_image_header *header, size_t size, const char *name,
			struct kmprof_error *err)
{
	static const unsigned char gzip[2] = { 0x1f, 0x8b };

	if (size >= sizeof(gzip) && !memcmp(header, gzip, sizeof(gzip)))
		return kmprof_error_set(err, -EINVAL,
			"this is compressed, perhaps a profile: read it with 'go tool pprof'",
			"%s: not a kmprof image", name);
	if (size < sizeof(header->magic))
		return damaged(err, name, "too short for a header");
	if (header->magic == __builtin_bswap32(KMPROF_IMAGE_MAGIC))
		return kmprof_error_set(err, -EINVAL,
			"read it on a machine like the one that wrote it",
					"%s: the image has the other byte order", name);
	if (header->magic != KMPROF_IMAGE_MAGIC)
		return kmprof_error_set(err, -EINVAL,
			"write one with 'kmprof dump --format image -o FILE'",
			"%s: not a kmprof image", name);
	if (size < FIRST_HEADER_SIZE)
		return damaged(err, name, "too short for a header");
	if (header->abi_version != KMPROF_ABI_VERSION)
		return kmprof_error_set(err, -EINVAL,
			"read it with the kmprof that belongs to the module that wrote it",
			"%s: image version %u, this program reads %u", name,
			header->abi_version, KMPROF_ABI_VERSION);
	if (header->image_size > size)
		return damaged(err, name, "the end is missing");
	if (header->image_size < size)
		return damaged(err, name, "something follows its end");
	if (header->header_size < FIRST_HEADER_SIZE || header->header_size % 8 ||
	    header->header_size > size)
		return damaged(err, name, "header size");
	return 0;
}

static bool has_frames(const struct kmprof_image *image, __u64 first, __u32 nr)
{
	__u64 all = image->header.frames.count;

	return first <= all && nr <= all - first;
}

static int check_sample(const struct kmprof_image *image, const struct kmprof_image_sample *sample)
{
	if (!has_frames(image, sample->first_frame, sample->nr_frames))
		return -EINVAL;
	if (sample->frees > sample->allocs || sample->rcu_pending > sample->frees)
		return -EINVAL;
	/* Nothing is sampled at rate 0, nor an object of size 0 but at rate 1. */
	if (!sample->period || (!sample->object_size && sample->period > 1))
		return -EINVAL;
	return 0;
}

/* Nobody's fault are delays of the mutex profile only, and nobody has no stack. */
static bool contradicts_blame(const struct kmprof_image_contention *contention)
{
	return kmprof_contention_is_unblamed(contention) &&
	       (contention->profile != KMPROF_PROFILE_MUTEX || contention->nr_frames);
}

/*
 * Each sampled wait counts one or more, and adds the period or more; each sampled
 * release counts the period, and adds that or more. Flags that are not known are left
 * to who knows them: a later module only has more to say about a delay, and nothing
 * that is read here means anything else for it.
 */
static int check_contention(const struct kmprof_image *image,
			    const struct kmprof_image_contention *contention)
{
	const __u32 both = KMPROF_WAIT_READ | KMPROF_WAIT_WRITE;
	__u64 least, whole;

	/* One that this program does not know of shows it nothing. */
	if (contention->profile != KMPROF_PROFILE_BLOCK &&
	    contention->profile != KMPROF_PROFILE_MUTEX)
		return 0;
	if (!has_frames(image, contention->first_frame, contention->nr_frames))
		return -EINVAL;
	if (contention->kind < KMPROF_LOCK_MUTEX || contention->kind > KMPROF_LOCK_RWLOCK)
		return -EINVAL;
	if ((contention->flags & both) == both || contradicts_blame(contention))
		return -EINVAL;
	if (contention->cache && contention->cache >= image->header.strings.count)
		return -EINVAL;
	if (contention->label > image->header.labels.count)
		return -EINVAL;
	/* Nothing is sampled at rate 0. */
	if (!contention->period || contention->longest_ns > contention->delay_ns)
		return -EINVAL;
	if (!contention->count)
		return contention->delay_ns ? -EINVAL : 0;
	if (contention->delay_ns < contention->period)
		return -EINVAL;
	/* None lasts less than 1 ns. */
	least = contention->profile == KMPROF_PROFILE_MUTEX ? contention->period : 1;
	whole = contention->count >> KMPROF_WAIT_COUNT_SHIFT;
	return whole < least || whole > contention->delay_ns ? -EINVAL : 0;
}

/* Bits that are not known are left to who knows them, as flags are. */
static int check_label(const struct kmprof_image_label *label)
{
	return memchr(label->comm, '\0', sizeof(label->comm)) ? 0 : -EINVAL;
}

/* The name is a word in every output. */
static int check_loss(const struct kmprof_image *image, const struct kmprof_image_loss *loss)
{
	const char *name;

	if (loss->name >= image->header.strings.count)
		return -EINVAL;
	name = image->strings + loss->name;
	return *name && kmprof_is_printable(name) && !strchr(name, ' ') ? 0 : -EINVAL;
}

/* Of a table that was not there at first. */
static int check_later_table(const struct kmprof_image_header *header,
			     const struct kmprof_table *table, size_t min_entry)
{
	static const struct kmprof_table none;

	if (!memcmp(table, &none, sizeof(none)))
		return 0;
	return check_table(header, table, min_entry, true);
}

static int check_tables(const struct kmprof_image_header *header, const char *name,
			struct kmprof_error *err)
{
	if (check_table(header, &header->samples, sizeof(struct kmprof_image_sample), true))
		return damaged(err, name, "sample table");
	if (check_table(header, &header->frames, sizeof(__u64), false))
		return damaged(err, name, "frame table");
	if (check_table(header, &header->losses, sizeof(struct kmprof_image_loss), true))
		return damaged(err, name, "loss table");
	if (check_table(header, &header->strings, 1, false))
		return damaged(err, name, "string table");
	if (check_later_table(header, &header->contentions,
			      sizeof(struct kmprof_image_contention)))
		return damaged(err, name, "contention table");
	if (check_later_table(header, &header->labels, sizeof(struct kmprof_image_label)))
		return damaged(err, name, "label table");
	return 0;
}

static int check_entries(const struct kmprof_image *image, const char *name,
			 struct kmprof_error *err)
{
	const struct kmprof_image_header *header = &image->header;
	__u32 i;

	/* With a NUL at the very end, every offset inside starts a string. */
	if (header->strings.count && image->strings[header->strings.count - 1])
		return damaged(err, name, "string table is not terminated");
	for (i = 0; i < header->losses.count; i++)
		if (check_loss(image, kmprof_image_loss(image, i)))
			return damaged(err, name, "name of a loss");
	for (i = 0; i < header->samples.count; i++)
		if (check_sample(image, kmprof_image_sample(image, i)))
			return damaged(err, name, "a sample contradicts itself");
	for (i = 0; i < header->labels.count; i++)
		if (check_label(kmprof_image_label(image, i)))
			return damaged(err, name, "a label's name is not terminated");
	for (i = 0; i < header->contentions.count; i++)
		if (check_contention(image, kmprof_image_contention(image, i)))
			return damaged(err, name, "a contention contradicts itself");
	return 0;
}

int kmprof_image_init(struct kmprof_image *image, const void *base, size_t size,
		      const char *name, struct kmprof_error *err)
{
	const struct kmprof_image_header *header = base;
	size_t known;
	int ret;

	ret = check_header(header, size, name, err);
	if (ret)
		return ret;
	memset(image, 0, sizeof(*image));
	known = header->header_size < sizeof(image->header) ? header->header_size :
							      sizeof(image->header);
	memcpy(&image->header, base, known);
	ret = check_tables(&image->header, name, err);
	if (ret)
		return ret;

	image->base = base;
	image->size = size;
	image->frames = (const void *)(image->base + image->header.frames.offset);
	image->strings = image->base + image->header.strings.offset;
	return check_entries(image, name, err);
}

/* Any module can name a cache as it likes: that is no fault of the image. */
const char *kmprof_image_cache(const struct kmprof_image *image,
			       const struct kmprof_image_contention *contention)
{
	const char *name = image->strings + contention->cache;

	return contention->cache && *name && kmprof_is_printable(name) ? name : NULL;
}

const struct kmprof_image_label *
kmprof_contention_label(const struct kmprof_image *image,
			const struct kmprof_image_contention *contention)
{
	return contention->label ? kmprof_image_label(image, contention->label - 1) : NULL;
}
